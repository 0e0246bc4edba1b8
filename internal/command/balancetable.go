package command

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"emsim/balance"
)

// marked is a scheme's name, with a star if it does not match its native model.
func marked(r *balance.Row) string {
	if r.Validated != nil && !*r.Validated {
		return r.Scheme + " *"
	}
	return r.Scheme
}

// balanceCells prints the times of all schemes at a workload and size, a column
// for each grain.
func balanceCells(w io.Writer, p *balance.Plan, rows []balance.Row, load string, n int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "scheme")
	for _, g := range p.Grains {
		fmt.Fprintf(t, "\tgrain %d", g)
	}
	fmt.Fprintln(t)
	for _, s := range p.Schemes {
		line := ""
		for _, g := range p.Grains {
			k := slices.IndexFunc(rows, func(r balance.Row) bool {
				return r.Scheme == s.Name && r.Workload == load && r.N == n && r.Grain == g
			})
			switch {
			case k < 0:
				line += "\t-"
				continue
			case rows[k].Mean == nil:
				line += "\tn/a"
			default:
				line += fmt.Sprintf("\t%.2f ± %.2f (%.2f)", *rows[k].Mean, *rows[k].SD, *rows[k].Worst)
			}
			if line[0] == '\t' {
				line = marked(&rows[k]) + line
			}
		}
		if line[0] == '\t' {
			line = s.Name + line // interrupted
		}
		fmt.Fprintln(t, line)
	}
	return t.Flush()
}

// balanceDetails prints the other metrics of one cell, and why a scheme has no
// value.
func balanceDetails(w io.Writer, rows []balance.Row, load string, n, grain int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scheme\tmoves\tmessages\tprobes\toverhead\tstarved\tdeviation\tregret")
	reasons := ""
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Workload != load || r.N != n || r.Grain != grain:
		case r.NA != nil:
			fmt.Fprintf(t, "%s\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\n", marked(r))
			reasons += fmt.Sprintf("%s is n/a: %s\n", r.Scheme, *r.NA)
		default:
			regret := "-"
			if r.Regret != nil {
				regret = fmt.Sprintf("%.0f %%", 100**r.Regret)
			}
			fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.1f %%\t%.1f %%\t%.1f\t%s\n", marked(r), r.Moved, r.Messages, r.Probes,
				100*r.Overhead, 100*r.Starved, r.Deviation, regret)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, reasons)
	return err
}

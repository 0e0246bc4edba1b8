package command

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"emsim/balance"
	"emsim/internal/base/plural"
)

// balanceTable prints a table for each workload and size.
func balanceTable(w io.Writer, p *balance.Plan, rows []balance.Row, details bool, took time.Duration) {
	fmt.Fprintf(w, "time over the ideal time, mean of %d seeds (95 %% interval); = is a tie with the best\n", p.Seeds)
	for _, load := range p.Workloads {
		for _, n := range p.Workers {
			fmt.Fprintf(w, "\n%s, %d workers: %s\n", load.Name, n, load.Title)
			balanceCells(w, p, rows, load.Name, n)
			balanceResponses(w, rows, load.Name, n)
			if !details {
				continue
			}
			for _, g := range p.Grains {
				fmt.Fprintf(w, "\n%s, %d workers, grain %d\n", load.Name, n, g)
				balanceDetails(w, rows, load.Name, n, g)
			}
		}
	}
	balanceRanking(w, balance.Ranking(rows))
	balanceDoubts(w, p.Seeds, rows)
	fmt.Fprintf(w, "\nsimulated in %.1f s\n", took.Seconds())
}

// marked returns a scheme's name, with a star if it does not match its native model.
func marked(r *balance.Row) string {
	if r.Validated != nil && !*r.Validated {
		return r.Scheme + " *"
	}
	return r.Scheme
}

// ends returns an interval by a format for both ends, each times a number; a single seed has none.
func ends(format string, times float64, low, high *float64) string {
	if low == nil || high == nil {
		return "n/a"
	}
	return fmt.Sprintf(format, times**low, times**high)
}

// balanceCells prints the times of all schemes at a workload and size, a column
// for each grain.
func balanceCells(w io.Writer, p *balance.Plan, rows []balance.Row, load string, n int) {
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
				line += fmt.Sprintf("\t%.2f (%s)", *rows[k].Mean, ends("%.2f-%.2f", 1, rows[k].Low, rows[k].High))
				if tie := rows[k].Tie; tie != nil && *tie {
					line += " ="
				}
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
	t.Flush()
}

// balanceResponses prints how long the units of an open workload are there.
func balanceResponses(w io.Writer, rows []balance.Row, load string, n int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "\nfrom a unit's arrival to its end, in mean works of a unit\nscheme\tgrain\tmean\tp50\tp95\tp99\n"
	verdicts := ""
	for _, r := range rows {
		if r.Verdict != nil && r.Workload == load && r.N == n {
			verdicts += fmt.Sprintf("%s, grain %d: %s\n", r.Scheme, r.Grain, *r.Verdict)
		}
		if r.Workload == load && r.N == n && r.Response != nil {
			fmt.Fprintf(t, "%s%s\t%d\t%.2f (%s)\t%.2f\t%.2f\t%.2f\n", head, marked(&r), r.Grain, *r.Response, ends("%.2f-%.2f", 1, r.RespLow, r.RespHigh), *r.P50, *r.P95, *r.P99)
			head = ""
		}
	}
	t.Flush()
	io.WriteString(w, verdicts)
}

// balanceDoubts says where there are too few seeds for the intervals.
func balanceDoubts(w io.Writer, seeds int, rows []balance.Row) {
	switch skewed := slices.DeleteFunc(slices.Clone(rows), func(r balance.Row) bool { return !r.Skewed() }); {
	case seeds == 1:
		fmt.Fprintf(w, "\none seed says nothing about chance: no intervals and no ties; --seeds %d gives both\n", balance.FewSeeds)
	case seeds < balance.FewSeeds:
		fmt.Fprintf(w, "\n%d seeds are few: intervals are wide, and a little too narrow where seeds differ to one side; expected --seeds %d or more\n", seeds, balance.FewSeeds)
	case seeds < balance.FewSkewed && len(skewed) > 0:
		r := &skewed[0]
		fmt.Fprintf(w, "\nin %s the seeds differ to one side, first %s at %s with %d workers, grain %d: their intervals are a little too narrow; expected --seeds %d or more\n",
			plural.Of(len(skewed), "row"), r.Scheme, r.Workload, r.N, r.Grain, balance.FewSkewed)
	}
}

// balanceRanking prints how the schemes do in all cells together, if there are several.
func balanceRanking(w io.Writer, list []balance.Standing) {
	if len(list) < 2 || list[0].Cells < 2 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nall cells together: geometric mean of the time over that of the best scheme of each cell\nscheme\tcells\tbest or tie\tmean\tworst\tat\n")
	for _, s := range list {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%.2f\t%s\n", s.Scheme, s.Cells, s.Best, s.Mean, s.Worst, s.At)
	}
	t.Flush()
}

// balanceDetails prints the other metrics of one cell, and why a scheme has no
// value.
func balanceDetails(w io.Writer, rows []balance.Row, load string, n, grain int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scheme\tgreatest\tmoves\tmessages\tprobes\toverhead\tstarved\tdeviation\tregret")
	reasons := ""
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Workload != load || r.N != n || r.Grain != grain:
		case r.NA != nil:
			fmt.Fprintf(t, "%s\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\tn/a\n", marked(r))
			reasons += fmt.Sprintf("%s is n/a: %s\n", r.Scheme, *r.NA)
		default:
			regret := "-"
			if r.Regret != nil {
				regret = fmt.Sprintf("%.0f %% (%s)", 100**r.Regret, ends("%.0f-%.0f", 100, r.RegLow, r.RegHigh))
			}
			fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f %%\t%.1f %%\t%.1f\t%s\n", marked(r), *r.Worst, r.Moved, r.Messages, r.Probes,
				100*r.Overhead, 100*r.Starved, r.Deviation, regret)
		}
	}
	t.Flush()
	io.WriteString(w, reasons)
}

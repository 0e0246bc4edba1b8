package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"emsim/balance"
	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"
	"emsim/internal/base/plural"
)

// balanceTable prints how the schemes do in all cells together, and which is the best in each; of a single cell,
// or with details, the tables of each workload and size.
func (a *app) balanceTable(w io.Writer, p *balance.Plan, rows []balance.Row, details bool) {
	ranking := balance.Ranking(rows)
	x := &answer.Answer{
		Title:   plural.Of(len(p.Schemes), "scheme") + ": time over the ideal time",
		Machine: balanceCellsText(p), Says: balanceDoubts(p.Seeds, rows),
	}
	several := len(ranking) > 0 && ranking[0].Cells > 1
	if several {
		x.Lists = append(balanceRanking(ranking), balanceBest(p, rows))
	}
	if several && !details {
		x.Next.Command = a.made.line("", false) + " --details"
		x.Next.Why = "all cells with intervals, moves, messages"
		terminal.Write(w, x, a.look())
		return
	}
	terminal.Write(w, x, a.look())
	for _, load := range p.Workloads {
		for _, n := range p.Workers {
			fmt.Fprintf(w, "\n%s, %d workers: %s; mean of %d seeds (95 %% interval), = is a tie with the best\n",
				load.Name, n, load.Title, p.Seeds)
			balanceCells(w, p, rows, load.Name, n)
			balanceResponses(w, rows, load.Name, n)
			for _, g := range p.Grains {
				if details {
					fmt.Fprintf(w, "\n%s, %d workers, grain %d\n", load.Name, n, g)
					balanceDetails(w, rows, load.Name, n, g)
				}
			}
		}
	}
}

// balanceCellsText returns how many cells a comparison has, of what.
func balanceCellsText(p *balance.Plan) string {
	text := func(list []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]") }
	return fmt.Sprintf("%s workers, %s, grain %s, %s", text(p.Workers), plural.Of(len(p.Workloads), "workload"),
		text(p.Grains), plural.Of(p.Seeds, "seed"))
}

// balanceRanking returns how the schemes do in all cells together, apart those that have no value in some.
func balanceRanking(list []balance.Standing) []answer.List {
	ranked := answer.List{Heads: []string{"scheme", "time over best", "worst", "in", "best or tie"}, Whole: true}
	others := answer.List{Heads: append([]string{"no rank: no value in some cells"}, ranked.Heads[1:]...), Whole: true}
	for _, s := range list {
		to := &ranked
		if s.Cells < list[0].Cells {
			to = &others
		}
		to.Add(s.Scheme, fmt.Sprintf("%.2f", s.Mean), fmt.Sprintf("%.2f", s.Worst), s.At,
			fmt.Sprintf("%d of %d", s.Best, s.Cells))
	}
	if others.Rows == nil {
		return []answer.List{ranked}
	}
	return []answer.List{ranked, others}
}

// balanceBest returns the scheme with the least time in each cell.
func balanceBest(p *balance.Plan, rows []balance.Row) answer.List {
	l := answer.List{Heads: []string{"best of each cell"}, Whole: true}
	for _, n := range p.Workers {
		for _, g := range p.Grains {
			l.Heads = append(l.Heads, fmt.Sprintf("%d workers, grain %d", n, g))
		}
	}
	for _, load := range p.Workloads {
		cells := []any{load.Name}
		for _, n := range p.Workers {
			for _, g := range p.Grains {
				cells = append(cells, bestOf(rows, load.Name, n, g))
			}
		}
		l.Add(cells...)
	}
	return l
}

// bestOf returns the scheme with the least time in a cell, with that time, "-" if none has one. Bounds are no schemes.
func bestOf(rows []balance.Row, load string, n, grain int) string {
	var best *balance.Row
	for i := range rows {
		r := &rows[i]
		if r.Workload == load && r.N == n && r.Grain == grain && r.Regret != nil &&
			(best == nil || *r.Mean < *best.Mean) {
			best = r
		}
	}
	if best == nil {
		return "-"
	}
	return fmt.Sprintf("%s %.2f", best.Scheme, *best.Mean)
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
			fmt.Fprintf(t, "%s%s\t%d\t%.2f (%s)\t%.2f\t%.2f\t%.2f\n", head, marked(&r), r.Grain, *r.Response,
				ends("%.2f-%.2f", 1, r.RespLow, r.RespHigh), *r.P50, *r.P95, *r.P99)
			head = ""
		}
	}
	t.Flush()
	io.WriteString(w, verdicts)
}

// balanceDoubts says where there are too few seeds for the intervals.
func balanceDoubts(seeds int, rows []balance.Row) []string {
	switch skewed := slices.DeleteFunc(slices.Clone(rows), func(r balance.Row) bool { return !r.Skewed() }); {
	case seeds == 1:
		return []string{fmt.Sprintf("One seed says nothing about chance: no intervals and no ties; "+
			"--seeds %d gives both.", balance.FewSeeds)}
	case seeds < balance.FewSeeds:
		return []string{fmt.Sprintf("%d seeds are few: intervals are wide, and a little too narrow where seeds "+
			"differ to one side; expected --seeds %d or more.", seeds, balance.FewSeeds)}
	case seeds < balance.FewSkewed && len(skewed) > 0:
		r := &skewed[0]
		return []string{fmt.Sprintf("In %s the seeds differ to one side, first %s at %s with %d workers, grain %d: "+
			"their intervals are a little too narrow; expected --seeds %d or more.",
			plural.Of(len(skewed), "row"), r.Scheme, r.Workload, r.N, r.Grain, balance.FewSkewed)}
	}
	return nil
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
			fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f %%\t%.1f %%\t%.1f\t%s\n", marked(r), *r.Worst, r.Moved,
				r.Messages, r.Probes,
				100*r.Overhead, 100*r.Starved, r.Deviation, regret)
		}
	}
	t.Flush()
	io.WriteString(w, reasons)
}

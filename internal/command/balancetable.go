package command

import (
	"fmt"
	"slices"
	"strings"

	"emsim/balance"
	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
)

// balanceSaid returns the answer of a comparison: the ranking of the schemes over all cells, and the best scheme of
// each cell. With details, or for a single cell, it adds the tables of each workload and size.
func (a *app) balanceSaid(p *balance.Plan, rows []balance.Row, details bool) *answer.Answer {
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
		return x
	}
	for _, load := range p.Workloads {
		for _, n := range p.Workers {
			l := balanceCells(p, rows, load.Name, n)
			l.Title = fmt.Sprintf("%s, %d workers: %s", load.Name, n, load.Title)
			if p.Seeds > 1 {
				l.Title += fmt.Sprintf("; mean of %d seeds (95 %% interval), = is a tie with the best", p.Seeds)
			}
			x.Lists = append(x.Lists, l, balanceResponses(rows, load.Name, n))
			for _, g := range p.Grains {
				if details {
					l := balanceDetails(rows, load.Name, n, g)
					l.Title = fmt.Sprintf("%s, %d workers, grain %d", load.Name, n, g)
					x.Lists = append(x.Lists, l)
				}
			}
		}
	}
	return x
}

// balanceCellsText describes the cells of a comparison: workers, workloads, grains and seeds.
func balanceCellsText(p *balance.Plan) string {
	text := func(list []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]") }
	return fmt.Sprintf("%s workers, %s, grain %s, %s", text(p.Workers), plural.Of(len(p.Workloads), "workload"),
		text(p.Grains), plural.Of(p.Seeds, "seed"))
}

// balanceRanking returns the ranking of the schemes over all cells. Schemes without a value in some cells are in a list
// of their own.
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

// bestOf returns the scheme with the least time in a cell, and that time, or "-" if no scheme has a time. Bounds do not
// count as schemes.
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

// marked returns a scheme's name, with a star if the scheme does not match its native model.
func marked(r *balance.Row) string {
	if r.Validated != nil && !*r.Validated {
		return r.Scheme + " *"
	}
	return r.Scheme
}

// ends formats the ends of an interval, each multiplied by times. It returns "" for a single seed, which has no
// interval.
func ends(format string, times float64, low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf(format, times**low, times**high)
}

// balanceCells returns the times of all schemes for a workload and size, with a column for each grain.
func balanceCells(p *balance.Plan, rows []balance.Row, load string, n int) answer.List {
	l := answer.List{Heads: []string{"scheme"}, Whole: true}
	for _, g := range p.Grains {
		l.Heads = append(l.Heads, fmt.Sprintf("grain %d", g))
	}
	for _, s := range p.Schemes {
		cells := []any{s.Name}
		for _, g := range p.Grains {
			r, ok := lists.Find(rows, func(r balance.Row) bool {
				return r.Scheme == s.Name && r.Workload == load && r.N == n && r.Grain == g
			})
			text := "-" // the comparison was interrupted
			switch {
			case ok && r.Mean == nil:
				text = "n/a"
			case ok:
				text = fmt.Sprintf("%.2f%s", *r.Mean, ends(" (%.2f-%.2f)", 1, r.Low, r.High))
				text += map[bool]string{true: " =", false: "  "}[r.Tie != nil && *r.Tie]
			}
			if cells = append(cells, text); ok {
				cells[0] = marked(&r)
			}
		}
		l.Add(cells...)
	}
	return l
}

// balanceResponses returns the response times of the units of an open workload.
func balanceResponses(rows []balance.Row, load string, n int) answer.List {
	l := answer.List{Whole: true}
	for _, r := range rows {
		if r.Workload != load || r.N != n {
			continue
		}
		if r.Verdict != nil {
			l.Notes = append(l.Notes, fmt.Sprintf("%s, grain %d: %s", r.Scheme, r.Grain, *r.Verdict))
		}
		if r.Response != nil {
			l.Title = "from a unit's arrival to its end, in mean works of a unit"
			l.Heads = []string{"scheme", "grain", "mean", "p50", "p95", "p99"}
			l.Add(marked(&r), r.Grain, fmt.Sprintf("%.2f%s", *r.Response, ends(" (%.2f-%.2f)", 1, r.RespLow,
				r.RespHigh)), twoPlaces(*r.P50), twoPlaces(*r.P95), twoPlaces(*r.P99))
		}
	}
	return l
}

// twoPlaces formats a number with two decimal places.
func twoPlaces(v float64) string { return fmt.Sprintf("%.2f", v) }

// balanceDoubts returns warnings about intervals for which there are too few seeds.
func balanceDoubts(seeds int, rows []balance.Row) []string {
	switch skewed := slices.DeleteFunc(slices.Clone(rows), func(r balance.Row) bool { return !r.Skewed() }); {
	case seeds == 1:
		return []string{fmt.Sprintf("One seed says nothing about chance: no intervals and no ties; "+
			"--seeds %d gives both.", balance.FewSeeds)}
	case seeds < balance.FewSeeds:
		return []string{fmt.Sprintf("%d seeds are few: intervals are wide, and a little too narrow where the "+
			"results of the seeds are skewed; expected --seeds %d or more.", seeds, balance.FewSeeds)}
	case seeds < balance.FewSkewed && len(skewed) > 0:
		r := &skewed[0]
		return []string{fmt.Sprintf("In %s the results of the seeds are skewed, first for %s at %s with %d "+
			"workers, grain %d: "+
			"their intervals are a little too narrow; expected --seeds %d or more.",
			plural.Of(len(skewed), "row"), r.Scheme, r.Workload, r.N, r.Grain, balance.FewSkewed)}
	}
	return nil
}

// balanceDetails returns the other metrics of one cell, and the reasons why schemes have no value.
func balanceDetails(rows []balance.Row, load string, n, grain int) answer.List {
	l := answer.List{Whole: true, Heads: []string{
		"scheme", "greatest", "moves", "messages", "probes", "overhead", "starved", "deviation", "regret",
	}}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Workload != load || r.N != n || r.Grain != grain:
		case r.NA != nil:
			l.Add(marked(r), "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a")
			l.Notes = append(l.Notes, fmt.Sprintf("%s is n/a: %s", r.Scheme, *r.NA))
		default:
			regret := "-"
			if r.Regret != nil {
				regret = fmt.Sprintf("%.0f %%%s", 100**r.Regret, ends(" (%.0f-%.0f)", 100, r.RegLow, r.RegHigh))
			}
			l.Add(marked(r), twoPlaces(*r.Worst), twoPlaces(r.Moved), twoPlaces(r.Messages), twoPlaces(r.Probes),
				answer.Percent(r.Overhead), answer.Percent(r.Starved), fmt.Sprintf("%.1f", r.Deviation), regret)
		}
	}
	return l
}

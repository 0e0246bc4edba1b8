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

// balanceSaid returns the answer of a comparison: the ranking of the policies over all cells, and the best policy of
// each cell. With details, or for a single cell, it adds the tables of each workload and size.
func (a *app) balanceSaid(p *balance.Plan, rows []balance.Row, details bool) *answer.Answer {
	ranking := balance.Ranking(rows)
	x := &answer.Answer{
		Title:   policiesText(p) + ": time over the ideal time",
		Machine: balanceCellsText(p), Says: balanceDoubts(p.Seeds, rows),
	}
	several := len(ranking) > 0 && ranking[0].Cells > 1
	if several {
		x.Lists = append(balanceRanking(p, ranking), balanceBest(p, rows))
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

// policiesText returns the number of policies in a comparison, and of bounds, which are not policies and get no rank.
func policiesText(p *balance.Plan) string {
	bounds := 0
	for _, s := range p.Policies {
		if s.Free {
			bounds++
		}
	}
	n := len(p.Policies) - bounds
	policies := fmt.Sprintf("%d %s", n, plural.Verb(n, "policy", "policies"))
	switch bounds {
	case 0:
		return policies
	case len(p.Policies):
		return plural.Of(bounds, "bound")
	}
	return policies + " and " + plural.Of(bounds, "bound")
}

// balanceCellsText describes the cells of a comparison: workers, workloads, grains and seeds.
func balanceCellsText(p *balance.Plan) string {
	text := func(list []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]") }
	grains := fmt.Sprintf("grain %d", p.Grains[0])
	if last := len(p.Grains) - 1; last > 0 {
		grains = fmt.Sprintf("grains %s and %d", text(p.Grains[:last]), p.Grains[last])
	}
	return fmt.Sprintf("%s workers, %s, %s, %s", text(p.Workers), plural.Of(len(p.Workloads), "workload"), grains,
		plural.Of(p.Seeds, "seed"))
}

// balanceRanking returns the ranking of the policies over all cells. Policies without a value in some cells are in a
// list of their own. A cell says how many workers it has if the comparison has several numbers.
func balanceRanking(p *balance.Plan, list []balance.Standing) []answer.List {
	heads := []string{"rank", "policy", "time over best", "worst", "in", "best or tie"}
	ranked := answer.List{Heads: heads, Whole: true}
	others := answer.List{
		Title: "no rank, because they have no value in some cells:", Heads: heads[1:], Whole: true,
	}
	for i, s := range list {
		at := s.At
		if len(p.Workers) == 1 {
			at = strings.Replace(at, fmt.Sprintf(", %d workers", p.Workers[0]), "", 1)
		}
		cells := []any{
			s.Policy, fmt.Sprintf("%.2f", s.Mean), fmt.Sprintf("%.2f", s.Worst), at,
			fmt.Sprintf("%d of %d", s.Best, s.Cells),
		}
		if s.Cells < list[0].Cells {
			others.Add(cells...)
		} else {
			ranked.Add(append([]any{fmt.Sprintf("%4d", i+1)}, cells...)...)
		}
	}
	if others.Rows == nil {
		return []answer.List{ranked}
	}
	return []answer.List{ranked, others}
}

// balanceBest returns the policy with the least time in each cell.
func balanceBest(p *balance.Plan, rows []balance.Row) answer.List {
	l := answer.List{Heads: []string{"best of each cell"}, Whole: true}
	for _, n := range p.Workers {
		for _, g := range p.Grains {
			head := fmt.Sprintf("grain %d", g)
			if len(p.Workers) > 1 {
				head = fmt.Sprintf("%d workers, %s", n, head)
			}
			l.Heads = append(l.Heads, head)
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

// bestOf returns the policy with the least time in a cell, and that time, or "-" if no policy has a time. Bounds do not
// count as policies.
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
	return fmt.Sprintf("%s %.2f", best.Policy, *best.Mean)
}

// marked returns a policy's name, with a star if the policy does not match its native model.
func marked(r *balance.Row) string {
	if r.Validated != nil && !*r.Validated {
		return r.Policy + " *"
	}
	return r.Policy
}

// ends formats the ends of an interval, each multiplied by times. It returns "" for a single seed, which has no
// interval.
func ends(format string, times float64, low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf(format, times**low, times**high)
}

// balanceCells returns the times of all policies for a workload and size, with a column for each grain.
func balanceCells(p *balance.Plan, rows []balance.Row, load string, n int) answer.List {
	l := answer.List{Heads: []string{"policy"}, Whole: true}
	for _, g := range p.Grains {
		l.Heads = append(l.Heads, fmt.Sprintf("grain %d", g))
	}
	for _, s := range p.Policies {
		cells := []any{s.Name}
		for _, g := range p.Grains {
			r, ok := lists.Find(rows, func(r balance.Row) bool {
				return r.Policy == s.Name && r.Workload == load && r.N == n && r.Grain == g
			})
			text := "-" // the comparison was interrupted
			switch {
			case ok && r.Mean == nil:
				text = "n/a"
			case ok:
				text = fmt.Sprintf("%.2f%s", *r.Mean, ends(" (%.2f to %.2f)", 1, r.Low, r.High))
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
			l.Notes = append(l.Notes, fmt.Sprintf("%s, grain %d: %s", r.Policy, r.Grain, *r.Verdict))
		}
		if r.Response != nil {
			l.Title = "from a unit's arrival to its end, in mean works of a unit"
			l.Heads = []string{"policy", "grain", "mean", "p50", "p95", "p99"}
			l.Add(marked(&r), r.Grain, fmt.Sprintf("%.2f%s", *r.Response, ends(" (%.2f to %.2f)", 1, r.RespLow,
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
			plural.Of(len(skewed), "row"), r.Policy, r.Workload, r.N, r.Grain, balance.FewSkewed)}
	}
	return nil
}

// balanceDetails returns the other metrics of one cell, and the reasons why policies have no value.
func balanceDetails(rows []balance.Row, load string, n, grain int) answer.List {
	l := answer.List{Whole: true, Heads: []string{
		"policy", "greatest", "moves", "messages", "probes", "overhead", "starved", "deviation", "regret",
	}}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Workload != load || r.N != n || r.Grain != grain:
		case r.NA != nil:
			l.Add(marked(r), "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a")
			l.Notes = append(l.Notes, fmt.Sprintf("%s is n/a: %s", r.Policy, *r.NA))
		default:
			regret := "-"
			if r.Regret != nil {
				regret = fmt.Sprintf("%.0f %%%s", 100**r.Regret, ends(" (%.0f to %.0f)", 100, r.RegLow, r.RegHigh))
			}
			l.Add(marked(r), twoPlaces(*r.Worst), twoPlaces(r.Moved), twoPlaces(r.Messages), twoPlaces(r.Probes),
				answer.Percent(r.Overhead), answer.Percent(r.Starved), fmt.Sprintf("%.1f", r.Deviation), regret)
		}
	}
	return l
}

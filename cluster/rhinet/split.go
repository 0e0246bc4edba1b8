package rhinet

import "emsim/internal/base/lists"

// A Report is what a rank reports to the others in a balancing phase. A user's own policy knows only this.
type Report struct {
	Rank    int
	Rows    int   // the rank's rows, or dummy rows relaxed as a probe
	Loops   int   // loops since the last phase
	Time    int64 // ticks in compute since the last phase, including slices of other processes
	Wait    int64 // ticks waiting for messages
	Longest int64 // longest compute of one loop
}

// Speed returns rows per tick. A time below half a tick, which the clock shows as 0, counts as one tick, so the speed
// stays finite.
func (r Report) Speed() float64 { return float64(r.Rows*r.Loops) / float64(max(1, r.Time)) }

// A Splitter is a user's own policy: it shares rows among the ranks that reported. It returns a number for each rank,
// at least 1; their sum must be rows. Every rank that decides calls it with the same reports, so it must depend on
// them alone. In policies with groups, equation (1) gives the rows of each group, and the splitter shares these
// among the group's ranks. Under WLB it shares the rows among the ranks that do not rest.
type Splitter func(rows int, reports []Report) ([]int, error)

// BySpeed shares rows by equation (1) [001 §4.2], which all policies use.
func BySpeed(rows int, reports []Report) ([]int, error) {
	return Share(rows, lists.Of(reports, Report.Speed))
}

// divide shares rows among ranks by the run's policy, and checks the policy's result.
func (s *sim) divide(rows int, known []info, ranks []int) ([]int, error) {
	reports := lists.Of(ranks, func(rank int) Report { return known[rank].Report })
	if s.cfg.Own == nil || s.cfg.Own.Split == nil {
		return BySpeed(rows, reports)
	}
	out, err := s.cfg.Own.Split(rows, reports)
	if err != nil {
		return nil, err
	}
	sum := 0
	for i, n := range out {
		if n < 1 {
			if i < len(ranks) {
				i = ranks[i]
			}
			return nil, usagef("the split gives rank %d %d rows: every rank needs one", i, n)
		}
		sum += n
	}
	if len(out) != len(ranks) || sum != rows {
		return nil, usagef("the split gives %d ranks %d rows: expected %d ranks and %d rows", len(out), sum, len(ranks),
			rows)
	}
	return out, nil
}

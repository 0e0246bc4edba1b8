package rhinet

import "emsim/internal/base/lists"

// A Report is what a rank tells the others in a balancing phase: all that a policy
// of one's own knows.
type Report struct {
	Rank    int
	Rows    int   // rows that it has, or relaxed as a probe
	Loops   int   // loops since the last phase
	Time    int64 // ticks in compute since then, other processes' slices included
	Wait    int64 // ticks waiting for messages
	Longest int64 // longest compute of one loop
}

// Speed returns rows per tick. A time below half a tick, which the clock shows as
// none, counts as one tick: the speed stays finite.
func (r Report) Speed() float64 { return float64(r.Rows*r.Loops) / float64(max(1, r.Time)) }

// A Splitter is the hook for a policy of one's own: it shares rows among the ranks that
// reported. It returns a number for each, at least 1; their sum is rows. Every rank
// that decides calls it with the same reports, so it must depend on them alone. In
// algorithms with groups equation (1) says how many rows a group gets, and the
// splitter shares these among its ranks; under WLB it shares the rows among the ranks
// that do not rest.
type Splitter func(rows int, reports []Report) ([]int, error)

// BySpeed returns equation (1) [001 §4.2], the policy of all algorithms.
func BySpeed(rows int, reports []Report) ([]int, error) {
	return Share(rows, lists.Of(reports, Report.Speed))
}

// divide shares rows among ranks by the run's policy, and checks what that says.
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

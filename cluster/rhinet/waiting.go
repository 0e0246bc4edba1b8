package rhinet

import (
	"slices"

	"emsim/internal/base/lists"
)

// WLB is the "balancing that takes waiting time into account" which the paper
// names as future work. Equation (1) sees mean speeds only: a host whose
// competitor takes the CPU in long slices gets fewer rows, and still stops all
// ranks in the next collective. WLB lets such a rank rest: it has no rows and takes no
// part in the loops until a phase finds its host free again.
//
// At each phase rank 0 compares two predictions of the next loops' length:
//
//	all stay:   rows / Σ speed            + stall
//	slow rest:  rows / Σ speed of others
//
// where stall is the time of the last loops beyond the compute time of their busiest
// rank. Only ranks that are slow and whose loops differ in length may
// rest: for hosts that are only slower, fewer rows are enough.

// decideWaiting distributes the rows under WLB: it chooses the ranks that rest, and shares the rows among the others.
func (s *sim) decideWaiting(sp *split, known []info) error {
	speeds := lists.Of(known, info.Speed)
	sorted := slices.Sorted(slices.Values(speeds))
	limit := float64(s.cfg.WLB.Slow * sorted[len(sorted)/2])

	var loop, busiest, all, fast float64
	active, mayRest := 0, make([]bool, len(known))
	for i := range known {
		k := &known[i]
		sp.old[i] = k.own
		mean, works := float64(k.Time)/float64(k.Loops), k.own.rowCount() > 0
		slow := i > 0 && speeds[i] < limit // rank 0 coordinates the run
		mayRest[i] = slow && (!works || float64(k.Longest) >= s.cfg.WLB.Jerky*mean)
		if works {
			active++
			loop += mean + float64(k.Wait)/float64(k.Loops)
			busiest = max(busiest, mean)
		}
		if !mayRest[i] {
			fast += speeds[i]
		}
		if !mayRest[i] || works {
			all += speeds[i]
		}
	}
	rows := float64(s.cfg.distributedRows())
	stall := max(0, loop/float64(active)-busiest)
	restPays := rows/fast < rows/all+stall

	for i := range known {
		if !mayRest[i] || known[i].own.rowCount() > 0 && !restPays {
			sp.flat = append(sp.flat, i)
		}
	}
	share, err := s.divide(s.cfg.distributedRows(), known, sp.flat)
	if err != nil {
		return err
	}
	lo := 0
	for i := range sp.spans {
		n := 0
		if at, here := slices.BinarySearch(sp.flat, i); here {
			n = share[at]
		}
		sp.spans[i] = span{lo, lo + n}
		lo += n
	}
	return nil
}

// restingNow returns the resting ranks, as far as r knows.
func (s *sim) restingNow(r *rank) []int {
	var out []int
	for id := range s.cfg.Nodes {
		if s.cfg.Policy == WLB && !slices.Contains(r.flat, id) {
			out = append(out, id)
		}
	}
	return out
}

package rhinet

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"emsim/internal/base/moves"
)

// Share splits rows in proportion to speed, by equation (1) [001 §4.2]:
//
//	length_i = INT(speed_i / Σ speed_j × length_all)
//
// The rows left over by INT go to the largest fractions; ties go to the lower rank. Every rank gets at least one row.
// Speeds are in any common unit, positive and finite. There must be at least as many rows as speeds.
func Share(rows int, speeds []float64) ([]int, error) {
	if len(speeds) == 0 || rows < len(speeds) {
		return nil, fmt.Errorf("rhinet: %d rows for %d ranks: every rank needs one", rows, len(speeds))
	}
	for i, v := range speeds {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("rhinet: speed of rank %d is %g: expected a positive number", i, v)
		}
	}
	out := Apportion(rows, speeds)
	giveEach(1, out)
	return out, nil
}

// giveEach raises the numbers in list that are below `least` to `least`, which must not exceed the mean of the list. It
// takes the difference from the largest numbers.
func giveEach(least int, list []int) {
	for i := range list {
		for ; list[i] < least; list[i]++ {
			list[slices.Index(list, slices.Max(list))]--
		}
	}
}

// Apportion splits units in proportion to speeds, by equation (1) but without a minimum per rank. The sum of speeds
// must be positive. Each rank gets the whole part of its share. The remaining units go to the largest fractions; ties
// go to the lower rank.
func Apportion(units int, speeds []float64) []int {
	sum := 0.0
	for _, v := range speeds {
		sum += v
	}
	out, fraction, order := make([]int, len(speeds)), make([]float64, len(speeds)), make([]int, len(speeds))
	left := units
	for i, v := range speeds {
		whole, f := math.Modf(float64(v / sum * float64(units)))
		out[i], fraction[i], order[i] = int(whole), f, i
		left -= out[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fraction[b], fraction[a]) })
	for i := 0; left > 0; i, left = i+1, left-1 {
		out[order[i%len(order)]]++
	}
	return out
}

// info is what a rank reports to the others in a balancing phase.
type info struct {
	own span
	Report
	at int64 // for the record: when the report was made
}

// infoBytes is the size of one rank's report: first row, number of rows, time
// [001 equation (1)].
const infoBytes = 16

// split is the result of a balancing phase.
type split struct {
	old, spans []span
	flat       []int        // WLB: ranks that take part from then on
	loop       int          // WLB: loop from which these ranks take part
	cause      *moves.Cause // for the record
}

// blocks fills dst with consecutive blocks of rows, starting at row lo. Block i has rows[i] rows.
func blocks(dst []span, lo int, rows []int) {
	for i, n := range rows {
		dst[i] = span{lo, lo + n}
		lo += n
	}
}

// decide computes the new split from the reports in r.known.
func (s *sim) decide(r *rank) {
	sp := &split{old: slices.Clone(r.spans), spans: slices.Clone(r.spans), loop: r.loop}
	a, size := s.cfg.Policy, s.cfg.Group
	var err error
	switch {
	case a == WLB:
		err = s.decideWaiting(sp, r.known)
	case !a.Grouped():
		err = s.within(sp, r.known, 0, len(r.known), 0, s.cfg.distributedRows())
	case a == GLB || r.phase%2 == 1:
		lo, hi := r.rep, r.rep+size
		err = s.within(sp, r.known, lo, hi, r.known[lo].own.lo, r.known[hi-1].own.hi)
	default:
		err = s.groups(sp, r.known, size, s.cfg.distributedRows())
	}
	if err != nil {
		s.fail(err)
		return
	}
	r.split = sp
}

// within distributes the rows lo to hi-1 among the ranks first to last-1.
func (s *sim) within(sp *split, known []info, first, last, lo, hi int) error {
	var ranks []int
	for i := first; i < last; i++ {
		ranks = append(ranks, i)
		sp.old[i] = known[i].own
	}
	rows, err := s.divide(hi-lo, known, ranks)
	if err != nil {
		return err
	}
	blocks(sp.spans[first:last], lo, rows)
	return nil
}

// groups distributes the rows among the groups by the sum of their members' speeds, then inside each group.
func (s *sim) groups(sp *split, known []info, size, rows int) error {
	sums := make([]float64, len(known)/size)
	for i := range known {
		sums[i/size] += known[i].Speed()
	}
	// A group needs a row for each member. A group that gets fewer by equation (1) is raised to that number, at the
	// expense of the largest groups.
	per, err := Share(rows, sums)
	if err != nil {
		return err
	}
	giveEach(size, per)
	lo := 0
	for g, n := range per {
		if err := s.within(sp, known, g*size, (g+1)*size, lo, lo+n); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

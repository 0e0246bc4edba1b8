package rhinet

import (
	"context"
	"math"

	"emsim/internal/base/rng"
	"emsim/internal/base/state"
)

// application is the numerical part of the program: the work of a loop, and the transfer of data when rows move to
// another rank.
type application interface {
	beginLoop(s *sim, r *rank)                      // adds the operations of r's next loop
	compute(list []*rank)                           // one loop's arithmetic on the rows of these ranks
	finished(s *sim, r *rank) bool                  // reports at opTest whether the run is over
	publish()                                       // makes the new values the exchanged values, at opPublish
	edgeValue(r *rank, first bool) float64          // returns r's first or last row
	moves() bool                                    // reports whether rows are sent when they move to another rank
	adopt(s *sim, r *rank, sp *split, old span)     // takes over r's new span
	deviation(ctx context.Context) (float64, error) // returns the largest difference from the reference solution
	state(c *state.Codec)                           // visits the numbers
}

// sor solves A x = b by over-relaxation inside the ranks' blocks [001
// §5.2.1]. Every rank relaxes its rows with its newest values; the other
// blocks' values come from the last exchange.
//
// The matrix is dense, a_ij = -rho^|i-j|, a_ii = d, and strictly diagonally
// dominant. Its rows' sums follow from two recursions,
//
//	left_i = rho (left_{i-1} + x_{i-1}),  right_i = rho (right_{i+1} + x_{i+1}),
//
// so a sweep takes only O(n) host time, while the model charges for the dense
// one.
//
// Products are converted to float64 explicitly: that forbids fused
// multiply-add, and the same run has the same bits on every processor.
type sor struct {
	p             SORParams
	d             float64
	b, truth      []float64
	x             []float64 // newest values; each rank uses only its own rows
	g             []float64 // values at the last exchange
	gLeft, gRight []float64 // the two recursions over g
	sums          []float64 // scratch of a sweep: the recursion from the right
	every         int
	balances      bool
}

func newSOR(c *Config) *sor {
	n := c.SOR.Rows
	a := &sor{p: c.SOR, every: c.Every, balances: c.Policy.Balances()}
	for _, v := range []*[]float64{&a.b, &a.truth, &a.x, &a.g, &a.gLeft, &a.gRight, &a.sums} {
		*v = make([]float64, n)
	}
	a.d = float64(c.SOR.Dominance * offDiagonalSum(c.SOR.Rho, n))
	rnd := rng.Stream(0) // every run solves the same equations
	for i := range a.truth {
		a.truth[i] = 0.75 + rnd.Unit()/2
	}
	copy(a.g, a.truth)
	a.recursions()
	for i := range a.b {
		a.b[i] = float64(a.d*a.truth[i]) - a.gLeft[i] - a.gRight[i]
	}
	clear(a.g)
	a.recursions()
	return a
}

// offDiagonalSum returns the sum of the off-diagonal elements, up to sign, of the middle row, where it is largest.
func offDiagonalSum(rho float64, n int) float64 {
	sum, power := 0.0, 1.0
	for i := 1; i <= n/2; i++ {
		power = float64(power * rho)
		sum += power
		if i <= (n-1)/2 {
			sum += power
		}
	}
	return max(sum, rho) // n = 1 has no off-diagonal; any positive diagonal works
}

// recursions computes both recursions over g in one loop, because a processor can overlap them.
func (a *sor) recursions() {
	left, right := 0.0, 0.0
	n := len(a.g)
	g, gLeft, gRight := a.g, a.gLeft[:n], a.gRight[:n]
	for i := range n {
		j := n - 1 - i
		gLeft[i], gRight[j] = left, right
		left = float64(a.p.Rho * (left + g[i]))
		right = float64(a.p.Rho * (right + g[j]))
	}
}

func (a *sor) beginLoop(s *sim, r *rank) {
	if r.loop++; r.loop > a.p.MaxLoops {
		s.fail(noConvergence(r.loop-1, r.delta, a.p.Tolerance))
		return
	}
	r.addOperation(op{kind: opCompute})
	r.allreduce()
	r.addOperation(op{kind: opTest})
	if r.loop%a.p.Exchange == 0 {
		r.exchange(&s.cfg)
	}
	if a.balances && r.loop%a.every == 0 {
		s.balance(r)
	}
}

// compute sweeps over the ranks' rows and sets each delta to the largest distance from the exchanged values. (With the
// change per sweep instead, a run could count as converged while the blocks still disagree.)
func (a *sor) compute(list []*rank) {
	for ; len(list) >= lanes; list = list[lanes:] {
		var s [lanes]sweep
		n := math.MaxInt
		for k, r := range list[:lanes] {
			s[k] = a.newSweep(r.ownRows())
			n = min(n, len(s[k].x))
		}
		a.leftTogether(&s, n)
		for k := range s {
			a.left(&s[k], len(s[k].x)-n)
		}
		a.rightTogether(&s, n)
		for k, r := range list[:lanes] {
			r.delta = a.right(&s[k], n)
		}
	}
	for _, r := range list {
		s := a.newSweep(r.ownRows())
		a.left(&s, len(s.x))
		r.delta = a.right(&s, 0)
	}
}

func (a *sor) finished(s *sim, r *rank) bool {
	if math.IsNaN(r.delta) || math.IsInf(r.delta, 0) {
		s.fail(noConvergence(r.loop, r.delta, a.p.Tolerance))
	}
	return r.delta < a.p.Tolerance
}

// publish makes the new values the exchanged values when the root has all blocks. No rank computes before it has
// received the broadcast that follows.
func (a *sor) publish() {
	copy(a.g, a.x)
	a.recursions()
}

func (a *sor) edgeValue(*rank, bool) float64 { return 0 }
func (a *sor) moves() bool                   { return false }

// adopt gives r the last exchanged values for its new rows. The ranks read coefficients from a file server [001
// §5.2.1], so no rows travel. A rank that returns from a rest has missed the exchanges, so rank 0 sends it the
// unknowns.
func (a *sor) adopt(s *sim, r *rank, sp *split, old span) {
	for i := r.ownRows().lo; i < r.ownRows().hi; i++ {
		if i < old.lo || i >= old.hi {
			a.x[i] = a.g[i]
		}
	}
	for id := range sp.spans {
		if sp.old[id].rowCount() > 0 || sp.spans[id].rowCount() == 0 {
			continue
		}
		if r.id == 0 {
			r.send(id, aBlock, 8*a.p.Rows)
		} else if r.id == id {
			r.recv(0, aBlock)
		}
	}
}

func (a *sor) deviation(context.Context) (float64, error) {
	worst := 0.0
	for i := range a.x {
		worst = max(worst, math.Abs(a.x[i]-a.truth[i]))
	}
	return worst, nil
}

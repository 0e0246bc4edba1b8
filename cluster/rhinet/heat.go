package rhinet

import (
	"context"
	"math"

	"emsim/internal/base/portable"
)

// heat is an application other than SOR, as the paper suggests: heat conduction in a square plate, edges at 0, by the
// explicit five-point scheme with strips of rows. In each loop a rank exchanges edge rows with its two neighbours and
// waits for no other rank. There is no collective. Rows that move to another rank are sent, 8 bytes per point.
//
// The start is u(x,y) = f(y) sin(pi x) with a hot band f. The scheme preserves the sine: every row remains f_j times
// the sine, so one number per row is exact. The model charges for all columns.
type heat struct {
	p        HeatParams
	f        []float64 // each rank uses only its own rows
	decay    float64   // eigenvalue of the sine, for the negative second difference: 2 - 2 cos(pi/(columns+1))
	every    int
	balances bool
}

func newHeat(c *Config) *heat {
	a := &heat{p: c.Heat, every: c.Every, balances: c.Policy.Balances()}
	a.decay = 2 - float64(2*portable.Cos(math.Pi/float64(a.p.Columns+1)))
	a.f = a.start()
	return a
}

func (a *heat) start() []float64 {
	f := make([]float64, a.p.Rows)
	for i := a.p.Rows / 4; i < (a.p.Rows+1)/2; i++ {
		f[i] = 1
	}
	return f
}

// update does one step on f; before and after are the adjacent rows.
func (a *heat) update(f []float64, before, after float64) {
	for i, v := range f {
		next := after
		if i+1 < len(f) {
			next = f[i+1]
		}
		f[i] = v + float64(a.p.Courant*(before+next-float64((2+a.decay)*v)))
		before = v
	}
	// The neighbours to the left and right enter through decay: u_left + u_right - 2u = -decay u.
}

func (a *heat) beginLoop(s *sim, r *rank) {
	if r.loop++; r.loop > a.p.Steps {
		s.leave(r)
		return
	}
	bytes := 8 * a.p.Columns
	r.edge = [2]float64{}
	sides := r.neighbours()
	for _, peer := range sides {
		r.send(peer, anEdge, bytes)
	}
	for _, peer := range sides {
		r.recv(peer, anEdge)
	}
	r.addOperation(op{kind: opCompute})
	if a.balances && r.loop%a.every == 0 && r.loop < a.p.Steps {
		s.balance(r)
	}
}

// neighbours returns the nearest ranks before and after r that have rows.
func (r *rank) neighbours() []int {
	var out []int
	for id := r.id - 1; id >= 0; id-- {
		if r.spans[id].rowCount() > 0 {
			out = append(out, id)
			break
		}
	}
	for id := r.id + 1; id < len(r.spans); id++ {
		if r.spans[id].rowCount() > 0 {
			return append(out, id)
		}
	}
	return out
}

func (a *heat) compute(list []*rank) {
	for _, r := range list {
		a.update(a.f[r.ownRows().lo:r.ownRows().hi], r.edge[0], r.edge[1])
	}
}

func (a *heat) finished(*sim, *rank) bool { return false }
func (a *heat) publish()                  {}
func (a *heat) moves() bool               { return true }

func (a *heat) edgeValue(r *rank, first bool) float64 {
	if first {
		return a.f[r.ownRows().lo]
	}
	return a.f[r.ownRows().hi-1]
}

// adopt sends the rows that r has lost to their new owners, and receives r's new rows from their old owners.
func (a *heat) adopt(_ *sim, r *rank, sp *split, old span) {
	for id := range sp.spans {
		if n := old.intersect(sp.spans[id]).rowCount(); id != r.id && n > 0 {
			r.send(id, someRows, 8*a.p.Columns*n)
		}
	}
	for id := range sp.old {
		if id != r.id && sp.old[id].intersect(r.ownRows()).rowCount() > 0 {
			r.recv(id, someRows)
		}
	}
}

// deviation returns the largest difference from the result of a single processor. It is 0 if the model is right.
func (a *heat) deviation(ctx context.Context) (float64, error) {
	alone := a.start()
	for range a.p.Steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		a.update(alone, 0, 0)
	}
	worst := 0.0
	for i := range alone {
		worst = max(worst, math.Abs(alone[i]-a.f[i]))
	}
	return worst, nil
}

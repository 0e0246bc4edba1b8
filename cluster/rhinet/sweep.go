package rhinet

import "math"

// lanes is the number of sweeps that are computed together. In a sweep each row needs the new value of the row before
// it. Sweeps of different ranks are independent, so a processor can overlap them [chosen: four together take less than
// half the time].
const lanes = 4

// sweep holds a rank's rows during a sweep. The left pass goes from the last row to the first and computes, from the
// old values, the part of each row's sum to the right of the diagonal. The right pass goes back and computes the new
// values. Each pass can be done in two steps.
type sweep struct {
	x, b, g, sums []float64
	fromRight     float64 // the recursion at the next row of the left pass
	fromLeft      float64 // the recursion at the next row of the right pass
}

func (a *sor) newSweep(s span) sweep {
	return sweep{
		x: a.x[s.lo:s.hi], b: a.b[s.lo:s.hi], g: a.g[s.lo:s.hi], sums: a.sums[s.lo:s.hi],
		fromRight: a.gRight[s.hi-1], fromLeft: a.gLeft[s.lo],
	}
}

// left does the left pass over the first n rows, from the last to the first.
func (a *sor) left(s *sweep, n int) {
	rho, sum, x, sums := a.p.Rho, s.fromRight, s.x[:n], s.sums[:n]
	for i := n - 1; i >= 0; i-- {
		sums[i] = sum
		sum = float64(rho * (sum + x[i]))
	}
	s.fromRight = sum
}

// leftTogether does the left pass over the last n rows of each sweep.
func (a *sor) leftTogether(s *[lanes]sweep, n int) {
	rho := a.p.Rho
	var x, sums [lanes][]float64
	for k := range s {
		x[k], sums[k] = s[k].x[len(s[k].x)-n:], s[k].sums[len(s[k].x)-n:]
	}
	x0, x1, x2, x3 := x[0][:n], x[1][:n], x[2][:n], x[3][:n]
	to0, to1, to2, to3 := sums[0][:n], sums[1][:n], sums[2][:n], sums[3][:n]
	r0, r1, r2, r3 := s[0].fromRight, s[1].fromRight, s[2].fromRight, s[3].fromRight
	for i := n - 1; i >= 0; i-- {
		to0[i], to1[i], to2[i], to3[i] = r0, r1, r2, r3
		r0 = float64(rho * (r0 + x0[i]))
		r1 = float64(rho * (r1 + x1[i]))
		r2 = float64(rho * (r2 + x2[i]))
		r3 = float64(rho * (r3 + x3[i]))
	}
	s[0].fromRight, s[1].fromRight, s[2].fromRight, s[3].fromRight = r0, r1, r2, r3
}

// rightTogether does the right pass over the first n rows of each sweep.
func (a *sor) rightTogether(s *[lanes]sweep, n int) {
	rho, keep, w := a.p.Rho, 1-a.p.Omega, a.p.Omega/a.d
	x0, x1, x2, x3 := s[0].x[:n], s[1].x[:n], s[2].x[:n], s[3].x[:n]
	b0, b1, b2, b3 := s[0].b[:n], s[1].b[:n], s[2].b[:n], s[3].b[:n]
	r0, r1, r2, r3 := s[0].sums[:n], s[1].sums[:n], s[2].sums[:n], s[3].sums[:n]
	l0, l1, l2, l3 := s[0].fromLeft, s[1].fromLeft, s[2].fromLeft, s[3].fromLeft
	for i := range n {
		v0 := float64(keep*x0[i]) + float64(w*(b0[i]+l0+r0[i]))
		v1 := float64(keep*x1[i]) + float64(w*(b1[i]+l1+r1[i]))
		v2 := float64(keep*x2[i]) + float64(w*(b2[i]+l2+r2[i]))
		v3 := float64(keep*x3[i]) + float64(w*(b3[i]+l3+r3[i]))
		x0[i], x1[i], x2[i], x3[i] = v0, v1, v2, v3
		l0 = float64(rho * (l0 + v0))
		l1 = float64(rho * (l1 + v1))
		l2 = float64(rho * (l2 + v2))
		l3 = float64(rho * (l3 + v3))
	}
	s[0].fromLeft, s[1].fromLeft, s[2].fromLeft, s[3].fromLeft = l0, l1, l2, l3
}

// right does the right pass over the rows after the first n, and returns the largest distance of all rows from the
// exchanged values.
func (a *sor) right(s *sweep, n int) (delta float64) {
	rho, keep, w := a.p.Rho, 1-a.p.Omega, a.p.Omega/a.d
	left, x, b, g, sums := s.fromLeft, s.x, s.b[:len(s.x)], s.g[:len(s.x)], s.sums[:len(s.x)]
	for i := n; i < len(x); i++ {
		v := float64(keep*x[i]) + float64(w*(b[i]+left+sums[i]))
		x[i] = v
		left = float64(rho * (left + v))
	}
	for i, v := range x {
		if d := math.Abs(v - g[i]); d > delta {
			delta = d
		}
	}
	if math.IsNaN(left) { // then so is the last row or one before it, which the comparison above misses
		return left
	}
	return delta
}

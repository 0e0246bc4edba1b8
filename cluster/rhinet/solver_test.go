package rhinet

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The O(n) sweep equals the dense sweep, block by block.
func TestSweepIsDenseSOR(t *testing.T) {
	c := Default()
	c.SOR.Rows, c.Nodes = 96, 3
	a := newSOR(&c)
	n := c.SOR.Rows
	dense := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			dense.Set(i, j, -math.Pow(c.SOR.Rho, math.Abs(float64(i-j))))
		}
		dense.Set(i, i, a.d)
	}
	var truth mat.VecDense
	require.NoError(t, truth.SolveVec(dense, mat.NewVecDense(n, a.b)))
	for i := range n {
		require.InDelta(t, truth.AtVec(i), a.truth[i], 1e-12)
		require.True(t, a.truth[i] >= 0.75 && a.truth[i] < 1.25)
	}
	spans := []span{{0, 20}, {20, 21}, {21, 96}}
	x, g := make([]float64, n), make([]float64, n)
	for loop := 1; loop <= 20; loop++ {
		for id, s := range spans {
			r := &rank{id: id, spans: spans}
			a.compute([]*rank{r})
			worst := 0.0
			for i := s.lo; i < s.hi; i++ {
				sum := a.b[i]
				for j := range n {
					switch {
					case j >= s.lo && j < s.hi && j != i:
						sum -= dense.At(i, j) * x[j]
					case j != i:
						sum -= dense.At(i, j) * g[j]
					}
				}
				x[i] = (1-c.SOR.Omega)*x[i] + c.SOR.Omega*sum/dense.At(i, i)
				worst = max(worst, math.Abs(x[i]-g[i]))
			}
			require.InDelta(t, worst, r.delta, 1e-12)
		}
		for i := range n {
			require.InDelta(t, x[i], a.x[i], 1e-12, "loop %d, row %d", loop, i)
		}
		if loop%3 == 0 {
			copy(g, x)
			a.publish()
		}
	}
}

// From 8 nodes on the solver needs more than 200 loops [001 §5.2.1]; the exact counts are its own. The solution is
// right to the tolerance.
func TestIterations(t *testing.T) {
	for nodes, want := range map[int]int{1: 15, 4: 169, 8: 207, 16: 232, 32: 247, 64: 254} {
		c := Default()
		c.Nodes = nodes
		r, err := Run(context.Background(), c)
		require.NoError(t, err)
		require.InDelta(t, want, r.Iterations, 2, "%d nodes", nodes)
		require.Equal(t, nodes >= 8, r.Iterations >= 200, "%d nodes", nodes)
		require.Less(t, r.Deviation, 3e-8)
	}
}

// One number per row gives the same result as the whole grid.
func TestHeatIsFivePointScheme(t *testing.T) {
	c := Default()
	c.Application = Heat
	c.Heat.Rows, c.Heat.Columns, c.Heat.Steps = 40, 25, 60
	a := newHeat(&c)
	const rows, cols = 40, 25
	sine := func(j int) float64 { return math.Sin(math.Pi * float64(j) / (cols + 1)) }
	var u [rows + 2][cols + 2]float64
	for i, f := range a.f {
		for j := 1; j <= cols; j++ {
			u[i+1][j] = f * sine(j)
		}
	}
	for range c.Heat.Steps {
		was := u
		for i := 1; i <= rows; i++ {
			for j := 1; j <= cols; j++ {
				u[i][j] += c.Heat.Courant * (was[i-1][j] + was[i+1][j] + was[i][j-1] + was[i][j+1] - 4*was[i][j])
			}
		}
		a.update(a.f, 0, 0)
	}
	for i, f := range a.f {
		for j := 1; j <= cols; j++ {
			require.InDelta(t, u[i+1][j], f*sine(j), 1e-12)
		}
	}
}

// The result in strips on any number of ranks, with moving rows, equals a single processor's result to the last bit.
func TestHeatInStrips(t *testing.T) {
	for _, a := range []Policy{NoLB, GnoLB, CLB, DLB, GLB, IGCLB, IGDLB, WLB} {
		c := Default()
		c.Application, c.Policy, c.Load, c.Nodes = Heat, a, TwoLoad, 16
		c.Heat.Rows, c.Heat.Columns, c.Every = 500, 500, 20
		r, err := Run(context.Background(), c)
		require.NoError(t, err)
		require.Zero(t, r.Deviation, "%v", a)
		require.Equal(t, c.Heat.Steps, r.Iterations)
	}
}

// Sweeps that go together give the same bits as one by one, for any numbers of rows and ranks; so does one that
// diverges.
func TestSweepsTogether(t *testing.T) {
	c := Default()
	c.SOR.Rows = 96
	spans := []span{{0, 20}, {20, 21}, {21, 47}, {47, 60}, {60, 89}, {89, 90}, {90, 93}, {93, 96}}
	for n := range len(spans) + 1 {
		for _, value := range []float64{1, math.Inf(1), math.NaN()} {
			a, b := newSOR(&c), newSOR(&c)
			a.b[70], b.b[70] = value, value
			var list, alone []*rank
			for id := range n {
				list, alone = append(list, &rank{id: id, spans: spans}), append(alone, &rank{id: id, spans: spans})
			}
			for range 3 {
				a.compute(list)
				for _, r := range alone {
					b.compute([]*rank{r})
				}
				a.publish()
				b.publish()
			}
			require.Equal(t, fmt.Sprint(b.x, b.gLeft, b.gRight), fmt.Sprint(a.x, a.gLeft, a.gRight))
			for i := range list {
				require.Equal(t, math.Float64bits(alone[i].delta), math.Float64bits(list[i].delta), "%d ranks", n)
			}
			if n > 4 && value != 1 {
				require.False(t, list[4].delta < 1e300, "%g", list[4].delta)
			}
		}
	}
}

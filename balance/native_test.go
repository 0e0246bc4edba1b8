package balance_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/balance"
	"emsim/internal/study/ensemble"
	statistics "emsim/internal/study/spread"
)

// point is a paper's machine with its program, and the world that models both with hooks.
type point struct {
	balance.Conditions
	policies   []string
	seeds      int
	quantities []quantity
	native     measure
	hooks      measure
}

// measure runs a policy once and returns a value for each quantity.
type measure func(ctx context.Context, policy string, seed uint64) ([]float64, error)

// quantity is a quantity in which native machine and hooks are compared.
type quantity struct {
	name      string
	tolerance float64
	absolute  bool // the deviation is a difference, not a fraction
	gain      bool // the value is a time; what counts is how much shorter it is than the first policy's time
}

// points returns all points of the map.
func points() []point {
	return slices.Concat(mncPoints(), rhinetPoints(), spmdPoints(), fibPoints(), pdesPoints())
}

// measureAll compares the policies with their native models at the points of the map for which keep returns true.
func measureAll(t *testing.T, keep func(p *point) bool) (checks []balance.Check) {
	type job struct{ point, side, policy, seed int }
	var jobs []job
	list := slices.DeleteFunc(points(), func(p point) bool { return !keep(&p) })
	values := make([][2][][][]float64, len(list)) // by point, side, policy, seed, quantity
	for i, p := range list {
		for side := range 2 {
			for s := range p.policies {
				values[i][side] = append(values[i][side], make([][]float64, p.seeds))
				for seed := range p.seeds {
					jobs = append(jobs, job{i, side, s, seed})
				}
			}
		}
	}
	_, err := ensemble.New(2).InOrder(t.Context(), len(jobs), func(int) uint64 { return 0 },
		func(ctx context.Context, k int) (err error) {
			j := jobs[k]
			p := list[j.point]
			run := [2]measure{p.native, p.hooks}[j.side]
			values[j.point][j.side][j.policy][j.seed], err = run(ctx, p.policies[j.policy], uint64(j.seed)+1)
			return err
		})
	require.NoError(t, err)
	for i, p := range list {
		for s, policy := range p.policies {
			for q, of := range p.quantities {
				if of.gain && s == 0 {
					continue
				}
				if c := p.check(policy, q, values[i][0], values[i][1], s); of.absolute ||
					c.Native != 0 { // there are no fractions of 0
					checks = append(checks, c)
				}
			}
		}
	}
	return checks
}

// check compares the values of one quantity for policy s; values are by policy, seed and quantity.
func (p *point) check(policy string, q int, native, hooks [][][]float64, s int) balance.Check {
	of := p.quantities[q]
	list := func(all [][][]float64) (v []float64) {
		for seed := range p.seeds {
			x := all[s][seed][q]
			if of.gain {
				x = 1 - x/all[0][seed][q]
			}
			v = append(v, x)
		}
		return v
	}
	a, b := list(native), list(hooks)
	c := balance.Check{
		Policy: policy, Conditions: p.Conditions, Quantity: of.name, Seeds: p.seeds, Native: statistics.Of(a).Mean,
		Hooks: statistics.Of(b).Mean, Tolerance: of.tolerance, Unit: "share",
	}
	if of.absolute {
		for k := range b {
			b[k] -= a[k]
		}
		d := statistics.Of(b)
		c.Unit, c.Deviation = "difference", d.Mean
		if p.seeds > 1 {
			c.Low, c.High = &d.Low, &d.High
		}
	} else {
		r, low, high := statistics.Ratio(b, a, false)
		c.Deviation, low, high = r-1, low-1, high-1
		if !math.IsNaN(low) {
			c.Low, c.High = &low, &high
		}
	}
	c.OK = math.Abs(c.Deviation) <= of.tolerance
	return c
}

// with returns a policy whose policies use the numbers of a native machine.
func with(name string, policy func(w *balance.Worker) balance.Agent) balance.Policy {
	s, _ := balance.FindPolicy(name)
	if policy != nil {
		s.New = policy
	}
	return s
}

// The recorded checks equal what is measured. This test covers the points with small machines; a slow test covers
// all.
func TestNative(t *testing.T) {
	text, err := os.ReadFile("../docs/balance/valid.csv")
	require.NoError(t, err)
	for line := range strings.Lines(balance.CSV(measureAll(t, func(p *point) bool {
		return p.Paper == "002" && p.N == 7 || p.Paper == "004" || p.Paper == "000" && p.N < 32 || p.Paper == "001" &&
			p.N == 8 && p.Load == "oneload" || p.Paper == "003" && p.N < 32
	}))) {
		require.True(t, strings.Contains(string(text), line), "TestNativeMap -update records %s", line)
	}
}

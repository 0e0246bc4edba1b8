package balance

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/mnc"
)

// Work ends when the capacity up to that time has done it, whatever the slices and the order of the calls.
func TestSpeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for k := range 50 {
		s := timeShared(20+rng.Int64N(50), 1+rng.Int64N(50), rng.Int64N(15), rand.New(rand.NewPCG(uint64(k), 0)))
		for range 40 {
			from, work := rng.Int64N(2000), 1+rng.Int64N(300)
			end := s.advance(from, work)
			require.Equal(t, work, s.capacity(end)-s.capacity(from))
			require.Equal(t, work-1, s.capacity(end-1)-s.capacity(from))
			split := 1 + rng.Int64N(work)
			require.Equal(t, end, s.advance(s.advance(from, split), work-split))
		}
	}
	half := speed{rate: full / 2}
	require.EqualValues(t, 107, half.advance(5, 51))
	require.EqualValues(t, 50, half.capacity(101))
}

// Shares follow equation (1) as in package rhinet, except for its minimum of one row.
func TestShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		speeds := make([]float64, 1+rng.IntN(20))
		for i := range speeds {
			speeds[i] = 0.5 + rng.Float64()
		}
		units := 4 * len(speeds) * (1 + rng.IntN(9)) // so that every worker gets a unit
		want, err := rhinet.Share(units, speeds)
		require.NoError(t, err)
		require.Equal(t, want, rhinet.Apportion(units, speeds))
		few, sum := rhinet.Apportion(len(speeds)/2, speeds), 0
		for _, n := range few {
			sum += n
		}
		require.Equal(t, len(speeds)/2, sum)
	}
}

// A worker sees the same neighbours as a PE of the MNC computer.
func TestNear(t *testing.T) {
	for _, n := range []int{13, 16, 25, 26, 49, 50, 64, 128} {
		w, err := mnc.MNC(n)
		require.NoError(t, err)
		for i, near := range VisibilityGraph(n) {
			var got []int
			for _, j := range near {
				got = append(got, int(j))
			}
			require.ElementsMatch(t, w.Neighbours(i), got, "%d of %d", i, n)
		}
	}
	require.Empty(t, VisibilityGraph(1)[0])
	require.Len(t, VisibilityGraph(9)[0], 8)
}

// The graph has the units and edges of the banyan of package pdes.
func TestBanyan(t *testing.T) {
	require.Equal(t, []Traffic{{0, 2}, {0, 3}, {1, 2}, {1, 3}}, edgesOf(2))
	for s := 2; s < 7; s++ {
		require.Len(t, edgesOf(s), (s-1)<<s)
		require.Equal(t, s, stages(s<<(s-1)))
	}
}

// Circuits go through all workers of a row or column, and back to the first.
func TestGrid(t *testing.T) {
	for n, side := range map[int][2]int{12: {3, 4}, 16: {4, 4}, 7: {1, 7}, 1: {1, 1}} {
		rows, cols := shape(n)
		require.Equal(t, side, [2]int{rows, cols})
		c := TorusCircuits(n)
		for i := range n {
			require.Len(t, round(c.In, i), cols-1)
			require.Len(t, round(c.Out, i), rows-1)
			require.Len(t, round(c.Line, i), n-1)
			require.EqualValues(t, 1, max(1, torusDistance(rows, cols, i, int(c.In[i]))))
		}
	}
	require.EqualValues(t, 4, torusDistance(4, 4, 0, 10))
	require.EqualValues(t, 2, torusDistance(4, 4, 0, 15))
}

// The error of a rule names its wrong part.
func TestRuleErrors(t *testing.T) {
	for key, change := range map[string]func(*Rule){
		"information": func(r *Rule) { r.Information = "some" },
		"trigger":     func(r *Rule) { r.Trigger = "" },
		"amount":      func(r *Rule) { r.Amount = "share" },
		"range":       func(r *Rule) { r.Range = "near" },
		"probes":      func(r *Rule) { r.Probes = 0 },
		"threshold":   func(r *Rule) { r.Threshold = -1 },
		"interval":    func(r *Rule) { r.Interval = 0 },
		"group":       func(r *Rule) { r.Group = 1 },
		"":            func(*Rule) {},
	} {
		r := DefaultRule()
		change(&r)
		got, err := r.Validate()
		require.Equal(t, key, got)
		require.Equal(t, key != "", err != nil)
	}
}

package mapping

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/rng"
	"emsim/pdes/banyan"
	"emsim/pdes/network"
)

// laden returns a problem of random traffic and work with a compute term.
func laden(t *testing.T, seed uint64, lps int, weight float64, net *network.Net) *Problem {
	draw := rng.New(seed, 9)
	var edges []Edge
	w := &Work{Clocks: make([]float64, lps)}
	for lp := range lps {
		w.Clocks[lp] = float64(1 + draw.Below(900))
		for range draw.Below(4) {
			edges = append(edges, Edge{int32(lp), int32(draw.Below(lps)), int64(draw.Below(50))})
			w.Ends = append(w.Ends, [2]float64{float64(draw.Below(200)), float64(draw.Below(200))})
		}
	}
	return NewProblem(NewGraph(lps, edges), net, Weights{A: .1, B: 4.5, C: weight}).With(w)
}

func TestWorkOfAMap(t *testing.T) {
	net, err := network.Parse(network.HXB, "2x1")
	require.NoError(t, err)
	g := NewGraph(3, []Edge{{0, 1, 10}, {1, 2, 30}})
	p := NewProblem(g, net, Weights{A: 1, B: 1, C: 2}).With(&Work{
		Clocks: []float64{100, 200, 300},
		Ends:   [][2]float64{{10, 20}, {30, 40}},
	})
	require.Equal(t, []float64{600, 0}, p.WorkOf(Map{0, 0, 0}))
	require.Equal(t, []float64{100 + 10, 200 + 20 + 300}, p.WorkOf(Map{0, 1, 1}))
	require.Equal(t, []float64{330, 340}, p.WorkOf(Map{0, 0, 1}))
	// There are 700 clocks, with a mean of 350; if they are even, the term is C for each of 40 messages.
	require.InEpsilon(t, 2*40/2.*math.Pow(600/350., 8), p.Compute(Map{0, 0, 0}), 1e-12)
	require.InEpsilon(t, 2*40/2.*(math.Pow(330/350., 8)+math.Pow(340/350., 8)), p.Compute(Map{0, 0, 1}), 1e-12)
	require.InDelta(t, p.Cost(Map{0, 0, 1})+p.Compute(Map{0, 0, 1}), p.Total(Map{0, 0, 1}), 1e-12)
	require.InDelta(t, p.Total(Map{0, 0, 1}), p.Score(Map{0, 0, 1}).Cost, 1e-12)
	p = NewProblem(g, net, Reference()).With(p.work)
	require.Zero(t, p.Compute(Map{0, 0, 0}), "without a weight it is the paper's cost")
	require.Equal(t, []float64{0, 0}, NewProblem(g, net, Reference()).WorkOf(Map{0, 0, 0}))
}

// The rater's result for shifts equals the change of the whole map's cost.
func TestRaterEqualsTotal(t *testing.T) {
	net, err := network.Parse(network.Torus, "3x2")
	require.NoError(t, err)
	for seed := range uint64(30) {
		p := laden(t, seed, 9, 3, net)
		r := newRater(p, Random(9, 6, seed))
		for _, pair := range Pairs(net, Grid) {
			for _, list := range r.shifts(pair[0], pair[1]) {
				before := append(Map(nil), r.m...)
				got := r.costChange(list)
				require.Equal(t, before, r.m, "rating changes nothing")
				after := append(Map(nil), r.m...)
				for _, s := range list {
					after[s.lp] = s.to
				}
				require.InDelta(t, p.Total(after)-p.Total(before), got, 1e-6)
			}
		}
		for i, c := range r.change {
			require.Zero(t, c, i)
		}
	}
}

// Two PPs can exchange all LPs, give one, or exchange one for one; each is listed once.
func TestShifts(t *testing.T) {
	net, err := network.Parse(network.HXB, "2")
	require.NoError(t, err)
	count := func(m Map) int {
		p := laden(t, 1, len(m), 1, net)
		list := newRater(p, m).shifts(0, 1)
		seen := map[string]bool{}
		for _, l := range list {
			after := append(Map(nil), m...)
			for _, s := range l {
				after[s.lp] = s.to
			}
			key := string([]byte{byte(len(after))})
			for _, n := range after {
				key += string(rune('0' + n))
			}
			require.False(t, seen[key], "%v twice", after)
			seen[key] = true
		}
		return len(list)
	}
	require.Equal(t, 1, count(Map{0}))
	require.Equal(t, 3, count(Map{0, 1}))
	require.Equal(t, 3, count(Map{0, 0}), "both, or one of them")
	require.Equal(t, 1+3+2, count(Map{0, 0, 1}))
	require.Equal(t, 1+4+4, count(Map{0, 0, 1, 1}))
}

// With the compute term the greedy levels the work and moves single LPs, and annealing does no worse. Without the
// term both do what the paper does.
func TestMinimisersLevelWork(t *testing.T) {
	net, err := network.Parse(network.HXB, "3x2")
	require.NoError(t, err)
	for seed := range uint64(10) {
		p := laden(t, seed, 14, 20, net)
		start := Conventional(14, 6)
		g, err := p.Greedy(t.Context(), start, Grid, ByCost)
		require.NoError(t, err)
		a, err := p.Anneal(t.Context(), start, ByCost, 20_000, seed)
		require.NoError(t, err)
		require.LessOrEqual(t, p.Total(g.Map), p.Total(start)+1e-9)
		require.LessOrEqual(t, p.Total(a.Map), p.Total(g.Map)*1.02)
		require.InDelta(t, p.Total(a.Map), a.Score.Cost, 1e-6)
		require.Less(t, highest(p.WorkOf(g.Map)), highest(p.WorkOf(start))*1.001)
		for _, s := range []Search{g, a} {
			require.NoError(t, s.Map.Check(14, 6))
			require.Positive(t, s.Swaps)
		}
	}
	m := banyan.Default(3)
	plain := NewProblem(banyanGraph(&m), net, Reference())
	want, err := plain.Greedy(t.Context(), Conventional(12, 6), Grid, ByCost)
	require.NoError(t, err)
	got, err := NewProblem(banyanGraph(&m), net, Reference()).With(&Work{
		Clocks: make([]float64, 12),
		Ends:   make([][2]float64, 16),
	}).Greedy(t.Context(), Conventional(12, 6), Grid, ByCost)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func highest(list []float64) (most float64) {
	for _, v := range list {
		most = max(most, v)
	}
	return most
}

func TestRoundRobin(t *testing.T) {
	require.Equal(t, Map{0, 1, 2, 0, 1, 2, 0}, RoundRobin(7, 3))
	require.Equal(t, Map{0, 1}, RoundRobin(2, 3))
}

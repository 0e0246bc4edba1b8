package mapping

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/pdes/network"
)

func net(t require.TestingT, kind network.Kind, shape string) *network.Net {
	n, err := network.Parse(kind, shape)
	require.NoError(t, err)
	return n
}

// A cost is (1 + A d) B^c: a hop adds, an axis change multiplies [004 §3].
func TestWeightsByHand(t *testing.T) {
	w := Weights{A: 0.1, B: 4.5}
	for _, c := range []struct {
		d, c int
		want float64
	}{{0, 0, 1}, {1, 0, 1.1}, {3, 0, 1.3}, {2, 1, 5.4}, {4, 2, 28.35}} {
		require.InDelta(t, c.want, w.Of(c.d, c.c), 1e-12)
	}
	require.Equal(t, Weights{A: 0.1, B: 4.5}, Reference())
}

// A small graph on 2x2, computed by hand: messages within a PP cost nothing and load no port, a turn costs its
// factor, and the return path is separate.
func TestCostAndLoadsByHand(t *testing.T) {
	g := NewGraph(4, []Edge{{0, 1, 5}, {1, 0, 7}, {0, 2, 2}, {0, 3, 10}, {3, 3, 99}})
	n := net(t, network.HXB, "2x2")
	p := NewProblem(g, n, Weights{A: 0.5, B: 2})
	m := Map{0, 1, 3, 0} // LPs 0 and 3 on node 0; 2 across the corner
	// 12 messages at distance 1, 2 at distance 2 with a turn.
	require.InDelta(t, 12*1.5+2*(2*2.0), p.Cost(m), 1e-12)
	loads := map[int]int64{}
	for port, l := range p.Loads(m) {
		if l > 0 {
			loads[port] = l
		}
	}
	// xin[0] and xout[1], xin[1] and xout[0], yin[1] and yout[3]
	require.Equal(t, map[int]int64{8: 7, 13: 7, 9: 7, 12: 7, 17: 2, 23: 2}, loads)
	highest, squares := p.PortLoad(m)
	require.EqualValues(t, 7, highest)
	require.EqualValues(t, 4*49+2*4, squares)
	turned, all := p.Turned(m)
	require.Equal(t, [2]int{1, 5}, [2]int{turned, all})
	require.Equal(t, Score{Cost: p.Cost(m), MaxLoad: 7, Squares: 204}, p.Score(m))
	// Exact search ignores a message from an LP to itself.
	s, err := p.Exact(context.Background(), ByCost)
	require.NoError(t, err)
	require.InDelta(t, 22*1.5+2*4, s.Score.Cost, 1e-9, "only the two messages turn")
}

func TestConventional(t *testing.T) {
	require.Equal(t, Map{0, 1, 2}, Conventional(3, 5))
	require.Equal(t, Map{0, 1, 2}, Conventional(3, 3))
	require.Equal(t, Map{0, 0, 1, 1, 2, 3, 3, 4}, Conventional(8, 5))
	require.Equal(t, Map{0, 0, 0}, Conventional(3, 1))
}

// A random map has at most one LP per node if there is room; otherwise it has
// the shares of the conventional map.
func TestRandomMaps(t *testing.T) {
	seen := map[int32]bool{}
	for _, node := range Random(12, 16, 5) {
		require.False(t, seen[node])
		require.True(t, node >= 0 && node < 16)
		seen[node] = true
	}
	require.Equal(t, Random(12, 16, 5), Random(12, 16, 5))
	require.NotEqual(t, Random(12, 16, 5), Random(12, 16, 6))
	require.Equal(t, Map{6, 8, 3, 4, 1, 10, 13, 9, 12, 7, 11, 5}, Random(12, 16, 3))
	count := map[int32]int{}
	for _, node := range Random(8, 3, 1) {
		count[node]++
	}
	require.Len(t, count, 3)
	for node, n := range count {
		require.True(t, n == 2 || n == 3, "node %d holds %d LPs of 8", node, n)
	}
}

func TestCheck(t *testing.T) {
	require.NoError(t, Map{0, 3, 3}.Check(3, 4))
	for want, m := range map[string]Map{
		"the map places 2 LPs, the program has 3":                          {0, 1},
		"the map places 4 LPs, the program has 3":                          {0, 1, 2, 3},
		"the map puts LP 1 on node 4; the network has the nodes 0 to 3":    {0, 4, 1},
		"the map puts LP 0 on node -1; the network has the nodes 0 to 3":   {-1, 0, 1},
		"the map puts LP 2 on node 1000; the network has the nodes 0 to 3": {0, 0, 1000},
	} {
		require.EqualError(t, m.Check(3, 4), want)
	}
}

// These nodes may exchange LPs: neighbours on the grid, on TORUS also around the ring if that is a different path,
// and all nodes on one crossbar.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		kind  network.Kind
		shape string
		how   Neighbour
		want  [][2]int
	}{
		{network.HXB, "3x2", Grid, [][2]int{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}},
		{network.Torus, "3x2", Grid, [][2]int{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}},
		{network.HXB, "4", XBar, [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{network.HXB, "2x2", XBar, [][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}}},
		{network.HCB, "2", Grid, [][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}}},
		{network.Torus, "1", Grid, nil},
	} {
		require.Equal(t, c.want, Pairs(net(t, c.kind, c.shape), c.how), "%s %s %s", c.kind, c.shape, c.how)
	}
}

// By cost, the port load decides between equal costs; by load, the cost decides between equal loads. Costs that
// differ only by rounding are equal.
func TestBetter(t *testing.T) {
	at := Score{Cost: 10, MaxLoad: 3, Squares: 20}
	for _, c := range []struct {
		s              Score
		byCost, byLoad bool
	}{
		{at, false, false},
		{Score{9, 4, 30}, true, false},
		{Score{11, 2, 10}, false, true},
		{Score{10, 2, 30}, true, true},
		{Score{10, 4, 10}, false, false},
		{Score{10, 3, 19}, true, true},
		{Score{10, 3, 21}, false, false},
		{Score{10 + 1e-12, 3, 19}, true, true},
		{Score{10 - 1e-12, 3, 21}, false, false},
		{Score{10 - 1e-12, 3, 20}, false, false},
		{Score{9, 3, 20}, true, true},
		{Score{11, 3, 20}, false, false},
		{Score{9, 3, 21}, true, false},
	} {
		require.Equal(t, c.byCost, c.s.Better(at, ByCost), "%+v by cost", c.s)
		require.Equal(t, c.byLoad, c.s.Better(at, ByLoad), "%+v by load", c.s)
	}
}

// Enumeration visits every placement of the LPs after the first, and never
// puts two on one node.
func TestEnumerationCounts(t *testing.T) {
	for _, c := range []struct {
		lps   int
		shape string
		want  int64
	}{{1, "4", 1}, {3, "4", 3 * 2}, {4, "4", 3 * 2 * 1}, {4, "3x2", 5 * 4 * 3}} {
		p := NewProblem(NewGraph(c.lps, nil), net(t, network.Torus, c.shape), Reference())
		least, maps, err := p.Enumerate(context.Background())
		require.NoError(t, err)
		require.Equal(t, c.want, maps)
		require.Zero(t, least)
	}
	// A communicating pair is placed on adjacent nodes; a message to itself is free.
	g := NewGraph(2, []Edge{{0, 1, 3}, {1, 1, 50}})
	least, _, err := NewProblem(g, net(t, network.Torus, "5"), Weights{A: 1, B: 1}).Enumerate(context.Background())
	require.NoError(t, err)
	require.InDelta(t, 3*2.0, least, 1e-12)
}

// A banyan's traffic is one message per slot on every link between its stages.
func TestBanyanGraph(t *testing.T) {
	p := problem(t, network.HXB, "4x3", 3, Reference())
	require.Equal(t, 12, p.Graph.LPs)
	require.Equal(t, []Edge{
		{0, 4, 1},
		{0, 5, 1},
		{1, 6, 1},
		{1, 7, 1},
		{2, 4, 1},
		{2, 5, 1},
		{3, 6, 1},
		{3, 7, 1},
		{4, 8, 1},
		{4, 9, 1},
		{5, 10, 1},
		{5, 11, 1},
		{6, 8, 1},
		{6, 9, 1},
		{7, 10, 1},
		{7, 11, 1},
	}, p.Graph.Edges)
}

// Port loads stay comparable with the largest rates of a graph, in millionths: the squares do not fit into 63 bits.
func TestSquaresOfLargeLoads(t *testing.T) {
	const most = 1000 * 1_000_000
	g := NewGraph(4, []Edge{{0, 1, 4 * most}, {0, 2, most}, {0, 3, most}})
	p := NewProblem(g, net(t, network.Torus, "4"), Reference())
	for _, m := range []Map{{0, 1, 2, 3}, {0, 1, 3, 2}} {
		require.Greater(t, p.Score(m).Squares, 16e18)
	}
	s, err := p.Exact(t.Context(), ByLoad)
	require.NoError(t, err)
	require.EqualValues(t, 4*most, s.Score.MaxLoad)
	a, err := p.Anneal(t.Context(), Map{3, 1, 2, 0}, ByLoad, 1000, 1)
	require.NoError(t, err)
	require.InDelta(t, s.Score.Squares, a.Score.Squares, 1)
}

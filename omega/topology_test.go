package omega

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// The sums of distances and the diameters were computed by separate programs in another language, by breadth-first
// search from the link rule alone. The line visits every PE once, along links, and is closed.
func TestLineIsAHamiltonianCycle(t *testing.T) {
	for k := MinK; k <= 12; k++ {
		n, err := New(k)
		require.NoError(t, err)
		line, seen := n.Line(), make([]bool, n.N)
		for i, at := range line {
			require.False(t, seen[at], "k %d: PE %v twice", k, n.Address(at))
			seen[at] = true
			next := n.Address(line[(i+1)%n.N])
			require.Contains(t, []packet.PE{n.Next(n.Address(at), InGroup), n.Next(n.Address(at), OutGroup)}, next,
				"k %d", k)
		}
		require.Len(t, line, n.N)
	}
}

func TestDistances(t *testing.T) {
	for _, c := range []struct {
		n, diameter int
		sum         uint64
	}{{12, 4, 324}, {32, 6, 3712}, {80, 8, 32400}, {1024, 14, 9969664}} {
		topo, err := ForPEs(c.n)
		require.NoError(t, err)
		sum, diameter := topo.Distances()
		require.Equal(t, c.sum, sum, "%d PEs", c.n)
		require.Equal(t, c.diameter, diameter, "%d PEs", c.n)
		require.Equal(t, 2*topo.K, diameter)
	}
}

// Every source has the distances of its column's representative, and routing finds a shortest path. Breadth-first
// search is the oracle.
func TestRoutingIsShortest(t *testing.T) {
	for k := 1; k <= 6; k++ {
		topo, err := New(k)
		require.NoError(t, err)
		var sum uint64
		for i := range topo.N {
			from := topo.Address(i)
			want := breadthFirst(topo, i)
			for j := range topo.N {
				require.Equal(t, want[j], topo.Distance(from, topo.Address(j)),
					"k=%d %v to %v", k, from, topo.Address(j))
				require.Equal(t, want[j], links(topo, topo.BalancedRoute, from, topo.Address(j),
					func(packet.PE, int) {}), "k=%d %v to %v, balanced", k, from, topo.Address(j))
				sum += uint64(want[j])
			}
		}
		got, _ := topo.Distances()
		require.Equal(t, sum, got, "k=%d", k)
	}
}

// links follows a routing from one PE to another, and calls f for every link. It returns the number of links.
func links(topo Topology, route func(at, dest packet.PE) int, at, dest packet.PE,
	f func(at packet.PE, port int),
) (n int) {
	for ; at != dest && n <= 2*topo.K; n++ { // a wrong routing may never arrive at dest
		port := route(at, dest)
		f(at, port)
		at = topo.Next(at, port)
	}
	return n
}

// Every PE sends to every other PE. With direct routing, the load of the busiest links exceeds the mean by a fifth to a
// quarter, with balanced routing by at most 7.5 %. The network looks the same from every PE of a column, so the links
// of a column share one load.
func TestBalancedRoutesLoadLinksEvenly(t *testing.T) {
	busiest := func(topo Topology, route func(at, dest packet.PE) int) float64 {
		load, sum := map[[2]int]int{}, 0
		for column := range topo.Members {
			for i := range topo.N {
				sum += links(topo, route, packet.PE{CA: uint8(column)}, topo.Address(i),
					func(at packet.PE, port int) { load[[2]int{int(at.CA), port}]++ })
			}
		}
		return float64(slices.Max(slices.Collect(maps.Values(load)))*len(load)) / float64(sum)
	}
	for k, want := range map[int][2]float64{4: {1.210, 1.072}, 7: {1.264, 1.041}, 9: {1.280, 1.033}} {
		topo, err := New(k)
		require.NoError(t, err)
		require.InDelta(t, want[0], busiest(topo, topo.Route), 0.0006, "k=%d, direct", k)
		require.InDelta(t, want[1], busiest(topo, topo.BalancedRoute), 0.0006, "k=%d, balanced", k)
	}
}

func breadthFirst(topo Topology, from int) []int {
	dist := make([]int, topo.N)
	for i := range dist {
		dist[i] = -1
	}
	dist[from] = 0
	queue := []int{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for port := InGroup; port <= OutGroup; port++ {
			next := topo.Index(topo.Next(topo.Address(at), port))
			if dist[next] < 0 {
				dist[next] = dist[at] + 1
				queue = append(queue, next)
			}
		}
	}
	return dist
}

func TestLinksAndCircuits(t *testing.T) {
	for k := MinK; k <= MaxK; k++ {
		topo, err := New(k)
		require.NoError(t, err)
		into := make([][2]uint8, topo.N)
		for i := range topo.N {
			p := topo.Address(i)
			if topo.Index(p) != i || !topo.Contains(p) {
				require.Fail(t, "an address is no inverse", "k=%d: %d is %v", k, i, p)
			}
			for port := InGroup; port <= OutGroup; port++ {
				into[topo.Index(topo.Next(p, port))][port]++
			}
		}
		for i := range into {
			if into[i] != [2]uint8{1, 1} {
				require.Equal(t, [2]uint8{1, 1}, into[i], "k=%d: one link of each kind into every PE", k)
			}
		}
		for i := 0; i < topo.N; i += max(1, topo.N/500) {
			p := topo.Address(i)
			ring := topo.Ring(p, InGroup)
			require.Len(t, ring, k+1)
			groups := map[uint16]bool{}
			reverse := topo.Ring(p, OutGroup)
			require.Len(t, reverse, k+1)
			for j := range ring {
				require.Equal(t, p.GA, ring[j].GA)
				groups[reverse[j].GA] = true
			}
			if k > 1 { // with two groups a circuit cannot have three PEs
				require.Len(t, groups, k+1, "all PEs of a reverse circuit are of different groups")
			}
			// Destination-tag routing alone leads around the reverse circuit.
			for j := 1; j <= k; j++ {
				require.Equal(t, OutGroup, topo.Route(reverse[j], p))
			}
		}
	}
}

// The reverse circuit of [0,0] in the prototype visits these PEs [derived from 003 fig. 4].
func TestReverseCircuitOfPrototype(t *testing.T) {
	topo, err := ForPEs(80)
	require.NoError(t, err)
	require.Equal(t, []packet.PE{{GA: 0, CA: 0}, {GA: 8, CA: 1}, {GA: 4, CA: 2}, {GA: 2, CA: 3}, {GA: 1, CA: 4}},
		topo.Ring(packet.PE{}, OutGroup))
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{81, "80 and 192"}, {3, "the smallest is 4"}, {0, "the smallest is 4"}, {-7, "the smallest is 4"}, {
		2000000,
		"the largest is 1114112",
	}} {
		_, err := ForPEs(c.n)
		require.ErrorContains(t, err, c.want)
	}
	for _, k := range []int{0, 17} {
		_, err := New(k)
		require.Error(t, err)
	}
}

// A packet enters column 0 at most twice on its way, and once on a round of the reverse circuit. So three banks are
// enough.
func TestColumnZeroEntries(t *testing.T) {
	for k := 1; k <= 5; k++ {
		topo, _ := New(k)
		for i := range topo.N {
			for j := range topo.N {
				for _, route := range []func(at, dest packet.PE) int{topo.Route, topo.BalancedRoute} {
					entries := 0
					links(topo, route, topo.Address(i), topo.Address(j), func(at packet.PE, _ int) {
						if int(at.CA) == k { // the link leads to column 0
							entries++
						}
					})
					require.LessOrEqual(t, entries, 2)
				}
			}
		}
	}
}

// Topologies compute their own sizes, and reject PEs outside their bounds.
func TestTopologyEdges(t *testing.T) {
	for k := MinK; k <= MaxK; k++ {
		topo, err := New(k)
		require.NoError(t, err)
		require.Equal(t, Topology{K: k, Members: k + 1, Groups: 1 << k, N: (k + 1) << k}, topo)
		same, err := ForPEs(topo.N)
		require.NoError(t, err)
		require.Equal(t, topo, same)
		require.True(t, topo.Contains(packet.PE{GA: uint16(topo.Groups - 1), CA: uint8(k)}))
		require.False(t, topo.Contains(packet.PE{CA: uint8(k + 1)}))
		if k < MaxK { // with MaxK a larger group does not fit into GA
			require.False(t, topo.Contains(packet.PE{GA: uint16(topo.Groups)}))
		}
	}
	for n, want := range map[int]string{
		11:      "no circular omega network has 11 PEs ((k+1)·2^k for k = 1..16): the nearest sizes are 4 and 12",
		13:      "no circular omega network has 13 PEs ((k+1)·2^k for k = 1..16): the nearest sizes are 12 and 32",
		1114113: "no circular omega network has 1114113 PEs ((k+1)·2^k for k = 1..16): the largest is 1114112",
		5:       "no circular omega network has 5 PEs ((k+1)·2^k for k = 1..16): the nearest sizes are 4 and 12",
		3:       "no circular omega network has 3 PEs ((k+1)·2^k for k = 1..16): the smallest is 4",
	} {
		_, err := ForPEs(n)
		require.EqualError(t, err, want)
	}
	for _, k := range []int{0, 17} {
		_, err := New(k)
		require.EqualError(t, err, fmt.Sprintf("omega: k is %d, it must be 1..16", k))
	}
	topo, _ := New(2)
	require.Equal(t, Own, topo.Route(packet.PE{GA: 1, CA: 2}, packet.PE{GA: 1, CA: 2}))
	require.Zero(t, topo.Distance(packet.PE{GA: 1}, packet.PE{GA: 1}))
}

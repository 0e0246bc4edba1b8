package mnc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// twoEnds returns the wiring of n PEs with a second source and a second sink, far from the first ones.
func twoEnds(t *testing.T, n int) Incidence {
	w := wiring(t, "mnc", n)
	w.MoreSources, w.MoreSinks = []int{n / 2}, []int{n/2 - 3}
	require.NoError(t, w.Validate())
	return w
}

// With several sources and sinks every datum arrives once, and stepping and skipping agree. A second source and sink
// shorten a run that one of each limits.
func TestSeveralSourcesAndSinks(t *testing.T) {
	one := Default(wiring(t, "mnc", 64))
	one.Items, one.Loops = 3000, 100
	single, _ := run(t, one)
	two := one
	two.Wiring = twoEnds(t, 64)
	m := build(t, two)
	require.NoError(t, m.Run(t.Context()))
	require.NoError(t, m.Check())
	require.Less(t, m.Stats().Clocks, single.Stats().Clocks*8/10)

	stepped := build(t, two)
	for !stepped.Done() {
		require.NoError(t, stepped.Step())
		if stepped.Clock()%5000 == 0 {
			require.NoError(t, stepped.Check())
		}
	}
	require.Equal(t, m.Stats(), stepped.Stats())
	at := [2]int{}
	for k, q := range two.Wiring.Sinks() {
		for _, pe := range two.Wiring.Boards[q].Ports {
			at[k] += int(m.Stats().PE[pe].ToHost)
		}
	}
	require.Equal(t, 3000, at[0]+at[1])
	require.Greater(t, min(at[0], at[1]), 500, "both sinks are in use")
}

// A wiring with several ends is unchanged after String and ParseIncidence.
func TestTextOfSeveralEnds(t *testing.T) {
	w := twoEnds(t, 30)
	require.Contains(t, w.String(), "source 0 15\nsink 29 12\n")
	got, err := ParseIncidence(w.Name, []byte(w.String()))
	require.NoError(t, err)
	require.Equal(t, w, got)
	require.Equal(t, 0, w.SinkHops()[w.Boards[12].Ports[1]])
}

// A machine larger than the paper's works: 1024 PEs, with data born in the farthest ones.
func TestThousandPEs(t *testing.T) {
	c := Default(wiring(t, "mnc", 1024))
	c.SetWork([]Work{
		{PE: Source, Loops: 100, Count: 2000},
		{PE: 1023, Loops: 50, Count: 100, Clock: 500},
		{PE: 512, Loops: 700, Count: 100},
	})
	m := build(t, c)
	require.NoError(t, m.Run(t.Context()))
	require.NoError(t, m.Check())
	require.Equal(t, 2200, m.Stats().Delivered)
	require.Greater(t, m.Stats().UsedPEs, 20.)
	hops := c.Wiring.SinkHops()
	farthest := 0
	for _, h := range hops {
		farthest = max(farthest, h)
	}
	require.LessOrEqual(t, farthest, 7)
}

package ratios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMedian(t *testing.T) {
	of := func(x *float64) float64 { return *x }
	require.InDelta(t, 2, middle([]float64{9, 1, 2}, of), 0)
	require.InDelta(t, 3, middle([]float64{9, 1, 2, 4}, of), 0)
	require.Panics(t, func() { middle(nil, of) })
}

// Every sample's ratio is relative to the yardstick just before it, and with -count every line has its own sample.
func TestBench(t *testing.T) {
	calls := ""
	do := func(name string, clocks float64) Subject {
		return Subject{Name: name, Do: func() Work { calls += name; return Work{Clocks: clocks, Hops: 1, Packets: 1} }}
	}
	testing.Benchmark(func(b *testing.B) { Bench(b, do("y", 1e6), "y", do("a", 1e6), do("b", 1e6)) })
	require.Equal(t, strings.Repeat("yayb", rounds), calls)
	base, all := measureAll(3, do("y", 1e6), []Subject{do("a", 2e6), do("b", 1e6)})
	require.Len(t, base, 3)
	require.Len(t, all, 2)
	for i := range base {
		require.InDelta(t, 1, base[i].ratio, 0)
		a := all[0][i]
		require.InEpsilon(t, 2*base[i].seconds/a.seconds, a.ratio, 1e-9, "of the yardstick just before it")
	}
}

func TestMetrics(t *testing.T) {
	list := []sample{{Work{8e6, 4e6, 1e6}, 2, 0.5}, {Work{8e6, 4e6, 2e6}, 1, 0.25}, {Work{8e6, 4e6, 4e6}, 4, 0.75}}
	require.Equal(t, map[string]float64{"of-walk": 0.5, "Mclocks/s": 4, "Mhops/s": 2, "ns/packet": 1000},
		metrics(list, "walk"))
	require.Equal(t, map[string]float64{"of-one": 0.5, "Mclocks/s": 4},
		metrics([]sample{{Work{Clocks: 8e6}, 2, 0.5}}, "one"))
}

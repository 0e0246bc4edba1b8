package omega

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

func TestBadConfig(t *testing.T) {
	topo, _ := ForPEs(12)
	for want, c := range map[string]Config{
		"hop_clocks is 0, it must be 1..8":       {0, 2, 3, true, false, 0, false, false},
		"hop_clocks is 9, it must be 1..8":       {9, 2, 3, true, false, 0, false, false},
		"banks is 0, it must be 1..3":            {4, 2, 0, true, false, 0, false, false},
		"banks is 4, it must be 1..3":            {4, 2, 4, true, false, 0, false, false},
		"bank_clocks is 1, it must be 2..16":     {4, 1, 3, true, false, 0, false, false},
		"bank_clocks is 17, it must be 2..16":    {4, 17, 3, true, false, 0, false, false},
		"switch_priority is -1, it must be 0..3": {4, 2, 3, true, false, -1, false, false},
		"switch_priority is 4, it must be 0..3":  {4, 2, 3, true, false, 4, false, false},
	} {
		_, err := NewTraffic(topo, c, TrafficConfig{Pattern: Uniform})
		require.EqualError(t, err, want)
	}
	for _, c := range []Config{{1, 2, 1, true, false, 0, false, false}, {8, 16, 3, false, true, 3, false, false}} {
		require.NoError(t, c.Validate())
	}
	for want, tc := range map[string]TrafficConfig{
		"load is 1.1, it must be 0..1 words per PE and clock":                            {Uniform, 1.1, 0},
		"load is -0.1, it must be 0..1 words per PE and clock":                           {Uniform, -0.1, 0},
		"load is NaN, it must be 0..1 words per PE and clock":                            {Uniform, math.NaN(), 0},
		"pattern is \"sideways\", it must be one of [uniform neighbour hotspot reverse]": {"sideways", 0.1, 0},
	} {
		_, err := NewTraffic(topo, standard, tc)
		require.EqualError(t, err, want)
	}
	for _, load := range []float64{0, 1} {
		_, err := NewTraffic(topo, standard, TrafficConfig{Uniform, load, 0})
		require.NoError(t, err)
	}
	_, err := NewNetwork(topo, packet.FormatFor(2), standard, make([]packet.Pins, 11))
	require.EqualError(t, err, "omega: 11 pins for 12 PEs")
}

func BenchmarkTraffic(b *testing.B) {
	for _, pes := range []int{80, 1024} {
		for _, load := range []float64{0.05, 0.15, 1} {
			b.Run(fmt.Sprintf("%d/%v", pes, load), func(b *testing.B) {
				tr := traffic(b, pes, standard, TrafficConfig{Uniform, load, 1})
				for range 2000 {
					tr.Step(true)
				}
				hops := tr.Net.FlitHops()
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					tr.Step(true)
				}
				b.ReportMetric(float64(pes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnode-clocks/s")
				b.ReportMetric(float64(tr.Net.FlitHops()-hops)/b.Elapsed().Seconds()/1e6, "Mflit-hops/s")
			})
		}
	}
}

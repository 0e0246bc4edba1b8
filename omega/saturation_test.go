package omega

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published holds the parameters of the switches in the prototype's preset.
var published = Config{HopClocks: 3, BankClocks: 2, Banks: 3, Compare: true}

// A port carries one word per clock. This test records which share of that a full network sustains, by pattern. The
// table is in docs/TIMING.md.
//
// An intake takes a packet of two words every three clocks, from both links. If packets take one hop, as between
// neighbours, each link is full in one clock of three. A bank is used again hop_clocks + bank_clocks = 5 clocks after
// its last packet arrived, at the earliest. So one class of packets (banks are used by class: see Topology) can fill at
// most two clocks in five of a link. On longer ways packets also wait for the outputs of the packets before them.
func TestSaturation(t *testing.T) {
	const pes, warm, clocks = 80, 2000, 20_000
	var out strings.Builder
	fmt.Fprintf(&out, "%-10s %10s %10s %10s\n", "pattern", "delivered", "mean link", "full link")
	for _, pattern := range Patterns() {
		tr := traffic(t, pes, published, TrafficConfig{pattern, 1, 1})
		for range warm {
			tr.Step(true)
		}
		tr.Net.ClearCounters(tr.Clock())
		arrived := tr.Arrived
		for range clocks {
			tr.Step(true)
		}
		delivered := 2 * float64(tr.Arrived-arrived) / clocks / pes
		sum, most := 0.0, 0.0
		for i := range pes {
			for o := range 2 {
				share := 2 * float64(tr.Net.Counters(i, tr.clock).Packets[o]) / clocks
				sum, most = sum+share, max(most, share)
			}
		}
		fmt.Fprintf(&out, "%-10s %10.3f %10.3f %10.3f\n", pattern, delivered, sum/(2*pes), most)
		if pattern == Neighbour {
			require.InDelta(t, 1.0/3, most, 0.01, "the intake: three clocks a packet, from two links")
		}
		require.LessOrEqual(t, most, 0.8+0.01, "%s: two classes in a link", pattern)
	}
	page, err := os.ReadFile("../docs/TIMING.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "```\n"+out.String()+"```", "the table of docs/TIMING.md")

	// If a bank's cycle is as long as a packet, the intake is still the limit: two words in three clocks.
	fast := traffic(t, pes, Config{HopClocks: 1, BankClocks: 2, Banks: 3, Compare: true},
		TrafficConfig{Neighbour, 1, 1})
	for range warm {
		fast.Step(true)
	}
	require.InDelta(t, 2.0/3, 2*float64(fast.Arrived)/warm/pes, 0.03)
}

package omega

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The state is the same at every clock for any number of threads.
func TestThreadsDoNotMatter(t *testing.T) {
	for _, pes := range []int{192, 1024} {
		one := traffic(t, pes, standard, TrafficConfig{Hotspot, 0.2, 3})
		var others []*Traffic
		for _, n := range []int{2, 3} {
			tr := traffic(t, pes, standard, TrafficConfig{Hotspot, 0.2, 3})
			defer tr.UseThreads(n)()
			others = append(others, tr)
		}
		for range 500 {
			one.Step(true)
			for _, tr := range others {
				tr.Step(true)
				if one.clock%7 == 0 {
					require.Equal(t, hash(one), hash(tr), "%d PEs, %d threads, clock %d", pes, tr.threads.Count(), one.clock)
				}
			}
		}
		require.NotZero(t, one.Arrived)
	}
}

package em4_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

// BenchmarkIdlePE measures the memory of a PE that has never received a packet: its units, pins, switch, and bits in
// the sets.
func BenchmarkIdlePE(b *testing.B) {
	o, err := programs.Assemble("fib", nil)
	require.NoError(b, err)
	p, err := programs.Load(o)
	require.NoError(b, err)
	c := em4.Target1024()
	c.PEs = 13 << 12
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap()
	for range b.N {
		m, err := em4.New(c, p, 1)
		require.NoError(b, err)
		b.StopTimer()
		b.ReportMetric(float64(heap()-before)/float64(c.PEs), "bytes/PE")
		runtime.KeepAlive(m)
		b.StartTimer()
	}
}

package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/programs"
)

// These benchmarks do whole runs with one thread, on a machine that has run the program before: docs/PERFORMANCE.md.

func BenchmarkFib24(b *testing.B) {
	b.Run("static", func(b *testing.B) { benchmarkRun(b, 80, fib(b, "ring", "off"), 24) })
	b.Run("mlpe", func(b *testing.B) { benchmarkRun(b, 80, fib(b, "ring", "on"), 24) })
}

func BenchmarkFib1024(b *testing.B) { benchmarkRun(b, 1024, fib(b, "ring", "off"), 24) }
func BenchmarkPi(b *testing.B)      { benchmarkRun(b, 80, shipped(b, "pi"), 400) }
func BenchmarkSum(b *testing.B)     { benchmarkRun(b, 80, shipped(b, "sum"), 65536) }

// shipped assembles a built-in program with its default parameters.
func shipped(b *testing.B, name string) *asm.Object {
	o, err := programs.Assemble(name, nil)
	require.NoError(b, err)
	return o
}

func benchmarkRun(b *testing.B, pes int, o *asm.Object, args ...uint64) {
	c := em4.Prototype80()
	if pes == 1024 {
		c = em4.Target1024()
	}
	m := boot(b, c, o)
	once := func() {
		_, err := m.Run(context.Background(), args, em4.RunOptions{})
		require.NoError(b, err)
	}
	once()
	start := m.Clock()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		once()
	}
	b.ReportMetric(float64(pes)*float64(m.Clock()-start)/b.Elapsed().Seconds()/1e6, "MPE-clocks/s")
}

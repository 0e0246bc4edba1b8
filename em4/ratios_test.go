package em4_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/ratios"
	"emsim/internal/machine/threads"
	"emsim/omega"
	"emsim/programs"
)

// BenchmarkRatios measures the ratios in docs/PERFORMANCE.md: machines and network compared with the walk.
func BenchmarkRatios(b *testing.B) {
	walk := ratios.Subject{Name: "Walk", Do: newWalk(80, 100_000)}
	fib24 := func(mlpe string) *asm.Object { return fib(b, "ring", mlpe) }
	ratios.Bench(b, walk, "walk",
		runs(b, "Fib24/static", 80, 1, fib24("off"), 24),
		runs(b, "Fib24/mlpe", 80, 1, fib24("on"), 24),
		runs(b, "Fib24/threads=2", 80, 2, fib24("off"), 24),
		runs(b, "Fib1024", 1024, 1, fib24("off"), 24),
		runs(b, "Fib1024/threads=2", 1024, 2, fib24("off"), 24),
		runs(b, "Fib11264", 11264, 1, fib24("off"), 22),
		runs(b, "Pi", 80, 1, builtin(b, "pi"), 200),
		runs(b, "Sum", 80, 1, builtin(b, "sum"), 65_536),
		flows(b, "Traffic80/load=.05", 80, 0.05),
		flows(b, "Traffic80/load=.15", 80, 0.15),
		flows(b, "Traffic80/load=1", 80, 1),
		flows(b, "Traffic1024/load=.05", 1024, 0.05),
		flows(b, "Traffic1024/load=1", 1024, 1),
	)
}

// BenchmarkThreads measures the gain from threads, and next to it the gain from two independent runs at the same time.
// Two cores of a shared computer are often two halves of one core.
func BenchmarkThreads(b *testing.B) {
	for _, c := range []struct {
		pes int
		n   uint64
	}{{80, 24}, {1024, 25}, {11_264, 22}, {1_114_112, 10}} {
		b.Run(fmt.Sprint(c.pes), func(b *testing.B) {
			var m [2]*em4.Machine
			for i := range m {
				m[i] = boot(b, sized(c.pes), fib(b, "ring", "off"))
			}
			subject := func(name string, machines int, prepare func()) ratios.Subject {
				return ratios.Subject{Name: name, Do: func() (w ratios.Work) {
					prepare()
					var all sync.WaitGroup
					for _, m := range m[:machines] {
						before := m.Clock()
						all.Go(func() {
							_, err := m.Run(context.Background(), []uint64{c.n}, em4.RunOptions{})
							require.NoError(b, err)
						})
						defer func() { w.Clocks += float64(c.pes) * float64(m.Clock()-before) }()
					}
					all.Wait()
					return w
				}}
			}
			one, choice := func() { m[0].SetThreads(1) }, threads.New(c.pes)
			ratios.Bench(b, subject("one", 1, one), "one",
				subject("two", 1, func() { m[0].SetThreads(2) }),
				subject("auto", 1, func() { m[0].Choose(choice) }),
				subject("two-runs", 2, one),
			)
		})
	}
}

// builtin assembles a program with its default parameters.
func builtin(b *testing.B, name string) *asm.Object {
	o, err := programs.Assemble(name, nil)
	require.NoError(b, err)
	return o
}

// sized returns a machine of pes PEs: the preset of that size, if there is one. The other knobs matter little.
func sized(pes int) em4.Config {
	c := em4.Target1024()
	if pes == 80 {
		c = em4.Prototype80()
	}
	c.PEs = pes
	return c
}

// runs returns consecutive runs of a program on one machine.
func runs(b *testing.B, name string, pes, threads int, o *asm.Object, arg uint64) ratios.Subject {
	m := boot(b, sized(pes), o)
	m.SetThreads(threads)
	return ratios.Subject{Name: name, Do: func() ratios.Work {
		before := m.Clock()
		res, err := m.Run(context.Background(), []uint64{arg}, em4.RunOptions{})
		require.NoError(b, err)
		return ratios.Work{Clocks: float64(pes) * float64(m.Clock()-before), Hops: float64(res.Hops())}
	}}
}

// flows returns uniform traffic through the network alone, with the prototype's switches.
func flows(b *testing.B, name string, pes int, load float64) ratios.Subject {
	const nodeClocks = 8_000_000
	topo, err := omega.ForPEs(pes)
	require.NoError(b, err)
	tr, err := omega.NewTraffic(topo, em4.Prototype80().Network(),
		omega.TrafficConfig{Pattern: omega.Uniform, Load: load, Seed: 1})
	require.NoError(b, err)
	for range 2000 {
		tr.Step(true)
	}
	return ratios.Subject{Name: name, Do: func() ratios.Work {
		hops, packets := tr.Net.FlitHops(), tr.Arrived
		for range nodeClocks / pes {
			tr.Step(true)
		}
		return ratios.Work{
			Clocks: nodeClocks, Hops: float64(tr.Net.FlitHops() - hops),
			Packets: float64(tr.Arrived - packets),
		}
	}}
}

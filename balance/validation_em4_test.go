package balance

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/omega"
	"emsim/sim"
)

// The prices of the EM-4 in clocks. A function instance is a unit. Its call is a
// request, the answer with the address of its segment, two arguments (the unit)
// and a result: five packets in four messages [003 §3.1, programs/lib/call.s].
var em4Prices = Fabric{
	// A packet has two words, one a clock; matching an operand takes 2 clocks, too
	// (docs/TIMING.md).
	Message: 2, Unit: 2,
	// Alone, a packet takes 6 clocks to a neighbour and 3 for each further link
	// (docs/TIMING.md, latency by load).
	Latency: 6, Hop: 3,
	// The busiest link of a full network carries 0.32 words a clock (docs/TIMING.md,
	// uniform traffic), so that it takes a packet every 6.2 clocks.
	Hold:    6,
	InOrder: true, Asks: true,
	// The FIFO holds 16 packets; what is spilled takes 4 clocks more [003 §2, §4.2].
	Buffer: 16, Spill: 4,
}

const (
	// em4Work is what is left of the 35 clocks that an instance takes with ring
	// (docs/CALIBRATION.md: 70.6 with its share of leaves), without ends of packets.
	em4Work = 35 - 4*5
	// em4Rest is the part of the nodes join and finish: 7 of the 28 clocks that an
	// instance takes which calls others (docs/TIMING.md, ends of packets apart).
	em4Rest = 25
	// A message that waits holds two words of the input buffer.
	em4Words = 2
)

// em4Policies are the static policies, and how many clocks longer they take to
// choose a PE than ring with its ld of 2: a look-up takes 8 [003 §3.2], and a random
// number with it 13: ld, mul, add, st, ld, mulhu, ld (programs/lib/place.s).
var em4Policies = []struct {
	name   string
	rule   func(*Worker) func(int) int
	choose int64
}{
	{"ring", ringPolicy, 0},
	{"random", random, 11},
	{"round-robin", roundRobin, 6},
	{"ring-random", ringRandom, 11},
	{"ring-round-robin", ringRoundRobin, 6},
	{"line", linePolicy, 0},
}

// [003 tables 1 and 2]: fib(20) on 80 PEs under the static policies, and under
// MLPE over two of them: PE utilisation and time, means of several runs. only names one
// of the policies, or is "".
func againstEM4(t *testing.T, only string) []check {
	var out []check
	for _, p := range em4Policies {
		if only != "" && p.name != only {
			continue
		}
		scheme, _ := FindScheme(p.name)
		scheme.New = func(w *Worker) Policy {
			next := p.rule(w)
			return &static{Hooks{w}, func(k int) int { w.Think(p.choose); return next(k) }}
		}
		out = append(out, againstFib(t, scheme, "003 fib(20) 80 PEs", map[string]string{"policy": p.name})...)
	}
	for _, p := range em4Policies {
		if p.name != "ring" && p.name != "line" || only != "" && p.name != only {
			continue
		}
		scheme, _ := FindScheme("mlpe")
		scheme.New = func(w *Worker) Policy { return NewSearch(w, p.rule(w), em4Words) }
		out = append(out, againstFib(t, scheme, "003 fib(20) 80 PEs "+p.name, map[string]string{"policy": p.name, "mlpe": "on"})...)
	}
	return out
}

// againstFib compares a scheme with the fib program with some parameters.
func againstFib(t *testing.T, scheme Scheme, where string, params map[string]string) []check {
	// Programs keep their tables and random numbers from one run of a machine to
	// the next, as the paper's did.
	const machines, runsOf, n = 2, 4, 20
	const worlds = machines * runsOf
	p, err := sim.Load("fib", params)
	require.NoError(t, err)
	var share, clocks, mine, ticks float64
	for seed := range machines {
		m, err := sim.New(p, sim.Prototype80(), uint64(seed+1))
		require.NoError(t, err)
		for range runsOf {
			r, err := m.Run(context.Background(), n)
			require.NoError(t, err)
			share, clocks = share+r.Utilisation()/worlds, clocks+float64(r.Clocks)/worlds
		}
	}
	setup := em4World(t)
	setup.Scheme = scheme
	for seed := range worlds {
		setup.Seed = uint64(seed + 1)
		r := runs(t, setup)
		require.Equal(t, calls(n), r.Units)
		all := float64(r.Time) * float64(setup.Workers)
		mine, ticks = mine+(float64(r.Ideal)*float64(setup.Workers)+float64(r.Overhead))/all/worlds, ticks+float64(r.Time)/worlds
	}
	return []check{
		{scheme.Name, where, "PE utilisation", share, mine, 0.25, false},
		{scheme.Name, where, "clocks", clocks, ticks, 0.25, false},
	}
}

// em4World is the prototype with fib(20): its circuits, its links, and the line
// of programs/lib/place.s.
func em4World(t *testing.T) Setup {
	const pes = 80
	t.Helper()
	net, err := omega.ForPEs(pes)
	require.NoError(t, err)
	k := net.Members - 1
	c := &Circuits{In: make([]int32, pes), Out: make([]int32, pes), Line: make([]int32, pes)}
	paths := make([][]int32, pes*pes)
	for i := range pes {
		at := net.Address(i)
		c.In[i], c.Out[i] = int32(net.Index(net.Next(at, omega.InGroup))), int32(net.Index(net.Next(at, omega.OutGroup)))
		c.Line[i] = c.In[i]
		if at.CA > 0 && int(at.GA) < 2<<(k-int(at.CA)) {
			c.Line[i] = c.Out[i]
		}
		for j := range pes {
			to := net.Address(j)
			for at := at; at != to; {
				port := net.Route(at, to)
				paths[i*pes+j] = append(paths[i*pes+j], int32(2*net.Index(at)+port))
				at = net.Next(at, port)
			}
		}
	}
	return Setup{
		Workers: pes, Circuits: c, Fabric: em4Prices,
		Routes:   &Routes{Links: 2 * pes, Path: func(from, to int) []int32 { return paths[from*pes+to] }},
		Workload: Workload{Shape: Tree, Units: 169, Work: em4Work, Rest: em4Rest}, // fib(20) has 13,529 instances
	}
}

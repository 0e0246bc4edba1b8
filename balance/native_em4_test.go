package balance_test

import (
	"context"
	"fmt"

	"emsim/balance"
	"emsim/em4"
	"emsim/omega"
	"emsim/programs"
)

// fibPrices are the prices of the EM-4 in clocks. A function instance is a unit. Its call is a request, the answer
// with the address of its segment, two arguments (which are the unit) and a result. These are five packets in four
// messages [003 §3.1, programs/lib/call.s].
var fibPrices = balance.Fabric{
	// A packet has two words of one clock each; matching an operand also takes 2 clocks (docs/TIMING.md).
	Message: 2, Unit: 2,
	// An undisturbed packet takes 6 clocks to a neighbour and 3 for each further link (docs/TIMING.md, latency by
	// load).
	Latency: 6, Hop: 3,
	// The busiest link of a full network carries 0.32 words a clock (docs/TIMING.md,
	// uniform traffic), so that it takes a packet every 6.2 clocks.
	Hold:    6,
	InOrder: true, Asks: true,
	// The FIFO holds 16 packets; a spilled packet takes 4 clocks more [003 §2, §4.2].
	Buffer: 16, Spill: 4,
}

const (
	// fibWork is the part of an instance's 35 clocks with the ring policy that is left without the ends of packets
	// (docs/CALIBRATION.md: 70.6 with its share of leaves).
	fibWork = 35 - 4*5
	// fibRest is the part of the nodes join and finish, in per cent: 7 of the 28 clocks of an instance that calls
	// others, without the ends of packets (docs/TIMING.md).
	fibRest = 25
	// A message that waits holds two words of the input buffer.
	fibWords = 2
)

// fibChoice is how many more clocks a policy takes to choose a PE than ring with its ld of 2. A look-up takes 8 [003
// §3.2], and one with a random number takes 13: ld, mul, add, st, ld, mulhu, ld (programs/lib/place.s).
var fibChoice = map[string]int64{"random": 11, "round-robin": 6, "ring-random": 11, "ring-round-robin": 6}

// chooses is a policy that takes CPU time to choose a PE.
type chooses struct {
	balance.Agent
	w      *balance.Worker
	clocks int64
}

func (c chooses) Born(k int) int {
	c.w.Think(c.clocks)
	return c.Agent.Born(k)
}

// fibPoints returns the points of fib on the EM-4 [003 tables 1 and 2] and on smaller machines. Links are busy, as in
// the machine, or never busy, as in the comparison.
func fibPoints() (list []point) {
	for _, at := range []struct{ pes, n int }{{12, 16}, {32, 18}, {80, 16}, {80, 20}, {192, 20}} {
		for _, network := range []string{"busy", "free"} {
			list = append(list, fibPoint(at.pes, at.n, network, ""), fibPoint(at.pes, at.n, network, "ring"),
				fibPoint(at.pes, at.n, network, "line"))
		}
	}
	return list
}

// fibPoint returns the point of all static policies, or of MLPE over one of them.
func fibPoint(pes, n int, network, under string) point {
	net, err := omega.ForPEs(pes)
	if err != nil {
		panic(err) // these sizes exist
	}
	place := balance.Conditions{
		Paper: "003", Machine: "EM-4", Network: network, Load: fmt.Sprintf("fib %d", n), N: pes,
		Grain: float64(fibWork) / float64(fibPrices.Move()),
	}
	p := point{
		Conditions: place, seeds: 4, policies: []string{
			"ring", "random", "round-robin", "ring-random", "ring-round-robin",
			"line",
		},
		quantities: []quantity{{name: "clocks", tolerance: 0.25}, {name: "PE utilisation", tolerance: 0.25}},
	}
	if under != "" {
		p.Load += " over " + under
		p.policies = []string{"mlpe"}
	}
	p.native = func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
		params := map[string]string{"policy": scheme}
		if under != "" {
			params = map[string]string{"policy": under, "mlpe": "on"}
		}
		return runFib(ctx, pes, n, params, seed)
	}
	setup := fibWorld(net, pes, n)
	if network == "free" {
		setup.Fabric.Hold = 0
	}
	p.hooks = func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
		s := setup
		s.Seed = seed
		base, _ := balance.FindPolicy(scheme)
		s.Policy = with(scheme, func(w *balance.Worker) balance.Agent {
			return chooses{
				base.New(w), w,
				fibChoice[scheme],
			}
		})
		if under != "" {
			base, _ = balance.FindPolicy(under)
			s.Policy.New = func(w *balance.Worker) balance.Agent {
				return balance.NewSearch(w, base.New(w).Born,
					fibWords)
			}
		}
		r, err := balance.Run(ctx, s)
		if err != nil {
			return nil, err
		}
		work := float64(r.Ideal)*float64(pes) + float64(r.Overhead)
		return []float64{float64(r.Time), work / (float64(r.Time) * float64(pes))}, nil
	}
	return p
}

// runFib measures the second run on a machine: programs keep their tables and random numbers from one run to the
// next, as the paper's programs did.
func runFib(ctx context.Context, pes, n int, params map[string]string, seed uint64) ([]float64, error) {
	o, err := programs.Assemble("fib", params)
	if err != nil {
		return nil, err
	}
	program, err := programs.Load(o)
	if err != nil {
		return nil, err
	}
	c := em4.Prototype80()
	c.PEs = pes
	m, err := em4.New(c, program, seed)
	if err != nil {
		return nil, err
	}
	if err := m.Boot(ctx, 0); err != nil {
		return nil, err
	}
	var r em4.Result
	for range 2 {
		if r, err = m.Run(ctx, []uint64{uint64(n)}, em4.RunOptions{}); err != nil {
			return nil, err
		}
	}
	return []float64{float64(r.Clocks), r.Utilisation()}, nil
}

// fibWorld returns the world of a machine that runs fib: its circuits, its links, and the line of
// programs/lib/place.s.
func fibWorld(net omega.Topology, pes, n int) balance.Setup {
	k := net.Members - 1
	c := &balance.Circuits{In: make([]int32, pes), Out: make([]int32, pes), Line: make([]int32, pes)}
	paths := make([][]int32, pes*pes)
	for i := range pes {
		at := net.Address(i)
		c.In[i], c.Out[i] = int32(net.Index(net.Next(at, omega.InGroup))),
			int32(net.Index(net.Next(at, omega.OutGroup)))
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
	return balance.Setup{
		Workers: pes, Circuits: c, Fabric: fibPrices,
		Routes:   &balance.Routes{Links: 2 * pes, Path: func(from, to int) []int32 { return paths[from*pes+to] }},
		Workload: balance.Workload{Shape: balance.Tree, Units: fibInstances(n) / pes, Work: fibWork, Rest: fibRest},
	}
}

// fibInstances returns the number of instances of fib(n): 13,529 for fib(20).
func fibInstances(n int) int {
	a, b := 1, 1
	for range n - 2 {
		a, b = b, a+b+1
	}
	return b
}

package balance_test

import (
	"context"
	"fmt"

	"emsim/balance"
	"emsim/cluster/spmd"
	"emsim/internal/base/lists"
)

// spmdPoints returns the points of workstations with 100 tasks each [002 §3], on T* and on other topologies, under
// the paper's load, a lighter one and none. Messages take no CPU time, so the grain has no limit.
func spmdPoints() (list []point) {
	for _, net := range []struct {
		name string
		of   spmd.Topology
	}{{"T*", spmd.TStar()}, {"fano", spmd.Fano()}, {"tree", spmd.Tree(15)}, {"tree", spmd.Tree(63)}} {
		for _, load := range []struct {
			name    string
			percent int64 // time of a task on a loaded processor, relative to the paper's
		}{{"three of seven at 30 %", 100}, {"three of seven at 60 %", 50}} {
			c := spmd.Paper(spmd.None)
			c.Topology, c.LoadedUS, c.Loaded = net.of, c.LoadedUS*load.percent/100, nil
			for i := range net.of {
				if i%7 == 1 || i%7 == 3 || i%7 == 6 {
					c.Loaded = append(c.Loaded, i)
				}
			}
			place := balance.Conditions{
				Paper: "002", Machine: net.name, Network: "free", Load: load.name, N: len(net.of),
			}
			list = append(list, spmdPoint(place, c))
		}
	}
	return list
}

func spmdPoint(place balance.Conditions, c spmd.Config) point {
	n := len(c.Topology)
	near := make(balance.Graph, n)
	for i, readers := range c.Topology {
		near[i] = lists.Of(readers, func(r int) int32 { return int32(r) })
	}
	methods := map[string]spmd.Policy{"none": spmd.None, "power-static": spmd.Static, "power": spmd.Proposed}
	moved := func(tasks []int) (sum float64) {
		for _, x := range tasks {
			sum += float64(max(0, x-c.Tasks))
		}
		return sum / float64(n)
	}
	return point{
		Conditions: place, policies: []string{"none", "power-static", "power"}, seeds: 16,
		quantities: []quantity{
			{name: "seconds", tolerance: 0.05},
			{name: "tasks that a processor gives", tolerance: 3, absolute: true},
		},
		native: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			c := c
			c.Policy, c.Seed = methods[scheme], seed
			r, err := spmd.Run(ctx, c)
			if err != nil {
				return nil, fmt.Errorf("%v: %w", place, err)
			}
			return []float64{float64(r.FinishUS()) / 1e6, moved(r.Tasks)}, nil
		},
		hooks: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			var policy func(w *balance.Worker) balance.Agent
			if m := methods[scheme]; m != spmd.None {
				policy = func(w *balance.Worker) balance.Agent {
					return balance.NewPower(w,
						balance.PowerConfig{Interval: c.IntervalUS, Readers: near, All: m == spmd.Proposed})
				}
			}
			r, err := balance.Run(ctx, balance.Setup{
				Policy: with(scheme, policy), Workers: n, Seed: seed, Near: near,
				Fabric: balance.Fabric{Latency: c.LatencyUS},
				Workload: balance.Workload{
					Shape: balance.Bag, Units: c.Tasks, Work: c.FreeUS, Spread: int(c.JitterPPM / 10_000),
					Slow: c.Loaded, Of: n, Percent: 100 * float64(c.FreeUS) / float64(c.LoadedUS),
				},
			})
			if err != nil {
				return nil, err
			}
			return []float64{float64(r.Time) / 1e6, moved(r.Done)}, nil
		},
	}
}

package balance_test

import (
	"context"
	"fmt"

	"emsim/balance"
	"emsim/cluster/rhinet"
)

// rhinetPoints returns the points of RHiNET-2 with the paper's sizes, and of Ethernet, under the paper's loads [001
// §5].
func rhinetPoints() (list []point) {
	for _, nodes := range []int{8, 16, 32, 64} {
		for _, load := range rhinet.Loads() {
			c := rhinet.Default()
			c.Nodes, c.Load = nodes, load
			list = append(list, rhinetPoint(c))
		}
	}
	return list
}

// rhinetTick is the tick of a world in ns. A unit is rhinetRows rows, so that each node has 16 units or more
// [chosen].
const rhinetTick, rhinetRows = 100, 8

func rhinetPoint(c rhinet.Config) point {
	type periodic struct {
		native rhinet.Policy
		conf   balance.PeriodicConfig
	}
	algorithms := map[string]periodic{
		"none":  {rhinet.NoLB, balance.PeriodicConfig{}},
		"clb":   {rhinet.CLB, balance.PeriodicConfig{Size: 1}},
		"dlb":   {rhinet.DLB, balance.PeriodicConfig{Size: 1, Ring: true}},
		"glb":   {rhinet.GLB, balance.PeriodicConfig{Size: 2, Own: true}},
		"igclb": {rhinet.IGCLB, balance.PeriodicConfig{Size: 2, Turns: true}},
		"igdlb": {rhinet.IGDLB, balance.PeriodicConfig{Size: 2, Turns: true, Ring: true}},
	}
	message := int64(c.Host.RHiNETMessage) / rhinetTick
	fabric := balance.Fabric{Message: message, Probe: message, Latency: 30}
	work := rhinetRows * int64(c.Host.RowCost) / rhinetTick
	part := func(d int64) int64 { return 100 * d / rhinetTick / work }
	load := balance.Workload{
		Shape: balance.Loop, Units: c.SOR.Rows / rhinetRows / c.Nodes, Work: work, Of: 8, Exchange: c.SOR.Exchange,
		On: part(int64(c.Host.SliceOn)), Off: part(int64(c.Host.SliceOff)), Jitter: part(int64(c.Host.SliceJitter)),
		Rounds: map[int]int{8: 207, 16: 232, 32: 247, 64: 254}[c.Nodes],
	}
	switch c.Load {
	case rhinet.OneLoad:
		load.Slow = []int{c.Host.LoadedPosition}
	case rhinet.TwoLoad:
		load.Slow = []int{c.Host.LoadedPosition - 1, c.Host.LoadedPosition}
	}
	return point{
		Conditions: balance.Conditions{
			Paper: "001", Machine: "RHiNET-2", Network: "free", Load: string(c.Load), N: c.Nodes,
			Grain: float64(work) / float64(fabric.Move()),
		},
		policies: []string{"none", "clb", "dlb", "glb", "igclb", "igdlb"}, seeds: 8,
		quantities: []quantity{
			{name: "seconds", tolerance: 0.05},
			{name: "gain over no balancing", tolerance: 0.04, absolute: true, gain: true},
		},
		native: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			c := c
			c.Policy, c.Seed = algorithms[scheme].native, seed
			r, err := rhinet.Run(ctx, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", scheme, err)
			}
			return []float64{r.Finish(), r.Finish()}, nil
		},
		hooks: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			var policy func(w *balance.Worker) balance.Agent
			if scheme != "none" {
				conf := algorithms[scheme].conf
				conf.Every = c.Every
				policy = func(w *balance.Worker) balance.Agent { return balance.NewPeriodic(w, conf) }
			}
			load := load
			if ranks := c.Nodes / max(1, algorithms[scheme].conf.Size); ranks >= c.Host.GapFrom {
				load.Gap = int64(c.Host.Gap) / rhinetTick // the prototype spaces senders out [001 §5.4.1]
			}
			r, err := balance.Run(ctx, balance.Setup{
				Policy: with(scheme, policy), Workload: load, Fabric: fabric,
				Workers: c.Nodes, Seed: seed,
			})
			if err != nil {
				return nil, err
			}
			seconds := float64(r.Time) * rhinetTick / 1e9
			return []float64{seconds, seconds}, nil
		},
	}
}

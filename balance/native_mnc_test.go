package balance_test

import (
	"context"
	"fmt"

	"emsim/balance"
	"emsim/internal/base/lists"
	"emsim/mnc"
)

// mncPoints returns the points of the MNC computer with heavy and light data [000 §5]: 5,000 data, which behave like
// the paper's million [chosen].
func mncPoints() (list []point) {
	for _, pes := range []int{16, 32, 64, 128} {
		wiring, err := mnc.MNC(pes)
		if err != nil {
			panic(err) // these sizes exist
		}
		for _, loops := range []int{100, 300, 1000} {
			c := mnc.Default(wiring)
			c.Items, c.Loops = 5000, loops
			list = append(list, mncPoint(c, pes))
		}
	}
	return list
}

func mncPoint(c mnc.Config, pes int) point {
	near := make(balance.Graph, pes)
	for i := range near {
		near[i] = lists.Of(c.Wiring.Neighbours(i), func(j int) int32 { return int32(j) })
	}
	home, hops := make([][]int32, pes), c.Wiring.SinkHops()
	for i := range near {
		for _, j := range near[i] {
			if hops[j] < hops[i] {
				home[i] = append(home[i], j)
			}
		}
	}
	ports := func(board int) (at []int) {
		for _, pe := range c.Wiring.Boards[board].Ports {
			if pe >= 0 {
				at = append(at, pe)
			}
		}
		return at
	}
	policies := map[string]mnc.Policy{"none": mnc.None, "mnc-naive": mnc.Naive, "mnc-auto": mnc.Auto}
	work := int64(c.Loops) * c.Cost.Loop
	fabric := balance.Fabric{Message: c.Cost.Ring, Unit: 12, Probe: 2*c.Cost.QPRWord + c.Cost.Neighbour, Latency: 1}
	items := float64(c.Items)
	return point{
		Conditions: balance.Conditions{
			Paper: "000", Machine: "MNC", Network: "free", Load: fmt.Sprintf("%d loops", c.Loops), N: pes,
			Grain: float64(work) / float64(fabric.Move()),
		},
		policies: []string{"none", "mnc-naive", "mnc-auto"}, seeds: 1,
		quantities: []quantity{{name: "clocks", tolerance: 0.1}, {name: "moves of each X", tolerance: 0.3}},
		native: func(ctx context.Context, scheme string, _ uint64) ([]float64, error) {
			c := c
			c.Policy = policies[scheme]
			m, err := mnc.New(c)
			if err != nil {
				return nil, err
			}
			if err := m.Run(ctx); err != nil {
				return nil, err
			}
			s := m.Stats()
			given := lists.Sum(s.PE, func(pe mnc.PEStats) int64 { return pe.Moved[mnc.XPut] })
			return []float64{float64(s.Clocks), float64(given) / items}, nil
		},
		hooks: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			conf := balance.MNCConfig{
				Policy: string(policies[scheme]), Slice: int(max(1, c.Slice/work)), Keep: int(c.KeepClk / work),
				Batch: c.Batch, Slots: c.Slots, Iteration: 2*c.Cost.QPRWord*4 + c.Cost.Iteration - 8,
				Wait: c.Cost.Idle, WaitMax: c.Cost.IdleMax, Interval: c.AbilityInterval,
			}
			if policies[scheme] == mnc.Naive {
				conf.Keep = 0
			}
			s := with("mnc-auto", func(w *balance.Worker) balance.Agent { return balance.NewAutonomous(w, conf) })
			r, err := balance.Run(ctx, balance.Setup{
				Policy: s, Workers: pes, Seed: seed, Near: near, Fabric: fabric,
				Workload: balance.Workload{
					Shape: balance.Bag, Units: 1, Counts: make([]int, pes), Pool: c.Items,
					PoolAt: ports(c.Wiring.Source), Home: home, Work: work,
				},
			})
			if err != nil {
				return nil, err
			}
			return []float64{float64(r.Time), float64(r.Moved) / items}, nil
		},
	}
}

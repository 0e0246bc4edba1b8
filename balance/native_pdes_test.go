package balance_test

import (
	"context"

	"emsim/balance"
	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// pdesPoints returns the points of banyans of three and four stages on tori [004 §4], with two logical processes per
// processor, and with one.
func pdesPoints() (list []point) {
	for _, at := range []struct {
		shape  string
		stages int
	}{{"3x2", 3}, {"4x3", 3}, {"4x4", 4}, {"8x4", 4}} {
		net, err := network.Parse(network.Torus, at.shape)
		if err != nil {
			panic(err) // these shapes exist
		}
		list = append(list, pdesPoint(net, at.stages))
	}
	return list
}

const (
	pdesSlots = 1000 // chosen: the migration takes a twentieth of them
	// pdesWork is the part of a slot's 700 clocks (docs/PDES.md) that is left without two messages each way: for the
	// slot itself and for the credits.
	pdesWork = 700 - 4*100
)

func pdesPoint(net *network.Net, stages int) point {
	c := pdes.Default(net, stages, pdesSlots)
	t := c.Timing
	n := net.Nodes()
	fabric := balance.Fabric{
		Message: t.Send, Unit: 64 * t.Serialise, Probe: t.Send, Latency: t.Cell + 2*t.Hop,
		Hop: t.Hop,
	}
	return point{
		Conditions: balance.Conditions{
			Paper: "004", Machine: "torus", Network: "free", Load: "banyan", N: n,
			Grain: float64(pdesWork) / float64(fabric.Move()),
		},
		policies: []string{"none", "lp-mapping"},
		seeds:    1,
		quantities: []quantity{
			{name: "clocks", tolerance: 0.1},
			{name: "gain over no balancing", tolerance: 0.04, absolute: true, gain: true},
		},
		native: func(ctx context.Context, scheme string, _ uint64) ([]float64, error) {
			c := c
			if scheme != "none" {
				c.Migrate = &pdes.Migration{At: 20 * 700, Weights: mapping.Reference()}
			}
			r, err := pdes.Run(ctx, c)
			if err != nil {
				return nil, err
			}
			return []float64{float64(r.Clocks), float64(r.Clocks)}, nil
		},
		hooks: func(ctx context.Context, scheme string, seed uint64) ([]float64, error) {
			r, err := balance.Run(ctx, balance.Setup{
				Policy: with(scheme, nil), Workers: n, Seed: seed, Fabric: fabric,
				Workload: balance.Workload{
					Shape: balance.Mesh, Units: max(1, (stages<<(stages-1))/n), Work: pdesWork,
					Rounds: pdesSlots,
				},
			})
			if err != nil {
				return nil, err
			}
			return []float64{float64(r.Time), float64(r.Time)}, nil
		},
	}
}

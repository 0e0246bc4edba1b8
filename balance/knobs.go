package balance

import "emsim/internal/base/knob"

// Knob is a number of the comparison that can be changed.
type Knob = knob.Knob[Plan]

// Knobs lists the prices of the network, and the parameters of policies with an interval. Ranges are chosen: from
// nothing to far beyond the papers' machines.
func Knobs() []Knob {
	price := func(key, doc string, ref func(p *Plan) *int64) Knob {
		return Knob{
			Key: key, Unit: "ticks", Max: 1_000_000, Source: "chosen", Doc: doc,
			Ref: func(p *Plan) any { return ref(p) },
		}
	}
	return []Knob{
		price("message", "CPU time at each end of a message, o", func(p *Plan) *int64 { return &p.Fabric.Message }),
		price("unit", "CPU time at each end for each unit in it, g", func(p *Plan) *int64 { return &p.Fabric.Unit }),
		price("probe", "CPU time at each end of a probe, and of a peek",
			func(p *Plan) *int64 { return &p.Fabric.Probe }),
		price("latency", "time over one link", func(p *Plan) *int64 { return &p.Fabric.Latency }),
		price("hop", "time over each further link", func(p *Plan) *int64 { return &p.Fabric.Hop }),
		price("hold", "how long a message, and each unit in it, occupies a link; 0 means that links are never busy",
			func(p *Plan) *int64 { return &p.Fabric.Hold }),
		{
			Key: "interval", Unit: "works of a unit", Real: knob.Interval{Low: 0.1, High: 1e6},
			Source: "derived: [002] 3 s, 0.4525 s a task",
			Doc:    "interval of clb, dlb, glb, igclb, igdlb, power-static and power",
			Ref:    func(p *Plan) any { return &p.Numbers.Interval },
		},
		{
			Key: "interval_rounds", Unit: "rounds", Min: 1, Max: 100_000, Source: "chosen: [001] has 50 of 250 loops",
			Doc: "in the loop: from one balancing of clb and its relatives to the next",
			Ref: func(p *Plan) any { return &p.Numbers.Every },
		},
		{
			Key: "move_clocks", Unit: "clocks", Min: 1, Max: 1_000_000,
			Source: "derived: two copies of a datum and what goes with them",
			Doc: "clocks of the MNC computer that one move stands for; they scale the slices, waits and intervals of " +
				"mnc-naive and mnc-auto", Ref: func(p *Plan) any { return &p.Numbers.MoveClocks },
		},
	}
}

// Numbers are the parameters of policies that act at intervals.
type Numbers struct {
	Interval   float64 // in multiples of a unit's work
	Every      int     // rounds of a loop between two balancing phases
	MoveClocks int64   // clocks of the MNC computer that correspond to a move
}

// DefaultNumbers returns the numbers of the comparison. Interval is from paper 002, for an undisturbed worker: 3 s at
// 0.4525 s a task [derived: both fitted in cluster/spmd]. Paper 001 balances every 50 of about 250 loops; for 20
// rounds this gives every 4 [chosen].
func DefaultNumbers() Numbers { return Numbers{Interval: 6.6, Every: 4, MoveClocks: 32} }

// period returns the interval in ticks.
func (w *Worker) period() int64 {
	return max(1, int64(w.world.numbers.Interval*float64(w.Typical())))
}

package figures

import (
	"context"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"

	"emsim/em4"
	"emsim/omega"
	"emsim/programs"
)

// spreadFigures show which PEs of the machine receive the calls.
func spreadFigures() []Figure {
	return []Figure{{
		Name: "em4-spread", Title: "Calls of every PE of 1024, static, with MLPE, and with remedies of MLPE",
		Source: "ours", Width: width, Height: 1.8 * height,
		Draw: func(ctx context.Context) (Drawing, error) { return callSpread(ctx, em4.Target1024(), 22) },
	}}
}

// spreadCases are the machines and programs of the figure.
var spreadCases = []struct {
	name   string
	params map[string]string
	change func(c *em4.Config)
}{
	{"static", map[string]string{"mlpe": "off"}, func(*em4.Config) {}},
	{"with MLPE", map[string]string{"mlpe": "on"}, func(*em4.Config) {}},
	{"with MLPE, priority 2", map[string]string{"mlpe": "on"}, func(c *em4.Config) { c.SwitchPriority, c.IBUPriority = 2, 2 }},
	{"with MLPE, 4 registers", map[string]string{"mlpe": "on", "registers": "all"}, func(c *em4.Config) { c.PrefetchRegisters = 4 }},
	{"with MLPE, the static call beside it", map[string]string{"mlpe": "on", "ring_first": "in"}, func(*em4.Config) {}},
	{"with MLPE, the static call beside it, priority 2", map[string]string{"mlpe": "on", "ring_first": "in"}, func(c *em4.Config) { c.SwitchPriority, c.IBUPriority = 2, 2 }},
}

// callSpread runs fib(n) in all cases.
func callSpread(ctx context.Context, c em4.Config, n uint64) (Drawing, error) {
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, err
	}
	out := panels{heading: fmt.Sprintf("fib(%d) on %d PEs: calls of each PE, white none, black four times the mean or more", n, c.PEs)}
	for i, x := range spreadCases {
		c := c
		x.change(&c)
		o, err := programs.Assemble("fib", x.params)
		if err != nil {
			return nil, err
		}
		m, err := booted(ctx, c, o)
		if err != nil {
			return nil, err
		}
		r, err := m.Run(ctx, []uint64{n}, em4.RunOptions{})
		if err != nil {
			return nil, fmt.Errorf("figures: fib(%d) %s: %w", n, x.name, err)
		}
		calls := make([]uint64, c.PEs)
		for pe := range calls {
			calls[pe] = m.PE(pe).Calls
		}
		pes, most := half(calls)
		p := callMap(topo, calls, fmt.Sprintf("%s: %d clocks; half of the calls on %d PEs, at most %d on one", x.name, r.Clocks, pes, most))
		if i < len(spreadCases)-1 {
			hideX(p)
		}
		out.parts = append(out.parts, p)
	}
	return out, nil
}

// half returns how many of the busiest PEs have half of the calls, and the
// most calls of one PE.
func half(calls []uint64) (pes int, most uint64) {
	calls = slices.Sorted(slices.Values(calls))
	sum, part := uint64(0), uint64(0)
	for _, n := range calls {
		sum += n
	}
	for ; 2*part < sum; pes++ {
		part += calls[len(calls)-1-pes]
	}
	return pes, calls[len(calls)-1]
}

// callMap draws a map of the machine: one column per group, one line per member, the
// first on top.
func callMap(topo omega.Topology, calls []uint64, title string) *plot.Plot {
	p := runPlot(title, "group", "member", float64(topo.Groups)-0.5, float64(topo.Members)-0.5)
	p.X.Min, p.Y.Min = -0.5, -0.5
	var groups []int
	for g := 0; g <= topo.Groups; g += max(1, topo.Groups/8) {
		groups = append(groups, min(g, topo.Groups-1))
	}
	p.X.Tick.Marker = ticksAt(groups...)
	last := topo.Members - 1
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: fmt.Sprint(last)}, {Value: float64(last), Label: "0"}}
	sum := uint64(0)
	for _, n := range calls {
		sum += n
	}
	full := 4 * float64(sum) / float64(topo.N)
	p.Add(heat{p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, topo.Groups, topo.Members, func(group, _, line, _ int) color.RGBA {
		return mix(white, black, float64(calls[group*topo.Members+last-line])/full)
	}})
	return p
}

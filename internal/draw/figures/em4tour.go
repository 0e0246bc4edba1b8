package figures

import (
	"context"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/memlimit"
	"emsim/internal/study/ensemble"
	"emsim/omega"
	"emsim/programs"
	"emsim/trace"
)

// em4TourFigures returns the pictures of the guided tour, docs/tour.md. All but em4-fib10 are finished drawings in
// docs/img.
func em4TourFigures() []Figure {
	drawing := func(name, title, source string) Figure { return Figure{Name: name, Title: title, Source: source} }
	return []Figure{
		drawing("em4-packet", "One packet of the EM-4 from its send to the match and the block that it fires", "ours"),
		figure("em4-fib10", "fib(10) on 12 PEs of the EM-4: what every unit does in every clock",
			"ours", 24*vg.Centimeter, 17*vg.Centimeter,
			func(ctx context.Context) (Drawing, error) { return em4Fib(ctx, em4.Small12(), 10) }),
		drawing("em4-mlpe", "An MLPE packet goes round a reverse circuit and comes back with the PE of the least load",
			"003 figure 4"),
		drawing("em4-load", "The load of a PE, by what is in its buffers and memory", "003 figure 3"),
		drawing("em4-prefetch", "A search with MLPE gets an operand segment before the call that will use it", "ours"),
		drawing("em4-fallback", "Calls that find the prefetch register empty go where the policy says", "ours"),
	}
}

// booted returns a machine on which a program's init blocks have run.
func booted(ctx context.Context, c em4.Config, obj *asm.Object) (*em4.Machine, error) {
	prog, err := programs.Load(obj)
	if err != nil {
		return nil, err
	}
	m, err := em4.New(c, prog, 1)
	if err != nil {
		return nil, err
	}
	return m, m.Boot(ctx, 0)
}

// em4Fib draws what the units of every PE do in a whole run of fib(n).
func em4Fib(ctx context.Context, c em4.Config, n uint64) (Drawing, error) {
	obj, err := programs.Assemble("fib", nil)
	if err != nil {
		return nil, err
	}
	m, err := booted(ctx, c, obj)
	if err != nil {
		return nil, err
	}
	start, s := m.Clock(), make(strips, 4*c.PEs)
	r := trace.NewRecorder(trace.Func(func(e *trace.Event) {
		switch {
		case e.Kind == trace.Moved:
			s.addClocks(4*int(e.PE)+3, works, e.Clock-start, e.Clock-start+1)
		case e.Kind == trace.Changed && e.Unit >= trace.IBU && e.Unit <= trace.EXU:
			if shade, ok := shadeOf(e.Was); ok {
				s.addClocks(4*int(e.PE)+int(trace.EXU-e.Unit), shade, max(e.Since, start)-start, e.Clock-start)
			}
		}
	}), c.PEs, trace.All(c.PEs))
	m.Watch(r, start, ^uint64(0))
	result, err := m.Run(ctx, []uint64{n}, em4.RunOptions{})
	if err != nil {
		return nil, err
	}
	p := s.rowPlot(float64(r.End()-start), func(i int) string {
		name := [...]string{"EXU", "FMU", "IBU", "SU"}[i%4]
		if i%4 == 0 {
			name = fmt.Sprintf("%v %s", m.Net.Address(i/4), name)
		}
		return name
	})
	return panels{
		heading: fmt.Sprintf("fib(%d) on %d PEs: %d in %d clocks, PE utilisation %.0f %%", n, c.PEs, result.Words[0],
			result.Clocks, 100*result.Utilisation()),
		about: "what the four units of each PE do in every clock",
		keys: []key{
			{words: "works (SU: a packet moves)", colour: stripShades[works]},
			{words: "waits for memory, switch or EXU", colour: stripShades[waits]},
			{words: "waits for a packet or a partner", colour: stripShades[late]},
			{words: "idle", colour: white},
		},
		parts: []Drawing{p},
	}, nil
}

// The activities of a unit that have a shade.
const (
	works = iota
	waits
	late // waits for a packet or a partner
)

var stripShades = [...]color.Gray{{Y: 60}, {Y: 150}, {Y: 238}}

// shadeOf returns the shade of a status; idle is not drawn.
func shadeOf(s trace.Status) (shade int, drawn bool) {
	switch s {
	case trace.Idle:
		return 0, false
	case trace.WaitFMU, trace.WaitOperand, trace.WaitMIB:
		return late, true
	}
	if s.IsWait() {
		return waits, true
	}
	return works, true
}

// strips are rows in groups of four. For each shade, a row has the clocks at which its strips begin and end: from, to,
// from, to ...
type strips [][len(stripShades)][]uint64

// addClocks adds a strip from..to-1 to a row, or makes its last strip longer.
func (s strips) addClocks(row, shade int, from, to uint64) {
	list := &s[row][shade]
	if n := len(*list); n > 0 && (*list)[n-1] == from {
		(*list)[n-1] = to
		return
	}
	*list = append(*list, from, to)
}

// rowPlot returns the plot of the rows, from clock 0 to end.
func (s strips) rowPlot(end float64, name func(row int) string) *chart {
	p := runPlot("", "clock", "", end, s.height(0)+1)
	p.Y.Min = s.height(len(s)-1) - 1
	var names plot.ConstantTicks
	for i := range s {
		names = append(names, plot.Tick{Value: s.height(i), Label: name(i)})
	}
	p.Y.Tick.Marker, p.Y.Tick.Length, p.Y.Tick.Label.Font.Size = names, 0, 6
	p.Add(s)
	return p
}

// height returns the height of a row: the first on top, with some space between groups.
func (s strips) height(row int) float64 { return -float64(row) - float64(0.4*float64(row/4)) }

// Plot implements plot.Plotter. One broad line per row and shade keeps files small.
func (s strips) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for row := range s {
		at := y(s.height(row))
		for shade, list := range s[row] {
			var path vg.Path
			for i := 0; i < len(list); i += 2 {
				path.Move(vg.Point{X: x(float64(list[i])), Y: at})
				path.Line(vg.Point{X: x(float64(list[i+1])), Y: at})
			}
			if len(path) > 0 {
				c.SetLineStyle(draw.LineStyle{Color: stripShades[shade], Width: vg.Length(0.8 * (y(1) - y(0)))})
				c.Stroke(path)
			}
		}
	}
}

// spreadFigures returns the figure that shows which PEs receive the calls.
func spreadFigures() []Figure {
	return []Figure{figure("em4-spread", "Calls of every PE of 1024, static, with MLPE, and with remedies of MLPE",
		"ours", width, 1.8*height,
		func(ctx context.Context) (Drawing, error) { return callSpread(ctx, em4.Target1024(), 22) })}
}

// spreadCases are the machines and programs of the figure.
var spreadCases = []struct {
	name      string
	priority  int // of switches and IBUs
	registers int // prefetch registers
	params    map[string]string
}{
	{"static", 0, 1, map[string]string{"mlpe": "off"}},
	{"with MLPE", 0, 1, map[string]string{"mlpe": "on"}},
	{"with MLPE, priority 2", 2, 1, map[string]string{"mlpe": "on"}},
	{"with MLPE, 4 registers", 0, 4, map[string]string{"mlpe": "on", "registers": "all"}},
	{"with MLPE, the static call on its circuit", 0, 1, onCircuit},
	{"with MLPE, the static call on its circuit, priority 2", 2, 1, onCircuit},
}

// onCircuit are the parameters of a program whose static calls stay on their circuit.
var onCircuit = map[string]string{"mlpe": "on", "ring_first": "in"}

// callSpread draws the calls that each PE gets in fib(n), in all cases, which run in parallel.
func callSpread(ctx context.Context, c em4.Config, n uint64) (Drawing, error) {
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, err
	}
	out := panels{
		about: fmt.Sprintf("calls of each PE; fib(%d) on %d PEs; rows are members, columns groups", n, c.PEs),
		keys:  []key{{words: "four times the mean or more", low: "0", bar: to(states[0])}},
		parts: make([]Drawing, len(spreadCases)),
	}
	halves := make([]int, len(spreadCases))
	if _, err := ensemble.New(0).InOrder(ctx, len(spreadCases), func(int) uint64 { return memlimit.EM4Bytes(c.PEs) },
		func(ctx context.Context, i int) error {
			clocks, calls, err := callsOfPEs(ctx, c, i, n)
			if err != nil {
				return fmt.Errorf("figures: fib(%d) %s: %w", n, spreadCases[i].name, err)
			}
			pes, most := halfOfCalls(calls)
			p := callMap(topo, calls, fmt.Sprintf("%s: %s clocks; half of the calls on %d PEs, at most %d on one",
				spreadCases[i].name, number(float64(clocks)), pes, most))
			if i < len(spreadCases)-1 {
				hideX(p)
			}
			halves[i], out.parts[i] = pes, p
			return nil
		}); err != nil {
		return nil, err
	}
	out.heading = fmt.Sprintf("PEs with half of the calls: %s %d, %s %d of %d", spreadCases[0].name, halves[0],
		spreadCases[1].name, halves[1], c.PEs)
	return out, nil
}

// callsOfPEs runs fib(n) in a case of the figure and returns its clocks and the calls that each PE gets.
func callsOfPEs(ctx context.Context, c em4.Config, number int, n uint64) (clocks uint64, calls []uint64, err error) {
	x := &spreadCases[number]
	c.SwitchPriority, c.IBUPriority, c.PrefetchRegisters = x.priority, x.priority, x.registers
	o, err := programs.Assemble("fib", x.params)
	if err != nil {
		return 0, nil, err
	}
	m, err := booted(ctx, c, o)
	if err != nil {
		return 0, nil, err
	}
	r, err := m.Run(ctx, []uint64{n}, em4.RunOptions{})
	for pe := range c.PEs {
		calls = append(calls, m.PE(pe).Calls)
	}
	return r.Clocks, calls, err
}

// halfOfCalls returns the smallest number of PEs that together get at least half of the calls, and the most calls of
// any one PE.
func halfOfCalls(calls []uint64) (pes int, most uint64) {
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

// callMap draws the calls of each PE: a column per group, a line per member, the first
// on top.
func callMap(topo omega.Topology, calls []uint64, title string) *chart {
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
	p.Add(heat{
		p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, topo.Groups, topo.Members,
		shadesOf(states[0], func(group, line int) float64 {
			return min(1, float64(calls[group*topo.Members+last-line])/full)
		}),
	})
	return p
}

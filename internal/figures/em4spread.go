package figures

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/em4"
	"emsim/omega"
	"emsim/programs"
)

// spreadFigures show which PEs of the machine receive the calls.
func spreadFigures() []Figure {
	return []Figure{{
		Name: "em4-spread", Title: "Calls of every PE of 1024, static, with MLPE, and with remedies of MLPE",
		Source: "ours", Width: width, Height: 1.55 * height,
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
	s := spread{topo: topo, title: fmt.Sprintf("fib(%d) on %d PEs: calls of each PE, white none, black four times the mean or more", n, c.PEs)}
	for _, x := range spreadCases {
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
		p := spreadPanel{name: x.name, clocks: r.Clocks}
		for i := range c.PEs {
			p.calls = append(p.calls, m.PE(i).Calls)
		}
		s.panels = append(s.panels, p)
	}
	return s, nil
}

// spread draws a map of the machine for each case: one column per group, one
// line per member.
type spread struct {
	title  string
	topo   omega.Topology
	panels []spreadPanel
}

type spreadPanel struct {
	name   string
	clocks uint64
	calls  []uint64 // by PE
}

// half returns how many of the busiest PEs have half of the calls, and the
// most calls of one PE.
func (p *spreadPanel) half() (pes int, most uint64) {
	calls := slices.Sorted(slices.Values(p.calls))
	sum, part := uint64(0), uint64(0)
	for _, n := range calls {
		sum += n
	}
	for ; 2*part < sum; pes++ {
		part += calls[len(calls)-1-pes]
	}
	return pes, calls[len(calls)-1]
}

// Draw paints the maps one below the other.
func (s spread) Draw(c draw.Canvas) {
	writeAt(c, 10, c.Center().X, c.Max.Y-vg.Points(10), s.title)
	inner := draw.Crop(c, vg.Points(34), -vg.Points(12), vg.Points(24), -vg.Points(20))
	tall := inner.Size().Y / vg.Length(len(s.panels))
	words := tableText(8.5)
	words.XAlign = draw.XLeft
	for i, p := range s.panels {
		top := inner.Max.Y - vg.Length(vg.Length(i)*tall)
		pes, most := p.half()
		c.FillText(words, vg.Point{X: inner.Min.X, Y: top - vg.Points(9)},
			fmt.Sprintf("%s: %d clocks; half of the calls on %d PEs, at most %d on one", p.name, p.clocks, pes, most))
		s.paint(c, p, vg.Rectangle{Min: vg.Point{X: inner.Min.X, Y: top - tall + vg.Points(4)}, Max: vg.Point{X: inner.Max.X, Y: top - vg.Points(17)}})
	}
	for g := 0; g <= s.topo.Groups; g += max(1, s.topo.Groups/8) {
		label := min(g, s.topo.Groups-1)
		x := inner.Min.X + vg.Length((vg.Length(label)+0.5)/vg.Length(s.topo.Groups)*inner.Size().X)
		writeAt(c, 7.5, x, inner.Min.Y-vg.Points(5), fmt.Sprint(label))
	}
	writeAt(c, 8.5, inner.Center().X, c.Min.Y+vg.Points(7), "group")
}

// paint draws one map in a rectangle, and its lines' members.
func (s spread) paint(c draw.Canvas, p spreadPanel, r vg.Rectangle) {
	const scale = 4 // pixels per point, so that viewers do not blur the cells
	sum := uint64(0)
	for _, n := range p.calls {
		sum += n
	}
	full := 4 * float64(sum) / float64(s.topo.N)
	img := image.NewGray(image.Rect(0, 0, int(scale*r.Size().X), int(scale*r.Size().Y)))
	size := img.Bounds().Size()
	for x := range size.X {
		for y := range size.Y {
			pe := x*s.topo.Groups/size.X*s.topo.Members + y*s.topo.Members/size.Y
			level := min(1, float64(p.calls[pe])/full)
			img.SetGray(x, y, color.Gray{Y: uint8(255 - float64(255*level))})
		}
	}
	c.DrawImage(onGrid(r), img)
	frame := draw.LineStyle{Color: color.Gray{Y: 120}, Width: vg.Points(0.4)}
	c.StrokeLines(frame, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min})
	line := r.Size().Y / vg.Length(s.topo.Members)
	for _, member := range []int{0, s.topo.Members - 1} {
		writeAt(c, 7, r.Min.X-vg.Points(6), r.Max.Y-vg.Length((vg.Length(member)+0.5)*line), fmt.Sprint(member))
	}
	up := tableText(7.5)
	up.Rotation = math.Pi / 2
	c.FillText(up, vg.Point{X: r.Min.X - vg.Points(18), Y: (r.Min.Y + r.Max.Y) / 2}, "member")
}

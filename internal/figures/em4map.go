package figures

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
	"emsim/verify"
)

// heatMap draws PEs × time, one panel per state and run: the darker, the
// larger the state's share of the window.
func (s em4Set) heatMap(ctx context.Context) (Drawing, error) {
	pair, err := s.pair(ctx)
	if err != nil {
		return nil, err
	}
	out := panels{title: fmt.Sprintf("fib(%d), policy ring: share of each state, white 0 to black 1, in windows of %d clocks", s.large, em4Window)}
	last := max(s.ms(pair[0].Clocks), s.ms(pair[1].Clocks))
	for st := range emcr.Activities {
		var row []*plot.Plot
		for i, run := range pair {
			p := newPlot(fmt.Sprintf("%s, %s: %.1f %%", stateName(st), named(i == 1), 100*run.Share(st)), "", "")
			p.Title.TextStyle.Font.Size = vg.Points(9)
			if st == emcr.Activities-1 {
				p.X.Label.Text = "time [ms]"
			}
			if i == 0 {
				p.Y.Label.Text = "PE"
			}
			p.Add(s.shading(run, st))
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, last, 0, float64(s.pes())
			p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, peTicks(s.pes())
			row = append(row, p)
		}
		out.plots = append(out.plots, row)
	}
	return out, nil
}

// stateName is a state in words.
func stateName(st emcr.Activity) string {
	for _, u := range worked {
		if u.state == st {
			return u.name
		}
	}
	return st.String()
}

// shading returns the shares of one state by window and PE.
func (s em4Set) shading(run verify.Profile003, st emcr.Activity) shading {
	g := shading{end: s.ms(run.Clocks), cells: make([][]uint8, len(run.Ends))}
	start := uint64(0)
	for w, end := range run.Ends {
		g.cells[w] = make([]uint8, s.pes())
		for pe, clocks := range run.Activity[w] {
			g.cells[w][pe] = uint8((uint64(clocks[st])*shadingLevels + (end-start)/2) / (end - start))
		}
		g.ends = append(g.ends, s.ms(end))
		start = end
	}
	return g
}

// shadingLevels is the darkest shade's number; few levels keep the files
// small.
const shadingLevels = 32

// shading is a grid of greys over time and PEs.
type shading struct {
	end   float64   // of the run, ms
	ends  []float64 // of each column, ms
	cells [][]uint8 // by column and PE: 0 white to shadingLevels black
}

// onGrid rounds the place of an image to 1/1024 of a point. SVG files have all its
// digits, and the last of the plotting library's are not the same on every processor.
func onGrid(r vg.Rectangle) vg.Rectangle {
	round := func(x vg.Length) vg.Length { return vg.Length(math.Round(float64(x*1024)) / 1024) }
	return vg.Rectangle{Min: vg.Point{X: round(r.Min.X), Y: round(r.Min.Y)}, Max: vg.Point{X: round(r.Max.X), Y: round(r.Max.Y)}}
}

// Plot implements plot.Plotter. It draws one picture in the proportions of its
// place, because SVG viewers keep a picture's proportions.
func (g shading) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	pes := len(g.cells[0])
	rect := vg.Rectangle{Min: vg.Point{X: x(0), Y: y(0)}, Max: vg.Point{X: x(g.end), Y: y(float64(pes))}}
	const scale = 1.6 // pixels per point
	w, h := int(scale*rect.Size().X), int(scale*rect.Size().Y)
	img := image.NewGray(image.Rect(0, 0, w, h))
	column := 0
	for px := range w {
		for column < len(g.ends)-1 && (float64(px)+0.5)/float64(w)*g.end >= g.ends[column] {
			column++
		}
		for py := range h {
			level := g.cells[column][pes-1-py*pes/h]
			img.SetGray(px, py, color.Gray{Y: uint8(255 - 255*int(level)/shadingLevels)})
		}
	}
	c.DrawImage(onGrid(rect), img)
	frame := draw.LineStyle{Color: color.Gray{Y: 120}, Width: vg.Points(0.4)}
	c.StrokeLines(frame, []vg.Point{rect.Min, {X: rect.Max.X, Y: rect.Min.Y}, rect.Max, {X: rect.Min.X, Y: rect.Max.Y}, rect.Min})
}

// links draws the packets over every link, on a map of the network.
func (s em4Set) links(ctx context.Context) (Drawing, error) {
	pair, err := s.pair(ctx)
	if err != nil {
		return nil, err
	}
	topo, err := omega.ForPEs(s.pes())
	if err != nil {
		return nil, err
	}
	m := linkMap{title: fmt.Sprintf("fib(%d), policy ring: packets over each link; the thicker and darker, the more", s.large), topo: topo}
	for i, run := range pair {
		m.runs = append(m.runs, linkLoad{named(i == 1), run.Hops})
	}
	m.measure(m.runs)
	return m, nil
}

// linkMap is the network as in figure 1 of the paper, one column per member,
// with the first column repeated on the right; one map per run. Its scale goes
// from the least to the most busy link of all runs: on many machines all links
// carry nearly the same.
type linkMap struct {
	title       string
	topo        omega.Topology
	runs        []linkLoad
	least, most uint64 // packets over a link, in all runs
	colours     bool   // otherwise greys
}

type linkLoad struct {
	name string
	hops [][2]uint64
}

// measure finds the ends of the scale.
func (m *linkMap) measure(runs []linkLoad) {
	m.least, m.most = ^uint64(0), 0
	for _, run := range runs {
		for _, h := range run.hops {
			m.least, m.most = min(m.least, h[0], h[1]), max(m.most, h[0], h[1])
		}
	}
}

// style is how a link with so many packets is drawn.
func (m linkMap) style(packets uint64) draw.LineStyle {
	part := float64(packets-m.least) / float64(max(1, m.most-m.least))
	style := draw.LineStyle{Color: color.Gray{Y: uint8(210 - float64(210*part))}, Width: vg.Points(0.6 + float64(3.6*part))}
	if m.colours {
		style.Color = scale(part)
	}
	return style
}

// key draws the scale and returns the canvas below it.
func (m linkMap) key(c draw.Canvas) draw.Canvas {
	const steps = 5
	words := label(9, draw.XLeft, draw.YCenter)
	if m.colours {
		words = sans(10.5, draw.XLeft, draw.YCenter)
	}
	x, y := c.Min.X+vg.Points(8), c.Max.Y-vg.Points(9)
	for i := range steps + 1 {
		packets := m.least + (m.most-m.least)*uint64(i)/steps
		c.StrokeLine2(m.style(packets), x, y, x+vg.Points(20), y)
		text := thousands(float64(packets))
		if i == steps {
			text += " packets"
		}
		c.FillText(words, vg.Point{X: x + vg.Points(24), Y: y}, text)
		x += vg.Points(34) + words.Width(text)
	}
	return draw.Crop(c, 0, 0, 0, -vg.Points(20))
}

// Draw paints the maps side by side.
func (m linkMap) Draw(c draw.Canvas) {
	writeAt(c, 11, c.Center().X, c.Max.Y-vg.Points(10), m.title)
	c = m.key(draw.Crop(c, 0, 0, 0, -vg.Points(20)))
	for i, run := range m.runs {
		width := c.Size().X / vg.Length(len(m.runs))
		m.one(draw.Crop(c, vg.Length(vg.Length(i)*width), vg.Length(-vg.Length(len(m.runs)-1-i)*width), 0, 0), run)
	}
}

func (m linkMap) one(c draw.Canvas, run linkLoad) {
	var sum, most uint64
	least := ^uint64(0)
	for _, h := range run.hops {
		for _, n := range h {
			sum, least, most = sum+n, min(least, n), max(most, n)
		}
	}
	m.write(c, 10, c.Center().X, c.Max.Y-vg.Points(8), run.name)
	m.write(c, 8.5, c.Center().X, c.Min.Y+vg.Points(8),
		fmt.Sprintf("%d links, %d packets: least %d, mean %d, most %d", 2*m.topo.N, sum, least, sum/uint64(2*m.topo.N), most))
	for i, h := range run.hops {
		from := m.topo.Address(i)
		for port, n := range h {
			to := m.topo.Next(from, port)
			column := int(from.CA) + 1 // to the right; the last column leads to the first one's copy
			a, b := m.place(c, from, int(from.CA)), m.place(c, to, column)
			c.StrokeLine2(m.style(n), a.X, a.Y, b.X, b.Y)
		}
	}
	m.nodes(c)
}

// nodes draws the PEs, with their addresses if there is room.
func (m linkMap) nodes(c draw.Canvas) {
	a, b := m.place(c, packet.PE{}, 0), m.place(c, packet.PE{GA: 1}, 1)
	radius := min(vg.Points(7.6), vg.Length(0.4*(a.Y-b.Y)), vg.Length(0.4*(b.X-a.X)))
	for g := range m.topo.Groups {
		for column := range m.topo.Members + 1 {
			pe := packet.PE{GA: uint16(g), CA: uint8(column % m.topo.Members)}
			at := m.place(c, pe, column)
			var shade color.Color = color.Gray{Y: 255}
			switch {
			case column == m.topo.Members:
				shade = color.Gray{Y: 225} // the first column again
			case m.colours:
				shade = paleA
			}
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: color.Gray{Y: 90}, Radius: radius, Shape: draw.CircleGlyph{}}, at)
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: shade, Radius: radius - vg.Points(0.5), Shape: draw.CircleGlyph{}}, at)
			if radius > vg.Points(6.5) {
				m.write(c, 6, at.X, at.Y, fmt.Sprintf("%d,%d", pe.GA, pe.CA))
			}
		}
	}
}

// write writes a line of text centred at a point of the canvas.
func (m linkMap) write(c draw.Canvas, size float64, x, y vg.Length, words string) {
	if !m.colours {
		writeAt(c, size, x, y, words)
		return
	}
	style := sans(size+0.5, draw.XCenter, draw.YCenter)
	c.FillText(style, vg.Point{X: x, Y: y}, words)
}

// place is the centre of a PE in a column of the map.
func (m linkMap) place(c draw.Canvas, pe packet.PE, column int) vg.Point {
	inner := draw.Crop(c, vg.Points(16), -vg.Points(16), vg.Points(26), -vg.Points(26))
	return vg.Point{
		X: inner.X(float64(column) / float64(m.topo.Members)),
		Y: inner.Y(1 - float64(pe.GA)/float64(max(1, m.topo.Groups-1))),
	}
}

// writeAt writes a line of text centred at a point of the canvas.
func writeAt(c draw.Canvas, size float64, x, y vg.Length, txt string) {
	c.FillText(text.Style{
		Color: color.Black, Font: font.From(plot.DefaultFont, vg.Points(size)),
		XAlign: text.XCenter, YAlign: text.YCenter, Handler: plot.DefaultTextHandler,
	}, vg.Point{X: x, Y: y}, txt)
}

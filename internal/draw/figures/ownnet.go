package figures

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/packet"
)

// linksHeight has room for every group of the network.
func linksHeight(runs []OwnRun) float64 {
	groups := max(1, slices.Max(lists.Of(runs, func(r OwnRun) int { return r.Topology.Groups })))
	one := max(11, 3.2+float64(0.72*float64(groups)))
	if len(runs) > 1 {
		one = max(9, 3.2+0.5*float64(groups))
	}
	return 1.2 + float64(one*float64((len(runs)+1)/2))
}

// ownLinks draws the map of the network for each run, two side by side.
func ownLinks(runs []OwnRun) Drawing {
	out := ownPanels(runs, "Packets over every link of the network")
	out.columns = min(2, len(runs))
	m := linkScale{^uint64(0), 0}
	for _, r := range runs {
		least, most, _ := packetsOf(r)
		m = linkScale{min(m.least, least), max(m.most, most)}
	}
	const parts = 5
	for i := range uint64(parts + 1) {
		packets := m.least + (m.most-m.least)*i/parts
		out.keys = append(out.keys, key{words: number(float64(packets)), line: m.style(packets)})
	}
	out.keys[parts].words += " packets"
	for i, r := range runs {
		waited := lists.Sum(r.Blocked, func(b [2]uint64) uint64 { return b[0] + b[1] })
		out.parts = append(out.parts, linkMap{m, r, titled(len(runs), runs[i].Name,
			fmt.Sprintf("%s; packets waited %s for links", r.length(), number(float64(waited))))})
	}
	return out
}

// packetsOf returns the packets over the links of a run: the least and the most busy one,
// and all.
func packetsOf(r OwnRun) (least, most, all uint64) {
	least = ^uint64(0)
	for _, h := range r.Hops {
		least, most, all = min(least, h[0], h[1]), max(most, h[0], h[1]), all+h[0]+h[1]
	}
	return least, most, all
}

// linkScale goes from the least to the most busy link of all runs: on many machines
// all links carry nearly the same.
type linkScale struct{ least, most uint64 }

// style returns how a link with a number of packets is drawn.
func (m linkScale) style(packets uint64) draw.LineStyle {
	part := float64(packets-m.least) / float64(max(1, m.most-m.least))
	return draw.LineStyle{Color: scale(part), Width: vg.Length(0.6 + float64(3.6*part))}
}

// linkMap is the network as in figure 1 of paper 003, one column per member, with the
// first column repeated on the right.
type linkMap struct {
	linkScale
	OwnRun
	title string
}

// Draw paints the map.
func (m linkMap) Draw(c draw.Canvas) {
	style := sansStyle(10, draw.XCenter, draw.YTop)
	for i, line := range wrapText(style, m.title, c.Size().X-8) {
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y - vg.Length(12*vg.Length(i))}, line)
	}
	least, most, all := packetsOf(m.OwnRun)
	links := uint64(2 * m.Topology.N)
	c.FillText(sansStyle(9, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 2},
		fmt.Sprintf("%d links, %d packets\nleast %d, mean %d, most %d", links, all, least, all/links, most))
	c = draw.Crop(c, 16, -16, 34, -34)
	for i, h := range m.Hops {
		from := m.Topology.Address(i)
		for port, n := range h {
			// To the right; the last column leads to the first one's copy.
			a, b := m.place(c, from, int(from.CA)), m.place(c, m.Topology.Next(from, port), int(from.CA)+1)
			c.StrokeLine2(m.style(n), a.X, a.Y, b.X, b.Y)
		}
	}
	m.nodes(c)
}

// nodes draws the PEs, with their addresses if there is room.
func (m linkMap) nodes(c draw.Canvas) {
	a, b := m.place(c, packet.PE{}, 0), m.place(c, packet.PE{GA: 1}, 1)
	radius := min(7.6, vg.Length(0.4*(a.Y-b.Y)), vg.Length(0.4*(b.X-a.X)))
	for g := range m.Topology.Groups {
		for column := range m.Topology.Members + 1 {
			pe := packet.PE{GA: uint16(g), CA: uint8(column % m.Topology.Members)}
			at, fill := m.place(c, pe, column), color.Color(paleA)
			if column == m.Topology.Members {
				fill = color.Gray{Y: 225} // the first column again
			}
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: color.Gray{Y: 90}, Radius: radius, Shape: draw.CircleGlyph{}}, at)
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: fill, Radius: radius - 0.5, Shape: draw.CircleGlyph{}}, at)
			if radius > 6.5 {
				c.FillText(sansStyle(6.5, draw.XCenter, draw.YCenter), at, fmt.Sprintf("%d,%d", pe.GA, pe.CA))
			}
		}
	}
}

// place returns the centre of a PE in a column of the map.
func (m linkMap) place(c draw.Canvas, pe packet.PE, column int) vg.Point {
	return vg.Point{
		X: c.X(float64(column) / float64(m.Topology.Members)),
		Y: c.Y(1 - float64(pe.GA)/float64(max(1, m.Topology.Groups-1))),
	}
}

// ownCalls draws a matrix of callers and callees for each run, two side by side, with
// the instances of every PE below it.
func ownCalls(runs []OwnRun) Drawing {
	out := ownPanels(runs, "Where calls went")
	out.columns = min(2, len(runs))
	for first := 0; first < len(runs); first += out.columns {
		row := make([]Drawing, 2*out.columns)
		for i := first; i < min(len(runs), first+out.columns); i++ {
			row[i-first], row[out.columns+i-first] = callsOf(runs, i)
		}
		out.parts = append(out.parts, row...)
	}
	return out
}

// callsOf draws the calls of one run.
func callsOf(runs []OwnRun, i int) (matrix, instances Drawing) {
	r, pes := runs[i], runs[i].Topology.N
	var most, all uint64
	made := make([]uint64, pes)
	for pair, n := range r.Calls.Pairs {
		made[pair[1]] += n
		all += n
		if pair[0] >= 0 { // not the host
			most = max(most, n)
		}
	}
	p := runPlot(titled(len(runs), runs[i].Name, fmt.Sprintf("%s instances; rust: %s calls", number(float64(all)),
		number(float64(most)))), "PE of the instance", "PE of the caller", float64(pes), float64(pes))
	p.Add(counted(heat{x1: float64(pes), y1: float64(pes), columns: pes, rows: pes}, most,
		func(by, at int) uint64 { return r.Calls.Pairs[[2]int{by, at}] }))
	q := runPlot("", "PE", "instances", float64(pes), float64(max(1, slices.Max(made))))
	for pe, n := range made {
		if n > 0 {
			addBar(q, float64(pe), float64(pe+1), float64(n), states[0], 0)
		}
	}
	return p, q
}

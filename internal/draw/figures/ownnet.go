package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
)

// mostRows is the largest number of groups below each other in a map of links; more stand in blocks side by side.
const mostRows = 32

// linkRow returns the number of rows of a map of links, their height in centimetres, and the least height of the map.
func linkRow(runs []OwnRun) (rows, high, least float64) {
	groups := slices.Max(lists.Of(runs, func(r OwnRun) int { return r.Topology.Groups }))
	if rows = float64(min(mostRows, groups)); len(runs) > 1 {
		return rows, 0.5, 9
	}
	return rows, 0.72, 11
}

// linksHeight returns a height in centimetres with room for the rows of every map.
func linksHeight(runs []OwnRun) float64 {
	rows, high, least := linkRow(runs)
	return 1.2 + float64(max(least, 3.2+float64(high*rows))*float64((len(runs)+1)/2))
}

// ownLinks draws the map of the network for each run, two side by side.
func ownLinks(runs []OwnRun) Drawing {
	out := ownPanels(runs,
		fmt.Sprintf("packets over each of the %d links; rows are groups, columns members; widths and "+
			"colours have one scale, from 0", 2*runs[0].Topology.N), func(r OwnRun) string {
			least, most, _ := packetsOf(r)
			return fmt.Sprintf("a link takes %s to %s packets", number(float64(least)), number(float64(most)))
		})
	out.columns = min(2, len(runs))
	most := uint64(0)
	for _, r := range runs {
		_, here, _ := packetsOf(r)
		most = max(most, here)
	}
	rows, high, _ := linkRow(runs)
	widest := vg.Length(vg.Length(0.2*high) * vg.Centimeter) // two links begin at each PE
	if float64(runs[0].Topology.Groups) > rows {
		widest /= 2 // the blocks are narrow
	}
	const parts = 5
	for i := range uint64(parts + 1) {
		packets := most * i / parts
		out.keys = append(out.keys, key{words: number(float64(packets)), line: linkStyle(packets, most, widest)})
	}
	out.keys[parts].words += " packets"
	for _, r := range runs {
		out.parts = append(out.parts, linkMap{r, most, widest, len(runs) > 1})
	}
	return out
}

// packetsOf returns how many packets passed over the least busy and over the busiest link of a run, and the number of
// links without packets.
func packetsOf(r OwnRun) (least, most uint64, none int) {
	least = ^uint64(0)
	for _, h := range r.Hops {
		for _, n := range h {
			if least, most = min(least, n), max(most, n); n == 0 {
				none++
			}
		}
	}
	return least, most, none
}

// linkStyle returns the line of a link, on a scale from no packet to the most packets over a link in all runs. Its
// width is proportional to the packets, up to widest, but at least a hairline.
func linkStyle(packets, most uint64, widest vg.Length) draw.LineStyle {
	part := float64(packets) / float64(max(1, most))
	return draw.LineStyle{Color: scale(part), Width: max(0.25, vg.Length(widest*vg.Length(part)))}
}

// linkMap draws the network as in figure 1 of paper 003.
type linkMap struct {
	OwnRun
	most   uint64 // packets over a link in all runs
	widest vg.Length
	named  bool // the map has the name of its run
}

// Draw paints the map.
func (m linkMap) Draw(c draw.Canvas) {
	least, most, none := packetsOf(m.OwnRun)
	said := []string{fmt.Sprintf("every link takes %s to %s packets", number(float64(least)), number(float64(most)))}
	if none > 0 {
		said = []string{fmt.Sprintf("%d links take none, the busiest takes %s", none, number(float64(most)))}
	}
	waited := lists.Sum(m.Blocked, func(b [2]uint64) uint64 { return b[0] + b[1] })
	said = append(said, fmt.Sprintf("%s; packets waited %s clocks", m.length(), number(float64(waited))))
	style, y := boldStyle(sansStyle(10, draw.XLeft, draw.YTop)), c.Max.Y
	if m.named {
		c.FillText(style, vg.Point{X: c.Min.X + 8, Y: y}, m.Name)
		y -= 13
	}
	style = sansStyle(9, draw.XLeft, draw.YTop)
	for _, words := range said {
		for _, line := range wrapText(style, words, c.Size().X-12) {
			c.FillText(style, vg.Point{X: c.Min.X + 8, Y: y}, line)
			y -= 11
		}
	}
	c.Max.Y = y - 2
	g := newGrid(m.Topology, c.Size().X.Points(), c.Size().Y.Points())
	at := func(p point) vg.Point { return vg.Point{X: c.Min.X + vg.Length(p.x), Y: c.Max.Y - vg.Length(p.y)} }
	for _, links := range m.byPackets() {
		link := g.link(links.pe, links.port)
		var path vg.Path
		path.Move(at(link[0]))
		path.CubeTo(at(link[1]), at(link[2]), at(link[3]))
		c.SetLineStyle(linkStyle(links.packets, m.most, m.widest))
		c.Stroke(path)
	}
	for i := range m.Topology.N {
		m.paintPE(c, g, i, at(g.corner(i)), g.box, paleA)
		if i%m.Topology.Members == 0 {
			corner := g.corner(i)
			corner.x = g.again(i + m.Topology.Members - 1)
			m.paintPE(c, g, i, at(corner), min(g.box, float64(g.pitchX*0.34)), white)
		}
	}
}

// takenLink is the link from an output of a PE, with its packets.
type takenLink struct {
	pe, port int
	packets  uint64
}

// byPackets returns the links, the busiest last.
func (m linkMap) byPackets() (list []takenLink) {
	for i, h := range m.Hops {
		for port, n := range h {
			list = append(list, takenLink{i, port, n})
		}
	}
	slices.SortStableFunc(list, func(a, b takenLink) int { return cmp.Compare(a.packets, b.packets) })
	return list
}

// paintPE paints a PE, with its address if there is room.
func (m linkMap) paintPE(c draw.Canvas, g grid, i int, corner vg.Point, wide float64, fill color.Color) {
	box := rectangle(corner.X, corner.Y-vg.Length(g.tall), corner.X+vg.Length(wide), corner.Y)
	c.SetColor(fill)
	path := rounded(box, min(3, vg.Length(g.tall/4)))
	c.Fill(path)
	c.SetLineStyle(greyLine(140, 0.6))
	c.Stroke(path)
	pe := m.Topology.Address(i)
	style := sansStyle(min(8, vg.Length(float64(g.tall*0.6))), draw.XCenter, draw.YCenter)
	words := fmt.Sprintf("%d,%d", pe.GA, pe.CA)
	style.Font.Size = min(style.Font.Size, vg.Length(style.Font.Size*box.Size().X/style.Width(words)))
	if style.Font.Size >= 4.5 {
		c.FillText(style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, words)
	}
}

// ownCalls draws a matrix of callers and callees for each run, two side by side, with
// the instances of every PE below it.
func ownCalls(runs []OwnRun) Drawing {
	out := ownPanels(runs, "calls from a PE (row) to the PE of the instance (column), and the instances of every PE",
		func(r OwnRun) string {
			made, all := r.instances()
			return fmt.Sprintf("the busiest PE gets %s of %s calls", number(float64(slices.Max(made))),
				number(float64(all)))
		})
	out.columns = min(2, len(runs))
	out.keys = []key{{words: number(float64(mostCalls(runs))) + " calls", low: "1", bar: rooted}}
	for first := 0; first < len(runs); first += out.columns {
		row := make([]Drawing, 2*out.columns)
		for i := first; i < min(len(runs), first+out.columns); i++ {
			row[i-first], row[out.columns+i-first] = callsOf(runs, i)
		}
		out.parts = append(out.parts, row...)
	}
	return out
}

// callsOf returns the matrix of calls and the bars of instances for one run.
func callsOf(runs []OwnRun, i int) (matrix, instances Drawing) {
	r, pes := runs[i], runs[i].Topology.N
	made, all := r.instances()
	most := mostCalls(runs)
	p := runPlot(titled(len(runs), runs[i].Name, number(float64(all))+" instances"), "PE of the instance",
		"PE of the caller", float64(pes), float64(pes))
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

// instances returns how many function instances each PE had, and their sum.
func (r OwnRun) instances() (made []uint64, all uint64) {
	made = make([]uint64, r.Topology.N)
	for pair, n := range r.Calls.Pairs {
		made[pair[1]] += n
		all += n
	}
	return made, all
}

// mostCalls returns the most calls from one PE, not the host, to one PE in all runs.
func mostCalls(runs []OwnRun) (most uint64) {
	for _, r := range runs {
		for pair, n := range r.Calls.Pairs {
			if pair[0] >= 0 {
				most = max(most, n)
			}
		}
	}
	return most
}

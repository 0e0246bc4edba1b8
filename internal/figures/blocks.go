package figures

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/compile"
	"emsim/internal/plural"
)

// Sizes in the picture of blocks.
const (
	blockGap   = vg.Length(16) // between boxes side by side
	layerGap   = vg.Length(34) // between boxes one below the other
	blockLine  = vg.Length(11) // of text
	blockPad   = vg.Length(6)
	blockFont  = 7.6
	blockWidth = vg.Length(230) // of a box, at most
	panelHead  = vg.Length(24)
	panelGap   = vg.Length(20)
	legendRoom = vg.Length(50)
)

// edgeStyles are the values under way, in the legend's order.
var edgeStyles = []struct {
	kind  compile.EdgeKind
	words string
	style draw.LineStyle
}{
	{compile.EdgeSegment, "a request for an instance; its segment comes back", draw.LineStyle{Color: states[0], Width: 1.1, Dashes: []vg.Length{4, 2.5}}},
	{compile.EdgeRemote, "a request to the PE that owns a piece of an array; the segment comes back", draw.LineStyle{Color: states[0], Width: 1.1, Dashes: []vg.Length{1.5, 2}}},
	{compile.EdgeItem, "a question to a channel, and the item that answers it", draw.LineStyle{Color: rust, Width: 1.1, Dashes: []vg.Length{4, 2.5}}},
	{compile.EdgeArgs, "arguments", draw.LineStyle{Color: states[0], Width: 1.6}},
	{compile.EdgeResult, "a result", draw.LineStyle{Color: rust, Width: 1.6}},
	{compile.EdgeToken, "to the next block of the same instance", draw.LineStyle{Color: color.Gray{Y: 0x77}, Width: 1.1}},
	{compile.EdgeValue, "another value", draw.LineStyle{Color: rust, Width: 1.1, Dashes: []vg.Length{1.5, 2}}},
}

// blockPicture draws programs cut into blocks, beside each other.
type blockPicture struct {
	title  string
	names  []string
	panels [][]*blockPanel // of each program, one for each function
	kinds  map[compile.EdgeKind]bool
}

// blockPanel is a function with its boxes.
type blockPanel struct {
	compile.GraphFunction
	boxes         []blockBox
	width, height vg.Length
}

// blockBox is a node in its place; x and y are those of its top left corner, from
// that of the panel.
type blockBox struct {
	layer      int
	x, y, w, h vg.Length
	lines      []string
}

// BlockGraphs makes a figure of programs cut into blocks; the names tell them apart.
func BlockGraphs(title string, names []string, graphs []*compile.Graph, size OwnSize) Figure {
	p := &blockPicture{title: title, names: names, kinds: map[compile.EdgeKind]bool{}}
	for _, g := range graphs {
		var list []*blockPanel
		for _, f := range g.Functions {
			list = append(list, newBlockPanel(f))
			for _, e := range f.Edges {
				p.kinds[e.Kind] = true
			}
		}
		p.panels = append(p.panels, list)
	}
	w, h := p.size()
	x := Figure{Name: "blocks", Title: title, Source: "any program in Go", Width: w, Height: h}
	if size.Width > 0 {
		x.Width = vg.Length(size.Width) * vg.Centimeter
	}
	if size.Height > 0 {
		x.Height = vg.Length(size.Height) * vg.Centimeter
	}
	x.Draw = func(context.Context) (Drawing, error) { return p, nil }
	return x
}

// newBlockPanel places the boxes of a function.
func newBlockPanel(f compile.GraphFunction) *blockPanel {
	p := &blockPanel{GraphFunction: f}
	style := sans(blockFont, draw.XLeft, draw.YTop)
	for _, n := range f.Nodes {
		b := blockBox{lines: blockText(n)}
		for _, s := range b.lines {
			b.w = max(b.w, style.Width(s))
		}
		b.w = min(b.w, blockWidth) + 2*blockPad
		b.h = vg.Length(len(b.lines))*blockLine + 2*blockPad - 2
		p.boxes = append(p.boxes, b)
	}
	p.layers()
	p.rows()
	return p
}

// blockText is what stands in a box.
func blockText(n compile.GraphNode) []string {
	if n.Call {
		return []string{n.Name}
	}
	out := []string{n.Name + "   " + plural.Of(n.Words, "instruction")}
	if n.Waits != "" {
		out = append(out, "waits for: "+n.Waits)
	}
	if n.Cut != "" {
		out = append(out, "cut here: "+n.Cut)
	}
	for _, l := range n.Lines {
		out = append(out, fmt.Sprintf("%d  %s", l.Number, l.Text))
	}
	if n.Ends {
		out = append(out, "sends the result")
	}
	if n.Items {
		out = append(out, "sends an item")
	}
	return out
}

// layers puts every box below those that it gets values from, apart from loops.
func (p *blockPanel) layers() {
	next := make([][]int, len(p.boxes))
	incoming := make([]int, len(p.boxes))
	for _, e := range p.Edges {
		next[e.From] = append(next[e.From], e.To)
		if e.From != e.To {
			incoming[e.To]++
		}
	}
	state := make([]int, len(p.boxes))
	var order []int
	var visit func(i int)
	visit = func(i int) {
		state[i] = 1
		for _, to := range next[i] {
			if state[to] == 0 {
				visit(to)
			}
		}
		state[i] = 2
		order = append(order, i)
	}
	for pass := range 2 {
		for i := range p.boxes {
			if state[i] == 0 && (pass == 1 || incoming[i] == 0) {
				visit(i)
			}
		}
	}
	rank := make([]int, len(p.boxes))
	for i, b := range order {
		rank[b] = len(order) - i
	}
	for _, i := range slices.Backward(order) {
		for _, to := range next[i] {
			if rank[to] > rank[i] { // not back to a box above
				p.boxes[to].layer = max(p.boxes[to].layer, p.boxes[i].layer+1)
			}
		}
	}
}

// rows gives the boxes their places, layer by layer.
func (p *blockPanel) rows() {
	rows := map[int][]int{}
	last := 0
	for i := range p.boxes {
		rows[p.boxes[i].layer] = append(rows[p.boxes[i].layer], i)
		last = max(last, p.boxes[i].layer)
	}
	for l := range last + 1 {
		width := vg.Length(0)
		for _, i := range rows[l] {
			width += p.boxes[i].w + blockGap
		}
		p.width = max(p.width, width+blockGap)
	}
	y := panelHead
	for l := range last + 1 {
		row := rows[l]
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(p.above(a), p.above(b)) })
		width, height := -blockGap, vg.Length(0)
		for _, i := range row {
			width += p.boxes[i].w + blockGap
			height = max(height, p.boxes[i].h)
		}
		x := (p.width - width) / 2
		for _, i := range row {
			p.boxes[i].x, p.boxes[i].y = x, y
			x += p.boxes[i].w + blockGap
		}
		y += height + layerGap
	}
	p.height = y - layerGap + blockGap
	p.width += 18 // for edges back
}

// above is where the boxes are, on average, that a box gets values from.
func (p *blockPanel) above(i int) float64 {
	sum, n := 0.0, 0
	for _, e := range p.Edges {
		if b := &p.boxes[e.From]; e.To == i && b.layer < p.boxes[i].layer {
			sum += float64(b.x + b.w/2)
			n++
		}
	}
	return sum / float64(max(1, n))
}

// size is how large the picture is.
func (p *blockPicture) size() (w, h vg.Length) {
	w = panelGap
	for _, list := range p.panels {
		width, height := vg.Length(0), panelHead
		for _, x := range list {
			width = max(width, x.width)
			height += x.height + panelGap
		}
		w += width + panelGap
		h = max(h, height)
	}
	return max(w, 480), h + 30 + legendRoom
}

// Draw paints the picture, as large as the canvas allows.
func (p *blockPicture) Draw(c draw.Canvas) {
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	w, h := p.size()
	scale := min(float64(c.Size().X/w), float64(c.Size().Y/h))
	c.Push()
	defer c.Pop()
	c.Translate(c.Min)
	c.Scale(scale, scale)
	c.Rectangle = vg.Rectangle{Max: vg.Point{X: w, Y: c.Size().Y / vg.Length(scale)}}
	style := sans(13, draw.XLeft, draw.YTop)
	style.Font.Weight = 3
	c.FillText(style, vg.Point{X: 10, Y: c.Max.Y - 8}, p.title)
	x := panelGap
	for i, list := range p.panels {
		y, width := c.Max.Y-30, vg.Length(0)
		if len(p.panels) > 1 {
			c.FillText(sans(10, draw.XLeft, draw.YTop), vg.Point{X: x, Y: y}, p.names[i])
		}
		y -= panelHead
		for _, q := range list {
			q.draw(c, x, y)
			y -= q.height + panelGap
			width = max(width, q.width)
		}
		x += width + panelGap
	}
	p.legend(c)
}

// legend says what the lines are.
func (p *blockPicture) legend(c draw.Canvas) {
	style := sans(8.5, draw.XLeft, draw.YCenter)
	x, y := vg.Length(12), vg.Length(40)
	for _, e := range edgeStyles {
		if !p.kinds[e.kind] {
			continue
		}
		w := 30 + style.Width(e.words)
		if x+w > c.Max.X-8 {
			x, y = 12, y-14
		}
		c.StrokeLine2(e.style, x, y, x+22, y)
		c.FillText(style, vg.Point{X: x + 26, Y: y}, e.words)
		x += w + 14
	}
	c.FillText(style, vg.Point{X: 12, Y: y - 14}, "A box is a strongly connected block, with the Go lines that it runs; a rounded box is another instance, wherever it is.")
}

// draw paints a function; x and y are the panel's top left corner.
func (p *blockPanel) draw(c draw.Canvas, x, y vg.Length) {
	frame := []vg.Point{{X: x, Y: y}, {X: x + p.width, Y: y}, {X: x + p.width, Y: y - p.height}, {X: x, Y: y - p.height}, {X: x, Y: y}}
	c.StrokeLines(draw.LineStyle{Color: faint, Width: 1}, frame)
	bold := sans(9.5, draw.XLeft, draw.YTop)
	bold.Font.Weight = 3
	c.FillText(bold, vg.Point{X: x + 8, Y: y - 6}, fmt.Sprintf("func %s, line %d", p.Name, p.Line))
	for _, e := range p.Edges {
		p.edge(c, x, y, e)
	}
	for i := range p.boxes {
		p.box(c, x, y, i)
	}
}

// box paints a block or a call.
func (p *blockPanel) box(c draw.Canvas, x, y vg.Length, i int) {
	b, n := &p.boxes[i], &p.Nodes[i]
	left, top := x+b.x, y-b.y
	var path vg.Path
	radius := vg.Length(2)
	fill, line := color.Color(paleA), color.Color(ink)
	if n.Call {
		radius, fill, line = b.h/2, color.RGBA{0xfb, 0xee, 0xe6, 0xff}, rust
	}
	r := vg.Rectangle{Min: vg.Point{X: left, Y: top - b.h}, Max: vg.Point{X: left + b.w, Y: top}}
	path = rounded(r, radius)
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: line, Width: 0.9})
	c.Stroke(path)
	style := sans(blockFont, draw.XLeft, draw.YTop)
	for k, s := range b.lines {
		st := style
		if k == 0 && !n.Call {
			st.Font.Weight = 3
		}
		if k == 1 && n.Waits+n.Cut != "" {
			st.Color = color.Gray{Y: 0x66}
		}
		if n.Ends && k == len(b.lines)-1 {
			st.Color = rust
		}
		c.FillText(st, vg.Point{X: left + blockPad, Y: top - blockPad + 1 - vg.Length(k)*blockLine}, fit(st, s, b.w-2*blockPad+1))
	}
}

// edge paints a value under way.
func (p *blockPanel) edge(c draw.Canvas, x, y vg.Length, e compile.GraphEdge) {
	i := slices.IndexFunc(edgeStyles, func(s struct {
		kind  compile.EdgeKind
		words string
		style draw.LineStyle
	},
	) bool {
		return s.kind == e.Kind
	})
	style := edgeStyles[i].style
	a, b := &p.boxes[e.From], &p.boxes[e.To]
	out, in := p.port(e, true), p.port(e, false)
	from := vg.Point{X: x + a.x + a.w*out, Y: y - a.y - a.h}
	to := vg.Point{X: x + b.x + b.w*in, Y: y - b.y}
	var path vg.Path
	path.Move(from)
	if b.layer > a.layer {
		bend := (from.Y - to.Y) / 2
		path.CubeTo(vg.Point{X: from.X, Y: from.Y - bend}, vg.Point{X: to.X, Y: to.Y + bend}, vg.Point{X: to.X, Y: to.Y + 4})
	} else { // back, on the right
		side := x + p.width - 10
		path.QuadTo(vg.Point{X: from.X, Y: from.Y - 14}, vg.Point{X: (from.X + side) / 2, Y: from.Y - 14})
		path.QuadTo(vg.Point{X: side, Y: from.Y - 14}, vg.Point{X: side, Y: (from.Y + to.Y) / 2})
		path.QuadTo(vg.Point{X: side, Y: to.Y + 16}, vg.Point{X: (to.X + side) / 2, Y: to.Y + 16})
		path.QuadTo(vg.Point{X: to.X, Y: to.Y + 16}, vg.Point{X: to.X, Y: to.Y + 4})
	}
	c.SetLineStyle(style)
	c.Stroke(path)
	c.FillPolygon(style.Color, []vg.Point{to, {X: to.X - 3, Y: to.Y + 6}, {X: to.X + 3, Y: to.Y + 6}})
}

// port is where on the side of a box an edge begins or ends, as a part of its width.
func (p *blockPanel) port(e compile.GraphEdge, out bool) vg.Length {
	type end struct {
		x float64
		e compile.GraphEdge
	}
	var ends []end
	for _, o := range p.Edges {
		if out && o.From == e.From {
			ends = append(ends, end{float64(p.boxes[o.To].x + p.boxes[o.To].w/2), o})
		}
		if !out && o.To == e.To {
			ends = append(ends, end{float64(p.boxes[o.From].x + p.boxes[o.From].w/2), o})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.x, b.x) })
	i := slices.IndexFunc(ends, func(x end) bool { return x.e == e })
	return vg.Length(i+1) / vg.Length(len(ends)+1)
}

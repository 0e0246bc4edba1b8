package figures

import (
	"context"
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/internal/compile/cut"
	"emsim/internal/inspect/blockgraph"
)

// Sizes around the pictures of programs.
const (
	blockTitle = vg.Length(30) // above everything
	blockNames = vg.Length(24) // above each program
	legendRoom = vg.Length(50)
)

// edgeStyles are the lines of the values in flight.
var edgeStyles = map[cut.EdgeKind]draw.LineStyle{
	cut.EdgeSegment: {Color: states[0], Width: 1.1, Dashes: []vg.Length{4, 2.5}},
	cut.EdgeRemote:  {Color: states[0], Width: 1.1, Dashes: []vg.Length{1.5, 2}},
	cut.EdgeItem:    {Color: rust, Width: 1.1, Dashes: []vg.Length{4, 2.5}},
	cut.EdgeArgs:    {Color: states[0], Width: 1.6},
	cut.EdgeResult:  {Color: rust, Width: 1.6},
	cut.EdgeToken:   {Color: color.Gray{Y: 0x77}, Width: 1.1},
	cut.EdgeValue:   {Color: rust, Width: 1.1, Dashes: []vg.Length{1.5, 2}},
}

// blockPicture draws programs cut into blocks, side by side.
type blockPicture struct {
	title    string
	names    []string
	programs []*blockgraph.Picture
}

// BlockGraphs returns a figure of programs cut into blocks; several programs have their names above them.
func BlockGraphs(title string, names []string, programs []*blockgraph.Picture, size OwnSize) Figure {
	p := &blockPicture{title: title, names: names, programs: programs}
	w, h := p.pictureSize()
	return size.of(Figure{
		Name: "blocks", Title: title, Source: "any program", Width: w, Height: h,
		Draw: func(context.Context) (Drawing, error) { return p, nil },
	})
}

// pictureSize returns the size of the picture with its title and legend.
func (p *blockPicture) pictureSize() (w, h vg.Length) {
	w = blockgraph.Gap
	for _, x := range p.programs {
		w += vg.Length(x.Width) - blockgraph.Gap
		h = max(h, vg.Length(x.Height))
	}
	return max(w, 480), blockTitle + blockNames + h + legendRoom
}

// Draw paints the picture, as large as the canvas allows.
func (p *blockPicture) Draw(c draw.Canvas) {
	paintBox(c, c.Rectangle, color.White, draw.LineStyle{})
	w, h := p.pictureSize()
	scale := min(float64(c.Size().X/w), float64(c.Size().Y/h))
	c.Push()
	defer c.Pop()
	c.Translate(c.Min)
	c.Scale(scale, scale)
	c.Rectangle = vg.Rectangle{Max: vg.Point{X: w, Y: c.Size().Y / vg.Length(scale)}}
	c.FillText(boldStyle(hanging(13)), vg.Point{X: 10, Y: c.Max.Y - 8}, p.title)
	x := vg.Length(0)
	for i, one := range p.programs {
		y := c.Max.Y - blockTitle
		if len(p.programs) > 1 {
			c.FillText(hanging(10), vg.Point{X: x + blockgraph.Gap, Y: y}, p.names[i])
		}
		for _, q := range one.Panels {
			blockPanel{c, q, x + vg.Length(q.X), y - blockNames - vg.Length(q.Y)}.paint()
		}
		x += vg.Length(one.Width) - blockgraph.Gap
	}
	p.legend(c)
}

// hanging returns the style of text that lies below and to the right of its position.
func hanging(size vg.Length) text.Style { return sansStyle(size, draw.XLeft, draw.YTop) }

// legend paints the legend of the lines.
func (p *blockPicture) legend(c draw.Canvas) {
	style := sansStyle(8.5, draw.XLeft, draw.YCenter)
	keys := lists.Of(blockgraph.Kinds(p.programs...),
		func(k blockgraph.Kind) key { return key{words: k.Words, line: edgeStyles[k.Kind]} })
	c = legend(draw.Crop(c, 4, -4, 0, legendRoom-c.Size().Y), style, keys)
	c.FillText(style, vg.Point{X: c.Min.X + 8, Y: c.Max.Y}, p.programs[0].Legend)
}

// blockPanel paints the blocks of a function in a panel, whose top left corner is at x and y.
type blockPanel struct {
	c draw.Canvas
	*blockgraph.Panel
	x, y vg.Length
}

// point converts a point of the panel to one of the canvas.
func (p blockPanel) point(x, y float64) vg.Point {
	return vg.Point{X: p.x + vg.Length(x), Y: p.y - vg.Length(y)}
}

func (p blockPanel) paint() {
	frame := []vg.Point{
		p.point(0, 0), p.point(p.Width, 0), p.point(p.Width, p.Height), p.point(0, p.Height),
		p.point(0, 0),
	}
	p.c.StrokeLines(draw.LineStyle{Color: faint, Width: 1}, frame)
	p.c.FillText(boldStyle(hanging(blockgraph.TitleSize)), p.point(8, 6), p.Title)
	for i := range p.Edges {
		p.paintEdge(&p.Edges[i])
	}
	for i := range p.Boxes {
		p.paintBox(&p.Boxes[i])
	}
}

// paintBox paints a block or a call.
func (p blockPanel) paintBox(b *blockgraph.Box) {
	radius, fill, line := vg.Length(2), color.Color(paleA), color.Color(ink)
	if b.Call {
		radius, fill, line = vg.Length(b.Height)/2, color.RGBA{0xfb, 0xee, 0xe6, 0xff}, rust
	}
	low, high := p.point(b.X, b.Y+b.Height), p.point(b.X+b.Width, b.Y)
	path := rounded(vg.Rectangle{Min: low, Max: high}, radius)
	p.c.SetColor(fill)
	p.c.Fill(path)
	p.c.SetLineStyle(draw.LineStyle{Color: line, Width: 0.9})
	p.c.Stroke(path)
	for k := range b.Texts {
		t := &b.Texts[k]
		style := hanging(blockgraph.FontSize)
		if t.Bold() {
			style = boldStyle(style)
		}
		switch t.Role {
		case blockgraph.RoleWaits:
			style.Color = color.Gray{Y: 0x66}
		case blockgraph.RoleSends:
			style.Color = rust
		}
		p.c.FillText(style, p.point(b.X+t.X, b.Y+t.Y), t.Shown)
	}
}

// paintEdge paints a value in flight.
func (p blockPanel) paintEdge(e *blockgraph.Edge) {
	at := func(x blockgraph.Point) vg.Point { return p.point(x[0], x[1]) }
	var path vg.Path
	path.Move(at(e.Start))
	for _, b := range e.Curve {
		if len(b) == 2 {
			path.QuadTo(at(b[0]), at(b[1]))
		} else {
			path.CubeTo(at(b[0]), at(b[1]), at(b[2]))
		}
	}
	style := edgeStyles[e.Kind]
	p.c.SetLineStyle(style)
	p.c.Stroke(path)
	tip := at(e.Tip)
	p.c.FillPolygon(style.Color, []vg.Point{
		tip,
		{X: tip.X - blockgraph.Arrow/2, Y: tip.Y + blockgraph.Arrow},
		{X: tip.X + blockgraph.Arrow/2, Y: tip.Y + blockgraph.Arrow},
	})
}

// rounded returns a box with round corners.
func rounded(r vg.Rectangle, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	corner := func(to, at, after vg.Point) {
		p.Line(to)
		p.QuadTo(at, after)
	}
	corner(vg.Point{X: r.Max.X - radius, Y: r.Min.Y}, vg.Point{X: r.Max.X, Y: r.Min.Y},
		vg.Point{X: r.Max.X, Y: r.Min.Y + radius})
	corner(vg.Point{X: r.Max.X, Y: r.Max.Y - radius}, r.Max, vg.Point{X: r.Max.X - radius, Y: r.Max.Y})
	corner(vg.Point{X: r.Min.X + radius, Y: r.Max.Y}, vg.Point{X: r.Min.X, Y: r.Max.Y},
		vg.Point{X: r.Min.X, Y: r.Max.Y - radius})
	corner(vg.Point{X: r.Min.X, Y: r.Min.Y + radius}, r.Min, vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	p.Close()
	return p
}

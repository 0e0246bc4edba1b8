package figures

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// graph draws nodes and the links between them.
type graph struct {
	title   string
	caption string // below it
	nodes   []node
	links   []link // the last one is on top
	ofRun   bool   // of a run: nodes that are 1 apart do not touch
}

// node is a disc or a box with a name inside. x counts to the right and y down; neighbours are
// about 1 apart.
type node struct {
	x, y float64
	name string
	box  bool
	fill color.Color
	edge vg.Length // width of its edge

	small bool // two thirds as large as others
}

// link is a line between two nodes, by their numbers.
type link struct {
	from, to int
	style    draw.LineStyle
	bend     float64 // how far it bends to its left
	by       *node   // the place that it bends towards instead, unless nil
	arrow    bool
	words    string // on the line
}

// nodeRadius is the radius of nodes if there is room.
const nodeRadius = vg.Length(13)

// discNode returns a disc with a shade, 0 white to 1 grey, on which its name can be read.
func discNode(x, y float64, name string, shade float64) node {
	return node{x: x, y: y, name: name, fill: color.Gray{Y: uint8(255 - float64(130*shade))}, edge: 0.8}
}

// Draw paints the graph as large as the canvas allows.
func (n graph) Draw(c draw.Canvas) {
	for i, line := range wrapText(sansStyle(10, draw.XCenter, draw.YCenter), n.title, c.Size().X-8) {
		writeAt(c, 10, vg.Point{X: c.Center().X, Y: c.Max.Y - 8 - vg.Length(12*vg.Length(i))}, line)
	}
	var lines []string
	for _, line := range strings.Split(n.caption, "\n") {
		lines = append(lines, wrapText(sansStyle(9, draw.XCenter, draw.YCenter), line, c.Size().X-8)...)
	}
	for i, line := range lines {
		writeAt(c, 9, vg.Point{X: c.Center().X, Y: c.Min.Y + vg.Length(12*vg.Length(len(lines)-1-i)) + 8}, line)
	}
	place, step := n.placed(draw.Crop(c, 2*nodeRadius, -2*nodeRadius, vg.Length(12*vg.Length(len(lines)))+2*nodeRadius,
		-20-2*nodeRadius))
	radius := nodeRadius
	if n.ofRun {
		radius = min(radius, vg.Length(0.42*step))
	}
	for _, l := range n.links {
		from, to := place(n.nodes[l.from]), place(n.nodes[l.to])
		along := to.Sub(from)
		long := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
		aside := 2 * vg.Length(l.bend) * step / long
		bend := from.Add(along.Scale(0.5)).Add(vg.Point{X: -along.Y, Y: along.X}.Scale(aside))
		if l.by != nil {
			bend = place(*l.by)
		}
		if n.ofRun && (radius < vg.Length(0.8*nodeRadius) || long < 4*radius) { // without room for words
			l.words = ""
		}
		l.style.Width = vg.Length(l.style.Width * (radius / nodeRadius))
		n.paintLink(c, l, from, bend, to)
	}
	for _, x := range n.nodes {
		n.paintNode(c, x, place(x), radius)
	}
}

// placed returns a function that gives each node its point on a canvas, and the length of a distance of 1 on it.
func (n graph) placed(c draw.Canvas) (place func(x node) vg.Point, step vg.Length) {
	low, high := n.nodes[0], n.nodes[0]
	for _, x := range n.nodes {
		low.x, high.x, low.y, high.y = min(low.x, x.x), max(high.x, x.x), min(low.y, x.y), max(high.y, x.y)
	}
	step = min(c.Size().X/vg.Length(max(1, high.x-low.x)), c.Size().Y/vg.Length(max(1, high.y-low.y)))
	return func(x node) vg.Point {
		return vg.Point{
			X: c.Center().X + vg.Length(step*vg.Length(x.x-(low.x+high.x)/2)),
			Y: c.Center().Y - vg.Length(step*vg.Length(x.y-(low.y+high.y)/2)),
		}
	}, step
}

// paintNode paints a node, with its name if there is room to read it.
func (n graph) paintNode(c draw.Canvas, x node, at vg.Point, radius vg.Length) {
	var shape draw.GlyphDrawer = draw.CircleGlyph{}
	if x.box {
		shape = draw.BoxGlyph{}
	}
	if x.small {
		radius = vg.Length(0.66 * radius)
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: color.Black, Radius: radius + x.edge, Shape: shape}, at)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: x.fill, Radius: radius, Shape: shape}, at)
	if size := min(9, vg.Length(0.9*radius)); size > 4.5 {
		writeAt(c, size, at, x.name)
	}
}

// paintLink paints a link: a line that bends once, with its words before the middle and its arrow after it.
func (n graph) paintLink(c draw.Canvas, l link, from, bend, to vg.Point) {
	at := func(t vg.Length) vg.Point { // a Bézier curve
		a, b := from.Scale(1-t).Add(bend.Scale(t)), bend.Scale(1-t).Add(to.Scale(t))
		return a.Scale(1 - t).Add(b.Scale(t))
	}
	var path vg.Path
	path.Move(from)
	path.QuadTo(bend, to)
	c.SetLineStyle(l.style)
	c.Stroke(path)
	if l.arrow {
		tip, tail := at(0.62), at(0.58)
		angle := math.Atan2(float64(tip.Y-tail.Y), float64(tip.X-tail.X))
		side := func(turn float64) vg.Point {
			long := float64(6 + l.style.Width)
			return tip.Add(vg.Point{
				X: vg.Length(long * math.Cos(angle+turn)),
				Y: vg.Length(long * math.Sin(angle+turn)),
			})
		}
		c.FillPolygon(l.style.Color, []vg.Point{tip, side(2.7), side(-2.7)})
	}
	if l.words != "" {
		p := at(0.4)
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: color.White, Radius: 5.5, Shape: draw.CircleGlyph{}}, p)
		writeAt(c, 8, p, l.words)
	}
}

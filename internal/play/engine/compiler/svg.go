package compiler

import (
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/blockgraph"
	"emsim/internal/play/engine/markup"
)

// Graph is the drawing of a program's block graph. Boxes has the boxes in the order of the SVG, with the data by
// which the page marks them.
type Graph struct {
	SVG   string `json:"svg"`
	Kinds string `json:"kinds"` // the kinds of lines, as HTML
	Boxes []Box  `json:"boxes"`
}

// Box is a block or a call. X and Y are the coordinates of its centre.
type Box struct {
	Name     string   `json:"name"`
	Call     bool     `json:"call"`
	Begins   []string `json:"begins"`   // the labels at which the machine begins the block
	Line     int      `json:"line"`     // the first line of the Go text, or of the called function; 0 means none
	Function int      `json:"function"` // the first box of the function that it calls, or -1
	X        float64  `json:"x"`
	Y        float64  `json:"y"`
	Label    string   `json:"label"` // for screen readers
}

// trim is the part of the margins that the page leaves out, in points.
const trim = 14

// drawGraph draws a block graph as SVG, and returns it with the data of its boxes and the legend of its lines.
func drawGraph(p *blockgraph.Picture, name string) *Graph {
	g, b := &Graph{Boxes: []Box{}}, &markup.Sheet{}
	b.Add(`<svg id="blocks-picture" role="group" viewBox="%d -2 %g %g" font-size="%g" aria-label="%s in strongly `+
		`connected blocks">`, trim, p.Width-2*trim, p.Height, p.FontSize, name)
	for _, panel := range p.Panels {
		drawPanel(b, p, panel)
		for i := range panel.Boxes {
			g.Boxes = append(g.Boxes, boxOf(p, panel, i))
		}
	}
	g.SVG = b.String() + "</svg>"
	kinds := &markup.Sheet{}
	for _, k := range p.Kinds {
		kinds.Add(`<span><svg class="sample" viewBox="0 0 26 8" aria-hidden="true"><path class="edge edge-%s" `+
			`d="M0 4H26"/></svg>%s</span>`, k.Kind, k.Words)
	}
	kinds.Add("<span>%s</span>", p.Legend)
	g.Kinds = kinds.String()
	return g
}

// drawPanel draws a function: its lines, its boxes, and on top of these the empty groups in which the page shows
// PEs and counts.
func drawPanel(b *markup.Sheet, p *blockgraph.Picture, panel *blockgraph.Panel) {
	b.Add(`<g role="group" aria-label="%s" transform="translate(%g %g)"><rect class="panel" width="%g" `+
		`height="%g"/><text x="8" y="15" class="title">%[1]s</text>`, panel.Title, panel.X,
		panel.Y, panel.Width, panel.Height)
	for i := range panel.Edges {
		e := &panel.Edges[i]
		b.Add(`<g class="edge edge-%s" aria-hidden="true"><path d="M%g,%g`, e.Kind, e.Start[0], e.Start[1])
		for _, bend := range e.Curve {
			b.WriteString(map[bool]string{true: " Q", false: " C"}[len(bend) == 2])
			for _, at := range bend {
				b.Add(" %g,%g", at[0], at[1])
			}
		}
		b.Add(`"/><path class="tip" d="M%g,%g l%g,%g h%g z"/></g>`, e.Tip[0], e.Tip[1], -p.Arrow/2,
			-p.Arrow, p.Arrow)
	}
	for i := range panel.Boxes {
		drawBox(b, p, &panel.Boxes[i])
	}
	for i := range panel.Boxes {
		x := &panel.Boxes[i]
		b.Add(`<g class="pills" aria-hidden="true" transform="translate(%g %g)"><g class="pes"></g>`+
			`<g class="times"></g></g>`, x.X+x.Width-4, x.Y)
	}
	b.WriteString("</g>")
}

// drawBox draws a block or a call. It puts a blank between the rows, because screen readers read them aloud.
func drawBox(b *markup.Sheet, p *blockgraph.Picture, x *blockgraph.Box) {
	class, round := "box", 2.0
	if x.Call {
		class, round = "box call", x.Height/2
	}
	b.Add(`<g class="%s" role="button" tabindex="-1" transform="translate(%g %g)"><rect class="frame" width="%g" `+
		`height="%g" rx="%g"/>`, class, x.X, x.Y, x.Width, x.Height, round)
	for i := range x.Texts {
		t := &x.Texts[i]
		b.Add(`<g class="row row-%s"`, t.Role)
		if t.Line > 0 {
			b.Add(` data-line="%d"><rect x="1" y="%g" width="%g" height="%g"/`, t.Line, t.Y-1.2, x.Width-2,
				p.LineSpace)
		}
		b.Add(`><text x="%g" y="%g" class="%s" data-room="%g">%s</text></g> `, t.X, t.Y+7.2, t.Role,
			x.Width-2*t.X+1, t.Shown)
	}
	b.WriteString("</g>")
}

// boxOf returns the data of a box that the page needs.
func boxOf(p *blockgraph.Picture, panel *blockgraph.Panel, i int) Box {
	b := &panel.Boxes[i]
	x := Box{
		Name: b.Name, Call: b.Call, Begins: b.Begins, Function: -1, X: panel.X + b.X + b.Width/2,
		Y: panel.Y + b.Y + b.Height/2,
	}
	kind, before := "block", 0
	if b.Call {
		kind = "call of"
		for _, f := range p.Panels {
			if f.Name == b.Name {
				x.Function, x.Line = before, f.Line
			}
			before += len(f.Boxes)
		}
	}
	said := []string{kind}
	for i := range b.Texts {
		t := &b.Texts[i]
		said = append(said, t.Shown)
		if x.Line == 0 {
			x.Line = t.Line
		}
	}
	for i := range b.Texts {
		if t := &b.Texts[i]; t.Words != t.Shown {
			said = append(said, "in full: "+t.Words)
		}
	}
	x.Label = strings.Join(said, " ")
	var on []string
	for k := range panel.Edges {
		if e := &panel.Edges[k]; e.From == i {
			words, _ := lists.Find(p.Kinds, func(k blockgraph.Kind) bool { return k.Kind == e.Kind })
			on = append(on, words.Words+": "+panel.Boxes[e.To].Name)
		}
	}
	if len(on) > 0 {
		x.Label += ". From here: " + strings.Join(on, "; ")
	}
	return x
}

// Package blockgraph lays out the strongly connected blocks of a program as a picture: the boxes, their texts, and the
// lines between them. 'emsim plot blocks' paints the picture in a file, and the page of 'emsim play' paints it on the
// screen, so that both look the same.
//
//	picture.go  a picture and its panels, one for each function
//	place.go    the places of boxes and lines
//	width.go    the widths of texts
package blockgraph

import (
	"fmt"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/compile/cut"
)

// Sizes in the picture, in points.
const (
	FontSize  = 7.6 // of texts in boxes
	TitleSize = 9.5 // of a function's name
	LineSpace = 11  // between texts in a box
	Arrow     = 6   // width and height of an arrowhead
	Gap       = 20  // around panels

	pad = 6 // between a box and its texts

	boxGap   = 16  // between boxes next to each other
	layerGap = 34  // between boxes one below the other
	boxWidth = 270 // greatest width of a box's texts
	head     = 24  // for a function's name
	backRoom = 18  // right of the boxes, for lines that go back up
)

// Picture holds a program's blocks. X points to the right and Y down.
type Picture struct {
	Width  float64  `json:"width"`
	Height float64  `json:"height"`
	Panels []*Panel `json:"panels"`
	Kinds  []Kind   `json:"kinds"`  // the kinds of lines that occur
	Legend string   `json:"legend"` // says what the boxes are

	FontSize  float64 `json:"font_size"` // these three are the constants of the same names
	LineSpace float64 `json:"line_space"`
	Arrow     float64 `json:"arrow"`
}

// Kind is a kind of line, with its meaning.
type Kind struct {
	Kind  cut.EdgeKind `json:"kind"`
	Words string       `json:"words"`
}

// kinds lists all kinds of lines, in the legend's order.
var kinds = []Kind{
	{cut.EdgeSegment, "a request for an instance; its segment comes back"},
	{cut.EdgeRemote, "a request to the PE that owns a piece of an array; the segment comes back"},
	{cut.EdgeItem, "a question to a channel, and the item that answers it"},
	{cut.EdgeArgs, "arguments"},
	{cut.EdgeResult, "a result"},
	{cut.EdgeToken, "to the next block of the same instance"},
	{cut.EdgeValue, "another value"},
}

// Panel is the picture of a function. Places of boxes and lines are relative to it.
type Panel struct {
	Name   string  `json:"name"`
	Line   int     `json:"line"` // of the Go text
	Title  string  `json:"title"`
	X      float64 `json:"x"` // of its upper left corner in the picture
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Boxes  []Box   `json:"boxes"`
	Edges  []Edge  `json:"edges"`
}

// Box is a block, or a call of another instance.
type Box struct {
	Name   string   `json:"name"`
	Call   bool     `json:"call"`
	Begins []string `json:"begins"` // the labels at which the machine begins the block
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	Width  float64  `json:"width"`
	Height float64  `json:"height"`
	Texts  []Text   `json:"texts"` // from top to bottom

	layer int
}

// Role is the role of a Text in a box.
type Role string

// The roles of texts.
const (
	RoleName  Role = "name"
	RoleWaits Role = "waits" // what the block waits for, or why it begins
	RoleLine  Role = "line"  // a line of the Go text
	RoleSends Role = "sends" // what the block sends to the function's caller or to a receiver
)

// Text is a line of text in a box.
type Text struct {
	Role  Role   `json:"role"`
	Words string `json:"words"`
	Shown string `json:"shown"`          // the part of Words that fits
	Line  int    `json:"line,omitempty"` // of the Go text

	X float64 `json:"x"` // of its upper left corner in the box
	Y float64 `json:"y"`
}

// Bold reports whether the text is painted in bold.
func (t *Text) Bold() bool { return t.Role == RoleName }

// New returns the picture of a program's blocks.
func New(g *cut.Graph) *Picture {
	p := &Picture{Legend: "A box is a strongly connected block, with the Go lines that it runs; a rounded box is " +
		"another instance, on any PE.", FontSize: FontSize, LineSpace: LineSpace, Arrow: Arrow}
	y := 0.0
	for _, f := range g.Functions {
		x := newPanel(f)
		x.X, x.Y = Gap, y
		p.Panels = append(p.Panels, x)
		p.Width = max(p.Width, x.Width+2*Gap)
		y += x.Height + Gap
	}
	p.Height = y
	p.Kinds = Kinds(p)
	return p
}

// Kinds returns the kinds of lines that occur in the pictures.
func Kinds(pictures ...*Picture) []Kind {
	occurs := map[cut.EdgeKind]bool{}
	for _, p := range pictures {
		for _, x := range p.Panels {
			for _, e := range x.Edges {
				occurs[e.Kind] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(k Kind) bool { return !occurs[k.Kind] })
}

func newPanel(f cut.Function) *Panel {
	p := &Panel{
		Name: f.Name, Line: f.Line, Title: fmt.Sprintf("func %s, line %d", f.Name, f.Line),
		Boxes: lists.Of(f.Nodes, newBox),
	}
	p.Edges = lists.Of(f.Edges, func(e cut.Edge) Edge { return Edge{From: e.From, To: e.To, Kind: e.Kind} })
	p.layers()
	p.placeRows()
	p.route()
	return p
}

// newBox returns a box of the size that its texts need.
func newBox(n cut.Node) Box {
	b := Box{Name: n.Name, Call: n.Call, Begins: append([]string{}, n.Begins...), Texts: texts(n)}
	for _, t := range b.Texts {
		b.Width = max(b.Width, room(t.Words, t.Bold()))
	}
	b.Width = min(b.Width, boxWidth) + 2*pad
	b.Height = float64(float64(len(b.Texts))*LineSpace) + 2*pad - 2
	for i := range b.Texts {
		t := &b.Texts[i]
		t.X, t.Y = pad, pad-1+float64(float64(i)*LineSpace)
		t.Shown = fitText(t.Words, t.Bold(), b.Width-2*pad+1)
	}
	return b
}

// texts returns the texts of a node's box.
func texts(n cut.Node) []Text {
	if n.Call {
		return []Text{{Role: RoleLine, Words: n.Name}}
	}
	out := []Text{{Role: RoleName, Words: n.Name + "   " + plural.Of(n.Words, "instruction")}}
	add := func(role Role, words string) { out = append(out, Text{Role: role, Words: words}) }
	if n.Waits != "" {
		add(RoleWaits, "waits for: "+n.Waits)
	}
	if n.Cut != "" {
		add(RoleWaits, "cut here: "+n.Cut)
	}
	for _, l := range n.Lines {
		out = append(out, Text{Role: RoleLine, Words: fmt.Sprintf("%d  %s", l.Number, l.Text), Line: l.Number})
	}
	if n.Ends {
		add(RoleSends, "sends the result")
	}
	if n.Items {
		add(RoleSends, "sends an item")
	}
	return out
}

package figures

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// lineEnds names the lines of a plot at its right. Each name is at the height of its line's end, or as near to it as
// its neighbours allow.
type lineEnds struct{ names []lineEnd }

// lineEnd is the name of a line.
type lineEnd struct {
	at     plotter.XY // where the line ends
	words  []string   // the name, and further lines below it
	colour color.Color
}

// name names a line at its end. The text after a colon or a comma stands below the name.
func (e *lineEnds) name(line plotter.XYs, name string, colour color.Color) {
	if name == "" || len(line) == 0 {
		return
	}
	words := []string{name}
	if at := strings.IndexAny(name, ":,"); at > 0 {
		words = append([]string{name[:at]}, wrapText(endStyle(1, colour), strings.TrimSpace(name[at+1:]), 115)...)
	}
	e.names = append(e.names, lineEnd{line[len(line)-1], words, colour})
}

const endGap = vg.Length(7) // between a plot and the names

// endStyle returns the style of the i-th line of a name: the first is bold, in its colour.
func endStyle(i int, colour color.Color) text.Style {
	style := sansStyle(9, draw.XLeft, draw.YCenter)
	if i == 0 {
		style = boldStyle(style)
		style.Color = colour
	}
	return style
}

// lead is the distance between two lines of a name.
const lead = vg.Length(11)

func (n lineEnd) height() vg.Length { return vg.Length(lead * vg.Length(len(n.words))) }

// Plot implements plot.Plotter.
func (e *lineEnds) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	names := slices.Clone(e.names)
	slices.SortStableFunc(names, func(a, b lineEnd) int { return cmp.Compare(b.at.Y, a.at.Y) })
	tops := make([]vg.Length, len(names))
	for i, n := range names {
		tops[i] = y(n.at.Y) + lead/2
		if i > 0 {
			tops[i] = min(tops[i], tops[i-1]-names[i-1].height())
		}
		tops[i] = max(tops[i], c.Min.Y+n.height())
	}
	for i := len(names) - 2; i >= 0; i-- { // names pushed up by the lower edge push up others
		tops[i] = max(tops[i], tops[i+1]+names[i].height())
	}
	for i, n := range names {
		at := vg.Point{X: c.Max.X + endGap, Y: tops[i] - lead/2}
		from := vg.Point{X: x(n.at.X), Y: y(n.at.Y)}
		if at.X-from.X > vg.Length(2*endGap) || at.Y-from.Y > 3 || from.Y-at.Y > 3 {
			c.StrokeLine2(greyLine(170, 0.5), from.X, from.Y, at.X-2, at.Y)
		}
		for k, line := range n.words {
			c.FillText(endStyle(k, n.colour), at, line)
			at.Y -= lead
		}
	}
}

// GlyphBoxes implements plot.GlyphBoxer, so that a plot leaves room for the names.
func (e *lineEnds) GlyphBoxes(*plot.Plot) (boxes []plot.GlyphBox) {
	for _, n := range e.names {
		for k, line := range n.words {
			wide := endGap + endStyle(k, n.colour).Width(line)
			boxes = append(boxes, plot.GlyphBox{X: 1, Y: 0.5, Rectangle: rectangle(0, 0, wide, 0)})
		}
	}
	return boxes
}

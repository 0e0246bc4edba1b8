package figures

import (
	"cmp"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/blockgraph"
)

// Default size of a figure.
const (
	width  = 16 * vg.Centimeter
	height = 10 * vg.Centimeter
)

// The factors by which measured widths are enlarged, for plain and for bold text. DejaVu Sans, the fallback where the
// figures' fonts are not installed, is 11 to 16 per cent wider, and up to a quarter in bold.
const (
	spare     = blockgraph.Spare
	spareBold = blockgraph.SpareBold
)

// lineColours are the colours of lines, which also differ in pattern and marker.
var lineColours = []color.RGBA{rgb(0x8c510a), rgb(0x01665e), rgb(0x1d4e89), rgb(0xc8452b), quiet}

// lineStyle returns the colour and pattern of the i-th series: solid, dashed, dotted,
// dash-dotted, short dashes, and again from the first.
func lineStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{nil, {6, 3}, {1.5, 2}, {7, 2, 1.5, 2}, {3, 1.5}}
	return draw.LineStyle{Color: lineColours[i%len(lineColours)], Width: 1.4, Dashes: dashes[i%len(dashes)]}
}

// glyphStyle returns the marker of the i-th series.
func glyphStyle(i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{},
		draw.SquareGlyph{},
		draw.TriangleGlyph{},
		draw.CrossGlyph{},
		draw.RingGlyph{},
	}
	return draw.GlyphStyle{Color: lineColours[i%len(lineColours)], Radius: 2.6, Shape: shapes[i%len(shapes)]}
}

// greyLine returns a grey line; shade 0 is black.
func greyLine(shade uint8, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{Y: shade}, Width: width, Dashes: dashes}
}

var texts = roomy{plot.DefaultTextHandler}

// sansStyle returns the text style of all figures, in the given size and alignment.
func sansStyle(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	f := font.From(plot.DefaultFont, size)
	f.Variant = "Sans"
	return text.Style{Color: ink, Font: f, XAlign: x, YAlign: y, Handler: texts}
}

// boldStyle returns a style in bold.
func boldStyle(style text.Style) text.Style {
	style.Font.Weight = 3
	return style
}

// writeAt writes a line of text centred at a point.
func writeAt(c draw.Canvas, size vg.Length, at vg.Point, words string) {
	c.FillText(sansStyle(size, draw.XCenter, draw.YCenter), at, words)
}

// paintBox paints a rectangle, with a frame if line has a width.
func paintBox(c draw.Canvas, r vg.Rectangle, fill color.Color, line draw.LineStyle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
	c.FillPolygon(fill, corners)
	if line.Width > 0 {
		c.StrokeLines(line, append(corners, corners[0]))
	}
}

// rectangle returns the rectangle between two corners.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

// mixColours returns the colour at a part, 0 to 1, of the way from a to b.
func mixColours(a, b color.RGBA, part float64) color.RGBA {
	return color.RGBA{mix(a.R, b.R, part), mix(a.G, b.G, part), mix(a.B, b.B, part), 0xff}
}

// mix returns the value at a part, 0 to 1, of the way from a to b.
func mix(a, b uint8, part float64) uint8 {
	return uint8(math.Round(float64(a) + float64((float64(b)-float64(a))*max(0, min(1, part)))))
}

// wrapText breaks text between words into lines that fit the room. A longer word has its own line, and a % stays with
// its number.
func wrapText(style text.Style, words string, room vg.Length) []string {
	var lines []string
	for _, w := range strings.Split(strings.ReplaceAll(words, " %", "\x00%"), " ") {
		w = strings.ReplaceAll(w, "\x00", " ")
		if n := len(lines); n > 0 && style.Width(lines[n-1]+" "+w) <= room {
			lines[n-1] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

// key is one entry of a legend: a box, a line or a glyph with its meaning, or a bar of colours
// from one value to another.
type key struct {
	words  string // of a bar: at its upper end
	low    string // and at its lower end
	bar    func(part float64) color.RGBA
	colour color.Color
	line   draw.LineStyle
	glyph  draw.GlyphStyle
}

// legend paints a legend in as many lines as it needs, and returns the canvas below.
func legend(c draw.Canvas, style text.Style, keys []key) draw.Canvas {
	line := vg.Length(1.6 * style.Font.Size)
	left, x, y := c.Min.X+8, c.Min.X+8, c.Max.Y-line/2
	for _, k := range keys {
		mark := style.Font.Size
		if k.line.Width > 0 {
			mark *= 2
		}
		if k.bar != nil {
			mark = vg.Length(6 * mark)
		}
		wide := mark + 5 + style.Width(k.words) + 14
		if k.low != "" {
			wide += style.Width(k.low) + 5
		}
		if x+wide > c.Max.X+14 && x > left {
			x, y = left, y-line
		}
		if k.low != "" {
			c.FillText(style, vg.Point{X: x, Y: y}, k.low)
			x, wide = x+style.Width(k.low)+5, wide-style.Width(k.low)-5
		}
		switch {
		case k.bar != nil:
			paintScale(c, rectangle(x, y-style.Font.Size/2, x+mark, y+style.Font.Size/2), k.bar)
		case k.line.Width > 0:
			c.StrokeLine2(k.line, x, y, x+mark, y)
		case k.glyph.Shape != nil:
			c.DrawGlyph(k.glyph, vg.Point{X: x + mark/2, Y: y})
		default:
			paintBox(c, rectangle(x, y-mark/2, x+mark, y+mark/2), k.colour, draw.LineStyle{Color: ink, Width: 0.5})
		}
		c.FillText(style, vg.Point{X: x + mark + 5, Y: y}, k.words)
		x += wide
	}
	return draw.Crop(c, 0, 0, 0, y-line/2-4-c.Max.Y)
}

// paintScale paints a bar of colours, from 0 to 1.
func paintScale(c draw.Canvas, r vg.Rectangle, of func(part float64) color.RGBA) {
	const steps = 20
	for i := range steps {
		x := func(i int) vg.Length { return r.Min.X + vg.Length(vg.Length(r.Size().X*vg.Length(i))/steps) }
		paintBox(c, rectangle(x(i), r.Min.Y, x(i+1)+0.3, r.Max.Y), of((float64(i)+0.5)/steps), draw.LineStyle{})
	}
	paintBox(c, r, color.Transparent, greyLine(120, 0.4))
}

// to returns a colour scale: a function that maps 0..1 to the colours from white to full.
func to(full color.RGBA) func(part float64) color.RGBA {
	return func(part float64) color.RGBA { return mixColours(white, full, part) }
}

// rooted returns the colour at a fraction, 0 to 1, of a colour bar with a square-root scale, like the shades of
// counted.
func rooted(part float64) color.RGBA { return scale(math.Sqrt(part)) }

// chart is a plot whose lines are named at their ends.
type chart struct {
	*plot.Plot
	ends *lineEnds
}

// newPlot returns an empty plot in the common style.
func newPlot(title, x, y string) *chart {
	p := &chart{plot.New(), &lineEnds{}}
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, s := range []*text.Style{
		&p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Title.TextStyle,
	} {
		s.Font.Size, s.Font.Variant, s.Color, s.Handler = 9, "Sans", ink, texts
	}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = quiet, quiet
		axis.Tick.Length = 4
	}
	p.BackgroundColor = nil
	p.Title.TextStyle.Font.Size = 11
	p.Title.Padding = 6
	p.Add(p.ends)
	return p
}

// runPlot returns an empty plot whose axes reach from 0 to xMost and yMost.
func runPlot(title, x, y string, xMost, yMost float64) *chart {
	p := newPlot(title, x, y)
	p.Title.TextStyle.Font.Size, p.Title.Padding = 10, 4
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, xMost, 0, yMost
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, roundTicks{}
	p.Add(greyGrid())
	return p
}

// greyGrid returns a grid of horizontal lines.
func greyGrid() *plotter.Grid {
	return &plotter.Grid{Horizontal: greyLine(200, 0.25, 1, 2)}
}

// roundTicks places ticks at steps of 1, 2 or 5 times a power of ten. It makes at most `most` steps, or ten if most is
// 0.
type roundTicks struct{ most float64 }

// Ticks implements plot.Ticker.
func (r roundTicks) Ticks(low, high float64) []plot.Tick {
	r.most = cmp.Or(r.most, 10)
	wide := max(high-low, 1e-9)
	rough := wide / max(1, r.most)
	step := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*step >= rough*(1-1e-9) {
			step = float64(step * f)
			break
		}
	}
	for step > wide { // at least one step fits
		step /= 2
	}
	var ticks []plot.Tick
	for i := math.Ceil(low / step); i*step <= high*(1+1e-9); i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i * step), Label: number(float64(i * step))})
	}
	return ticks
}

// number formats a value: whole numbers with commas, others with four significant digits.
func number(v float64) string {
	if v < 0 {
		return "-" + number(-v)
	}
	if v == math.Trunc(v) && v < 1<<53 {
		return plural.Commas(uint64(v))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// ticksAt returns a tick at each value, labelled with it.
func ticksAt[T int | float64](values ...T) plot.ConstantTicks {
	return lists.Of(values, func(v T) plot.Tick {
		return plot.Tick{Value: float64(v), Label: number(float64(v))}
	})
}

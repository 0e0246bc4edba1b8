package figures

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/plural"
	"emsim/internal/portrait"
	"emsim/trace"
)

// OwnRun is a run that the user chose, to be drawn beside others.
type OwnRun struct {
	Name    string // what tells it from the others
	Program string // what ran, in a few words
	*portrait.Portrait
}

// OwnFigure is a figure of any run, or of several runs one below or beside the
// other.
type OwnFigure struct {
	Name   string // as in "emsim plot NAME PROGRAM"
	Title  string // one line: what it shows
	Reads  string // how to read it, a few sentences
	height func(runs []OwnRun) vg.Length
	draw   func(runs []OwnRun) Drawing
}

// Own lists the figures of any run.
func Own() []OwnFigure {
	return []OwnFigure{
		{
			Name: "timeline", Title: "What the PEs do over time",
			Reads: "Each colour is the number of PEs in one state, on average over a window of clocks; the white rest has nothing to do. " +
				"A broad rust band means that the input buffers overflow and that moving packets between FIFO and memory takes the clocks of FMU and EXU; yellow means that blocks wait until the network takes their packets.",
			height: func(runs []OwnRun) vg.Length { return stacked(runs, 6.4) },
			draw:   func(runs []OwnRun) Drawing { return ownTimeline(runs) },
		},
		{
			Name: "heatmap", Title: "Every PE over time, state by state",
			Reads: "One line per PE, one column per window of clocks, one panel per state: the stronger the colour, the larger the state's share of the window. " +
				"A line that is pale above and dark in the idle panel is a PE that got no work; equal lines mean an even load.",
			height: func([]OwnRun) vg.Length { return 20 * vg.Centimeter },
			draw:   func(runs []OwnRun) Drawing { return ownHeatmap(runs) },
		},
		{
			Name: "links", Title: "Packets over every link of the network",
			Reads: "A row is a group, a column a member, and the first column is repeated in grey on the right. A line is a link between two switches; the scale goes " +
				"from the link with the fewest packets to the one with the most, so look at the numbers below before you call a link busy.",
			height: func(runs []OwnRun) vg.Length { return linksHeight(runs) },
			draw:   func(runs []OwnRun) Drawing { return ownLinks(runs) },
		},
		{
			Name: "load", Title: "How full the input buffers are",
			Reads: "Above: words that wait in a PE's FIFO and, above them, in the MIB in its memory, on average over all PEs. Below: the load value that MLPE packets compare, 0 to 15; " +
				"the band reaches from the least to the most loaded PE, the line is the mean. A broad band means an uneven load.",
			height: func(runs []OwnRun) vg.Length { return stacked(runs, 9.6) },
			draw:   func(runs []OwnRun) Drawing { return ownLoad(runs) },
		},
		{
			Name: "calls", Title: "Where calls went",
			Reads: "A row is the PE of the caller, a column the PE of the function instance that it called: the stronger the colour, the more calls. A line along the diagonal means calls " +
				"on the own PE, lines beside it calls on neighbours, an even grey calls anywhere. Below, how many instances each PE had.",
			height: func(runs []OwnRun) vg.Length { return vg.Length(vg.Length(13+12*((len(runs)-1)/2)) * vg.Centimeter) },
			draw:   func(runs []OwnRun) Drawing { return ownCalls(runs) },
		},
	}
}

// OwnSize is the size of a figure in centimetres; 0 chooses one.
type OwnSize struct{ Width, Height float64 }

// Least is the least size in centimetres at which a figure can be read: half a
// page wide, and not much lower than it is by default for so many runs on
// small machines.
func (f OwnFigure) Least(runs int) OwnSize {
	small := slices.Repeat([]OwnRun{{Portrait: &portrait.Portrait{}}}, runs)
	return OwnSize{8, math.Ceil(0.85 * float64(f.height(small)/vg.Centimeter))}
}

// Of makes a figure of runs.
func (f OwnFigure) Of(runs []OwnRun, size OwnSize) Figure {
	x := Figure{Name: f.Name, Title: f.Title, Source: "any run", Width: 16 * vg.Centimeter, Height: f.height(runs)}
	if size.Width > 0 {
		x.Width = vg.Length(vg.Length(size.Width) * vg.Centimeter)
	}
	if size.Height > 0 {
		x.Height = vg.Length(vg.Length(size.Height) * vg.Centimeter)
	}
	x.Draw = func(context.Context) (Drawing, error) { return f.draw(runs), nil }
	return x
}

// stacked is the height of one panel a run, in centimetres each.
func stacked(runs []OwnRun, each float64) vg.Length {
	return vg.Length(vg.Length(1.6+float64(each*float64(len(runs)))) * vg.Centimeter)
}

// The colours of docs/img/machine.svg and of the report's time line. They differ
// in lightness as well as in hue, for all kinds of colour vision and in print.
var (
	ink    = color.RGBA{0x33, 0x33, 0x33, 0xff}
	faint  = color.RGBA{0xc8, 0xc8, 0xc8, 0xff}
	paleA  = color.RGBA{0xee, 0xf2, 0xf7, 0xff}
	rust   = color.RGBA{0xb5, 0x53, 0x2a, 0xff}
	states = [portrait.States]color.RGBA{{0x1f, 0x3a, 0x5f, 0xff}, {0xc0, 0x56, 0x3c, 0xff}, {0xef, 0xbe, 0x5e, 0xff}, {0xff, 0xff, 0xff, 0xff}}
)

// stateWords are the states for people.
var stateWords = [portrait.States]string{"FMU or EXU at work", "only the IBU at work", "waiting for the network", "idle"}

// mix returns a colour between two.
func mix(a, b color.RGBA, part float64) color.RGBA {
	part = max(0, min(1, part))
	of := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + float64((float64(y)-float64(x))*part))) }
	return color.RGBA{of(a.R, b.R), of(a.G, b.G), of(a.B, b.B), 0xff}
}

// scale is the colour of a part of the greatest value: pale blue to dark blue, and
// rust for the greatest.
func scale(part float64) color.RGBA {
	if part < 0.75 {
		return mix(color.RGBA{0xdc, 0xe6, 0xf1, 0xff}, states[0], part/0.75)
	}
	return mix(states[0], rust, (part-0.75)/0.25)
}

// sans is the style of texts.
func sans(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	f := font.From(plot.DefaultFont, vg.Points(size))
	f.Variant = "Sans"
	return text.Style{Color: ink, Font: f, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

// heading writes a figure's title and returns the canvas below it.
func heading(c draw.Canvas, runs []OwnRun, words string) draw.Canvas {
	if runs[0].Program != "" {
		words += ": " + runs[0].Program
	}
	style := sans(13, draw.XLeft, draw.YTop)
	style.Font.Weight = 3 // bold
	return paragraph(c, style, 6, 18, words)
}

// paragraph writes a text from so far below the top, in as many lines as its width
// needs, and returns the canvas below it.
func paragraph(c draw.Canvas, style text.Style, from, line vg.Length, words string) draw.Canvas {
	for _, one := range wrap(style, words, c.Size().X-16) {
		c.FillText(style, vg.Point{X: c.Min.X + 8, Y: c.Max.Y - from}, one)
		from += line
	}
	return draw.Crop(c, 0, 0, 0, -from)
}

// wrap cuts a text into lines of a width, between words; a % stays with its number.
func wrap(style text.Style, words string, room vg.Length) []string {
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

// key is one entry of a legend.
type key struct {
	colour color.Color
	words  string
}

// legend writes a legend in as many lines as it needs and returns the canvas below.
func legend(c draw.Canvas, keys []key) draw.Canvas {
	const line, box = 16, 10
	style := sans(10.5, draw.XLeft, draw.YCenter)
	x, y := c.Min.X+8, c.Max.Y-line/2
	for _, k := range keys {
		wide := box + 5 + style.Width(k.words) + 14
		if x+wide > c.Max.X && x > c.Min.X+8 {
			x, y = c.Min.X+8, y-line
		}
		filled(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - box/2}, Max: vg.Point{X: x + box, Y: y + box/2}}, k.colour, true)
		c.FillText(style, vg.Point{X: x + box + 5, Y: y}, k.words)
		x += wide
	}
	return draw.Crop(c, 0, 0, 0, y-line/2-4-c.Max.Y)
}

// filled paints a rectangle, perhaps with a frame.
func filled(c draw.Canvas, r vg.Rectangle, fill color.Color, framed bool) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
	c.FillPolygon(fill, corners)
	if framed {
		c.StrokeLines(draw.LineStyle{Color: ink, Width: 0.5}, append(corners, corners[0]))
	}
}

// rows cuts a canvas into n equal parts, from the top.
func rowsOfCanvas(c draw.Canvas, n int) []draw.Canvas {
	var list []draw.Canvas
	high := c.Size().Y / vg.Length(n)
	for i := range n {
		list = append(list, draw.Crop(c, 0, 0, vg.Length(vg.Length(n-1-i)*high), vg.Length(-vg.Length(i)*high)))
	}
	return list
}

// columnsOfCanvas cuts a canvas into n equal parts, from the left.
func columnsOfCanvas(c draw.Canvas, n int) []draw.Canvas {
	var list []draw.Canvas
	wide := c.Size().X / vg.Length(n)
	for i := range n {
		list = append(list, draw.Crop(c, vg.Length(vg.Length(i)*wide), vg.Length(-vg.Length(n-1-i)*wide), 0, 0))
	}
	return list
}

// axes are a plot's area and its scales, which begin at 0.
type axes struct {
	draw.Canvas
	xMost, yMost float64
}

func (a axes) at(x, y float64) vg.Point {
	return vg.Point{X: a.Min.X + vg.Length(a.Size().X*vg.Length(x/a.xMost)), Y: a.Min.Y + vg.Length(a.Size().Y*vg.Length(y/a.yMost))}
}

// newAxes draws the axes of a plot with their labels, and returns its area.
func newAxes(c draw.Canvas, xLabel, yLabel string, xMost, yMost float64) axes {
	a := axes{draw.Crop(c, 50, -14, 34, -4), max(xMost, 1e-9), max(yMost, 1e-9)}
	small := sans(10, draw.XCenter, draw.YTop)
	grid := draw.LineStyle{Color: faint, Width: 0.4}
	for _, v := range niceTicks(a.xMost, float64(a.Size().X)/60) {
		p := a.at(v, 0)
		a.StrokeLine2(grid, p.X, a.Min.Y-3, p.X, a.Max.Y)
		a.FillText(small, vg.Point{X: p.X, Y: a.Min.Y - 5}, thousands(v))
	}
	side := sans(10, draw.XRight, draw.YCenter)
	for _, v := range niceTicks(a.yMost, float64(a.Size().Y)/22) {
		p := a.at(0, v)
		a.StrokeLine2(grid, a.Min.X-3, p.Y, a.Max.X, p.Y)
		a.FillText(side, vg.Point{X: a.Min.X - 5, Y: p.Y}, thousands(v))
	}
	a.FillText(small, vg.Point{X: a.Center().X, Y: a.Min.Y - 18}, xLabel)
	upright := sans(10, draw.XCenter, draw.YTop)
	upright.Rotation = math.Pi / 2
	a.FillText(upright, vg.Point{X: c.Min.X + 4, Y: a.Center().Y}, yLabel)
	return a
}

// frame draws the lines of the axes, over what has been painted.
func (a axes) frame() {
	line := draw.LineStyle{Color: ink, Width: 0.8}
	a.StrokeLine2(line, a.Min.X, a.Min.Y, a.Max.X, a.Min.Y)
	a.StrokeLine2(line, a.Min.X, a.Min.Y, a.Min.X, a.Max.Y)
}

// niceTicks are at most about n round values from 0 to most.
func niceTicks(most, n float64) []float64 {
	rough := most / max(1, n)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step := float64(10 * power)
	for _, f := range []float64{1, 2, 5} {
		if f*power >= rough {
			step = float64(f * power)
			break
		}
	}
	for step > most { // at least one beside 0
		step /= 2
	}
	var list []float64
	for i := 0; float64(i)*step <= most*(1+1e-9); i++ {
		list = append(list, float64(float64(i)*step))
	}
	return list
}

// thousands prints a value with commas.
func thousands(v float64) string {
	if v != math.Trunc(v) {
		return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
	}
	return plural.Commas(uint64(v))
}

// picture paints a grid of cells into an area pixel by pixel; f gets the cells
// that a pixel shows: the columns x0..x1-1 from the left and the rows y0..y1-1 from
// below.
func picture(c draw.Canvas, columns, rows int, f func(x0, x1, y0, y1 int) color.RGBA) {
	const density = 1.8 // pixels per point
	w, h := max(1, int(density*c.Size().X)), max(1, int(density*c.Size().Y))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for px := range w {
		x0, x1 := cells(px, w, columns)
		for py := range h {
			y0, y1 := cells(h-1-py, h, rows)
			img.SetRGBA(px, py, f(x0, x1, y0, y1))
		}
	}
	c.DrawImage(onGrid(c.Rectangle), img)
}

// cells returns which of n cells the i-th of so many pixels shows, at least one.
func cells(i, pixels, n int) (from, to int) {
	from = i * n / pixels
	return from, max(from+1, (i+1)*n/pixels)
}

// mostClocks is the length of the longest run, counted from the start of each.
func mostClocks(runs []OwnRun) float64 {
	most := uint64(1)
	for _, r := range runs {
		most = max(most, r.End-r.Start)
	}
	return float64(most)
}

// sharesOf are the shares of the PE-clocks of a run by state.
func sharesOf(r OwnRun) (list [portrait.States]float64) {
	for s := range list {
		list[s] = float64(r.Waits[trace.PE][int(trace.ExuFmu)+s]) / float64(max(1, r.Clocks()*uint64(r.Topology.N)))
	}
	return list
}

// panelTitle writes what a panel shows and returns the canvas below it.
func panelTitle(c draw.Canvas, words string) draw.Canvas {
	style := sans(10.5, draw.XLeft, draw.YTop)
	return paragraph(c, style, 3, 16, words)
}

// runTitle writes which run a panel shows, unless there is only one, and what it
// came to.
func runTitle(c draw.Canvas, runs []OwnRun, i int, words string) draw.Canvas {
	if len(runs) > 1 {
		style := sans(10.5, draw.XLeft, draw.YTop)
		style.Font.Weight = 3 // bold
		c = paragraph(draw.Crop(c, 0, 0, 0, -2), style, 3, 12, runs[i].Name)
	}
	return panelTitle(c, words)
}

// clocksOf says how long a run was.
func clocksOf(r OwnRun) string { return thousands(float64(r.End-r.Start)) + " clocks" }

package figures

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// addSeries draws a line with markers, or only markers if style < 0, and names it at its end.
func addSeries(p *chart, name string, pts plotter.XYs, style, glyph int) {
	points := &plotter.Scatter{XYs: pts, GlyphStyle: glyphStyle(glyph)}
	if style >= 0 {
		points.GlyphStyle.Color = lineStyle(style).Color
		p.Add(&plotter.Line{XYs: pts, LineStyle: lineStyle(style)})
	}
	p.Add(points)
	p.ends.name(pts, name, points.GlyphStyle.Color)
}

// addLine draws a line without markers, and names it at its end unless name is empty.
func addLine(p *chart, name string, pts plotter.XYs, style draw.LineStyle) {
	p.Add(&plotter.Line{XYs: pts, LineStyle: style})
	p.ends.name(pts, name, style.Color)
}

// addBar draws a bar that stands on the axis.
func addBar(p *chart, left, right, height float64, fill color.Color, frame vg.Length) {
	p.Add(&plotter.Polygon{
		XYs:   []plotter.XYs{{{X: left, Y: 0}, {X: left, Y: height}, {X: right, Y: height}, {X: right, Y: 0}}},
		Color: fill, LineStyle: draw.LineStyle{Color: color.Black, Width: frame},
	})
}

// steps returns the values of consecutive intervals as a stepped line.
func steps(edges, values []float64) plotter.XYs {
	var line plotter.XYs
	for i, v := range values {
		line = append(line, plotter.XY{X: edges[i], Y: v}, plotter.XY{X: edges[i+1], Y: v})
	}
	return line
}

// addArea fills the area between the stepped lines low and high.
func addArea(p *chart, edges, low, high []float64, fill color.Color) {
	area := steps(edges, high)
	floor := steps(edges, low)
	for i := len(floor) - 1; i >= 0; i-- {
		area = append(area, floor[i])
	}
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{area}, Color: fill})
}

// heat is a picture of a grid of cells between two corners of a plot.
type heat struct {
	x0, y0, x1, y1 float64
	columns, rows  int
	// colour returns the colour of a pixel that shows the columns x0 to x1-1, from the
	// left, of the rows y0 to y1-1, from below.
	colour func(x0, x1, y0, y1 int) color.RGBA
}

// shadesOf returns a function for heat.colour. Its colours go from white to full, by the mean of the values, 0 to 1, in
// a pixel.
func shadesOf(full color.RGBA, value func(x, y int) float64) func(x0, x1, y0, y1 int) color.RGBA {
	return func(x0, x1, y0, y1 int) color.RGBA {
		sum := 0.0
		for x := x0; x < x1; x++ {
			for y := y0; y < y1; y++ {
				sum += value(x, y)
			}
		}
		return mixColours(white, full, sum/float64((x1-x0)*(y1-y0)))
	}
}

// counted sets the colours of h. The shade of a pixel is the square root of its largest count divided by most, and 0 is
// white.
func counted(h heat, most uint64, in func(row, column int) uint64) heat {
	h.colour = func(x0, x1, y0, y1 int) color.RGBA {
		var n uint64
		for column := x0; column < x1; column++ {
			for row := y0; row < y1; row++ {
				n = max(n, in(row, column))
			}
		}
		if n == 0 {
			return white
		}
		return scale(math.Sqrt(float64(n) / float64(most)))
	}
	return h
}

// overRows returns rows over time, above y = low, shaded by their values in the middle of
// each column.
func overRows(from, to float64, columns int, low float64, rows int, full color.RGBA,
	at func(time float64, row int) float64,
) heat {
	return heat{from, low, to, low + float64(rows), columns, rows, shadesOf(full, func(x, y int) float64 {
		return at(from+float64((float64(x)+0.5)/float64(columns)*(to-from)), y)
	})}
}

// fewCells is the number of cells up to which a picture gets more pixels, because viewers blur large pixels.
const fewCells = 1 << 11

// Plot implements plot.Plotter. Its picture has the proportions of its place, because
// viewers keep them.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	r := rectangle(x(h.x0), y(h.y0), x(h.x1), y(h.y1))
	density := 1.8 // pixels per point
	if h.columns*h.rows <= fewCells {
		density = 3
	}
	w, high := max(1, int(density*r.Size().X.Points())), max(1, int(density*r.Size().Y.Points()))
	img := image.NewRGBA(image.Rect(0, 0, w, high))
	for px := range w {
		x0, x1 := cells(px, w, h.columns)
		last, colour := -1, color.RGBA{}
		for py := range high {
			y0, y1 := cells(high-1-py, high, h.rows)
			if y0 != last { // more than one pixel may show the same cells
				last, colour = y0, h.colour(x0, x1, y0, y1)
			}
			img.SetRGBA(px, py, colour)
		}
	}
	c.DrawImage(onGrid(r), img)
	paintBox(c, r, color.Transparent, greyLine(120, 0.4))
}

// onGrid rounds the place of an image to 1/1024 of a point, because the last digits of the
// plotting library are not the same on every processor.
func onGrid(r vg.Rectangle) vg.Rectangle {
	round := func(x vg.Length) vg.Length { return vg.Length(math.Round(float64(x*1024)) / 1024) }
	return vg.Rectangle{
		Min: vg.Point{X: round(r.Min.X), Y: round(r.Min.Y)},
		Max: vg.Point{X: round(r.Max.X), Y: round(r.Max.Y)},
	}
}

// cells returns the range of cells, from..to-1 of n, that the i-th pixel shows. It has at least one cell.
func cells(i, pixels, n int) (from, to int) {
	from = i * n / pixels
	return from, max(from+1, (i+1)*n/pixels)
}

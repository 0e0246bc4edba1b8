package figures

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panels are drawings in rows, below a heading and a legend, with the axes of plots aligned.
type panels struct {
	heading string // the result that the figure shows
	about   string // what is drawn, with unit, program and size
	keys    []key
	columns int       // panels in a row; 0 means one
	parts   []Drawing // a nil drawing leaves its place empty
}

// page returns panels with one drawing per row.
func page(heading, about string, parts ...Drawing) panels {
	return panels{heading: heading, about: about, parts: parts}
}

// Draw paints the heading, the legend and the panels, with the axes of plots aligned.
func (p panels) Draw(c draw.Canvas) {
	if p.heading != "" {
		c = paragraph(c, p.heading, p.about)
	}
	if len(p.keys) > 0 {
		c = legend(c, sansStyle(10, draw.XLeft, draw.YCenter), p.keys)
	}
	columns := max(1, p.columns)
	tiles := draw.Tiles{
		Rows: (len(p.parts) + columns - 1) / columns, Cols: columns, PadX: 8, PadY: 10, PadLeft: 4,
		PadRight: 10, PadTop: 4,
	}
	plots := make([][]*plot.Plot, tiles.Rows)
	for i := range tiles.Rows * columns {
		var one *plot.Plot // nil for a drawing that is not a plot, and after the last one
		if i < len(p.parts) {
			if chart, ok := p.parts[i].(*chart); ok {
				fitTitle(chart, vg.Point{X: c.Size().X / vg.Length(columns), Y: c.Size().Y / vg.Length(tiles.Rows)})
				one = chart.Plot
			}
		}
		plots[i/columns] = append(plots[i/columns], one)
	}
	for row, canvases := range plot.Align(plots, tiles, c) {
		for column, at := range canvases {
			if i := row*columns + column; i < len(p.parts) && p.parts[i] != nil {
				p.parts[i].Draw(at)
			}
		}
	}
}

// hideX hides the horizontal axis of a plot, which the plot below it shows.
func hideX(p *chart) {
	p.HideX()
	p.X.Label.Text = ""
}

// paragraph writes the heading and about in as many lines as they need, and returns the canvas
// below.
func paragraph(c draw.Canvas, heading, about string) draw.Canvas {
	from := vg.Length(6)
	write := func(style text.Style, step vg.Length, words string) {
		if words == "" {
			return
		}
		for _, line := range wrapText(style, words, c.Size().X-16) {
			c.FillText(style, vg.Point{X: c.Min.X + 8, Y: c.Max.Y - from}, line)
			from += step
		}
	}
	write(boldStyle(sansStyle(13, draw.XLeft, draw.YTop)), 18, heading)
	small := sansStyle(9.5, draw.XLeft, draw.YTop)
	small.Color = quiet
	write(small, 13, about)
	return draw.Crop(c, 0, 0, 0, -from)
}

// fitTitle breaks a plot's title into lines, and limits its round ticks, to fit a size.
func fitTitle(p *chart, size vg.Point) {
	p.Title.Text = strings.Join(wrapText(p.Title.TextStyle, p.Title.Text, size.X-44), "\n")
	if p.X.Tick.Marker == plot.Ticker(roundTicks{}) {
		p.X.Tick.Marker = roundTicks{min(10, float64(size.X)/60)}
	}
	if p.Y.Tick.Marker == plot.Ticker(roundTicks{}) {
		p.Y.Tick.Marker = roundTicks{min(10, float64(size.Y)/19)}
	}
}

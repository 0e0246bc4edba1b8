package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stackedStates are the states of a PE in a bar's order, darkest first.
var stackedStates = []struct {
	column, name string
	shade        uint8
}{
	{"exu_fmu", "EXU or FMU at work", 70},
	{"ibu_only", "IBU only", 140},
	{"network_wait", "waits for the network", 205},
	{"idle", "idle", 255},
}

// stackedBars are bars below a legend.
type stackedBars struct {
	title string
	bars  []stackedBar
}

type stackedBar struct {
	name   string
	shares []float64 // by state; they sum to 1, or to 0 if the run failed
	note   string    // after the bar
}

// Draw paints the bars below a title and a legend.
func (s stackedBars) Draw(c draw.Canvas) {
	title := newPlot("", "", "").Title.TextStyle
	title.Font.Size, title.XAlign, title.YAlign = vg.Points(9), draw.XCenter, draw.YTop
	c.FillText(title, vg.Point{X: c.Center().X, Y: c.Max.Y - vg.Points(4)}, s.title)
	left := vg.Length(0)
	for _, b := range s.bars {
		left = max(left, tableText(8).Width(b.name))
	}
	top := c.Max.Y - vg.Points(42)
	line := min(vg.Points(18), (top-c.Min.Y-vg.Points(4))/vg.Length(max(1, len(s.bars))))
	left += c.Min.X + vg.Points(10)
	s.legend(c, left, c.Max.Y-vg.Points(30))
	for i, b := range s.bars {
		b.draw(c, left, c.Max.X-vg.Points(48), top-vg.Length(vg.Length(i)*line), line)
	}
}

// legend names the shades in one line.
func (s stackedBars) legend(c draw.Canvas, x, y vg.Length) {
	words := tableText(8)
	words.XAlign = draw.XLeft
	for _, st := range stackedStates {
		box(c, vg.Rectangle{Min: vg.Point{X: x, Y: y - vg.Points(4)}, Max: vg.Point{X: x + vg.Points(12), Y: y + vg.Points(4)}}, st.shade)
		c.FillText(words, vg.Point{X: x + vg.Points(16), Y: y}, st.name)
		x += words.Width(st.name) + vg.Points(30)
	}
}

// draw paints one bar below top.
func (b *stackedBar) draw(c draw.Canvas, left, right, top, line vg.Length) {
	name := tableText(8)
	name.XAlign = draw.XRight
	middle := top - line/2
	c.FillText(name, vg.Point{X: left - vg.Points(4), Y: middle}, b.name)
	x := left
	for i, share := range b.shares {
		end := x + vg.Length(vg.Length(share)*(right-left))
		if share > 0 {
			box(c, vg.Rectangle{Min: vg.Point{X: x, Y: top - vg.Length(0.88*line)}, Max: vg.Point{X: end, Y: top - vg.Length(0.12*line)}}, stackedStates[i].shade)
		}
		if share >= 0.05 {
			number := tableText(7.5)
			if stackedStates[i].shade < 128 {
				number.Color = color.White
			}
			c.FillText(number, vg.Point{X: (x + end) / 2, Y: middle}, fmt.Sprintf("%.0f %%", 100*share))
		}
		x = end
	}
	note := tableText(8)
	note.XAlign = draw.XLeft
	c.FillText(note, vg.Point{X: x + vg.Points(5), Y: middle}, b.note)
}

// box paints a rectangle with a thin frame.
func box(c draw.Canvas, r vg.Rectangle, shade uint8) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.FillPolygon(color.Gray{Y: shade}, corners)
	c.StrokeLines(draw.LineStyle{Color: color.Gray{Y: 60}, Width: vg.Points(0.5)}, corners)
}

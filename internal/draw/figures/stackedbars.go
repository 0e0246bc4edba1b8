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
	c.FillText(label(9, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Max.Y - 4}, s.title)
	left := vg.Length(0)
	for _, b := range s.bars {
		left = max(left, label(8, draw.XRight, draw.YCenter).Width(b.name))
	}
	top := c.Max.Y - 42
	line := min(18, (top-c.Min.Y-4)/vg.Length(max(1, len(s.bars))))
	left += c.Min.X + 10
	var keys []key
	for _, st := range stackedStates {
		keys = append(keys, key{words: st.name, colour: color.Gray{Y: st.shade}})
	}
	legend(draw.Crop(c, left-c.Min.X-8, 0, 0, -24), label(8, draw.XLeft, draw.YCenter), keys)
	for i, b := range s.bars {
		b.draw(c, left, c.Max.X-48, top-vg.Length(vg.Length(i)*line), line)
	}
}

// draw paints one bar below top.
func (b *stackedBar) draw(c draw.Canvas, left, right, top, line vg.Length) {
	middle := top - line/2
	c.FillText(label(8, draw.XRight, draw.YCenter), vg.Point{X: left - 4, Y: middle}, b.name)
	x := left
	for i, share := range b.shares {
		end := x + vg.Length(vg.Length(share)*(right-left))
		if share > 0 {
			box(c, span(x, top-vg.Length(0.88*line), end, top-vg.Length(0.12*line)), color.Gray{Y: stackedStates[i].shade}, grey(60, 0.5))
		}
		if share >= 0.05 {
			number := label(7.5, draw.XCenter, draw.YCenter)
			if stackedStates[i].shade < 128 {
				number.Color = color.White
			}
			c.FillText(number, vg.Point{X: (x + end) / 2, Y: middle}, fmt.Sprintf("%.0f %%", 100*share))
		}
		x = end
	}
	c.FillText(label(8, draw.XLeft, draw.YCenter), vg.Point{X: x + 5, Y: middle}, b.note)
}

package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// timeline draws what units do over clocks: one row of boxes per unit.
type timeline struct {
	title, note string
	rows        []timeRow
	from, to    uint64 // clocks shown
	tick        uint64 // clocks between ticks
	left        vg.Length
	fine        bool // boxes without frames or text, for many clocks
}

// timeRow is one unit.
type timeRow struct {
	name  string
	gap   bool // some space above
	boxes []timeBox
}

// timeBox is what a unit does for some clocks: from..to-1.
type timeBox struct {
	from, to uint64
	kind     int // index in timeShades
	text     string
}

// Kinds of boxes.
const (
	boxWork = iota // the unit works
	boxWait        // it waits for something
	boxHold        // something is stored there
	boxLate        // it could work, but has nothing to do yet
)

var timeShades = []color.Gray{{Y: 60}, {Y: 150}, {Y: 215}, {Y: 238}}

// Draw implements Drawing.
func (d timeline) Draw(c draw.Canvas) {
	c.FillText(label(11, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Max.Y - 4}, d.title)
	c.FillText(label(8, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 4}, d.note)
	c = draw.Crop(c, d.left, -12, 48, -26)
	gaps := 0
	for _, r := range d.rows {
		if r.gap {
			gaps++
		}
	}
	pitch := c.Size().Y / (vg.Length(len(d.rows)) + vg.Length(0.4*vg.Length(gaps)))
	x := func(clock uint64) vg.Length {
		return c.Min.X + c.Size().X*vg.Length(clock-d.from)/vg.Length(d.to-d.from)
	}
	d.axis(c, x)
	y := c.Max.Y
	for _, r := range d.rows {
		if r.gap {
			y -= vg.Length(0.4 * pitch)
		}
		y -= pitch
		c.FillText(label(min(9, vg.Length(0.8*pitch)), draw.XRight, draw.YCenter), vg.Point{X: c.Min.X - 4, Y: y + pitch/2}, r.name)
		d.row(c, r, y+vg.Length(0.1*pitch), vg.Length(0.8*pitch), x)
	}
}

// axis draws the clocks below, with pale lines through all rows.
func (d timeline) axis(c draw.Canvas, x func(uint64) vg.Length) {
	pale := draw.LineStyle{Color: color.Gray{Y: 225}, Width: 0.4}
	for t := (d.from + d.tick - 1) / d.tick * d.tick; t <= d.to; t += d.tick {
		c.StrokeLine2(pale, x(t), c.Min.Y, x(t), c.Max.Y)
		c.FillText(label(8, draw.XCenter, draw.YTop), vg.Point{X: x(t), Y: c.Min.Y - 4}, fmt.Sprint(t))
	}
	c.FillText(label(9, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Min.Y - 17}, "clock")
}

func (d timeline) row(c draw.Canvas, r timeRow, y, high vg.Length, x func(uint64) vg.Length) {
	if d.fine {
		d.strip(c, r, y, high, x)
		return
	}
	for _, b := range r.boxes {
		box := []vg.Point{{X: x(b.from), Y: y}, {X: x(b.to), Y: y}, {X: x(b.to), Y: y + high}, {X: x(b.from), Y: y + high}}
		shade := timeShades[b.kind]
		c.FillPolygon(shade, box)
		c.StrokeLines(draw.LineStyle{Color: color.Black, Width: 0.4}, append(box, box[0]))
		words := label(7, draw.XCenter, draw.YCenter)
		if shade.Y < 128 {
			words.Color = color.White
		}
		middle := vg.Point{X: (x(b.from) + x(b.to)) / 2, Y: y + high/2}
		if words.Width(b.text) > x(b.to)-x(b.from)-2 {
			words.XAlign, words.Color = draw.XLeft, color.Black
			middle.X = x(r.boxes[len(r.boxes)-1].to) + 3
			if b.to != r.boxes[len(r.boxes)-1].to {
				continue // no room for text
			}
		}
		c.FillText(words, middle, b.text)
	}
}

// strip draws a row as one broad line per shade, which keeps files small.
func (d timeline) strip(c draw.Canvas, r timeRow, y, high vg.Length, x func(uint64) vg.Length) {
	for kind, shade := range timeShades {
		var path vg.Path
		for _, b := range r.boxes {
			if b.kind != kind {
				continue
			}
			path.Move(vg.Point{X: x(b.from), Y: y + high/2})
			path.Line(vg.Point{X: x(b.to), Y: y + high/2})
		}
		if len(path) > 0 {
			c.SetColor(shade)
			c.SetLineWidth(high)
			c.SetLineDash(nil, 0)
			c.Stroke(path)
		}
	}
}

package figures

import (
	"context"
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/em4"
	"emsim/mlpe"
	"emsim/omega"
	"emsim/packet"
)

// em4MLPEFigures are the pictures of the search for the least loaded PE.
func em4MLPEFigures() []Figure {
	return []Figure{
		{
			Name: "em4-mlpe", Title: "an MLPE packet goes round a reverse circuit and comes back with the PE of the least load",
			Source: "003 figure 4", Width: 24 * vg.Centimeter, Height: 5 * vg.Centimeter,
			Draw: func(context.Context) (Drawing, error) { return mlpeWalk(em4.Prototype80().PEs) },
		},
		{
			Name: "em4-load", Title: "the load of a PE, by what is in its buffers and memory",
			Source: "003 figure 3", Width: 24 * vg.Centimeter, Height: 5 * vg.Centimeter,
			Draw: func(context.Context) (Drawing, error) { return loadOf(em4.Prototype80()), nil },
		},
	}
}

// walk is the way of an MLPE packet: its data when it leaves each PE.
type walk struct {
	stops []walkStop
	back  string // the data that come back
}

// walkStop is a PE on the way.
type walkStop struct {
	pe      packet.PE
	load    uint8
	data    string // of the packet when it leaves
	changed bool
}

// walkLoads are the loads of the picture, as in figure 4 any numbers would do:
// the second PE lowers the least, the third does not, the fourth does.
var walkLoads = []uint8{5, 3, 7, 1, 2, 4, 6, 5}

// mlpeWalk sends an MLPE packet from [0,0] round its reverse circuit.
func mlpeWalk(pes int) (Drawing, error) {
	net, err := omega.ForPEs(pes)
	if err != nil {
		return nil, err
	}
	format := packet.FormatFor(net.K)
	show := func(data uint64) string {
		load, at := mlpe.Read(format, data)
		return fmt.Sprintf("[%d,%v]", load, at)
	}
	var w walk
	var data uint64
	for i, pe := range net.Ring(packet.PE{}, omega.OutGroup) {
		load := walkLoads[i%len(walkLoads)]
		before := data
		if i == 0 {
			data = mlpe.Payload(format, load, pe)
		} else {
			data = mlpe.Compare(format, data, load, pe)
		}
		w.stops = append(w.stops, walkStop{pe, load, show(data), i > 0 && data != before})
	}
	w.back = show(data)
	return w, nil
}

// Draw implements Drawing.
func (w walk) Draw(c draw.Canvas) {
	c.FillText(label(11, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Max.Y - 4},
		fmt.Sprintf("%v looks for the least load: its packet comes back with %s", w.stops[0].pe, w.back))
	c.FillText(label(8, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 4},
		"[load,[group,member]]: the data of the packet; grey: a PE whose switch has rewritten them in passing")
	c = draw.Crop(c, 50, -50, 34, -26)
	step := c.Size().X / vg.Length(max(1, len(w.stops)-1))
	y := c.Center().Y + 18
	line := draw.LineStyle{Color: color.Black, Width: 1}
	at := func(i int) vg.Point { return vg.Point{X: c.Min.X + vg.Length(step*vg.Length(i)), Y: y} }
	const half, high = 32, 19
	for i, s := range w.stops {
		p := at(i)
		box := []vg.Point{{X: p.X - half, Y: p.Y - high}, {X: p.X + half, Y: p.Y - high}, {X: p.X + half, Y: p.Y + high}, {X: p.X - half, Y: p.Y + high}}
		fill := color.Gray{Y: 255}
		if s.changed {
			fill.Y = 200
		}
		c.FillPolygon(fill, box)
		c.StrokeLines(line, append(box, box[0]))
		c.FillText(label(10, draw.XCenter, draw.YBottom), p, s.pe.String())
		c.FillText(label(9, draw.XCenter, draw.YTop), vg.Point{X: p.X, Y: p.Y - 2}, fmt.Sprintf("load %d", s.load))
		if i+1 < len(w.stops) {
			arrow(c, line, []vg.Point{{X: p.X + half, Y: y}, {X: at(i+1).X - half, Y: y}})
			c.FillText(label(8.5, draw.XCenter, draw.YBottom), vg.Point{X: p.X + step/2, Y: y + 4}, s.data)
		}
	}
	low, last, first := y-high-26, at(len(w.stops)-1), at(0)
	c.StrokeLines(line, []vg.Point{{X: last.X, Y: y - high}, {X: last.X, Y: low}, {X: first.X, Y: low}})
	arrow(c, line, []vg.Point{{X: first.X, Y: low}, {X: first.X, Y: y - high}})
	c.FillText(label(8.5, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: low - 3}, w.back+" comes back to "+w.stops[0].pe.String())
}

// loadRow is a row of figure 3: what a quantity is for each load.
type loadRow struct {
	name  string
	cells []string // by load
}

// loadTable is figure 3.
type loadTable struct{ rows []loadRow }

// loadOf asks mlpe.Load for every number of words and of free places; a cell is
// the range that gives its load alone, with nothing else in the way.
func loadOf(c em4.Config) loadTable {
	const plenty = 1 << 16
	row := func(name string, from, to int, more bool, load func(n int) uint8) loadRow {
		r := loadRow{name: name, cells: make([]string, mlpe.MaxLoad+1)}
		for low := from; low <= to; {
			high := low
			for high < to && load(high+1) == load(low) {
				high++
			}
			text := fmt.Sprintf("%X–%X", low, high)
			switch {
			case low == high:
				text = fmt.Sprintf("%X", low)
			case more && high == to:
				text = fmt.Sprintf("%X–", low)
			}
			r.cells[load(low)] = text
			low = high + 1
		}
		return r
	}
	return loadTable{[]loadRow{
		row("FIFO words", 0, c.FIFOWords, true, func(n int) uint8 { return mlpe.Load(n, 0, plenty, plenty) }),
		row("MIB words", 1, c.MIBWords, true, func(n int) uint8 { return mlpe.Load(0, n, plenty, plenty) }),
		row("free segments", 0, 7, false, func(n int) uint8 { return mlpe.Load(0, 0, n, plenty) }),
		row("free structure", 0, 0x15, false, func(n int) uint8 { return mlpe.Load(0, 0, plenty, n) }),
	}}
}

// Draw implements Drawing.
func (t loadTable) Draw(c draw.Canvas) {
	c.FillText(label(11, draw.XCenter, draw.YTop), vg.Point{X: c.Center().X, Y: c.Max.Y - 4}, "the load of a PE (all numbers are hexadecimal, as in the paper)")
	c.FillText(label(8, draw.XCenter, draw.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 4},
		"the highest load that applies counts; – at the end of a cell: or more; the paper's columns are shifted in our copy, and this is our reading")
	c = draw.Crop(c, 8, -8, 22, -26)
	loads := []int{}
	for load := range mlpe.MaxLoad + 1 {
		for _, r := range t.rows {
			if r.cells[load] != "" {
				loads = append(loads, load)
				break
			}
		}
	}
	const left = 66
	wide, high := (c.Size().X-left)/vg.Length(len(loads)), c.Size().Y/vg.Length(len(t.rows)+1)
	line := draw.LineStyle{Color: color.Gray{Y: 150}, Width: 0.5}
	cell := func(row, column int, fill uint8, text string) {
		x, y, w := c.Min.X+left+vg.Length(wide*vg.Length(column)), c.Max.Y-vg.Length(high*vg.Length(row+1)), wide
		if column < 0 {
			x, w = c.Min.X, left
		}
		box := []vg.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + high}, {X: x, Y: y + high}}
		c.FillPolygon(color.Gray{Y: fill}, box)
		c.StrokeLines(line, append(box, box[0]))
		c.FillText(label(8, draw.XCenter, draw.YCenter), vg.Point{X: x + w/2, Y: y + high/2}, text)
	}
	cell(0, -1, 225, "load")
	for column, load := range loads {
		cell(0, column, 225, fmt.Sprintf("%X", load))
	}
	for i, r := range t.rows {
		cell(i+1, -1, 255, r.name)
		for column, load := range loads {
			cell(i+1, column, 255, r.cells[load])
		}
	}
}

package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/mnc"
)

// mncItems is the number of data in the figures: the curves are those of the
// paper's 1,000,000 at a tenth of the time.
const mncItems = 100_000

// mncFigures are the figures of the MNC computer.
func mncFigures() []Figure {
	return []Figure{
		figure("mnc-efficiency", "MNC: efficiency of both loads against the number of PEs", "000 figure 2 (lost; our numbers)", width, height,
			mncCurves("MNC: efficiency", "efficiency", mncItems, func(s mnc.Stats) float64 { return s.Efficiency })),
		figure("mnc-transfers", "MNC: data transferred for both loads against the number of PEs", "000 figure 3 (lost; our numbers)", width, height,
			mncCurves("MNC: transferred data", "transfers a datum", mncItems, func(s mnc.Stats) float64 { return float64(s.Transfers) / float64(s.Items) })),
		figure("mnc-map", "MNC: PEs and QPRs of net16 and the load they carry", "000 figure 1 (lost; the wiring is a guess)", width, height, mncMap),
		figure("mnc-held", "MNC: X held by each PE over time; PE 5 turns ten times slower", "ours", width, height, mncHeld),
	}
}

// mncStats runs one machine to its end.
func mncStats(ctx context.Context, c mnc.Config) (mnc.Stats, error) {
	m, err := mnc.New(c)
	if err != nil {
		return mnc.Stats{}, err
	}
	if err := m.Run(ctx); err != nil {
		return mnc.Stats{}, err
	}
	return m.Stats(), nil
}

// mncCurves plots a quantity against 1 to 128 PEs for both loads, with and
// without ability.
func mncCurves(title, quantity string, items int, of func(mnc.Stats) float64) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		p := newPlot(title+fmt.Sprintf(", %d data", items), "PEs", quantity)
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = ticksAt(1, 2, 4, 8, 16, 32, 64, 128)
		p.Y.Min = 0
		series := 0
		for _, loops := range []int{1000, 100} {
			for _, policy := range []mnc.Policy{mnc.Auto, mnc.Naive} {
				var points plotter.XYs
				for n := 1; n <= mnc.PaperPEs; n *= 2 {
					w, err := mnc.MNC(n)
					if err != nil {
						return nil, err
					}
					c := mnc.Default(w)
					c.Items, c.Loops, c.Policy = items, loops, policy
					s, err := mncStats(ctx, c)
					if err != nil {
						return nil, err
					}
					points = append(points, plotter.XY{X: float64(n), Y: of(s)})
				}
				addSeries(p, fmt.Sprintf("%d loops, %s", loops, policy), points, series, series)
				series++
			}
		}
		p.Y.Max = float64(p.Y.Max * 1.05)
		p.Legend.Left = true
		p.Legend.Top = quantity == "transfers a datum" // where no curve is
		return p, nil
	}
}

// mncHeld samples what each PE holds while one of them becomes slow.
func mncHeld(ctx context.Context) (Drawing, error) {
	const (
		slowPE, slowAt = 5, 150_000
		samples        = 90
		every          = 4_000
	)
	w, err := mnc.MNC(16)
	if err != nil {
		return nil, err
	}
	c := mnc.Default(w)
	c.Items, c.Loops = 1200, 1000
	c.Events = []mnc.Event{mnc.SlowAt(slowAt, slowPE, 1000)}
	m, err := mnc.New(c)
	if err != nil {
		return nil, err
	}
	var held [samples][]float64 // by sample and PE
	most := 0.0
	for i := range held {
		if err := m.RunTo(ctx, int64(i)*every); err != nil {
			return nil, err
		}
		for pe := range w.PEs {
			held[i] = append(held[i], float64(m.Held(pe).X))
		}
		most = max(most, slices.Max(held[i]))
	}
	p := newPlot(fmt.Sprintf("X held, white 0 to black %.0f; PE %d ten times slower from clock %d", most, slowPE, slowAt), "clock / 1000", "PE")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5*every/1000, (samples-0.5)*every/1000, -0.5, float64(w.PEs)-0.5
	p.Add(heat{p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, samples, w.PEs, func(x0, _, y0, _ int) color.RGBA {
		return mixColours(white, black, held[x0][y0]/most)
	}})
	addLine(p, "", plotter.XYs{{X: slowAt / 1000, Y: p.Y.Min}, {X: slowAt / 1000, Y: p.Y.Max}}, lineStyle(1))
	p.Y.Tick.Marker = ticksAt(numbered(w.PEs)...)
	return p, nil
}

// mncMap draws the 16 PEs and 16 QPRs on a grid of 4 rows and 8 columns with
// the load of each, and highlights the four QPRs of one PE and its twelve
// neighbours.
func mncMap(ctx context.Context) (Drawing, error) {
	w := mnc.Net16()
	c := mnc.Default(w)
	c.Items, c.Loops = 2000, 100
	s, err := mncStats(ctx, c)
	if err != nil {
		return nil, err
	}
	return sheet{w, s, sheetPE}, nil
}

// sheet is a wiring whose names are row and column, such as "38".
type sheet struct {
	wiring mnc.Incidence
	stats  mnc.Stats
	pe     int // the PE whose neighbourhood is highlighted
}

const (
	sheetColumns = 8
	sheetRows    = 4
	sheetPE      = 5
	sheetRadius  = 13 // points
)

// Draw paints the sheet.
func (s sheet) Draw(c draw.Canvas) {
	writeAt(c, 11, c.Center().X, c.Max.Y-vg.Points(14), "MNC net16: PEs (round) and QPRs (square); darker: more f(), more words")
	writeAt(c, 9, c.Center().X, c.Min.Y+vg.Points(21), "Source QPR 26 and sink QPR 38 have a thick edge. Black lines: PE 23 and its four QPRs;")
	writeAt(c, 9, c.Center().X, c.Min.Y+vg.Points(9), "dashed: the twelve PEs that it reaches through them; pale: all others. Load of 2000 data of 100 loops.")
	grid := draw.Crop(c, 0, 0, vg.Points(28), -vg.Points(26))
	s.links(grid)

	words := make([]float64, len(s.stats.QPR))
	for q, st := range s.stats.QPR {
		words[q] = float64(st.Reads + st.Writes)
	}
	for q, b := range s.wiring.Boards {
		at, width := sheetPlace(grid, b.Name), 0.8
		if q == s.wiring.Source || q == s.wiring.Sink {
			width = 3
		}
		paintNode(grid, at, draw.BoxGlyph{}, words[q]/slices.Max(words), width)
		writeAt(c, 9, at.X, at.Y, b.Name)
	}
	for pe, st := range s.stats.PE {
		at := sheetPlace(grid, s.wiring.PEName(pe))
		paintNode(grid, at, draw.CircleGlyph{}, float64(st.Proc)/float64(s.stats.Clocks), 0.8)
		writeAt(c, 9, at.X, at.Y, s.wiring.PEName(pe))
	}
}

// links draws which PE touches which QPR, the chosen PE's neighbourhood last.
func (s sheet) links(c draw.Canvas) {
	for pass := range 3 {
		style := []draw.LineStyle{
			{Color: color.Gray{Y: 215}, Width: vg.Points(0.5)},
			{Color: color.Gray{Y: 90}, Width: vg.Points(0.8), Dashes: []vg.Length{4, 2}},
			{Color: color.Black, Width: vg.Points(2)},
		}[pass]
		for _, b := range s.wiring.Boards {
			for _, pe := range b.Ports {
				kind := 0
				if pe == s.pe {
					kind = 2
				} else if slices.Contains(b.Ports[:], s.pe) {
					kind = 1
				}
				if kind == pass {
					drawLink(c, style, sheetPlace(c, b.Name), sheetPlace(c, s.wiring.PEName(pe)))
				}
			}
		}
	}
}

// drawLink draws a link: straight, or as an arc if boxes lie exactly between
// its ends.
func drawLink(c draw.Canvas, style draw.LineStyle, from, to vg.Point) {
	if from.X > to.X {
		from, to = to, from
	}
	along := to.Sub(from)
	columns := int(math.Round(float64(along.X / c.Size().X * sheetColumns)))
	rows := int(math.Round(math.Abs(float64(along.Y / c.Size().Y * sheetRows))))
	height := vg.Length(0)
	if gcd(columns, rows) > 1 {
		height = vg.Points(sheetRadius + float64(2*columns))
	}
	length := vg.Length(math.Hypot(float64(along.X), float64(along.Y)))
	up := vg.Point{X: -along.Y, Y: along.X}.Scale(2 * height / length)
	var p vg.Path
	p.Move(from)
	p.QuadTo(from.Add(along.Scale(0.5)).Add(up), to)
	c.SetLineStyle(style)
	c.Stroke(p)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sheetPlace is the place of a name on the sheet.
func sheetPlace(c draw.Canvas, name string) vg.Point {
	row, column := int(name[0]-'0'), int(name[1]-'0')
	return vg.Point{
		X: c.Min.X + c.Size().X*vg.Length(2*column-1)/(2*sheetColumns),
		Y: c.Max.Y - c.Size().Y*vg.Length(2*row-1)/(2*sheetRows),
	}
}

// paintNode paints a box of the sheet: shade 0 white, 1 dark, never too dark to
// read its name.
func paintNode(c draw.Canvas, at vg.Point, shape draw.GlyphDrawer, shade, width float64) {
	edge := draw.GlyphStyle{Color: color.Black, Radius: vg.Points(sheetRadius + width), Shape: shape}
	fill := draw.GlyphStyle{Color: color.Gray{Y: uint8(255 - float64(130*shade))}, Radius: vg.Points(sheetRadius), Shape: shape}
	c.DrawGlyphNoClip(edge, at)
	c.DrawGlyphNoClip(fill, at)
}

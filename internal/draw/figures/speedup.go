package figures

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
)

// A Speedup is the time of a program with one setting on machines of several sizes.
type Speedup struct {
	Name   string  // of the setting, as the legend shows it
	PEs    []int   // ascending, two at least
	Clocks []int64 // until the result, by size; above 0
}

// times returns how many times as fast the i-th size is as the smallest one.
func (s Speedup) times(i int) float64 { return float64(s.Clocks[0]) / float64(s.Clocks[i]) }

// SpeedupLeast is the least size of the figure in centimetres.
var SpeedupLeast = OwnSize{10, 10}

// SpeedupFigure draws time and speed-up of a program over the sizes of the machine, next to
// lines on which twice as many PEs take half the time.
func SpeedupFigure(program string, settings []Speedup, size OwnSize) Figure {
	pes := settings[0].PEs
	title, least := speedupTitle(program, settings), number(float64(pes[0]))
	about := fmt.Sprintf("%s on %s to %s PEs of the EM-4: clocks until the result, and the speed-up over %s; all axes "+
		"are logarithmic", program, least, number(float64(pes[len(pes)-1])), least)
	return size.of(Figure{
		Name: "speedup", Title: title, Source: "any run", Width: width, Height: 16 * vg.Centimeter,
		Draw: func(context.Context) (Drawing, error) {
			return page(title, about, speedupPanel(settings, false), speedupPanel(settings, true)), nil
		},
	})
}

// speedupTitle returns the title: how many times as fast the largest machine is as the smallest one.
func speedupTitle(program string, settings []Speedup) string {
	first, last := settings[0], len(settings[0].PEs)-1
	more := number(math.Round(10*float64(first.PEs[last])/float64(first.PEs[0])) / 10)
	if len(settings) == 1 {
		return fmt.Sprintf("%s: %s on %s times the PEs", program, asFast(first.times(last)), more)
	}
	words := lists.Of(settings, func(s Speedup) string { return asFast(s.times(last)) + " with " + s.Name })
	return fmt.Sprintf("%s on %s times the PEs: %s", program, more, strings.Join(words, ", "))
}

// asFast returns the words for a speed-up: how many times as fast, or as slow, something is.
func asFast(times float64) string {
	if times < 1 {
		return oneDigit(1/times) + " times as slow"
	}
	return oneDigit(times) + " times as fast"
}

// oneDigit formats a factor with one decimal. It uses two below 1.1, because rounding might hide a gain there, and none
// from 100.
func oneDigit(v float64) string {
	switch {
	case v < 1.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return number(math.Round(v))
}

// speedupPanel draws the clocks, or how many times as fast each machine is as the smallest one.
func speedupPanel(settings []Speedup, relative bool) *chart {
	pes := settings[0].PEs
	p := runPlot("", "PEs", map[bool]string{false: "clocks", true: "times as fast"}[relative], 0, 0)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	value := func(s Speedup, i int) float64 {
		if relative {
			return s.times(i)
		}
		return float64(s.Clocks[i])
	}
	low, high := math.Inf(1), 0.0
	for _, s := range settings {
		for i := range s.PEs {
			low, high = min(low, value(s, i)), max(high, value(s, i))
		}
	}
	if relative {
		high = max(high, min(float64(4*high), float64(pes[len(pes)-1])/float64(pes[0])))
	} else {
		low = float64(0.6 * low)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = float64(pes[0]), float64(pes[len(pes)-1]), low, float64(1.15*high)
	p.X.Tick.Marker = ticksAt(pes...)
	p.Y.Tick.Marker = decades{}
	addPerfect(p, settings[0], relative)
	for i, s := range settings {
		var line plotter.XYs
		for k, n := range s.PEs {
			line = append(line, plotter.XY{X: float64(n), Y: value(s, k)})
		}
		words := number(line[len(line)-1].Y) + " clocks"
		if relative {
			words = oneDigit(line[len(line)-1].Y) + " times"
		}
		addSeries(p, cmp.Or(s.Name, "measured")+": "+words, line, i, i)
	}
	return p
}

// addPerfect draws the line on which twice as many PEs take half the time, up to the plot's edge.
func addPerfect(p *chart, s Speedup, relative bool) {
	start, slope := float64(s.Clocks[0]), -1.0
	if relative {
		start, slope = 1, 1
	}
	more := min(p.X.Max/p.X.Min, max(p.Y.Max/start, start/p.Y.Min)) // until it leaves the plot
	line := plotter.XYs{
		{X: p.X.Min, Y: start},
		{X: float64(more * p.X.Min), Y: float64(start * math.Pow(more, slope))},
	}
	p.Add(&plotter.Line{XYs: line, LineStyle: greyLine(120, 1, 2, 3)})
	if relative {
		p.Add(alongLine{line, "twice the PEs, twice as fast", draw.YBottom})
	} else {
		p.Add(alongLine{line, "twice the PEs, half the time", draw.YTop})
	}
}

// alongLine writes words along a line of two points, above or below it.
type alongLine struct {
	line  plotter.XYs
	words string
	side  text.YAlignment
}

// Plot implements plot.Plotter.
func (a alongLine) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	from, to := vg.Point{X: x(a.line[0].X), Y: y(a.line[0].Y)}, vg.Point{X: x(a.line[1].X), Y: y(a.line[1].Y)}
	style := sansStyle(8, draw.XCenter, a.side)
	style.Rotation = math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
	away := map[text.YAlignment]vg.Length{draw.YBottom: 3, draw.YTop: -3}[a.side]
	c.FillText(style, from.Add(to.Sub(from).Scale(0.6)).Add(vg.Point{Y: away}), a.words)
}

// decades marks 1, 2 and 5 times the powers of ten on a logarithmic axis.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	for power := math.Floor(math.Log10(low)); math.Pow(10, power) <= high; power++ {
		for _, f := range []float64{1, 2, 5} {
			if v := float64(f * math.Pow(10, power)); v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v})
				if f != 2 || high <= 100*low { // the 2 has room on a short axis
					ticks[len(ticks)-1].Label = number(v)
				}
			}
		}
	}
	return ticks
}

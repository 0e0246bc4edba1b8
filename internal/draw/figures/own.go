package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/portrait"
	"emsim/trace"
)

// OwnRun is a run that the user chose, to be drawn next to others.
type OwnRun struct {
	Name    string // differs from the names of the others
	Program string // what ran, in a few words
	*portrait.Portrait
	ms bool // times are in milliseconds, as in the papers; otherwise in clocks
}

// RunFigure is a figure that can be drawn of any run of type R, or of several runs, one below or next to the other.
type RunFigure[R any] struct {
	Name   string                 // as in "emsim plot NAME PROGRAM"
	Title  string                 // one line: what it shows
	Reads  string                 // how to read it, a few sentences
	Adds   bool                   // it shows sums over the whole run, without windows
	height func(runs []R) float64 // centimetres
	draw   func(runs []R) Drawing
}

// OwnFigure is a figure of any run of the EM-4.
type OwnFigure = RunFigure[OwnRun]

// OwnFigures lists the figures of any run of the EM-4.
func OwnFigures() []OwnFigure {
	return []OwnFigure{
		{
			Name: "timeline", Title: "What the PEs do over time",
			Reads: "Each colour is the number of PEs in one state, on average over a window of clocks; the white " +
				"rest has nothing to do. " +
				"A broad red band means that the input buffers overflow and that moving packets between FIFO and " +
				"memory takes the clocks of FMU and EXU; yellow means that blocks wait until the network " +
				"takes their packets.",
			height: func(runs []OwnRun) float64 { return 1.6 + float64(6.4*float64(len(runs))) },
			draw:   ownTimeline,
		},
		{
			Name: "heatmap", Title: "Every PE over time, state by state",
			Reads: "One line per PE, one column per window of clocks, one panel per state: the stronger the colour, " +
				"the larger the state's share of the window. " +
				"A line that is weak above and strong in the idle panel is a PE that got no work; equal lines " +
				"mean an even load.",
			height: func([]OwnRun) float64 { return 20 },
			draw:   ownHeatmap,
		},
		{
			Name: "links", Adds: true, Title: "Packets over every link of the network",
			Reads: "A row is a group, a column a member, and the first column is repeated in grey on the right. A " +
				"line is a link between two switches, as broad as the number of packets that it took: twice as broad " +
				"for twice as many, on one scale for all runs.",
			height: linksHeight,
			draw:   ownLinks,
		},
		{
			Name: "load", Title: "How full the input buffers are",
			Reads: "Above: words that wait in a PE's FIFO and, above them, in the MIB in its memory, on average over " +
				"all PEs. Below: the load value that MLPE packets compare, 0 to 15; " +
				"the band reaches from the least to the most loaded PE, the line is the mean. A broad band means " +
				"an uneven load.",
			height: func(runs []OwnRun) float64 { return 1.6 + float64(9.6*float64(len(runs))) },
			draw:   ownLoad,
		},
		{
			Name: "calls", Adds: true, Title: "Where calls went",
			Reads: "A row is the PE of the caller, a column the PE of the function instance that it called: the " +
				"stronger the colour, the more calls. A line along the diagonal means calls to the same PE, lines " +
				"next to it calls to neighbours, an even blue calls anywhere. Below, how many " +
				"instances each PE had.",
			height: func(runs []OwnRun) float64 { return 15 + float64(14*float64((len(runs)-1)/2)) },
			draw:   ownCalls,
		},
	}
}

// OwnSize is the size of a figure in centimetres. 0 means the figure's default.
type OwnSize struct{ Width, Height float64 }

// of returns a figure in this size. A width or height of 0 leaves the figure's own.
func (s OwnSize) of(f Figure) Figure {
	if s.Width > 0 {
		f.Width = vg.Length(vg.Length(s.Width) * vg.Centimeter)
	}
	if s.Height > 0 {
		f.Height = vg.Length(vg.Length(s.Height) * vg.Centimeter)
	}
	return f
}

// OwnLeast returns the least size in centimetres at which a figure can be read: half a page wide, and 85 % of the
// default height for the same number of runs on small machines.
func OwnLeast(f OwnFigure, runs int) OwnSize {
	small := slices.Repeat([]OwnRun{{Portrait: &portrait.Portrait{}}}, runs)
	return OwnSize{8, math.Ceil(0.85 * f.height(small))}
}

// FigureOf returns the figure of one or more runs.
func (f RunFigure[R]) FigureOf(runs []R, size OwnSize) Figure {
	return size.of(Figure{
		Name: f.Name, Title: f.Title, Source: "any run", Width: width,
		Height: vg.Length(vg.Length(f.height(runs)) * vg.Centimeter),
		Draw:   func(context.Context) (Drawing, error) { return f.draw(runs), nil },
	})
}

// Colours of the palette, and pale shades of its blues.
var (
	ink      = rgb(0x1e242c)
	quiet    = rgb(0x59626e)
	white    = rgb(0xffffff)
	faint    = rgb(0xd5dae1)
	paleA    = rgb(0xeef2f7)
	paleBand = rgb(0xb9cce2)
	rust     = rgb(0xa84a24)
	states   = [portrait.States]color.RGBA{rgb(0x1d4e89), rgb(0xc8452b), rgb(0xedb545), white}
)

// scale returns the colour of a part of the greatest value: from pale blue to dark blue.
func scale(part float64) color.RGBA { return mixColours(rgb(0xdce6f1), rgb(0x0e2c52), part) }

// headed returns panels without drawings. Their heading gives the result of each run of a program, with the names of
// the runs if there are several; about describes what is drawn.
func headed(program, machine, about string, names, came []string) panels {
	heading := program + ": " + came[0]
	if len(came) > 1 {
		heading = program + ", "
		for i, name := range names {
			heading += strings.Repeat("; ", min(i, 1)) + name + ": " + came[i]
		}
	}
	return panels{heading: heading, about: about + "; " + program + " on " + machine}
}

// ownPanels returns panels without drawings for runs of the EM-4.
func ownPanels(runs []OwnRun, about string, came func(r OwnRun) string) panels {
	return headed(runs[0].Program, plural.Of(runs[0].Topology.N, "PE"), about,
		lists.Of(runs, func(r OwnRun) string { return r.Name }), lists.Of(runs, came))
}

// titled puts the name of a panel's run before its words, unless there is only one run.
func titled(runs int, name, words string) string {
	if runs > 1 {
		return name + ": " + words
	}
	return words
}

// axisTime converts clocks to the unit of the axis.
func (r OwnRun) axisTime(clock uint64) float64 {
	if r.ms {
		return float64(float64(clock) * r.ClockNS * 1e-6)
	}
	return float64(clock)
}

// length formats the length of a run with its unit.
func (r OwnRun) length() string {
	if r.ms {
		return fmt.Sprintf("%.2f ms", r.axisTime(r.End-r.Start))
	}
	return number(float64(r.End-r.Start)) + " clocks"
}

// overTime returns an empty plot over the time of the longest run.
func overTime(runs []OwnRun, title, y string, yMost float64) *chart {
	longest := slices.Max(lists.Of(runs, func(r OwnRun) float64 { return r.axisTime(max(1, r.End-r.Start)) }))
	x := map[bool]string{true: "time [ms]", false: "clock"}[runs[0].ms]
	return runPlot(title, x, y, longest, yMost)
}

// edges returns the edges of the windows of a run, in the unit of the axis.
func (r OwnRun) edges() []float64 {
	edges := []float64{r.axisTime(r.From - r.Start)}
	for w := range r.Cells {
		edges = append(edges, r.axisTime(r.WindowEnd(w)))
	}
	return edges
}

// byWindow returns the value of each window.
func (r OwnRun) byWindow(value func(w int) float64) []float64 {
	list := make([]float64, len(r.Cells))
	for w := range list {
		list[w] = value(w)
	}
	return list
}

// shares returns the share of each state in the PE-clocks of a run.
func (r OwnRun) shares() (list [portrait.States]float64) {
	for s := range list {
		list[s] = float64(r.Waits[trace.PE][int(trace.ExuFmu)+s]) / float64(max(1, r.Clocks()*uint64(r.Topology.N)))
	}
	return list
}

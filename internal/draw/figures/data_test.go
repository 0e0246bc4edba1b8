package figures

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/machines"
)

// The stacked areas of a time line are the PEs of the portrait in each state.
func TestTimelineShowsThePortrait(t *testing.T) {
	r := ownRuns(t, "ring")[0]
	s := sketched(t, ownTimeline([]OwnRun{r}))
	unit, floor := 0.0, 0.0
	for state, fill := range []string{hex(states[0]), hex(states[1]), hex(states[2])} {
		areas := s.styled(`fill="` + fill)
		points := areas[len(areas)-1].points // the first is the legend's box
		require.Len(t, points, 4*len(r.Cells))
		if state == 0 {
			floor = points[len(points)-1][1]
			unit = (points[2][1] - floor) / r.meanInState(1, 0)
		}
		for w := range r.Cells {
			top, bottom := points[2*w][1], points[len(points)-1-2*w][1]
			require.InDelta(t, r.meanInState(w, state)*unit, top-bottom, 0.05, "state %d, window %d", state, w)
			wide := points[2*w+1][0] - points[2*w][0]
			require.InDelta(t, (points[1][0]-points[0][0])/float64(r.WindowClocks(0))*float64(r.WindowClocks(w)), wide,
				0.05)
		}
	}
	share := r.shares()
	require.InDelta(t, 1, share[0]+share[1]+share[2]+share[3], 1e-9)
	ms := r
	ms.ms = true
	require.Equal(t, "0.04 ms", ms.length())
	require.InDelta(t, 80e-6, ms.axisTime(1), 1e-12)
	require.Equal(t, "489 clocks", r.length())
	sketched(t, ownTimeline([]OwnRun{ms})).find(t, "time [ms]")
	s.find(t, "clock")
}

// The areas of the buffers are the portrait's means, and the band has its extremes.
func TestLoadShowsThePortrait(t *testing.T) {
	r := OwnRun{Portrait: &portrait.Portrait{End: 200, Window: 100, ClockNS: 1, Cells: make([][]portrait.Cell, 2)}}
	r.Topology.N = 2
	for w := range r.Cells {
		r.Cells[w] = make([]portrait.Cell, 2)
		for pe := range 2 {
			c := &r.Cells[w][pe]
			c.Level = [len(c.Level)]uint64{uint64(200 * (w + 1)), uint64(100 * (pe + w)), uint64(500 * (pe + 1))}
			c.Spill = uint32(3 + pe)
		}
	}
	require.EqualValues(t, 14, r.spills())
	low, high := r.extremes(0)
	mean := r.meanLevel(0, 0)
	s := sketched(t, ownLoad([]OwnRun{r}))
	last := func(fill string) stroke { list := s.styled(`fill="` + fill); return list[len(list)-1] }
	fifo := last(hex(states[0]))
	require.InDelta(t, 2, (fifo.points[2][1]-fifo.points[7][1])/(fifo.points[0][1]-fifo.points[7][1]), 0.01)
	require.InDelta(t, 2, mean, 1e-9)
	require.Less(t, low, high)
	band := last(hex(paleBand))
	from, to := band.ends(1)
	require.Equal(t, []float64{5, 10}, []float64{low, high})
	unit := (s.find(t, "15").y - s.find(t, "10").y) / 5
	require.InDelta(t, 5*unit, to-from, 0.1)
	require.InDelta(t, s.find(t, "10").y+2.7, to, 1)
	mib := last(hex(states[1]))
	require.Equal(t, fifo.points[0], mib.points[7], "on top of the FIFO")
}

// Bars of instances are as high as their numbers, and cells of calls have their shades.
func TestCallsShowThePortrait(t *testing.T) {
	r := OwnRun{Portrait: &portrait.Portrait{}}
	r.Topology.N = 3
	r.Calls.Pairs = map[[2]int]uint64{{-1, 0}: 1, {0, 1}: 4, {1, 0}: 2, {1, 1}: 4}
	matrix, instances := callsOf([]OwnRun{r}, 0)
	bars := sketched(t, instances).styled(`fill="` + hex(states[0]))
	require.Len(t, bars, 2, "none for a PE without instances")
	var high, left []float64
	for _, b := range bars {
		x0, _ := b.ends(0)
		y0, y1 := b.ends(1)
		high, left = append(high, y1-y0), append(left, x0)
	}
	require.InDelta(t, 8./3, high[1]/high[0], 0.01)
	require.Less(t, left[0], left[1])
	img := inside(t, matrix)
	size := img.Bounds().Size()
	at := func(callee, caller int) color.Color {
		return color.RGBAModel.Convert(img.At((2*callee+1)*size.X/6, size.Y-1-(2*caller+1)*size.Y/6))
	}
	require.Equal(t, scale(1), at(1, 0))
	require.Equal(t, scale(1), at(1, 1))
	require.Equal(t, scale(math.Sqrt(0.5)), at(0, 1))
	require.Equal(t, white, at(0, 0), "the host's call is of no PE")
	sketched(t, ownCalls([]OwnRun{r})).find(t, "4 calls")
	require.Nil(t, ownCalls(slices.Repeat([]OwnRun{r}, 3)).(panels).parts[5])
}

// Every link has a line whose width is proportional to its packets.
func TestLinksShowThePortrait(t *testing.T) {
	runs := ownRuns(t, "ring", "line")
	s := sketched(t, ownLinks(runs))
	_, most, _ := packetsOf(runs[1])
	want := map[float64]int{}
	links := 0
	for _, r := range runs {
		for _, h := range r.Hops {
			for _, n := range h {
				want[math.Round(100*max(0.25, 0.1*72/2.54*float64(n)/float64(most)))]++
				links++
			}
		}
	}
	have := map[float64]int{}
	curves := s.styled(`stroke-width`)[6:] // after the legend
	for _, p := range curves {
		if len(p.points) == 1 { // a place, and a curve from there
			have[math.Round(100*p.width(t))]++
		}
	}
	require.Equal(t, 48, links)
	for width, n := range want {
		require.Equal(t, n, have[width], "lines of %v", width/100)
	}
}

// width returns the width of a line, 1 if the file has none.
func (p stroke) width(t *testing.T) float64 {
	t.Helper()
	m := strokeWidth.FindStringSubmatch(p.style)
	if m == nil {
		return 1
	}
	return number64(t, m[1])
}

// The picture of a series has each processor's load in its row, at its time.
func TestSeriesPicture(t *testing.T) {
	f, err := Series("s.csv", []byte(pdesSeries), OwnSize{})
	require.NoError(t, err)
	svg, err := Encode(t.Context(), f, "s.svg")
	require.NoError(t, err)
	d, err := f.Draw(t.Context())
	require.NoError(t, err)
	img := inside(t, d)
	size := img.Bounds().Size()
	at := func(time float64, row int) color.Color {
		return color.RGBAModel.Convert(img.At(int(time/150*float64(size.X)), size.Y-1-(2*row+1)*size.Y/4))
	}
	for time, want := range map[float64][2]float64{1: {0.5, 0}, 98: {0.5, 0}, 102: {1, 0.5}, 149: {1, 0.5}} {
		for row, v := range want {
			require.Equal(t, mixColours(white, states[0], v), at(time, row), "%v, row %d", time, row)
		}
	}
	require.Equal(t, []vg.Length{16 * vg.Centimeter, 9 * vg.Centimeter}, []vg.Length{f.Width, f.Height})
	s := readSketch(t, svg)
	s.find(t, "Share of the clocks in which every PP runs LPs")
	s.find(t, "always")
	s.find(t, "clock")
}

// The lines of a sweep go through its means, with the intervals of the table.
func TestSweepLine(t *testing.T) {
	c := sweepChart{y: "clocks", spread: true}
	p := newPlot("", "x", "clocks")
	c.drawLine(p, []sweepRow{
		{"x": "1", "clocks": "10", "clocks_low": "5", "clocks_high": "20"},
		{"x": "2", "clocks": "30", "clocks_low": "30", "clocks_high": "40"},
		{"x": "3", "clocks": ""},
		{"x": "5", "clocks": "20", "clocks_low": "15", "clocks_high": "25"},
	}, "x", "", 0)
	s := sketched(t, p)
	s.find(t, "clocks")
	line := s.styled(`stroke="#8c510a" stroke-width="1.4"`)[0].points
	require.Len(t, line, 3, "rows without a value are left out")
	unit, wide := (line[1][1]-line[0][1])/20, line[1][0]-line[0][0]
	require.InDelta(t, line[0][1]+10*unit, line[2][1], 0.05)
	require.InDelta(t, line[0][0]+4*wide, line[2][0], 0.05)
	var ends []float64
	for _, bar := range s.styled("stroke") {
		x0, x1 := bar.ends(0)
		y0, y1 := bar.ends(1)
		if x0 == x1 && slices.ContainsFunc(line, func(at [2]float64) bool { return at[0] == x0 }) && y1-y0 > 7*unit {
			ends = append(ends, math.Round(10+(y0-line[0][1])/unit), math.Round(10+(y1-line[0][1])/unit))
		}
	}
	require.Subset(t, ends, []float64{5, 20, 30, 40, 15, 25})
	c.drawLine(p, []sweepRow{{"x": "1"}}, "x", "nothing", 1)
	c.spread = false
	low, high := c.interval(sweepRow{"clocks": "7"})
	require.Equal(t, []float64{7, 7}, []float64{low, high})
}

// Latencies are on a logarithmic scale of loads, cut at the top; a thin line marks
// saturation.
func TestLoadLatencyLines(t *testing.T) {
	at := 0.1
	s := sketched(t, loadLatency(12, []*machines.Curve{
		{PEs: 12, Pattern: "uniform", Alone: 10, Saturation: &at, Points: []machines.CurvePoint{{
			Load:        0.001,
			LatencyMean: 10,
		}, {Load: 0.1, LatencyMean: 20}, {Load: 1, LatencyMean: 900}}},
	}))
	line := s.styled(`stroke="#8c510a" stroke-width="1.4"`)[0].points
	require.Len(t, line, 3)
	unit, decade := (line[1][1]-line[0][1])/10, (line[1][0]-line[0][0])/2
	top := 1.2 * machines.SaturatedLatency * 10
	require.InDelta(t, line[1][1]+(top-20)*unit, line[2][1], 0.1)
	require.InDelta(t, line[1][0]+(top-20)/880*decade, line[2][0], 0.1)
	mark := s.styled(`stroke="#8c510a" stroke-width="0.5"`)
	found := slices.ContainsFunc(mark, func(p stroke) bool {
		return len(p.points) == 2 && math.Abs(p.points[0][0]-line[1][0]) < 0.02 &&
			math.Abs(p.points[1][1]-line[2][1]) < 0.02 && p.points[1][0] == p.points[0][0]
	})
	require.True(t, found)
	require.InDelta(t, s.find(t, "0.1").x-s.find(t, "0.001").x, 2*decade, 6)
	var labels []string
	for _, x := range (decades{}).Ticks(machines.Least, 1) {
		if x.Label != "" {
			labels = append(labels, x.Label)
		}
	}
	require.Equal(t, []string{"0.001", "0.005", "0.01", "0.05", "0.1", "0.5", "1"}, labels)
}

// The map of calls has member 0 on top and group 0 on the left.
func TestCallMap(t *testing.T) {
	r := ownRuns(t, "ring")[0]
	calls := make([]uint64, 12)
	calls[r.Topology.Index(r.Topology.Address(7))] = 1
	img := inside(t, callMap(r.Topology, calls, "title"))
	size, pe := img.Bounds().Size(), r.Topology.Address(7)
	for g := range r.Topology.Groups {
		for m := range r.Topology.Members {
			want := white
			if g == int(pe.GA) && m == int(pe.CA) {
				want = states[0]
			}
			at := img.At((2*g+1)*size.X/(2*r.Topology.Groups), (2*m+1)*size.Y/(2*r.Topology.Members))
			require.Equal(t, want, color.RGBAModel.Convert(at), "[%d,%d]", g, m)
		}
	}
}

package figures

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/dev/golden"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// ownRuns records a small run of fib under each policy.
func ownRuns(t *testing.T, policies ...string) []OwnRun {
	t.Helper()
	var list []OwnRun
	for _, policy := range policies {
		pes := 12
		spec := run.Spec{
			Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: []string{"fifo_words=8"}}, Program: "fib",
			Args:   []string{"8"},
			Params: map[string]string{"policy": policy}, Seed: 1, Threads: 1,
		}
		target, err := spec.Build(t.Context())
		require.NoError(t, err)
		s := run.New(target, run.Plan{Runs: 1})
		require.NoError(t, s.Begin())
		var p *portrait.Portrait
		_, err = s.Trace(t.Context(), 1, func(from, end uint64) (sink trace.Sink, err error) {
			p, err = portrait.New(s.Machine, s.Net.Topology, s.Config().ClockNS, s.Current.StartClock(), from, end,
				portrait.Options{Window: 50})
			return p, err
		})
		require.NoError(t, err)
		list = append(list, OwnRun{Name: "policy=" + policy, Program: "fib 8", Portrait: p})
	}
	return list
}

// Figures of two runs name them, and are as recorded: byte by byte, and pictures by
// their pixels.
func TestOwnFigures(t *testing.T) {
	two := ownRuns(t, "ring", "line")
	for _, f := range OwnFigures() {
		for name, runs := range map[string][]OwnRun{"own-" + f.Name: two[:1], "own-" + f.Name + "-two": two} {
			svg, err := Encode(t.Context(), f.FigureOf(runs, OwnSize{}), "x.svg")
			require.NoError(t, err)
			require.NotContains(t, string(svg), "Serif", "the figures of own runs have one font")
			require.Contains(t, string(svg), "fib 8")
			require.Equal(t, len(runs) > 1, strings.Contains(string(svg), "policy=line"), name)
			if len(runs) > 1 {
				golden.Check(t, name+".svg", compared(t, svg))
			}
		}
		require.NotEmpty(t, f.Reads)
	}
}

// A figure has the size that the user wants, also as PNG.
func TestOwnSize(t *testing.T) {
	runs := ownRuns(t, "ring")
	for _, f := range OwnFigures() {
		x := f.FigureOf(runs, OwnSize{Width: 8, Height: 5})
		require.Equal(t, []vg.Length{8 * vg.Centimeter, 5 * vg.Centimeter}, []vg.Length{x.Width, x.Height})
		data, err := Encode(t.Context(), x, "x.png")
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.InDelta(t, 8.0/5, float64(img.Bounds().Dx())/float64(img.Bounds().Dy()), 0.02)
	}
}

// Colours for greater values are darker, and the four states become lighter, so that
// they differ without hue.
func TestOwnColours(t *testing.T) {
	light := func(c color.RGBA) float64 { return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B) }
	for part := 0.0; part < 0.94; part += 0.05 {
		require.Greater(t, light(scale(part)), light(scale(part+0.05))+3, part)
	}
	for s := range states[1:] {
		require.Greater(t, light(states[s+1]), light(states[s])+30)
	}
}

// Ticks are round, as many as there is room for, and at least one besides the first.
func TestRoundTicks(t *testing.T) {
	values := func(most, low, high float64) (list []float64) {
		for _, x := range (roundTicks{most}).Ticks(low, high) {
			list = append(list, x.Value)
		}
		return list
	}
	require.Equal(t, []float64{0, 20, 40, 60, 80}, values(5, 0, 80))
	require.Equal(t, []float64{0, 5000, 10000}, values(3, 0, 13907))
	require.Equal(t, []float64{0, 10000}, values(1, 0, 16990))
	require.Equal(t, []float64{0, 0.5, 1}, values(2, 0, 1))
	require.Equal(t, []float64{-10, -5, 0, 5, 10}, values(0, -12, 12))
	require.Len(t, values(0, 0, 100), 11)
	require.Equal(t, "10,000", roundTicks{3}.Ticks(0, 13907)[2].Label)
	require.Equal(t, "0.3", roundTicks{}.Ticks(0, 1)[3].Label)
	require.Equal(t, "0.5", number(0.5))
	require.Equal(t, "13,907", number(13907))
	require.Equal(t, "-5", number(-5))
}

// Every cell is in a pixel, and every pixel has a cell.
func TestCells(t *testing.T) {
	for _, c := range []struct{ pixels, n int }{{10, 3}, {3, 10}, {7, 7}, {1, 5}, {100, 1024}} {
		next := 0
		for i := range c.pixels {
			from, to := cells(i, c.pixels, c.n)
			require.Less(t, from, to)
			require.LessOrEqual(t, to, c.n)
			require.LessOrEqual(t, from, next, "%v: a cell is left out", c)
			next = max(next, to)
		}
		require.Equal(t, c.n, next)
	}
}

// A share in a heat map is taken over the clocks that a pixel covers.
func TestHeatShare(t *testing.T) {
	r := ownRuns(t, "ring")[0]
	all := r.shares()
	for s := range all {
		require.InDelta(t, all[s], r.share(s, 0, r.columns(), 0, 12), 1e-9)
	}
	require.EqualValues(t, 489, r.columns())
	last := &r.Cells[9][3]
	require.InDelta(t, float64(last.State[0])/39, r.share(0, 455, 456, 3, 4), 1e-9, "the last window has 39 clocks")
}

// The scale of links begins at zero, and widths are proportional.
func TestLinkScale(t *testing.T) {
	least, most, none := packetsOf(OwnRun{Portrait: &portrait.Portrait{Hops: [][2]uint64{{0, 110}, {120, 105}}}})
	require.Equal(t, []uint64{0, 120, 1}, []uint64{least, most, uint64(none)})
	require.Equal(t, scale(1), linkStyle(120, most, 4).Color)
	require.InDelta(t, 2, float64(linkStyle(120, most, 4).Width/linkStyle(60, most, 4).Width), 1e-9)
	require.NotPanics(t, func() { linkStyle(0, 0, 4) })
}

// Texts break between words, and nothing is lost on a narrow figure.
func TestWrap(t *testing.T) {
	style := sansStyle(10, draw.XLeft, draw.YTop)
	room := style.Width("at work 31.9 %, IBU")
	require.Equal(t, []string{"at work 31.9 %, IBU", "only 4.7 %, network", "2.0 %"},
		wrapText(style, "at work 31.9 %, IBU only 4.7 %, network 2.0 %", room))
	require.Equal(t, []string{"a-very-long-word"}, wrapText(style, "a-very-long-word", 1))
	require.Equal(t, []string{"a", "b"}, wrapText(style, "a b", 1))
}

// The least size grows with the number of runs where their panels stand in rows.
func TestLeast(t *testing.T) {
	for _, f := range OwnFigures() {
		one, three := OwnLeast(f, 1), OwnLeast(f, 3)
		require.Equal(t, OwnSize{8, map[string]float64{
			"timeline": 7, "heatmap": 17, "links": 11, "load": 10,
			"calls": 13,
		}[f.Name]}, one, f.Name)
		require.Equal(t, f.Name != "heatmap", three.Height > one.Height, f.Name)
	}
}

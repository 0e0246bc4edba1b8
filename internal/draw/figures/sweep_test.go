package figures

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"emsim/internal/machine/machines"
	"emsim/internal/study/spread"
	"emsim/internal/study/sweep"
)

// drawn returns a figure as SVG.
func drawn(t *testing.T, f Figure) string {
	t.Helper()
	svg, err := Encode(t.Context(), f, "x.svg")
	require.NoError(t, err)
	return string(svg)
}

// swept runs a sweep and returns its table.
func swept(t *testing.T, text string) (*sweep.Plan, []byte) {
	t.Helper()
	p, err := sweep.Read("x.toml", []byte(text))
	require.NoError(t, err)
	s := &sweep.Store{Dir: t.TempDir()}
	x, err := s.Survey(p)
	require.NoError(t, err)
	require.NoError(t, s.Run(t.Context(), x, 1, nil))
	table, err := p.CSV(x.Results)
	require.NoError(t, err)
	return p, table
}

// A numeric column with three values becomes the axis; the user may choose others.
func TestSweepLines(t *testing.T) {
	p, table := swept(t, `
title = "Latency by load"
seeds = 3
[[grid]]
machine = "net"
set = { pes = [12, 32], pattern = ["uniform", "hotspot"], load = [0.02, 0.05, 0.1], clocks = 300 }
`)
	f, err := Sweep(p, table, SweepChoice{})
	require.NoError(t, err)
	svg := drawn(t, f)
	for _, text := range []string{
		"Latency by load: latency mean ", ">load [", ">latency mean [clocks]<", ">pes 12<", ">pattern uniform<",
		">pes 32<", ">pattern hotspot<",
	} {
		require.Contains(t, svg, text)
	}
	f, err = Sweep(p, table, SweepChoice{Y: "throughput", X: "pes"})
	require.NoError(t, err)
	require.Contains(t, drawn(t, f), ">throughput [words]<")
	_, err = Sweep(p, table, SweepChoice{X: "hop_clocks"})
	require.EqualError(t, err, `nothing called "hop_clocks" varies in the table: it has pes, pattern, load`)
	_, err = Sweep(p, table, SweepChoice{Y: "clocks_ratio"})
	require.EqualError(t, err, `the table has no numbers in a column called "clocks_ratio"`)
}

// Without a numeric axis every row has a mark, with a text if it cannot be told
// from base.
func TestSweepMarks(t *testing.T) {
	p, table := swept(t, `
seeds = 3
[[variant]]
name = "FIFO 30"
set = { fifo_words = 30 }
[[variant]]
name = "slow"
set = { hop_clocks = 8 }
[[grid]]
program = ["fib 11", "pi 20"]
pes = 12
param = { policy = ["ring", "random"] }
variant = "*"
`)
	f, err := Sweep(p, table, SweepChoice{})
	require.NoError(t, err)
	svg := drawn(t, f)
	for _, text := range []string{">clocks relative to the variant base<", " times the clocks of the variant base<", ">fib 11, policy random<", ">FIFO 30<", ">slow<"} {
		require.Contains(t, svg, text)
	}
	require.Equal(t, strings.Count(string(table), spread.Untold), strings.Count(svg, spread.Untold))
	require.Positive(t, strings.Count(svg, spread.Untold))
	require.NotContains(t, svg, ">base<")

	f, err = Sweep(p, table, SweepChoice{Y: "hops"})
	require.NoError(t, err)
	require.Contains(t, drawn(t, f), ">base<")
}

// Labels of marks say what varies among them; the axis says once what they have in
// common.
func TestSweepMarksSayWhatVaries(t *testing.T) {
	p, table := swept(t, `
[[variant]]
name = "MLPE"
param = { mlpe = "on" }
[[grid]]
program = ["fib 8", "pi 20"]
pes = 12
param = { policy = ["ring", "line"] }
variant = "*"
`)
	picture := func(texts ...string) {
		f, err := Sweep(p, table, SweepChoice{})
		require.NoError(t, err)
		svg := drawn(t, f)
		for _, text := range append(texts, "fib 8", "pi 20") {
			require.Equal(t, 1, strings.Count(svg, ">"+text+"<"), text)
		}
		require.NotContains(t, svg, ">MLPE<")
		require.NotContains(t, svg, ">base<")
	}
	picture("MLPE: clocks relative to the variant base")
	f, err := Sweep(p, table, SweepChoice{})
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(drawn(t, f), ">policy line<"))

	require.NoError(t, p.Refer("mlpe=on"))
	picture("base: clocks relative to the row with mlpe=on")
}

// A sweep of any machine shows the machine's time.
func TestSweepsOfEveryMachine(t *testing.T) {
	for kind, set := range map[string]string{
		"mnc":    `set = { pes = [3, 4, 5], items = 300, loops = 10 }`,
		"rhinet": `set = { nodes = [2, 3, 4], rows = 64, application = "heat", steps = 20 }`,
		"spmd":   `set = { tasks = [5, 10, 15] }`,
		"pdes":   `set = { slots = [40, 60, 80], stages = 3 }`,
		"net":    `set = { pes = 12, load = [0.01, 0.02, 0.03], clocks = 200 }`,
	} {
		p, table := swept(t, "seeds = 3\n[[grid]]\nmachine = \""+kind+"\"\n"+set+"\n")
		f, err := Sweep(p, table, SweepChoice{})
		require.NoError(t, err, kind)
		column := machines.ModelOf(kind).Time
		name, unit := (&sweepChart{columns: p.Columns()}).named(column)
		label := map[bool]string{true: name, false: name + " [" + unit + "]"}[name == unit]
		require.Contains(t, drawn(t, f), ">"+label+"<", kind)
		require.NotContains(t, drawn(t, f), "_", "%s: names of columns are for files", kind)
		require.True(t, strings.HasPrefix(f.Title, kind+": "), f.Title)
	}
}

// A table with more panels than can be read is rejected.
func TestSweepTooLarge(t *testing.T) {
	var sizes, patterns []string
	for i := range 30 {
		sizes = append(sizes, fmt.Sprint(2*i+2))
	}
	for i := range 9 {
		patterns = append(patterns, fmt.Sprint(i+1))
	}
	p, err := sweep.Read("x.toml", []byte(fmt.Sprintf("[[grid]]\nprogram = \"fib 3\"\npes = 12\nset = { fifo_words = "+
		"[%s], hop_clocks = [%s], bank_clocks = [2, 3, 4] }\n",
		strings.Join(sizes, ","), strings.Join(patterns[:8], ","))))
	require.NoError(t, err)
	var table strings.Builder
	for i, c := range p.Columns() {
		if i > 0 {
			table.WriteByte(',')
		}
		table.WriteString(c.Name)
	}
	for i := range p.Points {
		x := p.Points[i].Config
		row := map[string]string{
			"fifo_words": fmt.Sprint(x.FIFOWords), "hop_clocks": fmt.Sprint(x.HopClocks),
			"bank_clocks": fmt.Sprint(x.BankClocks), "clocks": "5", "outcome": "ok",
		}
		table.WriteByte('\n')
		for k, c := range p.Columns() {
			if k > 0 {
				table.WriteByte(',')
			}
			table.WriteString(row[c.Name])
		}
	}
	_, err = Sweep(p, []byte(table.String()), SweepChoice{})
	require.ErrorContains(t, err, "a picture would have 240 panels, and at most 12 can be read")
}

func TestLoadLatency(t *testing.T) {
	at := 0.1
	curves := []*machines.Curve{
		{PEs: 12, Pattern: "uniform", Alone: 10, Saturation: &at, Points: []machines.CurvePoint{{
			Load:        0.001,
			LatencyMean: 10,
		}, {Load: 0.1, LatencyMean: 20}, {Load: 1, LatencyMean: 900}}},
		{
			PEs: 12, Pattern: "reverse", Alone: 10,
			Points: []machines.CurvePoint{{Load: 0.001, LatencyMean: 10}, {Load: 1, LatencyMean: 20}},
		},
		{
			PEs: 80, Pattern: "uniform", Alone: 20, Saturation: &at,
			Points: []machines.CurvePoint{{Load: 0.001, LatencyMean: 20}, {Load: 0.1, LatencyMean: 30}},
		},
	}
	svg := drawn(t, LoadLatency(curves))
	for _, text := range []string{
		">12 PEs<", ">80 PEs<", ">uniform<", ">saturated above 0.1<", ">reverse<", ">not saturated<",
		">0.005<",
	} {
		require.Contains(t, svg, text)
	}
	end := leavingPoint(plotter.XYs{{X: 0.1, Y: 20}}, curves[0].Points[2], 36)
	require.InDelta(t, 0.1*math.Pow(10, 16./880), end[0].X, 1e-9)
	require.Empty(t, leavingPoint(nil, curves[0].Points[2], 36))
}

// The pictures of sweeps in the documentation show its tables; -update redraws
// them.
func TestPicturesOfSweeps(t *testing.T) {
	for _, name := range []string{"seeds", "large"} {
		p, err := sweep.Load("../../../docs/sweeps/" + name + ".toml")
		require.NoError(t, err)
		table, err := os.ReadFile("../../../docs/beyond/" + name + ".csv")
		require.NoError(t, err)
		f, err := Sweep(p, table, SweepChoice{})
		require.NoError(t, err)
		f.Name = name
		checkPicture(t, f)
	}
}

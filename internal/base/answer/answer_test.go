package answer

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// example returns an answer with everything that can be displayed.
func example() *Answer {
	x := &Answer{
		Title: "fib 3", Result: "2", Machine: "EM-4, 4 PEs", Whole: "the PEs' time",
		Next: Next{"emsim profile fib 3", "where the clocks went"},
	}
	x.Say("program", "fib")
	x.Number("pes", 4, "PEs", "processing elements")
	x.Number("clocks", 1000, "clocks", "of the run").Head("time", ", %d a call", 200)
	x.Share("states.busy", 0.25, "work").Head("work", "of the PEs' time").PartOf(Work, "")
	x.Number("states.idle", 3000, "clocks", "idle", "pes", "clocks").PartOf("idle", "no packet").Called("idle")
	x.Share("wait", 0.1, "waiting").PartOf("network", "the switch is full")
	x.Number("calls", 12345, "", "instances").Detail("calls", "%d a PE", 3)
	x.Number("lost", 0, "packets", "packets lost").Detail("packets lost", "")
	x.Number("kept", 0, "packets", "packets kept").Detail("packets kept", "").Always()
	x.Number("mean", (*float64)(nil), "slots", "mean delay").Detail("slots of delay", "")
	return x
}

// The largest part of the time that is not work limits a run. An answer without parts has no limit.
func TestLimits(t *testing.T) {
	require.Equal(t, []Limit{{"idle", "no packet", 0.75}, {"network", "the switch is full", 0.1}}, example().Limits())
	x := example()
	x.Field("states.idle").Value = 200
	require.Equal(t, "network", x.Limits()[0].Name)
	require.Empty(t, (&Answer{}).Limits())
}

// Weighty returns fields in the order of their weight: first rows, details, parts of the time.
func TestWeighty(t *testing.T) {
	var keys []string
	for _, f := range example().Weighty() {
		keys = append(keys, f.Key)
	}
	require.Equal(t, []string{"clocks", "states.busy", "calls", "lost", "kept", "mean", "states.idle", "wait"}, keys)
}

// JSON has all keys in order; keys with a point are in a nested object.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(example())
	require.NoError(t, err)
	require.Equal(t,
		`{"program":"fib","pes":4,"clocks":1000,"states":{"busy":0.25,"idle":3000},"wait":0.1,"calls":12345,"lost":0,"kept":0,"mean":null}`,
		string(text))
	x := example()
	x.Papers = []Paper{{
		Key: "clocks", ID: "003.x", Source: "table 1", Quantity: "time", Unit: "clocks", Paper: 900,
		Model: 1000, Gap: 7,
	}}
	text, err = json.Marshal(x)
	require.NoError(t, err)
	require.Contains(t,
		string(text),
		`"paper":[{"id":"003.x","source":"table 1","quantity":"time","unit":"clocks","paper":900,"model":1000,"gap":7}]}`)
}

// The mean of several runs has the means and ranges of the numbers and lists, and whatever is the same in all runs.
func TestMeanOf(t *testing.T) {
	slow, fast := 3.5, 1.
	of := func(seed uint64, pattern string, clocks int, latency *float64, wall float64) *Answer {
		x := &Answer{Title: "t"}
		x.Say("seed", seed)
		x.Say("pattern", pattern)
		x.Number("clocks", clocks, "clocks", "of the run").Head("time", "%d", clocks)
		x.Number("latency_mean", latency, "clocks", "").Detail("latency", "")
		x.Share("wait", 0.5, "waiting").PartOf("waiting", fmt.Sprint(clocks, " clocks"))
		x.Share("idle", 0.1, "idle").PartOf("idle", "nothing to do")
		x.Say("units", []float64{float64(clocks), 1})
		x.Say("wall_seconds", wall)
		return x
	}
	mean := MeanOf([]*Answer{of(2, "uniform", 3, &slow, 1), of(3, "hotspot", 4, &fast, 2), of(0, "", 4, nil, 0)})
	require.Equal(t, Band{2.25, 1, 3.5}, mean.Bands["latency_mean"], "of the runs that have one")
	require.Equal(t, Band{11. / 3, 3, 4}, mean.Bands["clocks"])
	require.Equal(t, []List{{Heads: []string{"worker", "units"}, Rows: [][]any{{0, 11. / 3}, {1, 1.}}}}, mean.Lists)
	text, err := json.Marshal(mean)
	require.NoError(t, err)
	require.NotContains(t, string(text), "pattern", "is not the same in all")
	require.Contains(t, string(text), `"seed":2,"seeds":3,`)
	require.Contains(t, string(text), `"wall_seconds":3,`, "of all runs")
	require.Empty(t, mean.Field("clocks").Note, "is about one run")
	require.Equal(t, []Limit{{"waiting", "", 0.5}, {"idle", "nothing to do", 0.1}}, mean.Limits())
	require.InDelta(t, 0.1, exactMean([]float64{0.1, 0.1, 0.1}), 0, "rounded once")
}

// Numbers have commas, three decimals for seconds, or four digits, with their units. Instead replaces the number.
func TestNumbers(t *testing.T) {
	for want, f := range map[string]*Field{
		"1,234,567 clocks": {Value: 1_234_567, Unit: "clocks"}, "-1,234": {Value: int64(-1234)},
		"12.346 s":  {Value: 12.3456, Unit: "s"},
		"0.00123 s": {Value: 0.00123, Unit: "s"}, "1.235 ms": {Value: 1.23456, Unit: "ms"},
		"12.3 %": {Value: 0.1234, IsShare: true},
		"12,346": {Value: 12_345.6}, "1.235": {Value: 1.23456}, "saturated": {Value: 1, Instead: "saturated"},
		"-": {Value: (*float64)(nil), Doc: "d"}, "word": {Value: "word"},
	} {
		require.Equal(t, want, f.String())
	}
}

// Columns give JSON keys and displayed heads, each in the order of declaration. A missing value is null in JSON and "-"
// in the table.
func TestColumns(t *testing.T) {
	columns := Columns[*float64]{
		{Key: "x", Doc: "what it is", Of: func(v *float64) any { return v }},
		{Head: "times 2", Format: "%.1f", Of: func(v *float64) any { return v }},
		{Key: "none", Head: "none", Of: func(*float64) any { return nil }},
	}
	rows := []*float64{new(1.25), nil}
	require.Equal(t, List{Heads: []string{"times 2", "none"}, Rows: [][]any{{"1.2", "-"}, {"-", "-"}}, Whole: true},
		columns.List(rows))
	text, err := json.Marshal(columns.Objects(rows))
	require.NoError(t, err)
	require.Equal(t, `[{"x":1.25,"none":null},{"x":null,"none":null}]`, string(text))
	text, err = json.Marshal(columns.Objects(nil))
	require.NoError(t, err)
	require.Equal(t, `[]`, string(text))
	require.Equal(t, "`x`: what it is; `none`", columns.Keys())
}

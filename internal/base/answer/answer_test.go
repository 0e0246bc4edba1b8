package answer

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// example returns an answer with everything that people see.
func example() *Answer {
	x := &Answer{Title: "fib 3", Result: "2", Machine: "EM-4, 4 PEs", Whole: "the PEs' time", Next: Next{"emsim profile fib 3", "where the clocks went"}}
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

func written(x *Answer, look Look) string {
	var b bytes.Buffer
	x.Write(&b, look)
	return b.String()
}

// The text has title and machine, first rows, what limited the run, details with the number first and what
// to try next; zeros are hidden unless they matter.
func TestText(t *testing.T) {
	require.Equal(t, `fib 3 = 2                                                                                EM-4, 4 PEs

  time         1,000  clocks, 200 a call
  work        25.0 %  of the PEs' time
  limited by    idle  75.0 % of the PEs' time: no packet; then network, 10.0 %

  12,345  calls         3 a PE
       0  packets kept

next: emsim profile fib 3  where the clocks went
`, written(example(), Look{}))
}

// With details all numbers are there, with their keys and meanings, zeros and those without a value, too.
func TestDetails(t *testing.T) {
	text := written(example(), Look{Details: true})
	for _, f := range example().Numbers() {
		if f.Key == "mean" {
			continue
		}
		require.Regexp(t, `(?m)^ +`+f.String()+`  `+f.Key+` +(75.0 % )?`+f.Doc+`$`, text)
	}
	require.NotContains(t, text, "program")
}

// No line is wider than the terminal, and the machine stands at its right end or on a line of its own.
func TestWidths(t *testing.T) {
	x := example()
	x.Says = []string{"A sentence about the run that is so long that a narrow terminal has to break it between two of its words."}
	x.Lists = []List{{Heads: []string{"worker", "units"}, Rows: [][]any{{0, 1.5}, {"b", Percent(0.5)}}}}
	for _, width := range []int{60, 80, 100, 120, 0, 200} {
		text := written(x, Look{Width: width})
		most := 0
		for line := range strings.Lines(text) {
			most = max(most, ansi.StringWidth(strings.TrimSuffix(line, "\n")))
		}
		require.Equal(t, Look{Width: width}.columns(), most, "the title fills the width")
		require.Contains(t, text, "\nworker   units\n0          1.5\nb       50.0 %\n")
	}
	x.Machine = strings.Repeat("setting=value, ", 9)
	lines := strings.Split(written(x, Look{Width: 80}), "\n")
	require.Equal(t, "fib 3 = 2", lines[0])
	x.Result = strings.Repeat("12  ", 20)
	require.Equal(t, []string{"fib 3", "  = " + x.Result}, slices.Delete(strings.Split(written(x, Look{Width: 80}), "\n"), 1, 3)[:2], "a long result is below, as it is")
	require.True(t, strings.HasPrefix(lines[1], "  setting=value, "))
}

// The largest part of the time that is not work limits a run; one without parts has no limit.
func TestLimits(t *testing.T) {
	require.Equal(t, []Limit{{"idle", "no packet", 0.75}, {"network", "the switch is full", 0.1}}, example().Limits())
	x := example()
	x.Field("states.idle").Value = 200
	require.Equal(t, "network", x.Limits()[0].Name)
	require.Empty(t, (&Answer{}).Limits())
	require.NotContains(t, written(&Answer{Title: "x"}, Look{}), "limited")
}

// JSON has all keys in their order, those with a point in an object.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(example())
	require.NoError(t, err)
	require.Equal(t, `{"program":"fib","pes":4,"clocks":1000,"states":{"busy":0.25,"idle":3000},"wait":0.1,"calls":12345,"lost":0,"kept":0,"mean":null}`, string(text))
	x := example()
	x.Papers = []Paper{{Key: "clocks", ID: "003.x", Source: "table 1", Quantity: "time", Unit: "clocks", Paper: 900, Model: 1000, Gap: 7}}
	text, err = json.Marshal(x)
	require.NoError(t, err)
	require.Contains(t, string(text), `"paper":[{"id":"003.x","source":"table 1","quantity":"time","unit":"clocks","paper":900,"model":1000,"gap":7}]}`)
}

// The paper's number stands with the difference of the run from it, in per cent, in points of a share, or in its unit.
func TestPaper(t *testing.T) {
	row := func(list ...Paper) string {
		x := &Answer{Papers: list, Fields: []*Field{{Key: "u", Label: "use"}, {Key: "c", Label: "calls"}}}
		r, ok := x.byPaper()
		require.True(t, ok)
		return r.value + " | " + r.note
	}
	time := Paper{Source: "table 1", Unit: "ms", Paper: 1.12, Model: 1.13}
	require.Equal(t, "1.12 ms | +0.9 % (table 1)", row(time))
	require.Equal(t, "1.12 ms | +0.9 %; use 54.6 %, -4.6 points, gap 9; calls 1.5 million, equal within 0.1 % (table 1)",
		row(time, Paper{Key: "u", Unit: "%", Paper: 54.6, Model: 50, Gap: 9}, Paper{Key: "c", Unit: "1e6", Paper: 1.5, Model: 1.5001}))
	require.Equal(t, "0 s | +0.25 s ()", row(Paper{Unit: "s", Model: 0.25}))
	require.Equal(t, "7 | -14.3 % ()", row(Paper{Unit: "count", Paper: 7, Model: 6}, Paper{Key: "end_s.3", Unit: "s", Paper: 1}), "numbers by worker are in lists")
}

// The mean of several runs has the means of the numbers and of the lists, their ranges, and what is the
// same in all.
func TestMeanOf(t *testing.T) {
	slow, fast := 3.5, 1.
	of := func(seed uint64, pattern string, clocks int, latency *float64, wall float64) *Answer {
		x := &Answer{Title: "t"}
		x.Say("seed", seed)
		x.Say("pattern", pattern)
		x.Number("clocks", clocks, "clocks", "of the run").Head("time", "%d", clocks)
		x.Number("latency_mean", latency, "clocks", "").Detail("latency", "")
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
	shown := written(mean, Look{})
	require.Contains(t, shown, "t; mean of 3 seeds\n")
	require.Contains(t, shown, "\ntime  3.667 clocks  3 clocks  4 clocks\n")
	require.InDelta(t, 0.1, exactMean([]float64{0.1, 0.1, 0.1}), 0, "rounded once")
}

// A number has commas, three places of seconds, or four digits, with its unit; another text can stand in its place.
func TestNumbers(t *testing.T) {
	for want, f := range map[string]*Field{
		"1,234,567 clocks": {Value: 1_234_567, Unit: "clocks"}, "-1,234": {Value: int64(-1234)}, "12.346 s": {Value: 12.3456, Unit: "s"},
		"0.00123 s": {Value: 0.00123, Unit: "s"}, "1.235 ms": {Value: 1.23456, Unit: "ms"}, "12.3 %": {Value: 0.1234, IsShare: true},
		"12,346": {Value: 12_345.6}, "1.235": {Value: 1.23456}, "saturated": {Value: 1, Instead: "saturated"}, "-": {Value: (*float64)(nil), Doc: "d"}, "word": {Value: "word"},
	} {
		require.Equal(t, want, f.String())
	}
}

// A table shows at most as many rows as asked for, and says how many are left out; a whole one shows all.
func TestMostRows(t *testing.T) {
	l := List{Heads: []string{"n"}}
	for i := range 5 {
		l.Add(i)
	}
	whole := l
	whole.Whole = true
	var b bytes.Buffer
	WriteLists(&b, []List{l, whole}, 2)
	require.Equal(t, "\nn\n0\n1\n... and 3 more (--top 0 prints all)\n\nn\n0\n1\n2\n3\n4\n", b.String())
}

// Text is broken between words, Japanese anywhere, and words that are too long within.
func TestWrap(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "fourteenx", "yz"}, Wrap(" one two  three fourteenxyz ", 9))
	require.Equal(t, []string{"a 負荷", "の値"}, Wrap("a 負荷の値", 7))
	require.Equal(t, []string{""}, Wrap("", 7))
}

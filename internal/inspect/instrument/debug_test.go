package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
)

// Every command of the debugger does what its help says.
func TestDebugger(t *testing.T) {
	var out bytes.Buffer
	d := NewDebugger(made(), &out, func(w io.Writer, x *Answer) { fmt.Fprintln(w, x.Says[0]) })
	do := func(line string) string {
		out.Reset()
		require.NoError(t, d.Do(t.Context(), line), line)
		return out.String()
	}
	require.Equal(t, "(0) ", d.Prompt())
	require.Equal(t, "0 clocks: PE 0 begins with X 0-3: b\n", do("step"))
	require.Equal(t, "0 clocks: PE 0 give until 5\n", do("")) // the last motion again
	require.Contains(t, do("until move"), "5 clocks: PE 0 gives X 0-1 to PE 1: r")
	require.Contains(t, do("u learns"), "6 clocks: PE 1 learns that PE 0 had 2 X at 6")
	require.Contains(t, do("back 2"), "PE 0 give until 5")
	require.Contains(t, do("goto 7"), "7 clocks: PE 1")
	require.Equal(t, "(7) ", d.Prompt())
	require.Contains(t, do("where"), "7 clocks")
	require.Contains(t, do("where 1 # its view"), "PE 1 was right about 1 of the 1 PE")
	require.Equal(t, "datum 1 changed its PE 3 times.\n", do("ask why 1"))
	do("break move 1; br worker 1 ends")
	require.Contains(t, do("continue"), "10 clocks: PE 1 gives X 1 to PE 0")
	require.Contains(t, do("c"), "11 clocks: PE 0 gets X 1")
	require.Contains(t, do("c"), "20 clocks: PE 1 ends X 0")
	require.Contains(t, do("c"), "21 clocks: PE 0 gives X 1 to PE 1")
	require.Equal(t, "  1  move 1\n  2  worker 1 ends\n", do("stops"))
	do("delete 1")
	require.Contains(t, do("goto 0; step 9"), "20 clocks: PE 1 ends X 0") // stops end motions
	require.Contains(t, do("goto 0; clock 25"), "20 clocks: PE 1 ends X 0")
	require.Contains(t, do("goto 0; until 25"), "20 clocks: PE 1 ends X 0")
	require.Contains(t, do("goto 0; until move 0"), "5 clocks: PE 0 gives X 0-1")
	do("delete")
	require.Empty(t, do("stops"))
	require.Empty(t, do("")) // only motions are repeated
	require.Contains(t, do("goto 0; c"), "the run is over")
	require.Equal(t, "(30) ", d.Prompt())
	for line, prompt := range map[string]string{
		"clock": "(1) ", "clock 8; clock": "(9) ", "until 8": "(8) ", "goto 22": "(22) ", "clock 9; clock -3": "(6) ",
		"clock -3": "(0) ", "goto 99": "(30) ", "clock 99": "(30) ",
	} {
		do("goto 0; " + line)
		require.Equal(t, prompt, d.Prompt(), line)
	}
	// PE 0 has 4 from 0, 2 from 5, 3 from 11, 2 from 21; PE 1 has 2 from 7, 1 from 10, none from 20.
	for stop, at := range map[string]string{
		"load 0": "(0) ", "load 1": "(7) ", "load 0 < 3": "(5) ", "load 0 <= 3; u load 0 > 2": "(11) ",
		"load 1 == 1": "(10) ", "load 1 >= 2": "(7) ", "load 1 >= 1; u load 1 < 1": "(20) ", "load 0 != 4": "(5) ",
		"load 2 == 0": "(0) ", "load 2 > 0": "(30) ", "load 1; u load 1": "(10) ",
	} {
		do("goto 0; back 99; until " + stop)
		require.Equal(t, at, d.Prompt(), stop)
	}
	require.Contains(t, do("goto 4; follow 1"), "datum 1 changed its PE 0 times.\n")
	require.Contains(t, do("goto 10; follow 1"), "datum 1 changed its PE 2 times.\n")
	require.Contains(t, do("back 1000; where"), "0 clocks, 0 of 11 events")
	require.Equal(t, DebugHelp, do("help"))
	require.Equal(t, []string{"where"}, d.Complete("wh"))
	for _, wrong := range []string{
		"fly", "step x", "back -1", "goto soon", "ask", "ask why", "where 3", "break", "until", "until 0",
		"until move 4", "break worker 3", "break load", "u load 1 >", "u load 1 => 3", "u load 0 > 1 2", "delete 1",
		"follow", "clock x",
	} {
		require.ErrorAs(t, d.Do(t.Context(), wrong), new(*simerr.Usage), wrong)
	}
	require.ErrorContains(t, d.Do(t.Context(), "screen"), "screen needs the prompt on a terminal")
	d.Screen = func(context.Context) error { return io.EOF }
	require.Equal(t, io.EOF, d.Do(t.Context(), "sc"))
	require.False(t, d.Quit())
	do("quit")
	require.True(t, d.Quit())
}

// traceFile is a file in the trace event format, according to its specification.
type traceFile struct{ TraceEvents []traceEvent }

type traceEvent struct {
	Ph, Name, Cat string
	Tid           int
	Ts, Dur       float64
	ID            *int
	Args          map[string]any
}

// The timeline has every operation, and a flow for every completed move. Two records of a run give equal bytes.
func TestTimeline(t *testing.T) {
	eachKind(t, func(t *testing.T, kind string) {
		r, other := recorded(t, kind), recorded(t, kind)
		text, err := r.Timeline()
		require.NoError(t, err)
		again, err := other.Timeline()
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
		var lines, same bytes.Buffer
		r.WriteText(&lines, "made")
		other.WriteText(&same, "made")
		require.Equal(t, lines.String(), same.String())
		require.Equal(t, len(r.Events())+3, strings.Count(lines.String(), "\n"))
		var f traceFile
		require.NoError(t, json.Unmarshal(text, &f))
		names, operations, flows, loose, open := 0, 0, 0, 0, map[int]float64{}
		under := func(w int, at float64) { // a flow must lie inside a slice
			if !slices.ContainsFunc(f.TraceEvents,
				func(e traceEvent) bool { return e.Ph == "X" && e.Tid == w && e.Ts <= at && at < e.Ts+e.Dur }) {
				loose++
			}
		}
		for _, e := range f.TraceEvents {
			switch e.Ph {
			case "M":
				require.Equal(t, r.Name(e.Tid), e.Args["name"])
				names++
			case "X":
				require.GreaterOrEqual(t, e.Dur, 0.)
				operations++
			case "s":
				require.NotEmpty(t, e.Args["why"])
				open[*e.ID] = e.Ts
				under(e.Tid, e.Ts)
				flows++
			case "f":
				require.LessOrEqual(t, open[*e.ID], e.Ts)
				delete(open, *e.ID)
				under(e.Tid, e.Ts)
			default:
				t.Fatalf("what is %q?", e.Ph)
			}
		}
		require.Empty(t, open)
		moved := 0
		for _, m := range r.Moves {
			if m.Moved() && m.Count > 0 {
				moved++
			}
		}
		require.Equal(t, []int{r.Workers, len(r.Spans), moved}, []int{names, operations, flows})
		require.Zero(t, loose)
		require.NotEqual(t, int64(moves.OnTheWay), r.End)
	})
}

// where shows what every worker holds and does, at times within and between operations.
func TestWhere(t *testing.T) {
	var rows [][]any
	d := NewDebugger(made(), io.Discard, func(_ io.Writer, x *Answer) { rows = x.Rows })
	for line, want := range map[string][][]any{
		"goto 3; where":  {{0, 4, "give until 5"}, {1, 0, "wait"}, {2, 0, "wait"}},
		"goto 6; where":  {{0, 2, "wait"}, {1, 0, "wait"}, {2, 0, "wait"}},
		"goto 10; where": {{0, 2, "take until 11"}, {1, 1, "work until 30"}, {2, 0, "wait"}},
		"goto 30; where": {{0, 2, "wait"}, {1, 0, "wait"}, {2, 0, "wait"}},
	} {
		require.NoError(t, d.Do(t.Context(), " "+line))
		require.Equal(t, want, rows, line)
	}
}

// The screen shows a worker as the record describes it at that time.
func TestView(t *testing.T) {
	d := NewDebugger(made(), io.Discard, func(io.Writer, *Answer) {})
	letters := func() (all string) {
		for _, l := range d.View().Levels {
			for _, c := range l.Cells {
				all += string(rune(c.Letter))
			}
		}
		return all
	}
	for _, x := range []struct {
		line    string
		worker  int
		letters string
		unit    []string
		items   []string
		last    int // index of the last event, of all events and of the worker's
		own     int
	}{
		{"goto 0; back 9", 0, "B..4..", []string{"does  give until 5", "has   4 data"}, []string{"0-3"}, -1, -1},
		{
			"goto 6", 0, "...2..", []string{
				"does  wait until 10, for the message from PE 1", "has   2 data", "last  5  PE 0 gives X 0-1 to PE 1: r",
			}, []string{"2-3", "on the way: X 0-1 from PE 0 to PE 1, arrives at 7"}, 3, 2,
		},
		{
			"goto 8", 1, ".W.22.", []string{
				"does  work until 30", "has   2 data", "last  7  PE 1 work until 30, message from PE 0 sent at 5",
				"PE 0  believed: 2 X (at 6), true: 2",
			}, []string{"0-1"}, 5, 2,
		},
		{
			"goto 22", 1, ".W.2..", []string{
				"does  work until 30", "has   0 data", "last  20  PE 1 ends X 0: b",
				"PE 0  believed: 2 X (at 6), true: 2",
			}, []string{"none", "on the way: X 1 from PE 0 to PE 1, arrives at -"}, 10, 4,
		},
	} {
		require.NoError(t, d.Do(t.Context(), x.line))
		d.Choose(x.worker)
		l := d.View()
		require.Equal(t, x.letters, letters(), x.line)
		require.Equal(t, x.unit, l.Unit.Lines, x.line)
		require.Equal(t, x.items, l.Items.Lines, x.line)
		require.Equal(t, []int{x.last, x.own}, []int{l.Texts[0].Current, l.Texts[1].Current}, x.line)
		require.Len(t, l.Texts[0].Lines, len(d.all))
	}
	require.NoError(t, d.Do(t.Context(), "goto 0; until worker 0 take"))
	require.Zero(t, d.View().Chosen, "a stop chooses its worker")
	require.NoError(t, d.Do(t.Context(), "where 2; step; back"))
	require.Equal(t, 2, d.View().Chosen, "a step does not")
}

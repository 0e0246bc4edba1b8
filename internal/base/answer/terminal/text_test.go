package terminal

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer"
)

// example returns an answer with everything that can be displayed.
func example() *answer.Answer {
	x := &answer.Answer{
		Title: "fib 3", Result: "2", Machine: "EM-4, 4 PEs", Whole: "the PEs' time",
		Next: answer.Next{Command: "emsim profile fib 3", Why: "where the clocks went"},
	}
	x.Say("program", "fib")
	x.Number("pes", 4, "PEs", "processing elements")
	x.Number("clocks", 1000, "clocks", "of the run").Head("time", ", %d a call", 200)
	x.Share("states.busy", 0.25, "work").Head("work", "of the PEs' time").PartOf(answer.Work, "")
	x.Number("states.idle", 3000, "clocks", "idle", "pes", "clocks").PartOf("idle", "no packet").Called("idle")
	x.Share("wait", 0.1, "waiting").PartOf("network", "the switch is full")
	x.Number("calls", 12345, "", "instances").Detail("calls", "%d a PE", 3)
	x.Number("lost", 0, "packets", "packets lost").Detail("packets lost", "")
	x.Number("kept", 0, "packets", "packets kept").Detail("packets kept", "").Always()
	x.Number("mean", (*float64)(nil), "slots", "mean delay").Detail("slots of delay", "")
	return x
}

func written(x *answer.Answer, layout Layout) string {
	var b bytes.Buffer
	Write(&b, x, layout)
	return b.String()
}

// The text shows the title and the machine, then the main rows, what limited the run, the details with their numbers
// first, and what to try next. Zeros are hidden unless they matter.
func TestText(t *testing.T) {
	require.Equal(t,
		`fib 3 = 2                                                                                EM-4, 4 PEs

  time         1,000  clocks, 200 a call
  work        25.0 %  of the PEs' time
  limited by    idle  75.0 % of the PEs' time: no packet; then network, 10.0 %

  12,345  calls         3 a PE
       0  packets kept

next: emsim profile fib 3  where the clocks went
`, written(example(), Layout{}))
}

// With Details, the text has all numbers with keys and meanings, including zeros and numbers without a value.
func TestDetails(t *testing.T) {
	text := written(example(), Layout{Details: true})
	for _, f := range example().Numbers() {
		if f.Key == "mean" {
			continue
		}
		require.Regexp(t, `(?m)^ +`+f.String()+`  `+f.Key+` +(75.0 % )?`+f.Doc+`$`, text)
	}
	require.NotContains(t, text, "program")
}

// No line is wider than the terminal. The machine ends the title line or has its own lines.
func TestWidths(t *testing.T) {
	x := example()
	x.Says = []string{"A sentence about the run that is so long that a narrow terminal has to break it between " +
		"two of its words."}
	x.Lists = []answer.List{{Heads: []string{"worker", "units"}, Rows: [][]any{{0, 1.5}, {"b", answer.Percent(0.5)}}}}
	for _, width := range []int{60, 80, 100, 120, 0, 200} {
		text := written(x, Layout{Width: width})
		most := 0
		for line := range strings.Lines(text) {
			most = max(most, ansi.StringWidth(strings.TrimSuffix(line, "\n")))
		}
		require.Equal(t, Layout{Width: width}.columns(), most, "the title fills the width")
		require.Contains(t, text, "\nworker   units\n0          1.5\nb       50.0 %\n")
	}
	x.Next.Command = strings.Repeat("word ", 17)
	require.True(t, strings.HasSuffix(written(x, Layout{Width: 80}), "word \n      where the clocks went\n"),
		"below a command that leaves no room for it")
	x.Machine = strings.Repeat("setting=value, ", 9)
	lines := strings.Split(written(x, Layout{Width: 80}), "\n")
	require.Equal(t, "fib 3 = 2", lines[0])
	x.Result = strings.Repeat("12  ", 20)
	require.Equal(t, []string{"fib 3", "  = " + x.Result},
		slices.Delete(strings.Split(written(x, Layout{Width: 80}), "\n"), 1, 3)[:2], "a long result is below, as it is")
	require.True(t, strings.HasPrefix(lines[1], "  setting=value, "))
}

// The paper's number is shown with the run's difference from it: in per cent, in points of a share, or in its unit.
func TestPaper(t *testing.T) {
	row := func(list ...answer.Paper) string {
		x := &answer.Answer{Papers: list, Fields: []*answer.Field{{Key: "u", Label: "use"}, {Key: "c", Label: "calls"}}}
		r, ok := byPaper(x)
		require.True(t, ok)
		return r.Value + " | " + r.Note
	}
	time := answer.Paper{Source: "table 1", Unit: "ms", Paper: 1.12, Model: 1.13}
	require.Equal(t, "1.12 ms | +0.9 % (table 1)", row(time))
	require.Equal(t,
		"1.12 ms | +0.9 %; use 54.6 %, -4.6 points, gap 9; calls 1.5 million, equal within 0.1 % (table 1)",
		row(time, answer.Paper{Key: "u", Unit: "%", Paper: 54.6, Model: 50, Gap: 9},
			answer.Paper{Key: "c", Unit: "1e6", Paper: 1.5, Model: 1.5001}))
	require.Equal(t, "7.80 s | equal within 0.1 % ()",
		row(answer.Paper{Unit: "s", Paper: 7.8, Printed: "7.80", Model: 7.8}))
	require.Equal(t, "0 s | +0.25 s ()", row(answer.Paper{Unit: "s", Model: 0.25}))
	require.Equal(t, "0.00 s | equal as printed ()", row(answer.Paper{Unit: "s", Printed: "0.00", Model: 0.0029}))
	require.Equal(t, "0.00 s | +0.0061 s ()", row(answer.Paper{Unit: "s", Printed: "0.00", Model: 0.00613}))
	require.Equal(t, "1.12 ms | +0.9 %; use 54.6 %, -4.6 points (table 1)",
		row(time, answer.Paper{Key: "u", Unit: "%", Paper: 54.6, Model: 50},
			answer.Paper{Key: "u", Unit: "s", Paper: 5, Model: 5}), "a number in two units is shown once")
	require.Equal(t, "7 | -14.3 % ()", row(answer.Paper{Unit: "count", Paper: 7, Model: 6},
		answer.Paper{Key: "end_s.3", Unit: "s", Paper: 1}), "numbers by worker are in lists")
}

// A table shows at most Most rows and says how many it leaves out. A whole table shows all rows.
func TestMostRows(t *testing.T) {
	l := answer.List{Heads: []string{"n"}}
	for i := range 5 {
		l.Add(i)
	}
	whole := l
	whole.Whole = true
	var b bytes.Buffer
	WriteLists(&b, []answer.List{l, whole}, Layout{Most: 2})
	require.Equal(t, "\nn\n0\n1\n... and 3 more (--top 0 prints all)\n\nn\n0\n1\n2\n3\n4\n", b.String())
}

// Text is broken between words. Japanese is broken anywhere, and too long words are split.
func TestWrap(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "fourteenx", "yz"}, Wrap(" one two  three fourteenxyz ", 9))
	require.Equal(t, []string{"a 負荷", "の値"}, Wrap("a 負荷の値", 7))
	require.Equal(t, []string{""}, Wrap("", 7))
	require.Equal(t, []string{"a", "0.01 s,", "b 3 %"}, Wrap("a 0.01 s, b 3 %", 7), "a number keeps its unit")
}

// A table that is too wide breaks heads, then words, but no numbers. Words are aligned left.
func TestNarrowTables(t *testing.T) {
	l := answer.List{Heads: []string{"scheme", "time over best", "why"}, Notes: []string{"a note"}}
	l.Add("stealing", 1.25, "idle workers ask others, one after the other")
	l.Add("none", "-", "")
	written := func(width int) string {
		var b bytes.Buffer
		WriteLists(&b, []answer.List{l, {}}, Layout{Width: width})
		return b.String()
	}
	require.Equal(t, `
scheme    time over best  why
stealing            1.25  idle workers ask others, one after the other
none                   -
a note
`, written(80))
	require.Equal(t, `
scheme     time over  why
                best
stealing        1.25  idle workers ask others, one after the other
none               -
a note
`, written(66))
	require.Equal(t, `
scheme    time  why
          over
          best
stealing  1.25  idle workers ask
                others, one
                after the other
none         -
a note
`, written(32))
	shares := answer.List{Heads: []string{"by line", "instructions", "share"}}
	shares.Add("fib.s:97 send.r! r3, r2, @start", "6,764", "54.8 %")
	var b bytes.Buffer
	WriteLists(&b, []answer.List{shares}, Layout{Width: 33})
	require.Equal(t, `
by line       instructions  share
fib.s:97             6,764 54.8 %
send.r! r3,
r2, @start
`, b.String(), "gaps close before a number breaks from its unit")
	l.Unbroken = true
	require.Equal(t, strings.Replace(written(80), "a note", "a note", 1), written(20))
}

package command

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newLine returns an app with the progress line of a command that began some time ago, on a terminal with a number of
// columns. No goroutine draws the line.
func newLine(to *bytes.Buffer, columns int, ago time.Duration) *app {
	a := &app{line: &progress{to: to, width: func() int { return columns }, begin: time.Now().Add(-ago), usual: "work"}}
	a.out = newAnswers(to)
	a.out.line = a.line
	return a
}

// The line is erased before output, and is not drawn while a line of output is incomplete.
func TestProgressStandsAside(t *testing.T) {
	var terminal bytes.Buffer
	a := newLine(&terminal, 80, time.Minute)
	draw := func() string {
		terminal.Reset()
		a.line.draw(time.Now())
		return terminal.String()
	}
	write := func(text string) string {
		terminal.Reset()
		_, err := a.out.Write([]byte(text))
		require.NoError(t, err)
		return terminal.String()
	}
	require.Equal(t, "nothing stands there yet\n", write("nothing stands there yet\n"))
	require.Equal(t, "\rwork, 60s", draw())
	require.Equal(t, "\r         \rthe host got ", write("the host got "))
	require.Empty(t, draw())
	require.Equal(t, "none\n", write("none\n"))
	require.Equal(t, "\rwork, 60s", draw())
	a.line.rest("")
	require.Empty(t, draw())
	a = newLine(&terminal, 80, progressAfter/2)
	require.Empty(t, draw(), "it is too early")
}

// A part of known length shows the time left at the rate so far, also inside longer work. No line is longer than the
// terminal.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		total, from, done int
		gone              time.Duration
		want              string
	}{
		{40, 0, 10, 20 * time.Second, "rows, 20s: 25 % done, about 1m0s left, some"},
		{40, 0, 39, 78 * time.Second, "rows, 78s: 98 % done, about 2s left, some"},
		{40, 20, 30, 20 * time.Second, "rows, 20s: 75 % done, about 20s left, some"}, // a resumed run
		{40, 0, 0, 20 * time.Second, "rows, 20s: 0 % done, some"},                    // the rate is unknown
		{40, 0, 40, 20 * time.Second, "rows, 20s: 100 % done, some"},
		{40, 0, 10, time.Second / 2, "rows, 0s: 25 % done, some"}, // too early to tell
		{0, 0, 10, 20 * time.Second, "rows, 20s: some"},
	} {
		var terminal bytes.Buffer
		now := time.Now()
		a := newLine(&terminal, 80, time.Minute)
		x := a.newPart("rows", c.total)
		x.start, x.from = now.Add(-c.gone), int64(c.from)
		x.step(c.done, "some")
		require.Equal(t, c.want, a.line.text(now))
		inner := a.newPart("row", 0)
		inner.start = now
		if c.total > 0 {
			require.Regexp(t, "^row, 0s: [0-9]+ % done", a.line.text(now))
		}
		inner.end()
		for _, columns := range []int{1, 10, 30, 80} {
			a.line.width = func() int { return columns }
			terminal.Reset()
			a.line.drawn = 0
			a.line.draw(now)
			require.LessOrEqual(t, terminal.Len(), max(2, columns), "with the carriage return")
		}
	}
}

// Commands that take a minute print lines of progress where standard error is a file; others print none. Standard
// output has no part of it, and no line comes after the work.
func TestProgressInLines(t *testing.T) {
	usual := linesEvery
	defer func() { linesEvery = usual }()
	linesEvery = 10 * time.Millisecond
	status, out, errs := emsim("verify", "003.t1.6")
	require.Zero(t, status)
	require.Regexp(t, `^(verify 003\.t1\.6, [0-9]+s(: [0-9]+ % done, (about [0-9]+s left, )?[0-9]+ of [0-9]+ rows)?\n)+$`,
		errs)
	dir := t.TempDir()
	_, _, errs = emsim("report", "--only", "002", "-o", dir+"/r.html")
	require.Regexp(t, `^(report, [0-9]+s(: [0-9]+ % done, (about [0-9]+s left, )?[0-9]+ of [0-9]+ parts)?\n)+$`, errs)
	_, _, errs = emsim("run", "fib", "20")
	require.Empty(t, errs)

	a, to := &app{}, new(bytes.Buffer)
	a.out, a.err = newAnswers(to), newMessages(to)
	linesEvery = usual
	_, want, errs := emsim("verify", "003.t1.6")
	require.Empty(t, errs)
	require.Equal(t, want, out)
	verify, _, err := newRootCmd(a).Find([]string{"verify"})
	require.NoError(t, err)
	line := a.longPart(verify, nil, 4)
	line.step(1, "some")
	a.line.draw(time.Now())
	require.Equal(t, "verify, 0s: 25 % done, some\n", to.String())
	line.end()
	a.line.draw(time.Now())
	require.Equal(t, 1, bytes.Count(to.Bytes(), []byte("\n")), "nothing is drawn after the part")
	a.line.stop()
}

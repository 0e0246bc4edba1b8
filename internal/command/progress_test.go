package command

import (
	"bytes"
	"testing"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/stretchr/testify/require"
)

// The debugger erases the progress line once before it answers: output in
// several pieces stays.
func TestProgressIsWipedOnce(t *testing.T) {
	var terminal, answer bytes.Buffer
	p := &progress{terminal: -1, bar: progressbar.NewOptions64(-1, progressbar.OptionSetWriter(&terminal), progressbar.OptionSetSpinnerChangeInterval(0))}
	out := &overBar{Writer: &answer, bar: p}
	write := func(text string) int {
		before := terminal.Len()
		_, err := out.Write([]byte(text))
		require.NoError(t, err)
		return terminal.Len() - before
	}
	require.Zero(t, write("nothing stands there yet"))
	p.drawLine(5, "5 clocks")
	require.Contains(t, terminal.String(), "5 clocks")
	require.NotZero(t, write("the host got "))
	require.Zero(t, write("none"))
	require.Zero(t, write("\n"))
	p.drawLine(6, "6 clocks")
	require.NotZero(t, write("there"))
}

// A line of known length says how long the rest takes at the rate so far.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		total, done int64
		gone        time.Duration
		want        string
	}{
		{40, 10, 20 * time.Second, "about 1m0s left: rows"},
		{40, 39, 78 * time.Second, "about 2s left: rows"},
		{40, 0, 20 * time.Second, ""}, // nothing is known
		{40, 40, 20 * time.Second, ""},
		{40, 10, time.Second / 2, ""}, // too early to tell
		{-1, 10, 20 * time.Second, ""},
	} {
		var terminal bytes.Buffer
		p := &progress{total: c.total, start: time.Now().Add(-c.gone), terminal: -1, bar: progressbar.NewOptions64(c.total, progressbar.OptionSetWriter(&terminal), progressbar.OptionSetPredictTime(false))}
		p.drawLine(c.done, "rows")
		require.Contains(t, terminal.String(), c.want)
		require.Equal(t, c.want != "", bytes.Contains(terminal.Bytes(), []byte("left")), "%+v", c)
	}
}

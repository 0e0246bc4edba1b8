package command

import (
	"bytes"
	"testing"

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

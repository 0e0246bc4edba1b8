package em4_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

// The statistics are recorded with their places and texts, because scripts read them.
func TestStatisticsAreRecorded(t *testing.T) {
	var all strings.Builder
	for _, s := range em4.Statistics() {
		object, key := s.Place()
		fmt.Fprintf(&all, "%s (%s/%s) kind %d, level %d, unit %q, of the machine %q:", s.Key, object, key, s.Kind,
			s.Level, s.Unit, s.MachineUnit())
		for _, o := range []struct {
			name string
			is   em4.Output
		}{{"json", em4.InJSON}, {"stats", em4.InStats}, {"series", em4.InSeries}, {"sweep", em4.InSweep}} {
			if s.AppearsIn(o.is) {
				all.WriteString(" " + o.name)
			}
		}
		fmt.Fprintf(&all, "\n  %s\n", s.MachineDoc())
	}
	golden.Check(t, "statistics.txt", []byte(all.String()))
}

// A run's result ends with the last word to the host, although the machine continues until it is quiet. Without words,
// or before the end, the result ends with the clock.
func TestResultEndsWithTheLastWord(t *testing.T) {
	m := build(t, machine(4), source(t, "\t.start main\nmain: out r1\n mov r2, 300\n out r1\nloop: sub r2, r2, 1\n "+
		"bne r2, r0, loop\n nop!\n"))
	r, err := m.Begin([]uint64{7}, em4.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, r.Advance(context.Background(), 50))
	require.Equal(t, uint64(50), r.Result().Clocks, "it has yet to end")
	require.NoError(t, r.Advance(context.Background(), em4.ToEnd))
	require.True(t, r.Ended())
	x := r.Result()
	require.Equal(t, []uint64{7, 7}, x.Words)
	require.Equal(t, m.Net.HostWords()[1].Clock-r.StartClock(), x.Clocks)
	require.Less(t, x.Clocks, uint64(50))
	require.Greater(t, r.Clock(), uint64(600))

	silent := build(t, machine(4), source(t, "\t.start main\nmain: nop!\n"))
	x, err = run(silent, 0)
	var none *em4.NoResult
	require.ErrorAs(t, err, &none)
	require.Equal(t, none.Clock, x.Clocks)
	require.Empty(t, x.Words)
}

package mnc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A watch is told of every action that is no wait, in order, and changes nothing.
func TestWatch(t *testing.T) {
	want := statsWith(t, Auto, nil)
	c := Default(wiring(t, "mnc", 16))
	c.Items, c.Loops = 1000, 200
	m := build(t, c)
	last, moved, processed, count, planned, ended := int64(0), int64(0), 0, int64(0), 0, make([]int64, 16)
	m.Watch(func(d Done) {
		require.NotEqual(t, Idle, d.Action)
		require.LessOrEqual(t, last, d.Clock)
		require.LessOrEqual(t, d.Began, d.Planned)
		require.LessOrEqual(t, d.Planned, d.Clock)
		require.GreaterOrEqual(t, d.Began, ended[d.PE], "one action at a time")
		last, ended[d.PE] = d.Clock, d.Clock
		count++
		if d.Began < d.Planned {
			planned++
		}
		if d.Action == Proc {
			processed += d.Data
		} else {
			moved += int64(d.Data)
		}
	})
	require.NoError(t, m.Run(t.Context()))
	got := m.Stats()
	require.Equal(t, want, got)
	require.Equal(t, 1000, processed)
	require.Greater(t, planned, 100, "sensing and planning take time")
	actions, all := int64(0), int64(0)
	for _, p := range got.PE {
		for k := Proc; k < actionKinds; k++ {
			actions += p.Actions[k]
			all += p.Moved[k]
		}
	}
	require.Equal(t, []int64{actions, all}, []int64{count, moved})
}

package spmd

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The samples of two processors are as computed by hand; no task moves.
func TestSamplesByHand(t *testing.T) {
	c := Config{
		Policy: None, Topology: Topology{{1}, {0}}, Tasks: 2, Loaded: []int{1},
		FreeUS: 10, LoadedUS: 40, IntervalUS: 1000, Send: Broadcast,
	}
	type row struct {
		at   int64
		list []SampleOfProcessor
	}
	var rows []row
	r, err := RunWatched(t.Context(), c, Watch{EveryUS: 20, Sample: func(at int64, list []SampleOfProcessor) {
		rows = append(rows, row{at, list})
	}})
	require.NoError(t, err)
	require.EqualValues(t, 80, r.FinishUS())
	require.Equal(t, []row{
		{0, []SampleOfProcessor{{2, "task", 0}, {2, "task", 0}}},
		{20, []SampleOfProcessor{{0, "done", 20}, {2, "task", 20}}}, // after the events at 20
		{40, []SampleOfProcessor{{0, "done", 20}, {1, "task", 40}}},
		{60, []SampleOfProcessor{{0, "done", 20}, {1, "task", 60}}},
		{80, []SampleOfProcessor{{0, "done", 20}, {0, "done", 80}}},
	}, rows)
	_, err = RunWatched(t.Context(), c, Watch{Sample: func(int64, []SampleOfProcessor) {}})
	require.ErrorContains(t, err, "a sample every 0 us: expected 1 or more")
}

// A watch changes nothing, every task is in one place at any time, and the last sample agrees with the result.
func TestSamplesOfAnyRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 1)
		var m *machine
		last, busy := int64(-1), make([]int64, len(c.Topology))
		m = newMachine(c, Watch{EveryUS: max(1, c.IntervalUS/3), Sample: func(at int64, list []SampleOfProcessor) {
			require.Greater(t, at, last)
			last = at
			tasks := 0
			for i, x := range list {
				tasks += x.Tasks + m.result.Tasks[i]
				require.GreaterOrEqual(t, x.BusyUS, busy[i])
				busy[i] = x.BusyUS
				require.Contains(t, []string{"task", "wait", "done"}, x.Doing)
			}
			for _, e := range m.queue {
				tasks += len(e.What.tasks)
			}
			require.Equal(t, c.allTasks(), tasks)
		}})
		require.NoError(t, m.begin())
		r, err := m.runEvents(t.Context())
		require.NoError(t, err)
		require.Equal(t, run(t, c), r)

		again, err := RunWatched(t.Context(), c,
			Watch{EveryUS: 1 << 50, Sample: func(at int64, list []SampleOfProcessor) {
				last = at
				for i, x := range list {
					busy[i] = x.BusyUS
				}
			}})
		require.NoError(t, err)
		require.Equal(t, r, again)
		require.Equal(t, r.BusyUS, busy)
		require.Equal(t, r.FinishUS(), last)
	})
}

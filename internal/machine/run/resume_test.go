package run

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

// A session that is saved in its second run and read back is the same, except for the cost of simulation, and ends in
// the same way.
func TestSaveAndResume(t *testing.T) {
	ctx := context.Background()
	s0 := spec("fib", "9")
	s0.Params = map[string]string{"policy": "random", "mlpe": "on"}
	s0.Sets = []string{"clock_ns=62.5", "mlpe_route=both", "ibu_own_memory=true"}
	s0.Seed = 77
	target, err := s0.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{
		Runs: 2, Window: 70, MaxClocks: 1_000_000, KeepCounters: true, KeepSeries: true,
		KeepRows: true,
	})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	s.EndRun(nil)
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, 400))
	file := filepath.Join(t.TempDir(), "c")
	require.NoError(t, s.Save(file, ""))
	r, err := Resume(file)
	require.NoError(t, err)

	require.Equal(t, [2]string{"fib", "emc-r"}, [2]string{r.Name, r.MachineName})
	require.Equal(t, s.Args, r.Args)
	require.Equal(t, s.Words, r.Words)
	require.EqualValues(t, 77, r.Seed)
	require.Equal(t, s.Config(), r.Config())
	require.Equal(t, s.Object.Marshal(), r.Object.Marshal())
	want := s.Plan
	want.KeepRows = false // the caller must set it again
	require.Equal(t, want, r.Plan)
	require.Equal(t, s.Done, r.Done)
	golden.Same(t, s.Rows, r.Rows, "the rows")
	golden.Same(t, s.Counters, r.Counters, "the counters")
	best := s.Best
	best.Stepped, best.Single, best.Wall, best.Series = 0, 0, 0, nil
	golden.Same(t, best, r.Best, "the fastest run")
	require.EqualValues(t, 400, r.Current.Clock())

	r.KeepRows = true
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	require.NoError(t, r.Advance(ctx, em4.ToEnd))
	one, rows := s.EndRun(nil)
	other, otherRows := r.EndRun(nil)
	golden.Same(t, one.Result, other.Result, "the result")
	require.Equal(t, one.Start, other.Start)
	require.Equal(t, one.Stepped, other.Stepped+400)
	golden.Same(t, rows, otherRows, "the rows at the end")
	require.Equal(t, s.Done, r.Done)
}

// Progress is called during the run in progress, even if it was set after the run began.
func TestProgressIsTold(t *testing.T) {
	ctx := context.Background()
	s0 := spec(written(t, ".arg n, 1, 100, x\nx: mov r3, 5000\n y: sub r3, r3, 1\n bne r3, r0, y\n out! r1\n"), "1")
	s0.Threads = 0 // the fastest number
	target, err := s0.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 1})
	require.NoError(t, s.Begin())
	var told []uint64
	s.Progress = func(clock uint64, busy func() int) {
		require.Equal(t, 1, busy())
		told = append(told, clock)
	}
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	require.Equal(t, []uint64{4096, 8192}, told)
}

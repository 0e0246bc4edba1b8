package threads

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// One thread is tried against several again and again: the faster way is taken, and
// where several are slower, they take two hundredths of the time at most.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		gain      float64 // of several threads
		from, to  float64 // least and most share of the steps that several make
		overheads float64 // most time, as a part of that of one thread
	}{
		{0.1, 0, 0.01, 1.02},
		{0.5, 0, 0.02, 1.02},
		{1, 0, 0.02, 1.001},
		{1.05, 0, 0.02, 1},
		{1.8, 0.9, 1, 0.6},
	} {
		x, threads := Choice{Several: 4, Pause: pause}, 1
		const step = 100 * time.Microsecond // of one thread
		var all, several int
		var took time.Duration
		for took < 40*time.Second {
			d := step
			if threads == 4 {
				d = time.Duration(float64(step) / c.gain)
				several++
			}
			all, took = all+1, took+d
			threads = x.took(1, d)
			require.Contains(t, []int{1, 4}, threads)
		}
		share := float64(several) / float64(all)
		require.GreaterOrEqual(t, share, c.from, "gain %v", c.gain)
		require.LessOrEqual(t, share, c.to, "gain %v", c.gain)
		require.LessOrEqual(t, float64(took)/float64(all)/float64(step), c.overheads, "gain %v", c.gain)
	}
}

// There are no more threads than cores, and than have 64 PEs each.
func TestNew(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for pes, want := range map[int]int{4: 1, 64: 1, 80: 2, 192: 3, 1024: 4} {
		require.Equal(t, want, New(pes).Several, "%d PEs", pes)
	}
}

// Steps are counted from where they begin.
func TestChoiceCounts(t *testing.T) {
	x := Choice{Several: 2}
	x.Begin(100)
	require.Equal(t, 2, x.Next(1_000_000_100)) // without a pause the first trial is at once
	x.Begin(2_000_000_000)
	time.Sleep(trialTime)
	require.Equal(t, 1, x.Next(2_000_000_001)) // it was slower
}

// A short run has one thread, and one that others disturb from some time on goes
// back to one.
func TestChoiceChanges(t *testing.T) {
	x, threads := Choice{Several: 2, Pause: pause}, 1
	for range 9999 {
		require.Equal(t, 1, x.took(1, 100*time.Microsecond))
	}
	step := func(n int, d time.Duration) {
		for range n {
			if threads == 2 {
				threads = x.took(1, d)
			} else {
				threads = x.took(1, 100*time.Microsecond)
			}
		}
	}
	step(100, 60*time.Microsecond)
	require.Equal(t, 2, threads)
	step(11000, 150*time.Microsecond)
	require.Equal(t, 1, threads)
	step(11000, 60*time.Microsecond)
	require.Equal(t, 2, threads)
}

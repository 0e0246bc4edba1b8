package threads

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// run simulates a run: steps of one thread take a given time, and steps of several threads a fraction of it. Another
// user of the computer makes every stretch longer at random.
type run struct {
	Choice
	step    time.Duration // of one thread
	gain    float64
	noise   float64 // deviation of the logarithm of a time
	rng     *rand.Rand
	threads int

	took, alone time.Duration // so far; time that one thread would have taken
	several     time.Duration // part of took with several threads
}

func newRun(step time.Duration, gain, noise float64) *run {
	return &run{
		Choice: Choice{Several: 4, Pause: pause}, step: step, gain: gain, noise: noise,
		rng: rand.New(rand.NewPCG(1, 2)), threads: 1,
	}
}

// to continues the run up to a time.
func (r *run) to(end time.Duration) *run {
	for r.took < end {
		alone := time.Duration(float64(r.step) * math.Exp(r.noise*r.rng.NormFloat64()))
		d := alone
		if r.threads == 4 {
			d = time.Duration(float64(alone) / r.gain)
			r.several += d
		}
		r.took, r.alone = r.took+d, r.alone+alone
		r.threads = r.Choice.took(1, d)
	}
	return r
}

// lost returns how much slower the run is than with one thread.
func (r *run) lost() float64 { return float64(r.took)/float64(r.alone) - 1 }

// Choice repeatedly compares one thread with several and takes the faster way. Trials never cost more than 2 %,
// wherever the run ends, unless several threads are much slower. Then they cost 2 % in the long run. This holds even if
// times scatter widely.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		step     time.Duration
		gain     float64 // of several threads
		noise    float64
		from, to float64 // least and greatest share of the time that several threads take
		lost     float64 // greatest loss, at any time
	}{
		{time.Millisecond, 0.1, 0, 0, 0.03, 0.1},
		{10 * time.Millisecond, 0.7, 0, 0, 0.03, 0.011},
		{60 * time.Millisecond, 0.7, 0, 0, 0.03, 0.019},
		{60 * time.Millisecond, 0.7, 0.5, 0, 0.04, 0.02},
		{20 * time.Millisecond, 0.9, 0.5, 0, 0.09, 0.02},
		{20 * time.Millisecond, 1, 0, 0, 0.03, 0},
		{20 * time.Millisecond, 1.05, 0, 0, 0.03, 0},
		{20 * time.Millisecond, 1.8, 0, 0.95, 1, 0},
		{20 * time.Millisecond, 1.8, 0.3, 0.9, 1, 0},
	} {
		r := newRun(c.step, c.gain, c.noise)
		for end := 100 * time.Millisecond; end < 200*time.Second; end += 100 * time.Millisecond {
			require.LessOrEqual(t, r.to(end).lost(), c.lost+1e-9, "%+v after %v", c, r.took)
		}
		share := float64(r.several) / float64(r.took)
		require.GreaterOrEqual(t, share, c.from, "%+v", c)
		require.LessOrEqual(t, share, c.to, "%+v", c)
		if c.noise == 0 {
			require.LessOrEqual(t, r.lost(), 0.02, "%+v", c)
		}
	}
}

// A short run has one thread. A run that other users disturb from some time on returns to one thread, but not after a
// single bad stretch.
func TestChoiceChanges(t *testing.T) {
	r := newRun(10*time.Millisecond, 1.8, 0)
	r.to(pause)
	require.Zero(t, r.several)
	r.to(pause + time.Second)
	require.Equal(t, 4, r.threads)
	r.gain = 0.5
	r.to(r.took + pause + time.Second)
	require.Equal(t, 1, r.threads)
	r.gain = 1.8
	r.to(r.took + 20*time.Second)
	require.Equal(t, 4, r.threads)
	for r.threads == 4 { // until the next trial
		r.to(r.took + r.step)
	}
	r.gain = 0.5
	r.to(r.took + 100*time.Millisecond)
	r.gain = 1.8
	r.to(r.took + time.Second)
	require.Equal(t, 4, r.threads)
}

// With one core, or work for one thread only, there are no trials.
func TestChoiceOfOne(t *testing.T) {
	x := Choice{Several: 1}
	for range 1000 {
		require.Equal(t, 1, x.took(1, time.Second))
	}
	require.False(t, x.trial)
}

// The number of threads is at most the number of cores, and at most one for every 64 PEs.
func TestNew(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for pes, want := range map[int]int{4: 1, 64: 1, 80: 2, 192: 3, 1024: 4} {
		require.Equal(t, want, New(pes).Several, "%d PEs", pes)
	}
}

// Steps are counted from Begin. The first steps after a change are not measured.
func TestChoiceCounts(t *testing.T) {
	x := Choice{Several: 2}
	x.Begin(100)
	require.Equal(t, 2, x.Next(1_000_000_100)) // without a pause, the first trial begins at once
	require.Equal(t, 2, x.Next(1_000_000_100))
	x.Begin(2_000_000_000)
	time.Sleep(stretch)
	require.Equal(t, 1, x.Next(2_000_000_001))
	require.Less(t, x.other, 1/float64(stretch)+1e-12)
}

package barrier

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// do runs a series of one step.
func (c *Threads) do(work func(th int)) {
	c.Series(1, func(th, _ int) bool {
		work(th)
		return false
	})
}

// No thread begins a step before all threads have finished the previous one. All threads end after the step in which
// any of them stops the series.
func TestSeries(t *testing.T) {
	for _, cores := range []int{1, 2, runtime.NumCPU()} {
		before := runtime.GOMAXPROCS(cores)
		for _, n := range []int{1, 2, 3, 7} {
			c := New(n)
			finished := make([]atomic.Int64, n)
			for round := range 40 {
				c.alone, c.waits = round/10%2, 0 // alone in every second group of ten
				stopper, stopAt := round%n, round*7%13
				for th := range finished {
					finished[th].Store(0)
				}
				done := c.Series(10, func(th, step int) bool {
					if int(finished[th].Load()) != step {
						t.Errorf("thread %d begins step %d after step %d", th, step, finished[th].Load())
					}
					for i := range finished { // the others may have finished this step
						if f := int(finished[i].Load()); f < step || f > step+1 {
							t.Errorf("thread %d begins step %d when thread %d has done %d", th, step, i, f)
						}
					}
					for range th * step { // parts of unequal length
						runtime.Gosched()
					}
					finished[th].Add(1)
					return th == stopper && step >= stopAt
				})
				want := min(10, stopAt+1)
				require.Equal(t, want, done, "round %d", round)
				for th := range finished {
					require.EqualValues(t, want, finished[th].Load(), "round %d, thread %d", round, th)
				}
			}
			c.Close()
		}
		runtime.GOMAXPROCS(before)
	}
}

// The caller works alone for a fixed number of steps, however long the series are. The number may end in the middle of
// a series, which then ends too.
func TestAloneInSeries(t *testing.T) {
	c := New(2)
	defer c.Close()
	c.alone = 25
	for _, left := range []int{15, 5, 0} {
		require.Equal(t, 10, c.Series(10, func(int, int) bool { return false }))
		require.Equal(t, left, c.alone)
	}
	c.alone = 5
	require.Equal(t, 3, c.Series(10, func(th, step int) bool { return th == 1 && step == 2 }))
	require.Equal(t, 2, c.alone)
	require.Zero(t, c.steps)
}

// The 32-bit count of meetings may overflow, even if 2^32 is not a multiple of the number of threads.
func TestMeetingsOverflow(t *testing.T) {
	c := New(3)
	defer c.Close()
	c.do(func(int) {})
	for th := 1; th < 3; th++ { // they sleep until the next series
		require.Eventually(t, c.gate[th].asleep.Load, 10*time.Second, time.Millisecond)
	}
	c.met.Store(^uint32(0) - 10)
	for th := range c.gate {
		c.gate[th].meetings = c.met.Load()
	}
	var steps atomic.Int64
	require.Equal(t, 20, c.Series(20, func(int, int) bool { steps.Add(1); return false }))
	require.EqualValues(t, 60, steps.Load())
}

// Every thread does its part of every step, and no step begins before the previous one is done. This holds even with
// fewer cores than threads, which then sleep.
func TestSteps(t *testing.T) {
	for _, cores := range []int{1, 2, runtime.NumCPU()} {
		before := runtime.GOMAXPROCS(cores)
		for _, n := range []int{1, 2, 3, 7} {
			c := New(n)
			require.Equal(t, n, c.Count())
			parts := make([]int, n)
			for step := range 60 {
				c.do(func(th int) {
					for range th * step * 10 { // parts of unequal length
						runtime.Gosched()
					}
					parts[th]++
				})
				for th, p := range parts {
					require.Equal(t, step+1, p, "thread %d of %d", th, n)
				}
			}
			c.Close()
		}
		runtime.GOMAXPROCS(before)
	}
}

// If the other threads are always late, the caller soon does most steps alone, in series of any length. Every part of
// every step is still done exactly once.
func TestAlone(t *testing.T) {
	for _, length := range []int{1, sampleSteps} {
		c := New(2)
		defer c.Close()
		var parts [2]int
		done := 0
		series := func(n int) {
			done += c.Series(n, func(th, _ int) bool {
				if from := time.Now(); th == 1 && parts[1] <= maxWaits {
					for !c.gate[0].asleep.Load() { // longer than the caller spins
						time.Sleep(time.Millisecond)
					}
					time.Sleep(time.Since(from)) // the caller sleeps for half of the time
				}
				parts[th]++
				return false
			})
		}
		for c.alone == 0 {
			series(length)
		}
		require.Equal(t, aloneSteps, c.alone)
		require.InDelta(t, maxWaits+1, done, 1)
		for c.alone > 0 {
			series(7)
		}
		series(7)
		require.Equal(t, [2]int{done, done}, parts)
	}
}

// The caller continues alone after it has slept in more than maxWaits steps of a sample, for more than a third of its
// time. Each sample counts from zero. Many short sleeps in long steps show only that the parts differ.
func TestSample(t *testing.T) {
	c := New(1) // there is no other thread to wait for
	defer c.Close()
	for range maxWaits {
		require.False(t, c.sample(time.Hour))
	}
	for range sampleSteps - maxWaits - 1 {
		require.False(t, c.sample(0))
	}
	require.Equal(t, maxWaits, c.waits)
	require.False(t, c.sample(0)) // the last step of this sample
	for range sampleSteps {
		require.False(t, c.sample(time.Nanosecond))
	}
	for range maxWaits {
		require.False(t, c.sample(time.Hour))
	}
	require.Zero(t, c.alone)
	require.True(t, c.sample(time.Hour))
	require.Equal(t, aloneSteps, c.alone)
	require.Zero(t, c.steps)
}

// A caller that is alone does the parts of all threads in order.
func TestAloneInOrder(t *testing.T) {
	c := New(3)
	defer c.Close()
	c.alone = 1
	var order []int
	c.do(func(th int) { order = append(order, th) })
	require.Equal(t, []int{0, 1, 2}, order)
	require.Zero(t, c.steps)
}

// A waiting thread sleeps only if the value does not come soon, and returns how long it slept.
func TestWaiter(t *testing.T) {
	s := waiter{wake: make(chan struct{}, 1)}
	var counter atomic.Uint32
	counter.Store(7)
	require.Zero(t, s.await(&counter, 7))
	s.wakeUp() // no thread sleeps
	require.Empty(t, s.wake)
	slept := make(chan time.Duration)
	go func() { slept <- s.await(&counter, 8) }()
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	s.wakeUp() // the value is not there yet: it checks, and sleeps again
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	require.Empty(t, slept)
	counter.Store(8)
	s.wakeUp()
	require.Positive(t, <-slept)
	require.False(t, s.asleep.Load())
	require.Empty(t, s.wake)
}

// After Close, no thread is left.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	c := New(5)
	require.Equal(t, before+4, runtime.NumGoroutine())
	c.do(func(int) {})
	c.Close()
	for begun := time.Now(); runtime.NumGoroutine() > before && time.Since(begun) < 10*time.Second; {
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, before, runtime.NumGoroutine())
}

// A thread waits for a value that comes soon without sleeping, even if the other thread needs the only core.
func TestShortWait(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	s := waiter{wake: make(chan struct{}, 1)}
	var counter atomic.Uint32
	go counter.Store(1)
	require.Zero(t, s.await(&counter, 1))
	require.False(t, s.asleep.Load())
}

// Samples are at most a twentieth of the steps. The caller continues alone if it sleeps in a twentieth of the steps of
// a sample.
func TestShares(t *testing.T) {
	require.Equal(t, 20, aloneSteps/sampleSteps)
	require.Equal(t, 20, sampleSteps/maxWaits)
}

// BenchmarkMeet measures the cost of a meeting of two threads that have no other work.
func BenchmarkMeet(b *testing.B) {
	c := New(2)
	defer c.Close()
	for done := 0; done < b.N; {
		done += c.Series(min(b.N-done, 32), func(int, int) bool { return false })
	}
}

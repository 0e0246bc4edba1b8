package barrier

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every thread does its part of every step, and no step begins before the
// previous one is done; also with fewer cores than threads, where they sleep.
func TestSteps(t *testing.T) {
	for _, cores := range []int{1, 2, runtime.NumCPU()} {
		before := runtime.GOMAXPROCS(cores)
		for _, n := range []int{1, 2, 3, 7} {
			c := New(n)
			require.Equal(t, n, c.Count())
			parts := make([]int, n)
			for step := range 60 {
				c.Do(func(th int) {
					for range th * step * 10 { // unequal parts
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

// When the other threads are always late the caller does most steps alone,
// and every part of every step is still done once.
func TestAlone(t *testing.T) {
	c := New(2)
	defer c.Close()
	var parts [2]int
	for range sampleSteps {
		c.Do(func(th int) {
			for th == 1 && parts[1] <= maxWaits && !c.gate[0].asleep.Load() { // longer than the caller spins
				time.Sleep(time.Millisecond)
			}
			parts[th]++
		})
	}
	require.Equal(t, aloneSteps, c.alone)
	for range aloneSteps + 10 {
		c.Do(func(th int) { parts[th]++ })
	}
	require.Equal(t, [2]int{sampleSteps + aloneSteps + 10, sampleSteps + aloneSteps + 10}, parts)
	require.Zero(t, c.alone)
}

// The caller goes on alone when it slept in more than maxWaits steps of a
// sample, and each sample counts from zero.
func TestSample(t *testing.T) {
	none := func(int) {}
	for waits, alone := range map[int]int{0: 0, maxWaits: 0, maxWaits + 1: aloneSteps} {
		c := New(1) // which has nobody to wait for
		defer c.Close()
		c.steps, c.waits = sampleSteps-2, waits
		c.Do(none)
		require.Equal(t, sampleSteps-1, c.steps)
		require.Equal(t, waits, c.waits)
		require.Zero(t, c.alone)
		c.Do(none)
		require.Zero(t, c.steps)
		require.Zero(t, c.waits)
		require.Equal(t, alone, c.alone)
		c.Do(none)
		require.Equal(t, max(0, alone-1), c.alone)
	}
}

// Alone, the caller does the parts of all threads in order.
func TestAloneInOrder(t *testing.T) {
	c := New(3)
	defer c.Close()
	c.alone = 1
	var order []int
	c.Do(func(th int) { order = append(order, th) })
	require.Equal(t, []int{0, 1, 2}, order)
	require.Zero(t, c.steps)
}

// A waiting thread sleeps only when the value does not come, and reports that
// it slept.
func TestWaiter(t *testing.T) {
	s := waiter{wake: make(chan struct{}, 1)}
	var counter atomic.Uint32
	counter.Store(7)
	require.False(t, s.await(&counter, 7))
	s.wakeUp() // nobody sleeps
	require.Empty(t, s.wake)
	slept := make(chan bool)
	go func() { slept <- s.await(&counter, 8) }()
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	s.wakeUp() // the value is not there yet: it checks, and sleeps again
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	require.Empty(t, slept)
	counter.Store(8)
	s.wakeUp()
	require.True(t, <-slept)
	require.False(t, s.asleep.Load())
	require.Empty(t, s.wake)
}

// After Close no thread is left.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	c := New(5)
	require.Equal(t, before+4, runtime.NumGoroutine())
	c.Do(func(int) {})
	c.Close()
	for begun := time.Now(); runtime.NumGoroutine() > before && time.Since(begun) < 10*time.Second; {
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, before, runtime.NumGoroutine())
}

// A value that comes soon is awaited without sleep, also if the other thread
// needs the only core for it.
func TestShortWait(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	s := waiter{wake: make(chan struct{}, 1)}
	var counter atomic.Uint32
	go counter.Store(1)
	require.False(t, s.await(&counter, 1))
	require.False(t, s.asleep.Load())
}

// A sample is a twentieth of the steps until the next one, and threads are
// too many for the cores if the caller sleeps in a twentieth of its steps.
func TestShares(t *testing.T) {
	require.Equal(t, 20, aloneSteps/sampleSteps)
	require.Equal(t, 20, sampleSteps/maxWaits)
}

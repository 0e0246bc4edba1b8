package crew

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Every thread does its part of every step, and no step begins before the one
// before it is done, with fewer cores than threads too: there they sleep.
func TestSteps(t *testing.T) {
	for _, cores := range []int{1, 2, runtime.NumCPU()} {
		before := runtime.GOMAXPROCS(cores)
		for _, n := range []int{1, 2, 3, 7} {
			c := New(n)
			require.Equal(t, n, c.Threads())
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

// A crew whose threads are always late does most steps alone, and every part
// of every step is still done once.
func TestAlone(t *testing.T) {
	c := New(2)
	defer c.Close()
	var parts [2]int
	for range looked {
		c.Do(func(th int) {
			for th == 1 && parts[1] <= late && !c.gate[0].asleep.Load() { // longer than the caller stays awake
				time.Sleep(time.Millisecond)
			}
			parts[th]++
		})
	}
	require.Equal(t, apart, c.alone)
	for range apart + 10 {
		c.Do(func(th int) { parts[th]++ })
	}
	require.Equal(t, [2]int{looked + apart + 10, looked + apart + 10}, parts)
	require.Zero(t, c.alone)
}

// A crew goes on alone when more than `late` steps of a look had to wait, and
// each look counts anew.
func TestLook(t *testing.T) {
	none := func(int) {}
	for waits, alone := range map[int]int{0: 0, late: 0, late + 1: apart} {
		c := New(1) // it waits for nobody
		defer c.Close()
		c.steps, c.waits = looked-2, waits
		c.Do(none)
		require.Equal(t, looked-1, c.steps)
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

// Alone the caller does the parts of all, in their order.
func TestAloneInOrder(t *testing.T) {
	c := New(3)
	defer c.Close()
	c.alone = 1
	var order []int
	c.Do(func(th int) { order = append(order, th) })
	require.Equal(t, []int{0, 1, 2}, order)
	require.Zero(t, c.steps)
}

// Who waits sleeps only when the value does not come, and says so.
func TestSleeper(t *testing.T) {
	s := sleeper{wake: make(chan struct{}, 1)}
	var counter atomic.Uint32
	counter.Store(7)
	require.False(t, s.await(&counter, 7))
	s.rouse() // nobody sleeps
	require.Empty(t, s.wake)
	slept := make(chan bool)
	go func() { slept <- s.await(&counter, 8) }()
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	s.rouse() // the value is not there yet: it looks, and sleeps again
	require.Eventually(t, s.asleep.Load, 10*time.Second, time.Millisecond)
	require.Empty(t, slept)
	counter.Store(8)
	s.rouse()
	require.True(t, <-slept)
	require.False(t, s.asleep.Load())
	require.Empty(t, s.wake)
}

// A crew that is closed leaves no thread.
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

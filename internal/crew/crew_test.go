package crew

import (
	"runtime"
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
			if th == 1 && parts[1] < late+10 {
				time.Sleep(5 * time.Millisecond) // longer than anybody stays awake
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

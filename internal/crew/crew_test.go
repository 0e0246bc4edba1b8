package crew

import (
	"runtime"
	"testing"

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

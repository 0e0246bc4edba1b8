package crew

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every thread does its part of every step, and no step begins before the one
// before it is done.
func TestSteps(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7} {
		c := New(n)
		require.Equal(t, n, c.Threads())
		parts := make([]int, n)
		for step := range 2000 {
			c.Do(func(th int) { parts[th]++ })
			for th, p := range parts {
				require.Equal(t, step+1, p, "thread %d of %d", th, n)
			}
		}
		c.Close()
	}
}

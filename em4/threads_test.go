package em4_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// The state is the same for any number of threads, wherever a run is looked at
// on its way, and so is the result.
func TestThreadsDoNotMatter(t *testing.T) {
	for _, c := range []struct {
		pes     int
		n       uint64
		policy  string
		threads []int
	}{
		{80, 12, "ring-random", []int{1, 2}},
		{192, 12, "ring", []int{1, 2, 3, 64}},
		{1024, 10, "random", []int{1, 2, 5}},
	} {
		t.Run(fmt.Sprint(c.pes), func(t *testing.T) {
			type look struct{ clock, hash uint64 }
			var want []look
			var wantResult em4.Result
			for _, threads := range c.threads {
				m := boot(t, machine(c.pes, smallFIFO), fib(t, c.policy, "on"))
				m.SetThreads(threads)
				r, err := m.Begin([]uint64{c.n}, em4.RunOptions{})
				require.NoError(t, err)
				var got []look
				for to := uint64(1); !r.Ended(); to += 1 + to*to%97 {
					require.NoError(t, r.Advance(context.Background(), to))
					h, _ := m.Hash(nil)
					got = append(got, look{r.Clock(), h})
				}
				if threads == 1 {
					want, wantResult = got, r.Result()
				}
				require.Equal(t, want, got, "%d threads", threads)
				require.Equal(t, wantResult, r.Result(), "%d threads", threads)
			}
			require.Greater(t, len(want), 20)
		})
	}
}

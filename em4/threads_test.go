package em4_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

// State and result are the same for any number of threads, wherever the run is stopped and inspected.
func TestThreadsDoNotMatter(t *testing.T) {
	for _, c := range []struct {
		pes     int
		n       uint64
		policy  string
		threads []int
		variant func(c *em4.Config)
		fill    string
	}{
		{80, 12, "ring-random", []int{1, 2}, nil, "block"},
		{80, 12, "ring", []int{1, 3}, func(c *em4.Config) { c.LoadCountsExecution = true }, "register"},
		{192, 12, "ring", []int{1, 2, 3, 64}, nil, "register"},
		{192, 12, "ring", []int{1, 3}, func(c *em4.Config) { c.FairSwitch = true }, "block"},
		{1024, 10, "random", []int{1, 2, 5}, nil, "block"},
	} {
		t.Run(fmt.Sprintf("%d %s", c.pes, c.policy), func(t *testing.T) {
			type look struct{ clock, hash uint64 }
			var want []look
			var wantResult em4.Result
			for _, threads := range c.threads {
				knobs := []func(*em4.Config){smallFIFO}
				if c.variant != nil {
					knobs = append(knobs, c.variant)
				}
				m := boot(t, machine(c.pes, knobs...),
					fibWith(t, map[string]string{"policy": c.policy, "mlpe": "on", "mlpe_fill": c.fill}))
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
				golden.Same(t, want, got, "the hashes with %d threads", threads)
				golden.Same(t, wantResult, r.Result(), "the result with %d threads", threads)
			}
			require.Greater(t, len(want), 20)
		})
	}
}

// inTurn chooses one, two and three threads in turn.
type inTurn struct{ n int }

func (*inTurn) Begin(uint64) {}

func (x *inTurn) Next(uint64) int {
	x.n++
	return 1 + x.n%3
}

// The number of threads that step the machine, and how often it changes, does not affect its states.
func TestThreadsChosen(t *testing.T) {
	one, chosen := boot(t, machine(192), fib(t, "ring", "on")), boot(t, machine(192), fib(t, "ring", "on"))
	chosen.Choose(&inTurn{})
	most := 0
	for _, n := range []uint64{12, 15, 17} {
		want, err := run(one, n)
		require.NoError(t, err)
		got, err := chosen.Run(context.Background(), []uint64{n},
			em4.RunOptions{Progress: func(uint64, func() int) { most = max(most, otherThreads()) }})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Empty(t, em4.Difference(one, chosen))
	}
	require.Positive(t, most)
}

// A thread has at least 64 PEs. No more threads are started, however many are requested.
func TestThreadsHaveWork(t *testing.T) {
	o := source(t, ".arg n, 1, 100, start\nstart: mov r3, 5000\non: sub r3, r3, 1\nbne r3, r0, on\nout! r1\n")
	for _, c := range [][3]int{{80, 1, 0}, {80, 2, 1}, {80, 9, 1}, {12, 4, 0}} {
		m := boot(t, machine(c[0]), o)
		m.SetThreads(c[1])
		for otherThreads() > 0 { // the threads of the last run may still be ending
			runtime.Gosched()
		}
		most := 0
		_, err := m.Run(context.Background(), []uint64{1},
			em4.RunOptions{Progress: func(uint64, func() int) { most = max(most, otherThreads()) }})
		require.NoError(t, err)
		require.Equal(t, c[2], most, "%d PEs, %d threads", c[0], c[1])
	}
}

// SetThreads divides the PEs among threads, in whole groups, by the work that they have done so far. Equal shares stay
// equal even if one of them has done a little more work.
func TestThreadsShareWork(t *testing.T) {
	m := boot(t, machine(80), fib(t, "ring", ""))
	for _, n := range []uint64{10, 11, 12, 13} {
		_, err := run(m, n)
		require.NoError(t, err)
		m.SetThreads(2)
		require.Equal(t, []int{40, 40}, m.ShareSizes(), "after fib(%d)", n)
	}
	m = boot(t, machine(80), source(t, ".arg n, 1, 100, start\nstart: mov r3, 500\non: sub r3, r3, 1\nbne r3, "+
		"r0, on\nout! r1\n"))
	_, err := run(m, 1)
	require.NoError(t, err)
	m.SetThreads(2)
	require.Equal(t, []int{5, 75}, m.ShareSizes(), "one PE has all the work")
}

// otherThreads returns the number of goroutines that step a machine, without the test's own.
func otherThreads() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "created by emsim/internal/base/barrier.")
}

// A run ends in the same clock, with the same state, result and error, for any number of threads: at its limits, at the
// end of a window of totals, with a fault, in a deadlock, and when it is quiet.
func TestThreadsStopAlike(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *em4.Config)
		o      em4.RunOptions
		want   string // part of the error
	}{
		"quiet":           {nil, em4.RunOptions{}, ""},
		"limit":           {nil, em4.RunOptions{MaxClocks: 777}, "777"},
		"windows":         {nil, em4.RunOptions{Window: 37}, ""},
		"so many windows": {nil, em4.RunOptions{Window: 33, MaxWindows: 7}, "231"},
		"segments":        {func(c *em4.Config) { c.Segments = 8 }, em4.RunOptions{}, "segment"},
		"deadlock":        {func(c *em4.Config) { c.Banks, c.FIFOWords = 1, 2 }, em4.RunOptions{}, "deadlock"},
		"one clock":       {func(c *em4.Config) { c.HopClocks = 1 }, em4.RunOptions{Window: 100}, ""},
		"eight":           {func(c *em4.Config) { c.HopClocks, c.BankClocks = 8, 9 }, em4.RunOptions{Window: 100}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			type end struct {
				clock, hash uint64
				result      em4.Result
				err         string
			}
			var ends []end
			for _, threads := range []int{1, 2, 0} { // 0 means one thread, with every unit evaluated, clock by clock
				cfg := machine(80)
				if c.change != nil {
					c.change(&cfg)
				}
				m, x := build(t, cfg, fib(t, "random", "on")), end{}
				m.SetThreads(max(1, threads))
				m.SetEager(threads == 0)
				err := m.Boot(context.Background(), 1_000_000)
				if err == nil {
					x.result, err = m.Run(context.Background(), []uint64{16}, c.o)
				}
				if err != nil {
					x.err = err.Error()
				}
				x.clock = m.Clock()
				x.hash, _ = m.Hash(nil)
				ends = append(ends, x)
			}
			golden.Same(t, ends[0], ends[1], "one thread and two")
			if name == "segments" { // the fault is noticed when the PE is due, at the end of a window of two clocks
				require.LessOrEqual(t, ends[0].clock-ends[2].clock, uint64(2))
				for i := range ends { // meanwhile the other PEs have taken and released segments
					ends[i].err, _, _ = strings.Cut(ends[i].err, "; segments free on the others")
				}
			} else {
				golden.Same(t, ends[0], ends[2], "one thread, and one that steps clock by clock")
			}
			require.Equal(t, ends[0].err, ends[2].err)
			if c.want == "" {
				require.Empty(t, ends[0].err)
			} else {
				require.Contains(t, ends[0].err, c.want)
			}
		})
	}
}

// The number of threads can change in the middle of a run.
func TestThreadsChangeDuringARun(t *testing.T) {
	same, changes := boot(t, machine(80), fib(t, "ring", "on")), boot(t, machine(80), fib(t, "ring", "on"))
	var runs []*em4.Run
	for _, m := range []*em4.Machine{same, changes} {
		r, err := m.Begin([]uint64{12}, em4.RunOptions{})
		require.NoError(t, err)
		runs = append(runs, r)
	}
	for n := 1; !runs[0].Ended(); n++ {
		changes.SetThreads(1 + n%2)
		for _, r := range runs {
			require.NoError(t, r.Advance(context.Background(), uint64(n)*37))
		}
		require.Empty(t, em4.Difference(same, changes), "clock %d", same.Clock())
	}
	require.True(t, runs[1].Ended())
	golden.Same(t, runs[0].Result(), runs[1].Result(), "the results")
}

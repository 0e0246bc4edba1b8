package debug

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
)

// hashes steps a run without a debugger and returns the hashes of its states from the first clock on.
func hashes(t require.TestingT, b *bench) (first uint64, list []uint64) {
	s := begun(t, spec("fib", "9"))
	for first = s.Clock(); ; {
		h, _ := s.Hash(nil)
		list = append(list, h)
		if s.Current.Ended() {
			return first, list
		}
		require.NoError(t, s.Advance(context.Background(), s.Current.Clock()+1))
	}
}

// The state at a clock is the same as in a run without a debugger, whether it was reached by steps, stops, jumps or
// back.
func TestStateIsThatOfTheClock(t *testing.T) {
	first, want := hashes(t, nil)
	end := first + uint64(len(want)) - 1
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t, spec("fib", "9"))
		b.hist.every = rapid.Uint64Range(1, 300).Draw(t, "every")
		for range rapid.IntRange(1, 25).Draw(t, "commands") {
			now := b.clock()
			line := rapid.SampledFrom([]string{
				"step %[1]d", "back %[2]d", "goto %[3]d", "continue", "until block", "break state wait_switch",
				"watch load [1,0]",
				"break got1", "delete", "tree", "finish", "until packet data", "watch memory 0x30004 [0,1]", "units",
				"disable", "enable",
			}).Draw(t, "command")
			n := rapid.Uint64Range(1, 40).Draw(t, "n")
			line = fmt.Sprintf(line+"%.0[1]d%.0[2]d%.0[3]d", n, min(n*7, now-first),
				rapid.Uint64Range(first, end).Draw(t, "clock"))
			_ = b.Do(context.Background(), line) // the command may be wrong at this point
			require.Equal(t, want[b.clock()-first], b.hash(), "clock %d, after %q at clock %d", b.clock(), line, now)
		}
		require.NoError(t, b.s.Check())
	})
}

// back works from every clock to every earlier one; this test goes back in steps of one.
func TestBackByOne(t *testing.T) {
	first, want := hashes(t, nil)
	b := newBench(t, spec("fib", "9"))
	b.hist.every = 100
	b.do("continue")
	require.True(t, b.s.Current.Ended())
	for i := len(want) - 2; i >= 0; i-- {
		b.do("back")
		require.Equal(t, first+uint64(i), b.clock())
		require.Equal(t, want[i], b.hash(), "clock %d", b.clock())
	}
	require.Contains(t, b.wrong("back"), fmt.Sprintf("the first clock is %d: you can go back by 0, not by 1", first))
	require.Contains(t, b.do("continue"), "the run is over: result 34,")
}

// The number of snapshots stays limited, however long the run; the first one is kept.
func TestHistoryIsBounded(t *testing.T) {
	b := newBench(t, spec("fib", "14"))
	first := b.clock()
	b.hist.every = 8
	b.do("continue")
	require.LessOrEqual(t, len(b.hist.shots), mostShots)
	require.Greater(t, len(b.hist.shots), mostShots/4)
	require.Greater(t, b.hist.every, uint64(8))
	require.Equal(t, first, b.hist.first())
	sum := 0
	for i, x := range b.hist.shots {
		sum += len(x.bytes)
		require.True(t, i == 0 || x.clock > b.hist.shots[i-1].clock)
	}
	require.Equal(t, sum, b.hist.bytes)

	before := len(b.hist.shots)
	b.hist.bytes = mostBytes + 1
	b.do(fmt.Sprintf("goto %d", first+10))
	b.hist.shots, b.hist.bytes = b.hist.shots[:before:before], mostBytes+1
	b.do("goto 2000")
	require.LessOrEqual(t, len(b.hist.shots), before)
}

// A snapshot includes the run's clock limit, so the limit still applies after back.
func TestClockLimit(t *testing.T) {
	s := spec("fib", "9")
	s.MaxClocks = 300
	b := newBench(t, s)
	err := b.Do(context.Background(), "continue")
	var limit *em4.ClockLimit
	require.ErrorAs(t, err, &limit)
	b.do("back 10")
	require.ErrorAs(t, b.Do(context.Background(), "step 20"), &limit)
	require.Equal(t, uint64(300), b.s.Current.Clock())
}

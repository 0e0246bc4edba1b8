package portrait_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// recorded returns the portrait of a program, given as words, on a machine with changed knobs.
func recorded(t *testing.T, o portrait.Options, program string, params map[string]string,
	sets ...string,
) (*portrait.Portrait, *run.Answer, []em4.Counters) {
	t.Helper()
	pes := 12
	words := strings.Fields(program)
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: sets}, Program: words[0], Args: words[1:], Params: params,
		Seed: 1, Threads: 1,
	}
	begin := func(keep bool) *run.Batch {
		target, err := spec.Build(t.Context())
		require.NoError(t, err)
		s := run.New(target, run.Plan{Runs: 1, KeepCounters: keep})
		require.NoError(t, s.Begin())
		return s
	}
	s := begin(false)
	var p *portrait.Portrait
	a, err := s.Trace(t.Context(), 1, func(from, end uint64) (sink trace.Sink, err error) {
		p, err = portrait.New(s.Machine, s.Net.Topology, s.Config().ClockNS, s.Current.StartClock(), from, end, o)
		return p, err
	})
	require.NoError(t, err)
	plain := begin(true)
	_, rows := plain.EndRun(plain.Advance(t.Context(), em4.ToEnd))
	return p, a, rows.Counters
}

// The numbers of a portrait equal the machine's counters, PE by PE and link by link, for any length of the windows.
func TestNumbersAreTheMachines(t *testing.T) {
	for _, c := range []struct {
		window  uint64
		program string
		params  map[string]string
		sets    []string
	}{
		{0, "fib 10", nil, []string{"fifo_words=8"}},
		{1, "fib 9", map[string]string{"mlpe": "on"}, nil},
		{100, "fib 10", map[string]string{"mlpe": "on", "policy": "random"}, []string{"fifo_words=8", "hop_clocks=2"}},
		{1 << 40, "queens 4", nil, []string{"spill_interrupts=false"}},
	} {
		name := fmt.Sprint(c)
		p, a, counters := recorded(t, portrait.Options{Window: c.window}, c.program, c.params, c.sets...)
		require.Equal(t, a.Clocks, p.Clocks(), name)
		require.Equal(t, a.Clocks, p.WindowEnd(len(p.Cells)-1), name)
		var clocks uint64
		for w := range p.Cells {
			clocks += p.WindowClocks(w)
		}
		require.Equal(t, a.Clocks, clocks, name)
		for i := range counters {
			n := &counters[i]
			var sum [portrait.States]uint64
			var spilled, calls uint64
			var fifo, mib uint64
			for w := range p.Cells {
				x := &p.Cells[w][i]
				var all uint64
				for s, clocks := range x.State {
					sum[s] += uint64(clocks)
					all += uint64(clocks)
				}
				require.Equal(t, p.WindowClocks(w), all, "%s: PE %d, window %d", name, i, w)
				spilled, calls = spilled+uint64(x.Spill), calls+uint64(x.Calls)
				fifo, mib = max(fifo, x.Level[trace.FIFOWords]/all), max(mib, x.Level[trace.MIBWords]/all)
			}
			require.EqualValues(t, n.Clocks, sum, "%s: PE %d", name, i)
			require.Equal(t, n.Spilled, spilled, name)
			require.Equal(t, n.Calls, calls, name)
			require.Equal(t, [2]uint64(n.Packets[:2]), p.Hops[i], name)
			require.LessOrEqual(t, fifo, n.FIFOPeak, name)
			require.LessOrEqual(t, mib, n.MIBPeak, name)
		}
		checkCalls(t, p, a, name)
	}
}

// checkCalls checks that every function instance is counted in all parts of Calls.
func checkCalls(t *testing.T, p *portrait.Portrait, a *run.Answer, name string) {
	t.Helper()
	var pairs, edges, local, depth, same uint64
	for k, n := range p.Calls.Pairs {
		pairs += n
		if k[0] == k[1] {
			same += n
		}
	}
	for i, e := range p.Calls.Edges {
		edges, local = edges+e.Calls, local+e.Local
		require.True(t, i == 0 || p.Calls.Edges[i-1].Calls >= e.Calls)
	}
	for _, n := range p.Calls.Depth {
		depth += n
	}
	require.Equal(t, []uint64{a.Totals.Calls, a.Totals.Calls, a.Totals.Calls}, []uint64{pairs, edges, depth}, name)
	require.Equal(t, same, local, name)
	require.EqualValues(t, 1, p.Calls.Depth[0], "the host calls one")
}

// fib(5) is small enough for its tree to be known: 5 calls 4 and 3, and so on.
func TestTree(t *testing.T) {
	p, _, _ := recorded(t, portrait.Options{}, "fib 5", nil)
	require.Equal(t, []uint64{1, 2, 4, 2}, p.Calls.Depth)
	require.Len(t, p.Calls.Edges, 2)
	require.EqualValues(t, 8, p.Calls.Edges[0].Calls)
	require.Equal(t, p.Calls.Edges[0].Caller, p.Calls.Edges[0].Callee)
	require.Equal(t, portrait.NoCaller, p.Calls.Edges[1].Caller)
}

// The timeline has the state of every clock. If that is too much, it has columns with shares close to the true ones.
func TestTimeline(t *testing.T) {
	exact, a, _ := recorded(t, portrait.Options{Window: 1}, "fib 10", nil)
	require.EqualValues(t, 1, exact.Timeline.Per)
	require.Equal(t, int(a.Clocks), exact.Timeline.Cells)
	for pe := range 12 {
		for w := range exact.Cells {
			require.EqualValues(t, 1, exact.Cells[w][pe].State[stateAt(&exact.Timeline, pe, w)],
				"PE %d, clock %d", pe, w)
		}
	}
	coarse, _, _ := recorded(t, portrait.Options{MaxCells: 12 * 100}, "fib 10", nil)
	require.EqualValues(t, 10, coarse.Timeline.Per)
	require.Equal(t, 81, coarse.Timeline.Cells)
	for pe := range 12 {
		var want, got [portrait.States]float64
		for w := range exact.Cells {
			want[stateAt(&exact.Timeline, pe, w)]++
		}
		for cell := range coarse.Timeline.Cells {
			got[stateAt(&coarse.Timeline, pe, cell)] += min(10, float64(a.Clocks)-10*float64(cell))
		}
		for s := range want {
			require.InDelta(t, want[s], got[s], 20, "PE %d, state %d", pe, s)
		}
	}
}

// The waits of units are counted clock by clock; the waits of EXUs equal the waits in a profile.
func TestWaits(t *testing.T) {
	p, a, counters := recorded(t, portrait.Options{}, "fib 10", nil)
	for u := range trace.Host {
		var all uint64
		for _, n := range p.Waits[u] {
			all += n
		}
		want := a.Clocks * 12
		if u == trace.SU {
			want *= uint64(trace.Slots)
		}
		require.Equal(t, want, all, "%v", u)
	}
	require.EqualValues(t, 492, p.Waits[trace.EXU][trace.WaitSwitch])
	require.EqualValues(t, 3259, p.Waits[trace.EXU][trace.WaitOperand])
	var blocked, want uint64
	for i := range counters {
		blocked += p.Blocked[i][0] + p.Blocked[i][1]
		want += counters[i].WaitClocks[0] + counters[i].WaitClocks[1]
	}
	require.NotZero(t, blocked)
	require.Equal(t, want, blocked)
}

// Windows that would take all memory are rejected, with the least valid length.
func TestTooManyWindows(t *testing.T) {
	pes := 12
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: "fib", Args: []string{"3"}, Seed: 1,
		Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	_, err = portrait.New(target.Machine, target.Net.Topology, 80, 0, 0, 10_000_000, portrait.Options{Window: 10})
	require.EqualError(t, err, "--sample is 10: a run of 10000000 clocks on 12 PEs needs at least 15, or its windows "+
		"take too much memory")
	const most = 8 << 20 / 12
	for clocks, fits := range map[uint64]bool{most*10 + 9: true, most*10 + 10: false} {
		_, err = portrait.New(target.Machine, target.Net.Topology, 80, 0, 0, clocks, portrait.Options{Window: 10})
		require.Equal(t, fits, err == nil, "%d clocks", clocks)
	}
}

// stateAt returns the state of a PE in a cell.
func stateAt(t *portrait.Timeline, pe, cell int) int {
	return int(t.Bits[pe][cell/4] >> (cell % 4 * 2) & 3)
}

package portrait_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/moves"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// movesOf returns the record of the moves in a run on 12 PEs, and the machine's own counters.
func movesOf(t *testing.T, program string, params map[string]string, sets ...string) (*moves.Record, *run.Answer,
	[]em4.Counters,
) {
	t.Helper()
	pes, words := 12, strings.Fields(program)
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: sets}, Program: words[0], Args: words[1:], Params: params,
		Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1, KeepCounters: true})
	require.NoError(t, s.Begin())
	rec := &moves.Record{}
	sink := portrait.NewMoves(rec, s.Machine, s.TraceInfo("", nil, 0).PEs, s.Current.StartClock(), "the program's",
		s.Object.CodeName)
	s.Watch(trace.NewRecorder(sink, pes, trace.All(pes)), s.Clock(), em4.ToEnd)
	err = s.Advance(t.Context(), em4.ToEnd)
	require.NoError(t, sink.Close(s.Clock()))
	one, rows := s.EndRun(err)
	return rec, s.Answer(one), rows.Counters
}

// The record of a run has as many calls, blocks and searches as the machine counts, PE by PE. Every call goes from its
// caller to its PE and ends there, and a PE that a search found had the reported load at that time.
func TestMovesAreTheMachines(t *testing.T) {
	for _, c := range []struct {
		program string
		params  map[string]string
		sets    []string
	}{
		{"fib 10", nil, nil},
		{"fib 11", map[string]string{"mlpe": "on"}, nil},
		{"fib 11", map[string]string{"mlpe": "on", "mlpe_when": "call"}, nil},
		{"fib 11", map[string]string{"mlpe": "on", "mlpe_fill": "register"}, []string{"mlpe_route=both"}},
		{"fib 10", map[string]string{"mlpe": "software", "policy": "random"}, []string{"fifo_words=8"}},
		{"queens 4", map[string]string{"mlpe": "on"}, nil},
		{"sum 40", nil, nil},
	} {
		rec, a, counters := movesOf(t, c.program, c.params, c.sets...)
		began, ended, searches := make([]uint64, rec.Workers), 0, 0
		type place struct{ at int }
		calls, remote := map[int]*place{}, uint64(0)
		for _, m := range rec.Moves {
			require.Equal(t, 1, m.Count)
			for _, k := range m.Knew {
				require.LessOrEqual(t, k.At, m.At, "%v: call %d was decided by what was known", c, m.Item)
				require.Equal(t, truthAt(rec, k.Worker, k.At), k.Load, "%v: PE %d at clock %d", c, k.Worker, k.At)
			}
			x := calls[m.Item]
			switch {
			case m.From == moves.Outside:
				require.Nil(t, x, "%v: call %d begins twice", c, m.Item)
				calls[m.Item] = &place{at: m.To}
				began[m.To]++
				continue
			case m.Moved():
				require.NotEqual(t, moves.OnTheWay, m.Came)
				require.Less(t, m.Left, m.Came)
				began[m.From]--
				began[m.To]++
				remote++
			}
			require.Equal(t, x.at, m.From, "%v: call %d leaves from where it is", c, m.Item)
			if x.at = m.To; m.To == moves.Outside {
				ended++
			}
			if n := len(m.Knew); n > 0 {
				require.Equal(t, m.To, m.Knew[n-1].Worker, "%v: call %d goes where its search ended", c, m.Item)
				searches++
			}
		}
		for i := range counters {
			require.Equal(t, counters[i].Calls, began[i], "%v: calls of PE %d", c, i)
		}
		require.Equal(t, a.Totals.Calls, uint64(len(calls)), c)
		require.Equal(t, a.Totals.RemoteCalls, remote, c)
		require.Equal(t, len(calls), ended, "%v: all segments are released", c)
		require.Equal(t, a.Totals.Blocks, uint64(len(rec.Spans)), c)
		require.Equal(t, c.params["mlpe"] == "on", searches > 0, "%v: %d", c, searches)
		require.Equal(t, searches > 0, len(rec.Learned) > 0, c)
	}
}

// truthAt returns the load value of a PE at a clock.
func truthAt(rec *moves.Record, worker int, at int64) (load float64) {
	for _, x := range rec.Truths {
		if x.Worker == worker && x.At <= at {
			load = x.Load
		}
	}
	return load
}

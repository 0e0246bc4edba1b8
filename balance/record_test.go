package balance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
)

// A record changes nothing and is consistent. Every unit begins once and ends once and is never in two places; a
// worker does one thing at a time, until the end of the run. The recorded times are those of the result; the overhead
// includes messages that are handled after the end.
func TestRecorded(t *testing.T) {
	for _, policy := range Policies() {
		for _, load := range append(Workloads(), OpenWorkloads()...) {
			if policy.Only != "" && policy.Only != string(load.Shape) {
				continue
			}
			load.Units, load.Rounds, load.Work = min(load.Units, 6), min(load.Rounds, 5), 300
			name := policy.Name + " at " + load.Name
			setup := Setup{Policy: policy, Workload: load, Fabric: Common(), Workers: 5, Seed: 1}
			want, err := Run(t.Context(), setup)
			require.NoError(t, err, name)
			if want.NA != "" {
				continue
			}
			setup.Record = &moves.Record{}
			got, err := Run(t.Context(), setup)
			require.NoError(t, err, name)
			require.Equal(t, want, got, name)
			checkRecord(t, name, setup.Record, got, load.Slow == nil, policy.Free)
		}
	}
}

func checkRecord(t *testing.T, name string, r *moves.Record, x *Result, alike, free bool) {
	t.Helper()
	at, ended := map[int]int{}, map[int]bool{}
	changed := 0
	for _, m := range r.Moves {
		if m.From == moves.Outside {
			_, there := at[m.Item]
			require.False(t, there, "%s: unit %d begins twice", name, m.Item)
		} else {
			require.Equal(t, m.From, at[m.Item], "%s: unit %d", name, m.Item)
		}
		if m.To == moves.Outside {
			require.False(t, ended[m.Item], "%s: unit %d ends twice", name, m.Item)
			ended[m.Item] = true
		}
		require.NotEqual(t, int64(moves.OnTheWay), m.Came, "%s: unit %d never came", name, m.Item)
		require.LessOrEqual(t, m.At, m.Left)
		require.LessOrEqual(t, m.Left, m.Came)
		if at[m.Item] = m.To; m.Moved() {
			changed++
		}
	}
	require.Len(t, ended, len(at), name)
	if !free {
		require.LessOrEqual(t, changed, x.Moved, name)
	}
	last, ran, handled, waited := make([]int64, r.Workers), int64(0), int64(0), int64(0)
	spans := slices.Clone(r.Spans)
	slices.SortStableFunc(spans, func(a, b moves.Span) int { return int(a.From - b.From) })
	for _, s := range spans {
		require.GreaterOrEqual(t, s.From, last[s.Worker], "%s: worker %d does %s while it does something else", name,
			s.Worker, s.Doing)
		require.GreaterOrEqual(t, s.To, s.From)
		require.LessOrEqual(t, s.Sent, s.From, "%s: %s", name, s.Doing)
		require.LessOrEqual(t, s.To, x.Time, "%s: %s", name, s.Doing)
		last[s.Worker] = s.To
		switch took := s.To - s.From; {
		case s.Use == moves.Work:
			ran += took
		case s.Doing == "wait for a link":
			waited += took
			fallthrough
		default:
			handled += took
		}
	}
	require.Equal(t, []int64{x.Ran, x.Handled}, []int64{ran, handled}, name)
	if alike {
		require.LessOrEqual(t, handled-waited, x.Overhead, name)
	}
}

// A decision is recorded with what the worker was told before it.
func TestRecordedKnowledge(t *testing.T) {
	for _, name := range []string{"two-choices", "mnc-auto"} {
		policy, _ := FindPolicy(name)
		load := Workloads()[0]
		load.Work = 3000
		setup := Setup{Policy: policy, Workload: load, Fabric: Common(), Workers: 16, Seed: 1, Record: &moves.Record{}}
		_, err := Run(t.Context(), setup)
		require.NoError(t, err)
		knew := 0
		for _, m := range setup.Record.Moves {
			if m.Moved() {
				for _, k := range m.Knew {
					knew++
					require.LessOrEqual(t, k.At, m.At)
					require.NotEqual(t, m.By, k.Worker)
				}
			}
		}
		require.Positive(t, knew, name)
		require.NotEmpty(t, setup.Record.Learned, name)
	}
}

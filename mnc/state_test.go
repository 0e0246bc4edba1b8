package mnc

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/agenda"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/state"
	"emsim/internal/dev/statetest"
)

// runOf returns a run of a configuration for tests of its state.
func runOf(c Config) statetest.Run {
	return func(ctx context.Context, w *state.Snapshots) (any, error) {
		m, err := New(c)
		if err != nil {
			return nil, err
		}
		if err := w.Restore(m.State); err != nil {
			return nil, err
		}
		for !m.Done() {
			if err := m.RunTo(ctx, w.Next()); err != nil {
				if interrupt.Ended(err) {
					w.Stopped(m.Clock()-1, m.State)
				}
				return nil, err
			}
			if !m.Done() {
				w.Reach(m.Clock(), m.State)
			}
		}
		return m.Stats(), m.Check()
	}
}

// A run that is resumed at any clock equals the uninterrupted run, and no damaged state makes the machine panic.
func TestResumed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomConfig(t)
		if rapid.Bool().Draw(t, "work") {
			var list []Work
			for range rapid.IntRange(1, 8).Draw(t, "births") {
				list = append(list, Work{
					Clock: rapid.Int64Range(0, 20_000).Draw(t, "clock"),
					PE:    rapid.IntRange(Source, c.Wiring.PEs-1).Draw(t, "pe"),
					Loops: rapid.IntRange(0, 500).Draw(t, "loops"), Count: rapid.IntRange(1, 60).Draw(t, "count"),
				})
			}
			c.SetWork(list)
		}
		m, err := New(c)
		require.NoError(t, err)
		_ = m.Run(t.Context()) // a few machines stall; that is an end too
		for pe := range rapid.IntRange(0, 2).Draw(t, "events") {
			c.Events = append(c.Events, SlowAt(rapid.Int64Range(0, m.Clock()).Draw(t, "slow at"), pe%c.Wiring.PEs, 300))
		}
		times := rapid.SliceOfNDistinct(rapid.Int64Range(0, m.Clock()), 1, 3, rapid.ID[int64]).Draw(t, "times")
		slices.Sort(times)
		if states := statetest.Resumed(t, times, runOf(c)); len(states) > 0 { // there are none at the end
			statetest.Damaged(t, states[0], times[0], rapid.Uint64().Draw(t, "damage"), 5, runOf(c))
		}
	})
}

// A state in which an action takes more data than its PE has is rejected. Random damage hardly ever produces one.
func TestActionsTakeWhatIsThere(t *testing.T) {
	c := Default(wiring(t, "mnc", 6))
	c.SetWork([]Work{{PE: Source, Loops: 300, Count: 400}, {PE: 2, Loops: 100, Count: 900}})
	m, err := New(c)
	require.NoError(t, err)
	restored := func() error {
		s := state.Saver(nil)
		m.State(s)
		other, err := New(c)
		require.NoError(t, err)
		return (&state.Snapshots{Resume: s.Bytes()}).Restore(other.State)
	}
	seen := map[ActionKind]bool{}
	for !m.Done() && len(seen) < 3 {
		require.NoError(t, m.RunTo(t.Context(), m.Clock()+101))
		for i := range m.pes {
			e := &m.pes[i]
			held := map[ActionKind]*agenda.FIFO[Datum]{Proc: &e.x, XPut: &e.x, YPut: &e.y}[e.act.kind]
			if held == nil || seen[e.act.kind] || e.act.total == 0 {
				continue
			}
			seen[e.act.kind] = true
			require.NoError(t, restored())
			all := *held
			for held.Len() >= e.act.total {
				held.PopNewest()
			}
			require.ErrorContains(t, restored(), "cannot be in this state", "%v", e.act.kind)
			*held = all
		}
	}
	require.Len(t, seen, 3)
}

// Every field of a machine changes the hash, except fields that follow from its configuration.
func TestHashSeesEveryField(t *testing.T) {
	c := Default(wiring(t, "mnc", 6))
	c.Guard = 256
	c.Events = []Event{SlowAt(1_000_000, 3, 200)}
	c.SetWork([]Work{{PE: Source, Loops: 300, Count: 400}, {PE: 2, Loops: 100, Count: 900}})
	m, err := New(c)
	require.NoError(t, err)
	w := statetest.Fields{Most: 2, NoState: map[string]string{
		"mnc.Machine.cfg":           "parameters",
		"mnc.Machine.boards":        "the wiring",
		"mnc.Machine.stall":         "a parameter",
		"mnc.Machine.err":           "a machine that has failed does no more clocks",
		"mnc.Machine.events":        "parameters; the state has how many are left",
		"mnc.Machine.touched":       "of the clock that is done",
		"mnc.Machine.due":           "of the clock that is done",
		"mnc.Machine.list":          "of the clock that is done",
		"mnc.Machine.ends":          "follows from the actions",
		"mnc.Machine.Progress":      "an observer",
		"mnc.Machine.give":          "a parameter",
		"mnc.Machine.record":        "an observer",
		"mnc.Machine.planBackwards": "must not matter",
		"mnc.host.cost":             "parameters",
		"mnc.host.items":            "a parameter",
		"mnc.host.source":           "follows from births and later",
		"mnc.host.later":            "parameters; the state has how many are left",
		"mnc.host.rings":            "a parameter",
		"mnc.host.lastBirth":        "a parameter",
		"mnc.feed.board":            "the wiring",
		"mnc.birth.Work":            "a parameter",
		"mnc.birth.first":           "a parameter",
		"mnc.pe.id":                 "position in the machine",
		"mnc.pe.n":                  "the wiring",
		"mnc.pe.nb":                 "the wiring",
		"mnc.pe.ports":              "the wiring",
		"mnc.pe.src":                "the wiring",
		"mnc.pe.snk":                "the wiring",
		"mnc.pe.feed":               "the wiring",
		"mnc.pe.view":               "is made anew before a plan uses it",
		"mnc.pe.unborn":             "follows from births",
		"mnc.ability.sumPA":         "follows from pa",
		"mnc.ability.sum2":          "follows from pa",
	}}
	least := slices.MinFunc(m.pes, func(a, b pe) int { return a.n - b.n }).n
	w.InUse = func(parent reflect.Value, field string, i int) bool {
		return !slices.Contains([]string{"control", "pa", "acc", "e"}, field) || i < least // a neighbour that exists
	}
	for range 3 {
		require.NoError(t, m.RunTo(t.Context(), m.Clock()+4000))
		w.Check(t, m, func() uint64 {
			c := state.Saver(nil)
			m.State(c)
			return state.Hash(c.Bytes())
		})
	}
	w.Finish()
}

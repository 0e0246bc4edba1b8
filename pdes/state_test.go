package pdes

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/statetest"
	"emsim/pdes/lpgraph"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// runOf returns a run of a configuration for tests of its state.
func runOf(c Config) statetest.Run {
	return func(ctx context.Context, m *state.Snapshots) (any, error) {
		return RunWatched(ctx, c, Watch{Snapshots: m})
	}
}

// migratingTwice returns a configuration with packets of other programs, whose LPs move twice.
func migratingTwice(t *testing.T) Config {
	c := config(t, network.HXB, "4x4", 3, 90)
	c.Migrate = &Migration{
		At: 9000, Every: 4000, Weights: mapping.Weights{A: .1, B: 4.5, C: 10},
		Neighbour: mapping.Grid, Objective: mapping.ByCost,
	}
	c.Background = Background{Flows: 4, Length: 100, Seed: 4, SlowPPM: 10_000}
	return c
}

// A run that is resumed at any clock, even while LPs are in transit, equals the uninterrupted run. No damaged state
// makes the machine panic.
func TestResumed(t *testing.T) {
	draw, rng := rapid.Custom(randomSetup), rand.New(rand.NewPCG(5, 2))
	for i := range 10 {
		c := migratingTwice(t)
		from, to := int64(9000), int64(18_000)
		switch {
		case i < 4:
			c.Timing.Apart = i%2 == 1
		case i < 7:
			c.Graph = exampleGraph(t)
		default:
			s := draw.Example(i)
			var err error
			c, err = s.Build()
			require.NoError(t, err)
			require.NoError(t, s.FindMap(t.Context(), &c))
			from, to = 0, 9000
		}
		times := []int64{from + rng.Int64N(to-from), from + rng.Int64N(to-from)}
		slices.Sort(times)
		if states := statetest.Resumed(t, slices.Compact(times), runOf(c)); len(states) > 0 {
			statetest.Damaged(t, states[len(states)-1], times[len(states)-1], uint64(i), 16, runOf(c))
		}
	}
}

// A minimiser that was interrupted by the context runs again in the resumed run.
func TestResumedMinimiser(t *testing.T) {
	c := migratingTwice(t)
	want := run(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	order := *c.Migrate
	order.Minimiser = func(ctx context.Context, p *mapping.Problem, now mapping.Map) (mapping.Search, error) {
		cancel()
		return mapping.Search{}, ctx.Err()
	}
	ended := c
	ended.Migrate = &order
	var at int64
	var saved []byte
	_, err := RunWatched(ctx, ended, Watch{Snapshots: &state.Snapshots{Stop: func(clock int64,
		walk func(*state.Codec),
	) {
		s := state.Saver(nil)
		walk(s)
		at, saved = clock, s.Bytes()
	}}})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, want.Migrations[0].Decided, at)
	got, err := RunWatched(t.Context(), c, Watch{Snapshots: &state.Snapshots{Resume: saved, From: at}})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// The state of a handler in Go cannot be saved, and the error says so.
func TestHandlersHaveNoState(t *testing.T) {
	c := migratingTwice(t)
	c.Graph = exampleGraph(t)
	c.Graph.LPs[1].Start = func() lpgraph.Handler {
		return func(int64, []lpgraph.Event,
			[]lpgraph.Event,
		) int64 {
			return 1
		}
	}
	_, err := RunWatched(t.Context(), c, Watch{Snapshots: &state.Snapshots{}})
	require.EqualError(t, err, "the graph has LPs with handlers in Go, whose state a checkpoint does not contain: such "+
		"a run can neither be saved nor continue from a saved state")
}

// noState lists the fields of a machine that are not part of its state, each with the reason.
var noState = map[string]string{
	"pdes.Machine.cfg":      "parameters",
	"pdes.Machine.program":  "parameters",
	"pdes.Machine.room":     "a parameter",
	"pdes.Machine.creditAt": "a parameter",
	"pdes.processor.id":     "its place",
	"pdes.processor.slow":   "a parameter",
	"pdes.background.flows": "parameters",
	"pdes.background.slow":  "parameters",
	"pdes.process.id":       "its place",
	"banyan.Switch.ID":      "its place",
	"network.Fabric.Hop":    "a parameter",
	"network.Fabric.idle":   "says which packets are there; TestResumed sees it",
	"lpgraph.Process.g":     "parameters",
	"lpgraph.Process.id":    "its place",
	"lpgraph.Process.first": "a parameter",

	"pdes.process.logic":      "checked apart",
	"pdes.message.body":       "checked apart",
	"pdes.coordinator.counts": "checked apart",
	"pdes.coordinator.report": "the last of the reports",
	"pdes.Machine.routes":     "computed when they are needed",
	"network.packet.route":    "that of the message",
	"pdes.Machine.slots":      "scratch",
	"pdes.Machine.watch":      "an observer",
	"pdes.Machine.record":     "an observer",
	"pdes.Machine.shown":      "when the observer sees the state",
	"pdes.Machine.err":        "the run has ended",
	"pdes.Machine.ctx":        "of the run",
	"pdes.message.kind":       "says what else there is; TestResumed sees it",
	"pdes.processor.hosted":   "says which of procs are there",
	"lpgraph.Process.handle":  "a run with one cannot be saved",
	"lpgraph.Process.in":      "scratch of a handler",
	"lpgraph.Process.out":     "scratch of a handler",
}

// Every field of a machine changes the hash, except fields that follow from its configuration or from other fields.
func TestHashSeesEveryField(t *testing.T) {
	var m *Machine
	w := statetest.Fields{Most: 3, NoState: noState, InUse: func(parent reflect.Value, field string, i int) bool {
		switch parent.Type().String() + "." + field {
		case "pdes.Machine.messages":
			return !idle(m, i)
		case "network.Fabric.packets":
			return !idle(m, i)
		case "pdes.processor.mover":
			return len(m.reports) > 0
		}
		return parent.Type() != reflect.TypeFor[coordinator]() || field == "due" || len(m.reports) > 0
	}}
	for _, graph := range []*lpgraph.Graph{nil, exampleGraph(t)} {
		c := migratingTwice(t)
		c.Graph, c.Timing.Apart = graph, true
		seen := map[string]bool{}
		var err error
		m, err = New(c)
		require.NoError(t, err)
		m.watch.Snapshots = &state.Snapshots{At: 5000, Show: func(at int64, walk func(*state.Codec)) int64 {
			now, body := "", (*body)(nil)
			for slot := range m.messages {
				if x := &m.messages[slot]; x.body != nil && !seen[x.kind.String()] && !idle(m, slot) {
					now, body = x.kind.String(), x.body
				}
			}
			if seen[now] {
				return at + 20
			}
			seen[now] = true
			hash := func() uint64 {
				c := state.Saver(nil)
				walk(c)
				return state.Hash(c.Bytes())
			}
			w.Check(t, m, hash)
			if body != nil {
				w.Check(t, body, hash)
				w.Check(t, &m.migration.counts, hash)
			}
			for i := range m.pps {
				for _, lp := range m.pps[i].hosted {
					switch x := m.pps[i].procs[lp].logic.(type) {
					case *element:
						w.Check(t, x.Switch, hash)
					case *lpgraph.Process:
						w.Check(t, x, hash)
					}
				}
			}
			return at + 20
		}}
		_, err = m.Run(t.Context())
		require.NoError(t, err)
	}
	w.Finish()
}

// idle reports whether a packet's slot is free.
func idle(m *Machine, slot int) bool {
	list := reflect.ValueOf(m.fabric).Elem().FieldByName("idle")
	for i := range list.Len() {
		if list.Index(i).Int() == int64(slot) {
			return true
		}
	}
	return false
}

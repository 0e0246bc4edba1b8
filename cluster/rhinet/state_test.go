package rhinet

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/statetest"
)

// runOf returns a run of a configuration for tests of its state.
func runOf(c Config) statetest.Run {
	return func(ctx context.Context, m *state.Snapshots) (any, error) {
		return RunWatched(ctx, c, Watch{Snapshots: m})
	}
}

// A run that is resumed at any tick equals the uninterrupted run, with all policies, networks and applications. No
// damaged state makes the machine panic.
func TestResumed(t *testing.T) {
	draw, rng := rapid.Custom(randomConfig), rand.New(rand.NewPCG(5, 1))
	policies := append(PaperPolicies(), WLB)
	for i := range 4 * len(policies) {
		c := draw.Example(i)
		c.Policy, c.Network, c.Application = policies[i%8], Networks()[i/8%2], []Application{SOR, Heat}[i/16]
		c.Heat.Steps = max(c.Heat.Steps, 2*c.Every)
		if i%5 == 0 {
			c.Own = &Own{Hosts: make([]HostTrace, c.Nodes)}
			c.Own.Hosts[c.Nodes-1] = HostTrace{Busy: []Busy{{
				From: time.Millisecond, Until: 20 * time.Millisecond,
				Stop: true,
			}, {From: 30 * time.Millisecond, Until: 50 * time.Millisecond}}}
			c.Host.MoveEvery, c.Load = 0, NoLoad
		}
		end := int64(0)
		_, err := RunWatched(t.Context(), c, Watch{Record: &Record{Tell: func(e Entry) { end = max(end, e.At) }}})
		if err != nil {
			require.ErrorContains(t, err, "no convergence")
		}
		times := []int64{rng.Int64N(end), rng.Int64N(end)}
		slices.Sort(times)
		states := statetest.Resumed(t, slices.Compact(times), runOf(c))
		statetest.Damaged(t, states[len(states)-1], times[len(states)-1], uint64(i), 16, runOf(c))
	}
}

// noState lists the fields of a machine that are not part of its state, each with the reason.
var noState = map[string]string{
	"rhinet.sim.cfg":       "parameters",
	"rhinet.sim.overhead":  "a parameter",
	"rhinet.network.full":  "a parameter",
	"rhinet.network.leave": "a parameter",
	"rhinet.network.wire":  "a parameter",
	"rhinet.network.home":  "parameters",
	"rhinet.torus.p":       "parameters",
	"rhinet.torus.s":       "parameters",
	"rhinet.rank.id":       "its place",
	"rhinet.team.rep":      "a parameter",
	"rhinet.team.mates":    "parameters",
	"rhinet.sor.p":         "parameters",
	"rhinet.sor.d":         "a parameter",
	"rhinet.sor.b":         "parameters",
	"rhinet.sor.truth":     "parameters",
	"rhinet.sor.every":     "a parameter",
	"rhinet.sor.balances":  "a parameter",
	"rhinet.heat.p":        "parameters",
	"rhinet.heat.decay":    "a parameter",
	"rhinet.heat.every":    "a parameter",
	"rhinet.heat.balances": "a parameter",

	"rhinet.cpu.sliced":      "a parameter",
	"rhinet.cpu.on":          "a parameter",
	"rhinet.cpu.off":         "a parameter",
	"rhinet.cpu.jitter":      "a parameter",
	"rhinet.cpu.moveEvery":   "a parameter",
	"rhinet.cpu.present":     "parameters",
	"rhinet.cpu.traced":      "a parameter",
	"rhinet.cpu.picosPerRow": "a parameter",
	"rhinet.cpu.busy":        "parameters; how many are left is visited",

	"rhinet.sim.net":       "checked apart",
	"rhinet.sim.fab":       "checked apart",
	"rhinet.sim.app":       "checked apart",
	"rhinet.torus.net":     "checked apart",
	"rhinet.sim.deviation": "computed after the last event",
	"rhinet.sim.watch":     "an observer",
	"rhinet.sim.record":    "an observer",
	"rhinet.sim.shown":     "when the observer sees the state",
	"rhinet.sim.err":       "the run has ended",
	"rhinet.rank.heard":    "for the observer",
	"rhinet.rank.pc":       "operations that are over are forgotten",

	"rhinet.team.flat":     "under WLB, where it changes, the ranks with rows",
	"rhinet.split.flat":    "as in team",
	"rhinet.split.cause":   "for the record",
	"rhinet.info.at":       "for the record",
	"rhinet.team.at":       "the place in flat",
	"rhinet.rank.resting":  "without rows",
	"rhinet.sor.gLeft":     "follows from g",
	"rhinet.sor.gRight":    "follows from g",
	"rhinet.sim.computing": "empty in a state: its loops are computed first",
	"rhinet.sor.sums":      "scratch",
}

// Every field of a machine changes the hash, except fields that follow from its configuration or from other fields.
func TestHashSeesEveryField(t *testing.T) {
	w := statetest.Fields{Most: 3, NoState: noState, InUse: func(parent reflect.Value, field string, i int) bool {
		if parent.Type() != reflect.TypeFor[rank]() {
			return true
		}
		switch r := (*rank)(parent.Addr().UnsafePointer()); field {
		case "ops":
			return i >= r.pc
		case "known", "split":
			return r.balancing()
		}
		return true
	}}
	for _, app := range []Application{SOR, Heat} {
		c := Default()
		c.Application, c.Policy, c.Nodes, c.Load, c.Every = app, WLB, 8, OneLoad, 2
		c.SOR.Rows, c.Heat.Rows, c.SOR.Exchange = 40, 40, 2
		seen := map[[3]bool]bool{}
		var s *sim
		s, err := newSim(c)
		require.NoError(t, err)
		s.watch.Snapshots = &state.Snapshots{Show: func(at int64, walk func(*state.Codec)) int64 {
			kind := [3]bool{
				slices.ContainsFunc(s.net.messages, func(m message) bool { return m.payload.infos != nil }),
				slices.ContainsFunc(s.net.messages, func(m message) bool { return m.payload.split != nil }),
				slices.ContainsFunc(s.ranks, func(r rank) bool { return len(r.inbox) > 0 }),
			}
			if seen[kind] {
				return at + 10_000
			}
			seen[kind] = true
			hash := func() uint64 {
				c := state.Saver(nil)
				walk(c)
				return state.Hash(c.Bytes())
			}
			w.Check(t, s, hash)
			w.Check(t, &s.net, hash)
			w.Check(t, s.fab, hash)
			w.Check(t, s.app, hash)
			return at + 10_000
		}}
		require.NoError(t, s.start())
		require.NoError(t, s.runEvents(t.Context()))
	}
	w.Finish()
}

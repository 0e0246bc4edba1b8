package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/golden"
	"emsim/internal/state"
)

// From any state, a PE that catches up by any number of clocks has the state of
// one that is stepped through them, whatever the pins' stamps announce for these
// clocks.
func TestCatchUpEqualsSteps(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	var leaping, stepped uint64
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		if rapid.IntRange(0, 7).Draw(r, "leaps") > 0 {
			b.cfg.IBUOwnMemory, b.cfg.IBU.Priority, b.cfg.OutPackets = false, 0, 0
			b.pe.Init(&b.cfg, b.pe.image, &b.pins, b.pe.address, b.pe.index)
		}
		n := randomArrivals(r, b)
		for b.pe.Consumed < uint64(n) || !b.pe.Quiet() {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			if b.step(); rapid.IntRange(0, 40).Draw(r, "look") > 0 {
				continue
			}
			fast, slow := b.ahead(r), b.copied()
			slow.pins = fast.pins
			for n := rapid.IntRange(1, 40).Draw(r, "clocks"); n > 0 && slow.pe.Fault() == nil; n-- {
				slow.pe.Step(slow.clock)
				slow.clock++
			}
			fast.lazy().CatchUp(slow.clock - 1)
			require.Equal(t, slow.hash(), fast.hash(), "from clock %d to %d", b.clock, slow.clock)
			golden.Same(r, slow.pins, fast.pins, "from clock %d to %d", b.clock, slow.clock)
			require.Equal(t, slow.pe.Fault(), fast.pe.Fault())
			require.Equal(t, slow.clock, fast.lazy().NextClock())
			require.Equal(t, slow.lazy().LastActive(), fast.lazy().LastActive())
			if fast.pe.leaps {
				leaping += slow.clock - b.clock
				stepped += fast.pe.stepped
			}
		}
	})
	t.Logf("%d clocks, %d of them stepped", leaping, stepped)
	require.Less(t, stepped, leaping/10)
}

// ahead returns a copy of the bench on whose pins the stamps say what the switch
// will do in the next clocks.
func (b *testbench) ahead(r *rapid.T) *testbench {
	n := b.copied()
	if n.pins.InFull {
		n.pins.InReady = b.clock + rapid.Uint64Range(0, 20).Draw(r, "ready")
	}
	if n.pe.exu.state == exuHold && rapid.Bool().Draw(r, "accepted") {
		n.pins.AcceptedAt, n.pins.OutFull = b.clock+rapid.Uint64Range(0, 20).Draw(r, "at"), false
	}
	return n
}

// copied returns a copy of the bench for a few clocks of its own.
func (b *testbench) copied() *testbench {
	n := &testbench{t: b.t, cfg: b.cfg, pins: b.pins, clock: b.clock}
	n.pe.Init(&n.cfg, b.pe.image, &n.pins, b.pe.address, b.pe.index)
	l := state.Loader(b.saved())
	n.pe.State(l)
	require.NoError(b.t, l.Err())
	n.lazy().SetNextClock(n.clock)
	return n
}

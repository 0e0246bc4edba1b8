package emcr

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/golden"
	"emsim/packet"
)

// failing has blocks for the program mixed that stop the PE in several ways.
const failing = `
.nocheck
lost:   add r3, r1, r1
hole:   .space 1
over:   st! r1, r0, quick             ; code
away:   mov r3, -1
        send! r1, r3, 0               ; no such PE
empty:  relseg! r1
`

// From any state, a PE that catches up by any number of clocks has the state of a PE that is stepped through them,
// whatever clock stamps are on the pins.
func TestCatchUpEqualsSteps(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed+failing)
	var leaping, stepped uint64
	faults := map[string]bool{}
	rapid.Check(t, func(r *rapid.T) {
		args := []golden.Arg{}
		if rapid.Bool().Draw(r, "host") { // from time to time the host's packets are on the port
			args = append(args, golden.Arg{Key: "at", Value: "host"})
		}
		b := newBench(t, obj, args)
		anyKnobs(r, b)
		if rapid.IntRange(0, 3).Draw(r, "leaps") > 0 {
			b.cfg.IBUOwnMemory, b.cfg.IBU.Priority, b.cfg.OutPackets = false, 0, 0
			b.pe.Init(&b.cfg, b.pe.image, &b.pins, b.pe.address, b.pe.index)
		}
		n := randomArrivals(r, b)
		if rapid.Bool().Draw(r, "stops") {
			b.spoil(r)
		}
		for b.pe.Fault() == nil && (b.pe.Consumed < uint64(n) || !b.pe.Quiet()) {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			if b.host == packet.Never && len(args) > 0 {
				b.host = b.clock + rapid.Uint64Range(0, 60).Draw(r, "host's next")
			}
			if b.step(); rapid.IntRange(0, 25).Draw(r, "look") > 0 {
				continue
			}
			fast, slow := b.ahead(r), b.copied()
			slow.pins = fast.pins
			for n := rapid.IntRange(1, 40).Draw(r, "clocks"); n > 0 && slow.pe.Fault() == nil; n-- {
				slow.pe.Step(slow.clock)
				slow.clock++
			}
			if fault := slow.pe.Fault(); fault != nil { // the PE stays as the fault left it
				faults[fault.Kind()+fault.Text[:12]] = true
				slow.clock += rapid.Uint64Range(0, 10).Draw(r, "after")
			}
			fast.lazy().CatchUp(slow.clock - 1)
			golden.Same(r, slow.pins, fast.pins, "from clock %d to %d", b.clock,
				slow.clock) // computed before hash, which sets the load
			require.Equal(t, slow.hash(), fast.hash(), "from clock %d to %d", b.clock, slow.clock)
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
	require.NotZero(t, stepped)
	require.Less(t, stepped, leaping/10)
	require.Greater(t, len(faults), 2)
}

// spoil replaces one of the packets by a packet that stops the PE, or makes the MIB so small that it may overflow.
func (b *testbench) spoil(r *rapid.T) {
	what := rapid.SampledFrom(append(failures, "mib")).Draw(r, "how")
	if what == "mib" {
		b.cfg.IBU.MIBWords = 4
		b.pe.Init(&b.cfg, b.pe.image, &b.pins, b.pe.address, b.pe.index)
		b.pe.seg.allocate(&b.pe.mem, b.symbol("f"))
		return
	}
	b.fail(&b.arrive[rapid.IntRange(0, len(b.arrive)-1).Draw(r, "spoiled")].p, what)
}

var failures = []string{"lost", "over", "away", "empty", "address", "segment", "second"}

// fail changes a packet so that it stops the PE.
func (b *testbench) fail(p *packet.Packet, what string) {
	sum := b.cfg.SegmentBase + b.symbol("sum") - b.symbol("f")
	p.Direct, p.Match = false, packet.Left
	switch what {
	case "address":
		p.Addr = 1
	case "segment":
		p.Addr = sum + 3*b.cfg.SegmentWords
	case "second":
		p.Addr = sum
	default:
		p.Direct, p.Match, p.Addr = true, packet.One, b.symbol(what)
	}
}

// A PE that catches up stays as a fault left it, wherever it begins: with packets after the one that fails, during a
// long instruction or after it.
func TestCatchUpEndsAtAFault(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed+failing)
	for _, what := range failures {
		for _, before := range []string{"at 0 one a:sum 1", "at 0 direct quick 1", ""} {
			b := newBench(t, obj, nil)
			b.event("segment a f")
			for _, event := range []string{
				"at 0 direct slow 1", "at 0 left a:sum 2",
				cmp.Or(before, "at 0 direct quick 2"), "at 0 direct quick 3", "at 0 direct quick 4",
			} {
				b.event(event)
			}
			at := 3
			if before == "" && what != "second" {
				at = 1 // its packet is matched during the long instruction
			}
			b.fail(&b.arrive[at].p, what)
			for b.step(); b.pe.Fault() == nil; b.step() {
				require.Less(t, b.clock, uint64(200), what)
				fast, slow := b.copied(), b.copied()
				for end := b.clock + 100; slow.clock < end && slow.pe.Fault() == nil; slow.clock++ {
					slow.pe.Step(slow.clock)
				}
				fast.lazy().CatchUp(slow.clock + 50)
				require.Equal(t, slow.pe.Fault(), fast.pe.Fault(), what)
				if slow.pe.Fault() != nil {
					require.Equal(t, slow.hash(), fast.hash(), what)
					require.Equal(t, slow.lazy().LastActive(), fast.lazy().LastActive(), what)
				}
			}
		}
	}
}

// ahead returns a copy of the bench. The clock stamps on its pins say what the switch will do in the next clocks.
func (b *testbench) ahead(r *rapid.T) *testbench {
	n := b.copied()
	if n.pins.InFull {
		n.pins.InReady = b.clock + rapid.Uint64Range(0, 20).Draw(r, "ready")
	}
	if n.pins.OutFull && rapid.Bool().Draw(r, "accepted") {
		n.pins.AcceptedAt, n.pins.OutFull = b.clock+rapid.Uint64Range(0, 20).Draw(r, "at"), false
	}
	return n
}

// copied returns a copy of the bench that can be stepped independently.
func (b *testbench) copied() *testbench {
	n := &testbench{t: b.t, cfg: b.cfg, pins: b.pins, clock: b.clock}
	n.pe.Init(&n.cfg, b.pe.image, &n.pins, b.pe.address, b.pe.index)
	l := state.Loader(b.saved())
	n.pe.State(l)
	require.NoError(b.t, l.Err())
	n.lazy().SetNextClock(n.clock)
	return n
}

// A packet arrives while the EXU has no room for its own packet, because the host's stays on the port. The FMU can take
// the packet one clock later.
func TestArrivalWithoutRoom(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	for at := uint64(4); at < 30; at++ {
		b := newBench(t, obj, []golden.Arg{{Key: "at", Value: "host"}})
		for _, event := range []string{
			"segment a f", "host 0", "hold 0 100",
			"at 2 direct talk 1", fmt.Sprintf("at %d one a:tell 2", at),
		} {
			b.event(event)
		}
		for !b.pins.InFull || b.clock <= at {
			b.step()
		}
		for ahead := uint64(1); ahead < 8; ahead++ {
			fast, slow := b.copied(), b.copied()
			for range ahead {
				slow.pe.Step(slow.clock)
				slow.clock++
			}
			fast.lazy().CatchUp(slow.clock - 1)
			require.Equal(t, slow.hash(), fast.hash(), "a packet in clock %d, %d clocks", at, ahead)
		}
		require.True(t, b.pe.exu.state == exuOutFull || at < 8, "clock %d", at)
	}
}

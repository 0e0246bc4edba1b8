package emcr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/dev/golden"
	"emsim/packet"
	"emsim/trace"
)

// lateBench is a bench whose PE is simulated only when it must be, as in the machine: by Deadline, DeadlineOnAccept and
// DeadlineOnDelivery.
type lateBench struct {
	*testbench
	due       uint64          // the deadline noted last
	all       map[uint64]bool // all clocks that were noted: they remain deadlines
	evaluated int             // number of evaluations
}

// note records a deadline of the PE.
func (b *lateBench) note(r *rapid.T, t uint64) {
	require.GreaterOrEqual(r, t, b.clock, "it is due in a clock that has passed")
	b.due = t
	b.all[t] = true
}

func (b *lateBench) advance(t uint64) {
	if b.lazy().NextClock() <= t {
		b.lazy().CatchUp(t)
		b.evaluated++
	}
}

// switchDoes simulates the switch's part of a clock: it accepts and delivers packets as the other bench's switch does.
func (b *lateBench) switchDoes(r *rapid.T, take, give bool, in packet.Packet) {
	t, pins := b.clock, &b.pins
	if pins.InFull && give { // is there room for the packet?
		b.advance(t - 1)
	}
	if give {
		require.False(r, pins.InFull, "clock %d: the late PE has not taken its packet", t)
	}
	if take {
		require.True(r, pins.OutFull && pins.OutReady <= t, "clock %d: the late PE has not put out its packet", t)
		pins.AcceptedAt = t
		b.note(r, b.lazy().DeadlineOnAccept(t))
	}
	if b.all[t] {
		b.advance(t)
		b.note(r, b.lazy().Deadline())
		require.Greater(r, b.due, t, "it is due in a clock that has passed")
	}
	if take {
		pins.OutFull = false
	}
	if give {
		pins.In, pins.InReady, pins.InFull = in, t+2, true
		if b.due == packet.Never && !b.lazy().Blocked() {
			b.note(r, b.cfg.DeadlineOnDelivery(&b.pins.In, t))
		}
	}
	b.clock++
}

// Packets arrive at random. A PE that is simulated late, a PE whose units are evaluated in another order, and a watched
// PE have in every clock the state of a PE that is stepped in every clock.
func TestInStep(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	clocks, evaluated := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		plain := newBench(t, obj, nil)
		anyKnobs(r, plain)
		n := randomArrivals(r, plain)
		late, err := plain.restored(plain.saved())
		require.NoError(t, err)
		shuffled, err := plain.restored(plain.saved())
		require.NoError(t, err)
		watched, err := plain.restored(plain.saved())
		require.NoError(t, err)
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "chance"), 1))
		shuffled.shuffle = func() int { return chance.IntN(6) }
		told := &recount{took: plain.symbol("took"), own: plain.pe.address}
		told.now = [trace.Units]trace.Status{trace.PE: trace.Idle, trace.EXU: trace.Idle}
		watched.pe.Watch(trace.NewRecorder(trace.Func(told.event), 4, []int{int(watched.pe.index)}))
		l := &lateBench{testbench: late, all: map[uint64]bool{}}
		l.note(r, late.lazy().Deadline())
		for plain.pe.Consumed < uint64(n) || !plain.pe.Quiet() {
			require.Less(t, plain.clock, uint64(20_000), "it does not come to an end")
			here, before := plain.clock, plain.arrive
			out := plain.pins.OutFull
			plain.step()
			shuffled.step()
			watched.step()
			told.clock()
			give := len(plain.arrive) < len(before)
			l.switchDoes(r, plain.pins.AcceptedAt == here && out, give, plain.pins.In)
			require.Nil(t, plain.pe.Fault())
			require.Equal(t, plain.hash(), shuffled.hash(), "clock %d, other order", here)
			require.Equal(t, plain.hash(), watched.hash(), "clock %d, watched", here)
			golden.Same(r, plain.pins, watched.pins, "clock %d, watched", here)
			if chance.IntN(30) == 0 {
				l.advance(here)
				require.Equal(t, plain.hash(), late.hash(), "clock %d, late", here)
				golden.Same(r, plain.pins, late.pins, "clock %d, late", here)
				require.Equal(t, plain.lazy().LastActive(), late.lazy().LastActive())
			}
		}
		watched.step() // reports the levels at the end
		told.clock()
		require.Equal(t, Idle, plain.pe.Step(plain.clock))
		l.advance(plain.clock)
		require.Equal(t, plain.hash(), late.hash())
		golden.Same(r, plain.pe.Counters, late.pe.Counters, "late")
		told.check(t, watched)
		clocks += int(plain.clock)
		evaluated += l.evaluated
	})
	t.Logf("%d clocks, the late PE was evaluated %d times", clocks, evaluated)
	require.Less(t, evaluated, clocks/2)
}

// recount computes the counters from the trace.
type recount struct {
	Counters
	own     packet.PE // the PE's address
	took    uint32    // address of the instruction that reads the special register mlpe
	spilled uint64
	levels  [trace.Levels]uint64
	peak    [trace.Levels]uint64
	now     [trace.Units]trace.Status
	waits   bool   // the EXU waits for the switch, even if the IBU has the memory that the send needs
	fetched uint64 // instructions before this clock
	began   bool   // a block began in this clock
}

func (c *recount) event(e *trace.Event) {
	switch e.Kind {
	case trace.Fetched:
		c.Instructions++
		if e.PC == c.took {
			c.MLPECalls++
		}
	case trace.Begun:
		c.Blocks++
		c.began = true
	case trace.Taken:
		c.Consumed++
		if !e.Packet.Direct {
			if c.Calls == 0 && e.Packet.Src != e.PE && e.Packet.Src != packet.Host {
				c.RemoteCalls = 1
			}
			c.Calls = 1 // the test has one function instance
		}
	case trace.Filled:
		c.Consumed++
	case trace.Spilled:
		c.spilled++
	case trace.Made:
		c.Sent++
		if e.Packet.Kind.Search() || !e.Packet.ToHost && e.Packet.Dest != c.own {
			c.SentAway++
		}
		if e.Packet.Kind.Search() {
			c.MLPESent++
		}
	case trace.Changed:
		c.now[e.Unit] = e.Status
	case trace.Levelled:
		c.levels[e.Level] = e.Value
		c.peak[e.Level] = max(c.peak[e.Level], e.Value)
	}
}

// clock counts a clock under the activity in the trace.
func (c *recount) clock() {
	s := c.now[trace.PE]
	c.Clocks[s-trace.ExuFmu]++
	if exu := c.now[trace.EXU]; exu != trace.WaitIBU {
		c.waits = exu == trace.WaitSwitch || exu == trace.WaitPort || c.began && c.Instructions == c.fetched
	}
	c.began, c.fetched = false, c.Instructions
	if s == trace.IbuOnly && c.waits {
		c.IbuWaiting++
	}
}

// check compares the recounted counters with the counters of the PE.
func (c *recount) check(t *testing.T, b *testbench) {
	golden.Same(t, c.Counters, b.pe.Counters, "counters from the trace")
	u := b.pe.IBU()
	require.Equal(t, c.spilled, u.Spilled)
	require.LessOrEqual(t, c.peak[trace.FIFOWords], uint64(u.FIFOPeak))
	require.EqualValues(t, c.peak[trace.MIBWords], u.MIBPeak)
	require.EqualValues(t, c.peak[trace.Segments], b.pe.SegmentsPeak())
	require.EqualValues(t, c.levels[trace.Segments], b.pe.SegmentsInUse())
	require.EqualValues(t, c.levels[trace.Operands], b.pe.CountWaitingOperands())
	require.EqualValues(t, c.levels[trace.FIFOWords], u.FIFOWords())
	require.EqualValues(t, c.levels[trace.MIBWords], u.MIBWords())
	require.EqualValues(t, c.levels[trace.Load], b.pins.LoadQ)
}

// A lazy PE passes over exactly the clocks in which nothing happens.
func TestClocksPassedOver(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	passed := 0
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		b.cfg.OutPackets = 0 // a PE with such a buffer is evaluated in every clock while packets are in the buffer
		b.pe.Init(&b.cfg, b.pe.image, &b.pins, b.pe.address, b.pe.index)
		n := randomArrivals(r, b)
		for b.pe.Consumed < uint64(n) || !b.pe.Quiet() {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			b.step()
			if b.clock%17 != 0 {
				continue
			}
			end := b.clock + 12
			alone, err := b.restored(b.saved())
			require.NoError(t, err)
			pe := &alone.pe
			var now wires
			pe.driveWires(&now, b.clock)
			still := pe.quietUntil(&now, end)
			before := alone.withoutClocks()
			for ; alone.clock < end && before == alone.withoutClocks(); alone.clock++ {
				pe.Step(alone.clock)
			}
			if before != alone.withoutClocks() {
				alone.clock--
			}
			require.Equal(t, still, alone.clock, "clock %d, until %d", b.clock, end)
			passed += int(still - b.clock)
		}
	})
	require.NotZero(t, passed)
}

// withoutClocks returns the state without the counts of clocks, as text.
func (b *testbench) withoutClocks() string {
	clocks, waiting := b.pe.Clocks, b.pe.IbuWaiting
	b.pe.Clocks, b.pe.IbuWaiting = [Activities]uint64{}, 0
	saved := b.saved()
	b.pe.Clocks, b.pe.IbuWaiting = clocks, waiting
	return string(saved) + fmt.Sprint(b.pins)
}

// lazy returns the PE in the form that its scheduler uses.
func (b *testbench) lazy() *Lazy { return (*Lazy)(&b.pe) }

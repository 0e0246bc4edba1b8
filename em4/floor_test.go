package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/ratios"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// BenchmarkFloor measures the cost of the state changes alone. It records the changes of a run. A plain loop then makes
// the same changes in the same order, in memory of the same size, without deciding anything: no arbitration, no
// matching, no deadlines. No simulator of these events can be faster.
func BenchmarkFloor(b *testing.B) {
	fib24 := func(mlpe string) *asm.Object { return fib(b, "ring", mlpe) }
	for _, s := range []struct {
		name string
		pes  int
		o    *asm.Object
		arg  uint64
	}{
		{"Fib24/static", 80, fib24("off"), 24},
		{"Fib24/mlpe", 80, fib24("on"), 24},
		{"Fib1024", 1024, fib24("off"), 24},
		{"Pi", 80, builtin(b, "pi"), 200},
		{"Sum", 80, builtin(b, "sum"), 65_536},
	} {
		b.Run(s.name, func(b *testing.B) {
			ratios.Bench(b, recordRun(b, s.pes, s.o, s.arg), "floor", runs(b, "Model", s.pes, 1, s.o, s.arg))
		})
	}
	for _, s := range []struct {
		name string
		pes  int
		load float64
	}{
		{"Traffic80/load=.05", 80, 0.05},
		{"Traffic80/load=.15", 80, 0.15},
		{"Traffic80/load=1", 80, 1},
		{"Traffic1024/load=.05", 1024, 0.05},
	} {
		b.Run(s.name, func(b *testing.B) {
			ratios.Bench(b, recordTraffic(b, s.pes, s.load), "floor", flows(b, "Model", s.pes, s.load))
		})
	}
}

// change is one change of state.
type change struct {
	pe   uint32
	kind trace.Kind
	slot uint8 // slot from which a packet moves
	out  uint8 // output to which it moves
	bank uint8 // bank downstream
	addr uint32
	next uint32 // PE downstream of the output
}

// footprint is the part of the state of a PE and its switch that changes.
type footprint struct {
	bank            [trace.Slots]packet.Packet // the last one is the EXU's packet
	stamp, busy     [trace.Slots]uint64
	sent, waited    [3]uint64
	in, taken       packet.Packet
	fifo            [16]packet.Packet
	mib             [256]packet.Packet
	reg             [16]uint64
	head, tail      uint32
	mibHead, mibEnd uint32
	count           [8]uint64
	word            []uint64
	tag             []uint8
}

// tape is a recorded run.
type tape struct {
	pes     []footprint
	changes []change
	work    ratios.Work
	topo    omega.Topology
}

func newTape(pes int) *tape {
	x := &tape{pes: make([]footprint, pes)}
	x.topo, _ = omega.ForPEs(pes)
	return x
}

// side returns the position at which a word of an operand segment is stored. The words of 64 segments with the same
// displacement are side by side (emcr.Memory).
func side(addr uint32) uint32 { return addr&^0xfff | addr&0x3f<<6 | addr>>6&0x3f }

// Event records an event that changes state.
func (x *tape) Event(e *trace.Event) {
	c := change{pe: e.PE, kind: e.Kind, slot: e.Slot, out: e.Out, addr: e.Packet.Addr}
	switch e.Kind {
	case trace.Moved:
		if c.next = e.PE; e.Out != trace.Own {
			p := x.topo.Next(x.topo.Address(int(e.PE)), int(e.Out))
			if c.next = uint32(x.topo.Index(p)); e.Slot < trace.OwnSlot {
				c.bank = e.Slot % trace.Banks
			}
		}
	case trace.Queued, trace.Spilled, trace.Refilled, trace.Taken, trace.Fetched, trace.Begun, trace.Made:
	case trace.Stored, trace.Matched, trace.Fired:
		if e.Packet.Direct {
			return
		}
		c.addr = side(c.addr)
		if f := &x.pes[e.PE]; int(c.addr) >= len(f.word) {
			more := int(c.addr)&^0xfff + 0x1000 - len(f.word)
			f.word, f.tag = append(f.word, make([]uint64, more)...), append(f.tag, make([]uint8, more)...)
		}
	default:
		return
	}
	x.changes = append(x.changes, c)
}

// Close does nothing.
func (x *tape) Close(uint64) error { return nil }

// subject returns the replay, repeated so often that it takes some tenths of a second.
func (x *tape) subject() ratios.Subject {
	times := 1 + 5_000_000/len(x.changes)
	return ratios.Subject{Name: "Replay", Do: func() ratios.Work {
		for range times {
			for i := range x.changes {
				x.pes[x.changes[i].pe].make(&x.changes[i], x.pes, uint64(i))
			}
		}
		return ratios.Work{Clocks: x.work.Clocks * float64(times)}
	}}
}

// make makes a recorded change.
func (f *footprint) make(c *change, pes []footprint, t uint64) {
	switch c.kind {
	case trace.Moved:
		p := &f.bank[c.slot]
		f.busy[c.slot], f.busy[c.out] = t, t
		f.sent[c.out]++
		f.waited[c.out] += t - f.stamp[c.slot]
		f.stamp[c.slot] = t
		if c.out == trace.Own {
			f.in = *p
			return
		}
		to, slot := &pes[c.next], c.out*trace.Banks+c.bank
		to.bank[slot], to.stamp[slot] = *p, t
	case trace.Queued:
		f.fifo[f.tail&15] = f.in
		f.tail++
	case trace.Spilled:
		f.mib[f.mibEnd&255] = f.in
		f.mibEnd++
	case trace.Refilled:
		f.fifo[f.tail&15] = f.mib[f.mibHead&255]
		f.tail, f.mibHead = f.tail+1, f.mibHead+1
	case trace.Taken:
		f.taken = f.fifo[f.head&15]
		f.head++
		f.count[0]++
	case trace.Stored:
		f.word[c.addr], f.tag[c.addr] = f.taken.Data, 1
		f.tag[c.addr&^0xfc0]++
	case trace.Matched:
		f.reg[2], f.tag[c.addr] = f.word[c.addr], 0
		f.tag[c.addr&^0xfc0]--
	case trace.Fired:
		f.reg[1], f.reg[3] = f.taken.Data, f.word[c.addr&^0xfc0]
	case trace.Begun:
		f.reg = [16]uint64{1: f.reg[1], 2: f.reg[2], 3: f.reg[3]}
		f.count[1]++
	case trace.Fetched:
		f.reg[c.addr&15] += f.reg[c.addr>>4&15]
		f.count[2]++
	case trace.Made:
		f.bank[trace.OwnSlot] = packet.Packet{Data: f.reg[1], Addr: c.addr}
		f.stamp[trace.OwnSlot] = t
		f.count[3]++
	}
}

// recordRun returns the replay of the second run of a program on a machine.
func recordRun(b *testing.B, pes int, o *asm.Object, arg uint64) ratios.Subject {
	c := em4.Target1024()
	if pes == 80 {
		c = em4.Prototype80()
	}
	m, x := boot(b, c, o), newTape(pes)
	_, err := run(m, arg)
	require.NoError(b, err)
	start := m.Clock()
	m.Watch(trace.NewRecorder(x, pes, trace.All(pes)), start, em4.ToEnd)
	_, err = m.Run(context.Background(), []uint64{arg}, em4.RunOptions{})
	require.NoError(b, err)
	x.work.Clocks = float64(pes) * float64(m.Clock()-start)
	return x.subject()
}

// recordTraffic returns the replay of uniform traffic.
func recordTraffic(b *testing.B, pes int, load float64) ratios.Subject {
	const nodeClocks = 2_000_000
	x := newTape(pes)
	tr, err := omega.NewTraffic(x.topo, em4.Prototype80().Network(),
		omega.TrafficConfig{Pattern: omega.Uniform, Load: load, Seed: 1})
	require.NoError(b, err)
	tr.Steps(2000, true)
	tr.Net.Watch(trace.NewRecorder(x, pes, trace.All(pes)))
	tr.Steps(nodeClocks/uint64(pes), true)
	x.work.Clocks = nodeClocks
	return x.subject()
}

package emcr

import (
	"emsim/ibu"
	"emsim/isa"
	"emsim/packet"
)

// Registers holds the contents of a PE's registers at the start of a clock, as hardware has them: clock stamps are
// timers that count down to 0. A register that is not used in the present state is 0. Package rtl compares Registers
// with the PE in SystemVerilog.
type Registers struct {
	Port   PortRegisters // the packet of EXU or host that the switch may take
	Intake PortRegisters // the switch's packet that the IBU may take

	FIFO, MIB int           // numbers of packets
	Transfer  ibu.Op        // spill or refill whose first word is done
	Burst     bool          // a burst of refills is in progress
	Head      packet.Packet // oldest packet of the FIFO; only if FIFO > 0

	FMU         FMUStep
	Matching    packet.Packet // only in FMUWrite and FMUTemplate
	NodePC      uint32        // only in FMUReady
	Left, Right uint64
	FP          uint64 // only in FMUReady

	EXU        uint8  // 0 idle, 1 fetch, 2 memory, 3 busy, 4 output full, 5 hold
	ClocksLeft uint8  // only in memory and busy
	BlockEnds  bool   // only in memory, busy and hold
	PC         uint32 // address of the next instruction; not in idle
	Regs       [isa.Registers]uint64

	SegmentsUsed, SegmentsEverUsed int
	ReleasedList                   uint32 // base of the segment released last, 0 for none
	Prefetched                     bool
	Prefetch                       uint64
	Load                           uint8
	StructureFree                  uint32
	MemorySum                      uint64 // running hash of memory words and tags
	Fault                          string // kind of the fault, or ""
}

// PortRegisters is a packet between PE and switch.
type PortRegisters struct {
	Full    bool
	Timer   uint8         // clocks until the switch may arbitrate it
	Packet  packet.Packet // only if Full
	Arrived bool          // the data word has arrived, too
}

// Registers stores in r the contents of the PE's registers at the start of the next clock t. The PE must be one of the
// prototype's: the registers of the remedies are not covered.
func (p *PE) Registers(t uint64, r *Registers) {
	*r = Registers{
		FIFO: p.ibu.FIFOWords() / 2, MIB: p.ibu.MIBWords() / 2, FMU: p.fmu.state, EXU: uint8(p.exu.state),
		Regs:         p.exu.reg,
		SegmentsUsed: p.seg.used, SegmentsEverUsed: p.seg.everUsed, ReleasedList: p.seg.freeList,
		Prefetched: p.prefetch.count > 0, Load: p.pins.LoadQ, StructureFree: p.str.freeWords,
		MemorySum: p.mem.contentHash(),
	}
	if p.prefetch.count > 0 {
		r.Prefetch = p.prefetch.seg[0]
	}
	if p.fault != nil {
		r.Fault = p.fault.kind
	}
	r.Transfer, r.Burst = p.ibu.InProgress()
	if head := p.ibu.Head(); head != nil {
		r.Head = *head
	}
	r.Port, r.Intake = PortsAt(p.pins, t, p.cfg.InjectClocks)
	p.fmuRegisters(r)
	p.exuRegisters(r)
}

// MIBSum returns the hash of the words in the MIB, as hardware has them. The packets follow each other around a ring,
// with the oldest packet at place first. A packet that is half spilled already has its address word in the ring. A
// packet that is half refilled has already left the ring.
func (p *PE) MIBSum(first int) (sum uint64) {
	place := first
	add := func(word uint32, v uint64) {
		a := p.cfg.MIBBase + uint32(place%(p.cfg.IBU.MIBWords/2))*2 + word
		sum += hashWord(a, v) - hashWord(a, 0)
	}
	address := func(pk *packet.Packet) uint64 {
		w, err := p.cfg.Format.Pack(*pk)
		if err != nil {
			panic(err) // a packet of the machine always fits
		}
		return w.Address
	}
	half, _ := p.ibu.InProgress()
	left := p.ibu.FIFOWords() / 2 // these packets come first
	p.ibu.Each(func(pk *packet.Packet) {
		if left--; left >= 0 {
			return
		}
		if half != ibu.Refill || place != first {
			add(0, address(pk))
		}
		add(1, pk.Data)
		place++
	})
	if half == ibu.Spill {
		add(0, address(&p.pins.In))
	}
	return sum
}

// PortsAt returns the registers between a PE and its switch at the start of clock t. injectClocks is the parameter
// inject_clocks.
func PortsAt(pins *packet.Pins, t, injectClocks uint64) (port, intake PortRegisters) {
	if pins.OutFull {
		port = PortRegisters{Full: true, Packet: pins.Out, Timer: uint8(max(t, pins.OutReady) - t)}
		comes := pins.OutReady - injectClocks + 1 // the clock in which the data word arrives
		if pins.Out.Src == packet.Host {
			comes = pins.OutReady
		}
		port.Arrived = t > comes
	}
	if pins.InFull {
		intake = PortRegisters{Full: true, Packet: pins.In, Arrived: t >= pins.InReady}
	}
	return port, intake
}

func (p *PE) fmuRegisters(r *Registers) {
	f := &p.fmu
	switch f.state {
	case FMUWrite, FMURead:
		r.Matching, r.Left = f.pkt, f.pkt.Data
	case FMUTemplate:
		r.Matching, r.Left, r.Right = f.pkt, f.left, f.right
	case FMUReady:
		r.NodePC, r.Left, r.Right, r.FP = f.pc, f.left, f.right, f.fp
	}
}

func (p *PE) exuRegisters(r *Registers) {
	e := &p.exu
	if e.state != exuIdle {
		r.PC = e.pc
	}
	switch e.state {
	case exuMemory, exuBusy:
		r.ClocksLeft, r.BlockEnds = e.clocksLeft, e.lastInBlock
	case exuHold:
		r.BlockEnds = e.lastInBlock
	}
}

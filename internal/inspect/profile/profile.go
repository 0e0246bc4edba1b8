// Package profile says where the clocks of a run went: which instructions the
// EXUs executed and what they waited for, which packets were made where, and which
// chain of packets and blocks made the run as long as it was.
//
//	profile.go   the events of a run become counts by block and instruction
//	path.go      the same events as a graph of packets and blocks; its critical path
//	whatif.go    how long that graph would be if some of its parts took no time
//	rows.go      the counts by template, block, source line or instruction
//	reads.go     who was asked for words of arrays
//	pprof.go     a file for 'go tool pprof', and stacks for a flame graph
//
// A Profile is a trace.Sink: it sees what a trace sees and changes nothing about
// the run. It must see all PEs of the machine.
package profile

import (
	"slices"

	"emsim/asm"
	"emsim/trace"
)

// Wait is what an EXU does in a clock: it executes, or why it does not.
type Wait uint8

// What an EXU does. The first four occur in a block, the others between blocks;
// ForIBU occurs in both.
const (
	Executes   Wait = iota // it executes an instruction
	ForIBU                 // the IBU has the memory port
	ForSwitch              // the switch has not taken the packet that the EXU holds
	ForPort                // the output port, or the output buffer, has no room
	ForFMU                 // the FMU still matches the next node
	ForMIB                 // all packets are in the MIB
	ForOperand             // operands are here whose partners have not come
	Nothing                // no packet and no operand is here
	Waits
)

var waitNames = [Waits]string{
	"execute", "wait_ibu", "wait_switch", "wait_port", "wait_fmu", "wait_mib", "wait_operand",
	"idle",
}

// String returns the name in JSON and CSV.
func (w Wait) String() string { return waitNames[w] }

var waitWords = [Waits]string{
	"execute instructions", "wait: the IBU has the memory port", "wait: the switch has not taken their packet",
	"wait: no room for a packet to send",
	"no block: the FMU still matches", "no block: all packets are in the MIB",
	"no block: partners of operands are missing", "no block: nothing is there",
}

// Words returns what EXUs do, for people.
func (w Wait) Words() string { return waitWords[w] }

// waitStatuses are the statuses of an EXU by Wait; every other one is Nothing.
var waitStatuses = []trace.Status{
	trace.Run, trace.WaitIBU, trace.WaitSwitch, trace.WaitPort, trace.WaitFMU,
	trace.WaitMIB, trace.WaitOperand,
}

// waitOf translates the status of an EXU.
func waitOf(s trace.Status) Wait {
	if i := slices.Index(waitStatuses, s); i >= 0 {
		return Wait(i)
	}
	return Nothing
}

// States is the number of a PE's activities: trace.ExuFmu to trace.Idle.
const States = int(trace.Idle) + 1

// Counts are what a profile counts for a place of the program.
type Counts struct {
	Instructions uint64
	Blocks       uint64         // blocks that began here
	EXU          [Waits]uint64  // clocks of EXUs
	State        [States]uint64 // the same clocks by what the whole PE did
	Packets      uint64         // packets made here
	Spilled      uint64         // times that one of them was spilled
	Hops         uint64         // links between PEs that they crossed
	Travel       uint64         // clocks from their sends to the intakes of their PEs
	Queued       uint64         // clocks from there until an FMU took them
}

// Clocks returns the clocks of EXUs.
func (c *Counts) Clocks() uint64 {
	var sum uint64
	for _, n := range c.EXU {
		sum += n
	}
	return sum
}

// Waiting returns the clocks in which EXUs did not execute.
func (c *Counts) Waiting() uint64 { return c.Clocks() - c.EXU[Executes] }

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	c.Instructions += d.Instructions
	c.Blocks += d.Blocks
	for i := range c.EXU {
		c.EXU[i] += d.EXU[i]
	}
	for i := range c.State {
		c.State[i] += d.State[i]
	}
	c.Packets += d.Packets
	c.Spilled += d.Spilled
	c.Hops += d.Hops
	c.Travel += d.Travel
	c.Queued += d.Queued
}

// Addresses that are not code.
const (
	noBlock  = ^uint32(0) - iota // clocks between blocks
	hostCode                     // packets that the host made
	before                       // blocks that had begun, and packets that were made, before the profile
)

// place is an instruction of a block that began at an address.
type place struct{ block, pc uint32 }

// pe is what a Profile remembers of a PE.
type pe struct {
	at    *Counts // of the instruction in progress, or the counts outside blocks
	state trace.Status
	exu   trace.Status
	until uint64 // clocks before this one are counted
	idle  uint64 // of the clocks counted, those with nothing to do
	block block
	end   moment // of the last block
	fmu   matching
	slot  [trace.Slots]slotWait
}

// Profile counts the events of a run.
type Profile struct {
	object *asm.Object
	start  uint64 // of the run, a clock of the machine
	from   uint64 // first clock that is counted
	end    uint64 // first clock that is not
	pes    []pe
	counts map[place]*Counts
	flight map[trace.ID]*flight // packets that no block has consumed
	idle   *Counts              // between blocks
	reads  map[[3]uint32]uint64 // questions of lib/read.s by PE, send and address asked for
	total  Counts
	paths  paths
}

// New returns a Profile of a run that began at the clock start of the machine. It
// counts the clocks from..end-1.
func New(o *asm.Object, pes int, start, from, end uint64) *Profile {
	p := &Profile{
		object: o, start: start, from: from, end: end, pes: make([]pe, pes),
		counts: map[place]*Counts{}, flight: map[trace.ID]*flight{}, reads: map[[3]uint32]uint64{},
	}
	p.idle = p.countsAt(place{noBlock, noBlock})
	for i := range p.pes {
		p.pes[i] = pe{at: p.idle, state: trace.Idle, exu: trace.Idle, until: from, block: block{pc: before}}
	}
	return p
}

func (p *Profile) countsAt(at place) *Counts {
	c := p.counts[at]
	if c == nil {
		c = &Counts{}
		p.counts[at] = c
	}
	return c
}

// Event counts an event.
func (p *Profile) Event(e *trace.Event) {
	if e.Clock >= p.end {
		return
	}
	x := &p.pes[e.PE]
	switch e.Kind {
	case trace.Changed:
		p.changed(x, e)
	case trace.Begun:
		p.count(x, e.Clock)
		x.at = p.countsAt(place{e.PC, e.PC})
		x.at.Blocks++
		p.begin(x, e)
		if name, _, _ := p.object.SymbolAt(e.PC); name == "read.port" && x.block.last != nil {
			p.reads[[3]uint32{e.PE, x.block.last.send, uint32(e.Packet.Data) % asm.MemoryWords}]++
		}
	case trace.Fetched:
		p.count(x, e.Clock)
		x.at = p.countsAt(place{x.block.pc, e.PC})
		x.at.Instructions++
	case trace.Ended:
		p.count(x, e.Clock+1)
		x.at = p.idle
		x.end = x.block.due.after(&x.block.acc)
	case trace.Made:
		p.count(x, e.Clock+1)
		x.at.Packets++
		p.packetMade(x, e)
	default:
		p.packet(x, e)
	}
}

// changed records what a unit does from this clock on.
func (p *Profile) changed(x *pe, e *trace.Event) {
	switch e.Unit {
	case trace.PE:
		p.count(x, e.Clock)
		x.state = e.Status
	case trace.EXU:
		p.count(x, e.Clock)
		x.exu = e.Status
	case trace.FMU:
		x.fmu.count(e.Clock)
		x.fmu.status = e.Status
	case trace.SU:
		x.slot[e.Slot].change(e)
	}
}

// count counts the clocks of a PE up to a given one.
func (p *Profile) count(x *pe, to uint64) {
	if to <= x.until {
		return
	}
	n, w := to-x.until, waitOf(x.exu)
	x.until = to
	if x.state == trace.Idle {
		x.idle += n
	}
	x.at.EXU[w] += n
	x.at.State[x.state-trace.ExuFmu] += n
	x.block.acc[partOf(w)] += uint32(n)
}

// Close counts the clocks up to the end of the profile.
func (p *Profile) Close(uint64) error {
	for i := range p.pes {
		p.count(&p.pes[i], p.end)
	}
	p.total = Counts{}
	for _, c := range p.counts {
		p.total.Add(c)
	}
	return nil
}

// Total returns the sum of all counts.
func (p *Profile) Total() Counts { return p.total }

// Clocks returns how many clocks the profile counts for each PE.
func (p *Profile) Clocks() uint64 { return p.end - p.from }

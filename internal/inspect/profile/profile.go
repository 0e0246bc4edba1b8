// Package profile shows how a run spent its clocks: which instructions the EXUs executed and what they waited for,
// where packets were made, and which chain of packets and blocks determined the length of the run.
//
//	profile.go   counts the events of a run by block and instruction
//	path.go      the same events as a graph of packets and blocks; its critical path
//	whatif.go    how long that graph would be if some of its parts took no time
//	rows.go      the counts by template, block, source line or instruction
//	reads.go     the requests for words of arrays
//	pprof.go     a file for 'go tool pprof'
//
// A Profile is a trace.Sink: it sees the same events as a trace, and does not affect the run. It must see all PEs of
// the machine.
package profile

import (
	"slices"

	"emsim/asm"
	"emsim/trace"
)

// Wait is what an EXU does in a clock: it executes, or waits for a reason.
type Wait uint8

// The activities of an EXU. The first four occur in a block, the others between blocks; ForIBU occurs in both.
const (
	Executes   Wait = iota // it executes an instruction
	ForIBU                 // the IBU has the memory port
	ForSwitch              // the switch has not taken the packet that the EXU holds
	ForPort                // the output port, or the output buffer, has no room
	ForFMU                 // the FMU still matches the next node
	ForMIB                 // all packets are in the MIB
	ForOperand             // operands are waiting for partners that have not arrived
	Nothing                // there is no packet and no operand
	Waits
)

var waitNames = [Waits]string{
	"execute", "wait_ibu", "wait_switch", "wait_port", "wait_fmu", "wait_mib", "wait_operand",
	"idle",
}

// String returns the name used in JSON and CSV.
func (w Wait) String() string { return waitNames[w] }

var waitWords = [Waits]string{
	"execute instructions", "wait: the IBU has the memory port", "wait: the switch has not taken their packet",
	"wait: no room for a packet to send",
	"no block: the FMU still matches", "no block: all packets are in the MIB",
	"no block: partners of operands are missing", "no block: nothing is there",
}

// Words returns a description of what the EXUs do.
func (w Wait) Words() string { return waitWords[w] }

// waitStatuses lists the statuses of an EXU by Wait; every other status is Nothing.
var waitStatuses = []trace.Status{
	trace.Run, trace.WaitIBU, trace.WaitSwitch, trace.WaitPort, trace.WaitFMU,
	trace.WaitMIB, trace.WaitOperand,
}

// waitOf returns the Wait of an EXU's status.
func waitOf(s trace.Status) Wait {
	if i := slices.Index(waitStatuses, s); i >= 0 {
		return Wait(i)
	}
	return Nothing
}

// States is the number of a PE's activities: trace.ExuFmu to trace.Idle.
const States = int(trace.Idle) + 1

// Counts holds the counts for a place in the program.
type Counts struct {
	Instructions uint64
	Blocks       uint64         // blocks that began here
	EXU          [Waits]uint64  // clocks of EXUs
	State        [States]uint64 // the same clocks by the activity of the whole PE
	Packets      uint64         // packets made here
	Spilled      uint64         // number of spills of these packets
	Hops         uint64         // links between PEs that they crossed
	Travel       uint64         // clocks from their sends to the intakes of the receiving PEs
	Queued       uint64         // clocks from the intake until an FMU took them
}

// Clocks returns the total number of EXU clocks, over all activities.
func (c *Counts) Clocks() uint64 {
	var sum uint64
	for _, n := range c.EXU {
		sum += n
	}
	return sum
}

// Waiting returns the clocks in which EXUs did not execute.
func (c *Counts) Waiting() uint64 { return c.Clocks() - c.EXU[Executes] }

// Add adds the counts of d.
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

// Special values in place of code addresses.
const (
	noBlock  = ^uint32(0) - iota // clocks between blocks
	hostCode                     // packets that the host made
	before                       // blocks begun and packets made before the profile
)

// site is an instruction in a block, given by the block's first address.
type site struct{ block, pc uint32 }

// pe is the state of a PE.
type pe struct {
	at    *Counts // of the instruction in progress, or the counts between blocks
	state trace.Status
	exu   trace.Status
	until uint64 // the clocks before this one are counted
	idle  uint64 // the counted clocks in which the PE had nothing to do
	block block
	end   moment // the end of the last block
	fmu   matching
	slot  [trace.Slots]slotWait
}

// Profile counts the events of a run.
type Profile struct {
	object *asm.Object
	start  uint64 // clock of the machine at which the run started
	from   uint64 // first counted clock
	end    uint64 // first clock that is not counted
	pes    []pe
	counts map[site]*Counts
	flight map[trace.ID]*flight // packets that no block has consumed
	idle   *Counts              // the counts between blocks
	reads  map[[3]uint32]uint64 // requests of lib/read.s by PE, send and requested address
	total  Counts
	last   *flight // the last word that has left the machine
	due    moment  // the end of the longest paths to all words
}

// New returns a Profile of a run that began at clock start of the machine. It counts the clocks from..end-1.
func New(o *asm.Object, pes int, start, from, end uint64) *Profile {
	p := &Profile{
		object: o, start: start, from: from, end: end, pes: make([]pe, pes),
		counts: map[site]*Counts{}, flight: map[trace.ID]*flight{}, reads: map[[3]uint32]uint64{},
	}
	p.idle = p.countsAt(site{noBlock, noBlock})
	for i := range p.pes {
		p.pes[i] = pe{at: p.idle, state: trace.Idle, exu: trace.Idle, until: from, block: block{pc: before}}
	}
	return p
}

func (p *Profile) countsAt(at site) *Counts {
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
		x.at = p.countsAt(site{e.PC, e.PC})
		x.at.Blocks++
		p.begin(x, e)
		if name, _, _ := p.object.SymbolAt(e.PC); name == "read.port" && x.block.last != nil {
			p.reads[[3]uint32{e.PE, x.block.last.send, uint32(e.Packet.Data) % asm.MemoryWords}]++
		}
	case trace.Fetched:
		p.count(x, e.Clock)
		x.at = p.countsAt(site{x.block.pc, e.PC})
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

// changed records a new status of a unit.
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

// count counts the clocks of a PE before the clock `to`.
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

// Clocks returns the number of clocks that the profile counts for each PE.
func (p *Profile) Clocks() uint64 { return p.end - p.from }

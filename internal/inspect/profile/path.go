package profile

import (
	"slices"

	"emsim/packet"
	"emsim/trace"
)

// Part is the use of a clock on a path through packets and blocks.
type Part uint8

// The uses of clocks on a path.
const (
	Execute  Part = iota // a block executes instructions
	MatchIt              // the FMU works on a packet
	Hop                  // switches and ports pass a packet on
	Network              // a packet waits in a switch
	SendWait             // a block waits until its switch takes a packet
	Queue                // a packet waits in the FIFO of its PE
	InMIB                // a packet waits to be spilled, or is in the MIB
	Busy                 // a packet or node in the FMU waits for another block of its PE
	Memory               // a block or the FMU waits while the IBU has the memory port
	Earlier              // before the first clock of the profile
	Parts
)

var partNames = [Parts]string{
	"execute", "match", "hop", "network_wait", "send_wait", "queue", "mib", "busy", "ibu",
	"earlier",
}

// String returns the name used in JSON and CSV.
func (p Part) String() string { return partNames[p] }

var partWords = [Parts]string{
	"blocks execute instructions", "FMUs match operands and find templates", "switches and ports pass packets on",
	"packets wait in switches", "blocks wait until their switch takes a packet", "packets wait in FIFOs",
	"packets wait for the MIB, and in it", "packets in FMUs wait for other blocks",
	"blocks and FMUs wait for the IBU's memory port",
	"before the profile begins",
}

// Words returns a description of the part.
func (p Part) Words() string { return partWords[p] }

// Split is a number of clocks for each part.
type Split [Parts]uint32

func (s *Split) addParts(d *Split) {
	for i := range s {
		s[i] += d[i]
	}
}

// Sum returns the clocks of all parts.
func (s *Split) Sum() uint64 {
	var sum uint64
	for _, n := range s {
		sum += uint64(n)
	}
	return sum
}

// partOf returns the part to which a clock of a block belongs.
func partOf(w Wait) Part {
	switch w {
	case ForIBU:
		return Memory
	case ForSwitch, ForPort:
		return SendWait
	}
	return Execute
}

// A step is a packet that was made, with the time since the previous step: the travel of the packet that started the
// block, and the block up to the send.
type step struct {
	prev *step
	made uint64 // the clock after the send
	pe   uint32
	node uint32 // code address at which the block began
	send uint32 // code address of the send
	took Split
}

// flight is a packet from its send until it starts a block, alone or with its partner.
type flight struct {
	from *Counts // the counts of its send
	last *step
	took Split  // since the previous step
	at   uint64 // the clocks before this one are counted in took
	due  moment // first of the send, then of its arrival in the FMU, then of its storing
	mate *flight
}

// matching is the state of an FMU and its packet.
type matching struct {
	flight *flight
	status trace.Status
	until  uint64
	took   Split
	free   moment // when the FMU finished the previous packet
	ibu    uint64 // clocks since then in which the IBU kept it from taking the next packet
}

// count counts the clocks of the FMU before the clock `to`.
func (m *matching) count(to uint64) {
	if to <= m.until {
		return
	}
	if m.flight == nil {
		if m.status == trace.WaitIBU || m.status == trace.WaitMIB {
			m.ibu += to - m.until
		}
		m.until = to
		return
	}
	part := MatchIt
	switch m.status {
	case trace.WaitEXU, trace.WaitMemory:
		part = Busy
	case trace.WaitIBU:
		part = Memory
	}
	m.took[part] += uint32(to - m.until)
	m.until = to
}

// block is the block that an EXU runs.
type block struct {
	pc   uint32
	last *step
	took Split  // the split of the packet that started it, since the previous step
	acc  Split  // the split since the block began
	due  moment // the moment when it began
}

// slotWait is the time that the packet in a slot of a switch has waited.
type slotWait struct {
	clocks uint64
	since  uint64
	waits  bool
}

func (s *slotWait) change(e *trace.Event) {
	if s.waits {
		s.clocks += e.Clock - s.since
	}
	s.since, s.waits = e.Clock, e.Status.IsWait() && e.Status != trace.WaitInject
}

// takeWait returns the waiting time of the packet that leaves the slot, and resets it.
func (s *slotWait) takeWait() uint64 {
	n := s.clocks
	s.clocks = 0
	return n
}

// intakeClocks is the least time of a packet from the last switch into the input buffer: its second word, and the clock
// in which the buffer takes it.
const intakeClocks = 2

// wordClocks is the time of a word to the host after the last switch: its second half.
const wordClocks = 1

// flightOf returns a packet's flight. For a packet made before the profile began it creates a flight with an unknown
// past.
func (p *Profile) flightOf(id trace.ID) *flight {
	f := p.flight[id]
	if f == nil {
		f = &flight{from: p.countsAt(site{before, before}), at: p.from, due: moment{rec: p.start}}
		f.took[Earlier] = uint32(p.from - p.start)
		p.flight[id] = f
	}
	return f
}

// packet follows a packet from unit to unit.
func (p *Profile) packet(x *pe, e *trace.Event) {
	id := trace.IDOf(&e.Packet)
	switch e.Kind {
	case trace.Entered:
		f := &flight{from: p.countsAt(site{hostCode, hostCode}), at: e.Clock + 1, due: moment{rec: p.start}}
		f.from.Packets++
		f.took[Hop] = uint32(e.Clock + 1 - p.start)
		p.flight[id] = f
	case trace.Moved:
		p.moved(x, e, p.flightOf(id))
	case trace.Left:
		p.wordLeft(p.flightOf(id))
		delete(p.flight, id)
	case trace.Queued:
		p.flightOf(id).arrive(e.Clock+1, Queue)
	case trace.Spilled:
		f := p.flightOf(id)
		f.from.Spilled++
		f.arrive(e.Clock+1, InMIB)
	case trace.Refilled:
		f := p.flightOf(id)
		f.from.Queued += e.Clock + 1 - f.at
		f.passTo(e.Clock+1, InMIB)
	case trace.Filled:
		p.flightOf(id).arrive(e.Clock+1, Queue)
		delete(p.flight, id)
	case trace.Taken:
		f := p.flightOf(id)
		f.from.Queued += e.Clock - min(f.at, e.Clock)
		f.passTo(e.Clock, Queue)
		x.fmu.count(e.Clock)
		f.due = f.taken(e.Clock, &x.fmu, x.end)
		x.fmu.flight, x.fmu.took, x.fmu.ibu = f, Split{}, 0
	case trace.Stored:
		f := p.flightOf(id)
		x.fmu.count(e.Clock + 1)
		f.took.addParts(&x.fmu.took)
		f.due = f.due.after(&x.fmu.took)
		x.fmu.flight, x.fmu.free = nil, f.due
	case trace.Matched:
		if !e.Partner.None() {
			p.flightOf(id).mate = p.flight[e.Partner]
			delete(p.flight, e.Partner)
		}
	}
}

// passTo adds a packet's clocks before the clock `to` to a part.
func (f *flight) passTo(to uint64, part Part) {
	if to > f.at {
		f.took[part] += uint32(to - f.at)
		f.at = to
	}
}

// arrive records that the input buffer's intake passes a packet on.
func (f *flight) arrive(to uint64, part Part) {
	f.from.Travel += intakeClocks
	f.passTo(min(to, f.at+intakeClocks), Hop)
	f.from.Queued += to - f.at
	f.passTo(to, part)
}

// moved records that a packet leaves a slot of a switch.
func (p *Profile) moved(x *pe, e *trace.Event, f *flight) {
	to := e.Clock + 1
	waited := min(x.slot[e.Slot].takeWait(), to-f.at)
	f.from.Travel += to - f.at
	f.passTo(f.at+waited, Network)
	f.passTo(to, Hop)
	if e.Out != trace.Own {
		f.from.Hops++
	}
}

// begin records that the packet in the FMU starts a block.
func (p *Profile) begin(x *pe, e *trace.Event) {
	x.block = block{pc: e.PC}
	f := x.fmu.flight
	if f == nil { // it was matched before the profile began
		f = p.flightOf(trace.IDOf(&e.Packet))
		f.passTo(e.Clock, Earlier)
		f.due = f.due.after(&f.took)
		x.fmu.took = Split{}
	}
	x.fmu.count(e.Clock)
	x.block.last, x.block.took = f.last, f.took
	x.block.took.addParts(&x.fmu.took)
	x.block.due = f.fired(e.Clock, &x.fmu.took, x.end)
	x.fmu.flight, x.fmu.free = nil, x.block.due
	delete(p.flight, trace.IDOf(&e.Packet))
}

// packetMade records a packet that the EXU makes.
func (p *Profile) packetMade(x *pe, e *trace.Event) {
	b := &x.block
	if b.pc == before && b.last == nil && b.took == (Split{}) {
		b.took[Earlier] = uint32(p.from - p.start)
		b.due = moment{rec: p.start}.after(&b.took)
	}
	s := &step{prev: b.last, made: e.Clock + 1, pe: e.PE, node: b.pc, send: e.PC, took: b.took}
	s.took.addParts(&b.acc)
	p.flight[trace.IDOf(&e.Packet)] = &flight{from: x.at, last: s, at: s.made, due: b.due.after(&b.acc)}
}

// wordLeft records that a word leaves the machine; its second half follows.
func (p *Profile) wordLeft(f *flight) {
	f.took[Hop] += wordClocks
	p.last = f
	due := f.due.after(&f.took)
	p.due = p.due.later(&due, false)
}

// PathStep is a packet on the critical path, with the block that made it.
type PathStep struct {
	Clock uint64 // when the packet was made or, in the last step, when the word left
	PE    uint32 // the PE that made it
	Node  uint32 // code address of the block
	Send  uint32 // code address of the send
	Host  bool   // the last step: the word's travel to the host
	Took  Split  // since the previous step
}

// Path returns the critical path: the chain of packets and blocks from the start of the run to its last word to the
// host. Before each step comes the step that it waited for last. The path is empty if no word has left the machine.
func (p *Profile) Path() []PathStep {
	f := p.last
	if f == nil {
		return nil
	}
	list := []PathStep{{Clock: f.at + wordClocks - p.start, PE: packet.Host, Host: true, Took: f.took}}
	for s := f.last; s != nil; s = s.prev {
		list = append(list, PathStep{Clock: s.made - p.start, PE: s.pe, Node: s.node, Send: s.send, Took: s.took})
	}
	slices.Reverse(list)
	return list
}

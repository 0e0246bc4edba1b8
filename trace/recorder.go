package trace

import "emsim/packet"

// statusSince is the status of a unit, or of a slot of a switch, and the clock since which it has had that status.
type statusSince struct {
	status Status
	since  uint64
}

// peRecord is the Recorder's memory of one PE.
type peRecord struct {
	unit   [Units]statusSince
	slot   [Slots]statusSince
	level  [Levels]uint64
	firing ID            // partner of the packet that the FMU is matching
	wait   map[uint32]ID // operands that wait in memory, by address
}

// Recorder passes events from a machine to a Sink. It drops the events of PEs that were not chosen, and passes on a
// status or level only when it changes. To the events of a two-operand node it adds the partner of the operand, if it
// has seen the partner being stored. Before the first clock every unit counts as idle and every level as 0.
type Recorder struct {
	sink   Sink
	pe     []*peRecord // by number; nil if not chosen
	events uint64
	event  Event // the last event passed on; a field, so that no event is allocated
}

// NewRecorder returns a Recorder for a machine of pes PEs. It watches the
// PEs with the given numbers.
func NewRecorder(sink Sink, pes int, chosen []int) *Recorder {
	r := &Recorder{sink: sink, pe: make([]*peRecord, pes)}
	for _, i := range chosen {
		w := &peRecord{wait: map[uint32]ID{}}
		for u := range w.unit {
			w.unit[u].status = Idle
		}
		for s := range w.slot {
			w.slot[s].status = Idle
		}
		r.pe[i] = w
	}
	return r
}

// All returns the numbers of all PEs of a machine with n PEs.
func All(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Watches reports whether a PE was chosen.
func (r *Recorder) Watches(pe int) bool { return r.pe[pe] != nil }

// Events returns the number of events passed on.
func (r *Recorder) Events() uint64 { return r.events }

// End returns the clock after the last event, or 0 if there was no event.
func (r *Recorder) End() uint64 {
	if r.events == 0 {
		return 0
	}
	return r.event.Clock + 1
}

// Event passes an event of a chosen PE to the sink, with the operand's partner if it is known.
func (r *Recorder) Event(e Event) {
	w := r.pe[e.PE]
	if w == nil {
		return
	}
	switch e.Kind {
	case Taken:
		w.firing = ID{}
	case Stored:
		w.wait[e.Packet.Addr] = IDOf(&e.Packet)
	case Matched:
		w.firing = w.wait[e.Packet.Addr]
		delete(w.wait, e.Packet.Addr)
		e.Partner = w.firing
	case Fired, Begun:
		e.Partner = w.firing
	}
	r.passOn(e)
}

// Status records the status of a unit in a clock.
func (r *Recorder) Status(clock uint64, pe uint32, unit Unit, s Status) {
	w := r.pe[pe]
	if w == nil || w.unit[unit].status == s {
		return
	}
	was := w.unit[unit]
	w.unit[unit] = statusSince{s, clock}
	r.passOn(Event{Clock: clock, PE: pe, Unit: unit, Kind: Changed, Status: s, Was: was.status, Since: was.since})
}

// Slot records the status of the packet in a slot of a switch in a clock.
func (r *Recorder) Slot(clock uint64, pe uint32, slot uint8, s Status, p *packet.Packet) {
	w := r.pe[pe]
	if w == nil || w.slot[slot].status == s {
		return
	}
	was := w.slot[slot]
	w.slot[slot] = statusSince{s, clock}
	e := Event{Clock: clock, PE: pe, Unit: SU, Kind: Changed, Slot: slot, Status: s, Was: was.status, Since: was.since}
	if s != Idle {
		e.Packet = *p
	}
	r.passOn(e)
}

// Level records a quantity of a PE at the start of a clock.
func (r *Recorder) Level(clock uint64, pe uint32, l Level, v uint64) {
	w := r.pe[pe]
	if w == nil || w.level[l] == v {
		return
	}
	w.level[l] = v
	r.passOn(Event{Clock: clock, PE: pe, Unit: levelUnit(l), Kind: Levelled, Level: l, Value: v})
}

func levelUnit(l Level) Unit {
	switch l {
	case FIFOWords, MIBWords:
		return IBU
	case Operands:
		return FMU
	}
	return PE
}

func (r *Recorder) passOn(e Event) {
	r.events++
	r.event = e
	r.sink.Event(&r.event)
}

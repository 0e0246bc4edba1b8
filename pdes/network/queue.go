package network

import "emsim/internal/base/agenda"

// A Class orders the events of a clock.
type Class uint8

// The classes, first to last within a clock.
const (
	Deliver Class = iota // the last word of a packet (SendAhead: its head) is out of the network
	Done                 // a processor's operation ends; its packets enter
	Wake                 // a timer
	Head                 // a packet's head reaches a port
)

// An Event is something that happens at a clock.
type Event struct {
	Clock int64
	order uint64 // class and id: the order within the clock
	Arg   int32  // packet slot, processor or timer
}

// Class returns the class of the event.
func (e Event) Class() Class { return Class(e.order >> 56) }

// A Queue holds future events. Its order depends only on clock, class and id, never on the order in which events were
// pushed; no two events may share all three. Clocks without events cost nothing.
type Queue struct {
	events agenda.Agenda[int32]
	now    int64
}

// Now returns the clock of the last popped event.
func (q *Queue) Now() int64 { return q.now }

// Len returns the number of future events.
func (q *Queue) Len() int { return len(q.events) }

// Push adds an event; id orders it among the events of its clock and class.
func (q *Queue) Push(clock int64, class Class, id int64, arg int32) {
	if clock < q.now {
		panic("network: an event in the past")
	}
	q.events.Add(agenda.Item[int32]{At: clock, Order: uint64(class)<<56 | uint64(id), What: arg})
}

// Next returns the clock of the earliest event; ok is false if there is none.
func (q *Queue) Next() (clock int64, ok bool) {
	if len(q.events) == 0 {
		return 0, false
	}
	return q.events[0].At, true
}

// Pop removes and returns the earliest event, or false if there is none.
func (q *Queue) Pop() (Event, bool) {
	if len(q.events) == 0 {
		return Event{}, false
	}
	e := q.events.Next()
	q.now = e.At
	return Event{e.At, e.Order, e.What}, true
}

package network

// A Class orders the events of a clock.
type Class uint8

// The classes, first to last within a clock.
const (
	Deliver Class = iota // the last word of a packet is out of the network
	Done                 // a processor's operation ends; its packets enter
	Wake                 // a timer
	Head                 // a packet's head reaches a port
)

// An Event is one thing that happens at a clock.
type Event struct {
	Clock int64
	order uint64 // class and id: the order within the clock
	Arg   int32  // packet slot, processor or timer
}

// Class says what the event is.
func (e Event) Class() Class { return Class(e.order >> 56) }

func (e Event) before(f Event) bool {
	return e.Clock < f.Clock || e.Clock == f.Clock && e.order < f.order
}

// A Queue holds future events. Its order depends only on clock, class and id,
// never on the order in which events were pushed; no two events may share all
// three. It is a heap with four children per node, so clocks at which nothing
// happens cost nothing.
type Queue struct {
	heap []Event
	now  int64
}

// Now is the clock of the last popped event.
func (q *Queue) Now() int64 { return q.now }

// Push adds an event; id orders it among those of its clock and class.
func (q *Queue) Push(clock int64, class Class, id int64, arg int32) {
	if clock < q.now {
		panic("network: an event in the past")
	}
	e := Event{Clock: clock, order: uint64(class)<<56 | uint64(id), Arg: arg}
	h := append(q.heap, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	q.heap = h
}

// Pop removes the earliest event.
func (q *Queue) Pop() (Event, bool) {
	h := q.heap
	if len(h) == 0 {
		return Event{}, false
	}
	first := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	q.heap = h
	if len(h) > 0 {
		siftDown(h, last)
	}
	q.now = first.Clock
	return first, true
}

// siftDown puts e in the place of the root and lets it sink.
func siftDown(h []Event, e Event) {
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		best := child
		for c := child + 1; c < min(child+4, len(h)); c++ {
			if h[c].before(h[best]) {
				best = c
			}
		}
		if !h[best].before(e) {
			break
		}
		h[i] = h[best]
		i = best
	}
	h[i] = e
}

package agenda

import "emsim/internal/base/state"

// mostItems bounds what a restore reads [chosen: more than any run has pending].
const mostItems = 1 << 28

// latest bounds the times of restored items, so that no sum of times overflows [chosen].
const latest = 1 << 62

// State visits the items of an agenda; each visits what an item is, without its time. A
// restore refuses items before now: a run from there would never end. It checks
// the order too: an agenda that is not a heap saves bytes that differ from what it was restored from, and
// state.Snapshots refuses it.
func (h *Agenda[T]) State(c *state.Codec, now int64, each func(*T)) {
	all := []Item[T](*h)
	state.List(c, &all, mostItems, func(x *Item[T]) {
		state.Index(c, &x.At, int(now), latest)
		state.Num(c, &x.Order)
		each(&x.What)
	})
	if c.Loading() {
		*h = nil
		for _, x := range all {
			h.Add(x) // which leaves a heap as it is
		}
	}
}

// State visits the items of a queue.
func (f *FIFO[T]) State(c *state.Codec, limit int, each func(*T)) {
	all := f.items[f.head:]
	if state.List(c, &all, limit, each); c.Loading() {
		*f = FIFO[T]{items: all}
	}
}

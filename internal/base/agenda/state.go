package agenda

import "emsim/internal/base/state"

// mostItems bounds the number of items that a restore reads [chosen: more than any run has pending].
const mostItems = 1 << 28

// latest bounds the times of restored items, so that no sum of times overflows [chosen].
const latest = 1 << 62

// State visits the items of an agenda; each visits an item's content. A restore rejects items before now, because a run
// from there would never end. It also checks the order: an agenda that is no heap would save other bytes than it was
// restored from, and state.Snapshots rejects it.
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
			h.Add(x) // leaves a valid heap unchanged
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

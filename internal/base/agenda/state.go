package agenda

import "emsim/internal/base/state"

// mostItems is the largest number of items that a restore accepts [chosen: more than any run has pending].
const mostItems = 1 << 28

// latest is above the times of restored items, so that no sum of times overflows [chosen].
const latest = 1 << 62

// State visits the items of an agenda; each visits an item's content. A restore rejects items before now, because a run
// from there would never end. It also rebuilds the heap. If the saved agenda was not a heap, the rebuilt one saves
// different bytes, and state.Snapshots rejects it.
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

package agenda

import "emsim/internal/base/state"

// mostItems bounds what a restore reads [chosen: more than any run has under way].
const mostItems = 1 << 28

// State visits the items of an agenda; each visits what an item is, without its time. A
// restored order is checked: an agenda that is no heap saves other bytes than it was
// restored from, and state.Moments refuses it.
func (h *Agenda[T]) State(c *state.Codec, each func(*T)) {
	all := []Item[T](*h)
	state.List(c, &all, mostItems, func(x *Item[T]) {
		state.Num(c, &x.At)
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

// Package agenda holds what will happen in machines that go from event to event:
// cluster/rhinet and balance. pdes/network has a queue of its own, whose events
// have classes; over this one it would be 2 to 3 % slower.
package agenda

// An Item is something that will happen at a time. Items of one time happen in
// their order, and no two have the same place in it.
type Item[T any] struct {
	At    int64
	Order uint64
	What  T
}

// Before reports whether an item happens before another one.
func (a *Item[T]) Before(b *Item[T]) bool { return a.At < b.At || a.At == b.At && a.Order < b.Order }

// An Agenda is a heap of items with four children for a node; the first item is
// the next one.
type Agenda[T any] []Item[T]

// Add adds an item.
func (h *Agenda[T]) Add(x Item[T]) {
	q := append(*h, x)
	*h = q
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.Before(&q[up]) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = x
}

// Next takes the next item out; there must be one.
func (h *Agenda[T]) Next() Item[T] {
	q := *h
	first, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return first
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(q) {
			break
		}
		for c := least + 1; c < min(4*i+5, len(q)); c++ {
			if q[c].Before(&q[least]) {
				least = c
			}
		}
		if !q[least].Before(&last) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = last
	return first
}

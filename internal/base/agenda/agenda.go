// Package agenda holds the future events of event-driven machines: mnc, cluster/rhinet, pdes and balance.
//
//	agenda.go    a heap
//	timeline.go  an agenda for very many items
//	fifo.go      a queue
//	state.go     the part of them that a checkpoint saves
package agenda

import "math/bits"

// An Item is something that will happen at a time. Items with equal times happen in the order of Order, which is
// unique.
type Item[T any] struct {
	At    int64
	Order uint64
	What  T
}

// before reports whether the item happens before an item with this time and order.
func (a *Item[T]) before(at int64, order uint64) bool {
	return a.At < at || a.At == at && a.Order < order
}

// mask returns all ones if the item happens before an item with this time and order, and 0 otherwise. A heap chooses
// the least of four items with it, because processors would often mispredict a branch.
func (a *Item[T]) mask(at int64, order uint64) int64 {
	const sign = 1 << 63
	_, less := bits.Sub64(a.Order, order, 0)
	_, less = bits.Sub64(uint64(a.At)^sign, uint64(at)^sign, less)
	return -int64(less)
}

// An Agenda is a heap of items in which each node has up to four children. Its first item is the next to happen.
type Agenda[T any] []Item[T]

// Add adds an item.
func (h *Agenda[T]) Add(x Item[T]) {
	q := append(*h, x)
	*h = q
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(q[up].At, q[up].Order) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = x
}

// Next removes and returns the next item. The agenda must not be empty.
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
		at, order := q[least].At, q[least].Order
		for c := least + 1; c < min(4*i+5, len(q)); c++ {
			x := &q[c]
			m := x.mask(at, order)
			least ^= (least ^ c) & int(m)
			at ^= (at ^ x.At) & m
			order ^= (order ^ x.Order) & uint64(m)
		}
		if last.before(at, order) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = last
	return first
}

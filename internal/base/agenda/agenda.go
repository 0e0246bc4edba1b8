// Package agenda holds what will happen in machines that go from event to event:
// mnc, cluster/rhinet, pdes and balance.
//
//	agenda.go    a heap
//	timeline.go  an agenda for very many items
//	fifo.go      a queue
//	state.go     what a checkpoint holds of them
package agenda

// An Item is something that will happen at a time. Items of one time happen in
// their order, and no two have equal orders.
type Item[T any] struct {
	At    int64
	Order uint64
	What  T
}

// before reports whether an item happens before another with this time and order.
func (a *Item[T]) before(at int64, order uint64) bool {
	return a.At < at || a.At == at && a.Order < order
}

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
		if !x.before(q[up].At, q[up].Order) {
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
		at, order := q[least].At, q[least].Order
		for c := least + 1; c < min(4*i+5, len(q)); c++ {
			if x := &q[c]; x.before(at, order) {
				least, at, order = c, x.At, x.Order
			}
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

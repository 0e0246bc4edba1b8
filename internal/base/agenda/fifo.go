package agenda

import "slices"

// A FIFO is a queue. The zero value is empty.
type FIFO[T comparable] struct {
	items []T
	head  int
}

// Len returns the number of items.
func (f *FIFO[T]) Len() int { return len(f.items) - f.head }

// Push adds an item at the end. It reuses the space of items that were taken.
func (f *FIFO[T]) Push(x T) {
	if 2*f.head > len(f.items) {
		f.items = f.items[:copy(f.items, f.items[f.head:])]
		f.head = 0
	}
	f.items = append(f.items, x)
}

// At returns the i-th item, counted from the oldest. It must exist.
func (f *FIFO[T]) At(i int) *T { return &f.items[f.head+i] }

// PopOldest removes and returns the oldest item. The queue must not be empty.
func (f *FIFO[T]) PopOldest() T {
	f.head++
	return f.items[f.head-1]
}

// PopNewest removes and returns the newest item. The queue must not be empty.
func (f *FIFO[T]) PopNewest() T {
	x := f.items[len(f.items)-1]
	f.items = f.items[:len(f.items)-1]
	return x
}

// Remove removes the first item equal to x, and reports whether there was one.
func (f *FIFO[T]) Remove(x T) bool {
	i := slices.Index(f.items[f.head:], x)
	if i >= 0 {
		f.items = slices.Delete(f.items, f.head+i, f.head+i+1)
	}
	return i >= 0
}

package agenda

import "math/bits"

// A Timeline is an agenda for very many items, which it sorts without comparisons. Items with equal times are taken in
// the order in which they were added. No item may be added before the time of the last one taken. The zero value is
// empty.
//
// Times are numbers of eleven digits in base 64. An item whose time differs from the present only in the last digit is
// in one of the 64 lists of level 0, each for one time. If the last but one digit differs, it is on level 1, and so on.
// When the lists of the lower levels are empty, the items of the next list of a level are distributed over the levels
// below.
type Timeline[T any] struct {
	now   int64
	taken int            // number of items taken from the present's list
	used  [levels]uint64 // lists with items
	lists [levels][1 << digit][]timed[T]
}

const (
	digit  = 6 // bits
	levels = (63 + digit - 1) / digit
)

type timed[T any] struct {
	at   int64
	what T
}

// Add adds an item with the content `what`. Its time must not be before the time of the last item taken.
func (l *Timeline[T]) Add(at int64, what T) {
	level := (bits.Len64(uint64(at^l.now)) - 1) / digit // the position of the first digit that differs
	k := at >> (digit * level) & (1<<digit - 1)
	l.used[level] |= 1 << k
	l.lists[level][k] = append(l.lists[level][k], timed[T]{at, what})
}

// Next removes and returns the next item. It reports false if there is none.
func (l *Timeline[T]) Next() (at int64, what T, ok bool) {
	present := &l.lists[0][l.now&(1<<digit-1)]
	for l.taken == len(*present) {
		*present, l.taken = (*present)[:0], 0
		l.used[0] &^= 1 << (l.now & (1<<digit - 1))
		level := 0
		for l.used[level] == 0 {
			if level++; level == levels {
				return l.now, what, false
			}
		}
		k, shift := bits.TrailingZeros64(l.used[level]), digit*level
		l.now = l.now>>(shift+digit)<<(shift+digit) | int64(k)<<shift
		if level > 0 {
			list := l.lists[level][k]
			l.lists[level][k] = list[:0]
			l.used[level] &^= 1 << k
			for _, x := range list {
				l.Add(x.at, x.what)
			}
		}
		present = &l.lists[0][l.now&(1<<digit-1)]
	}
	l.taken++
	return l.now, (*present)[l.taken-1].what, true
}

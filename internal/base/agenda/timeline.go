package agenda

import "math/bits"

// A Timeline is an agenda for very many items: it takes no comparisons. Items of one
// time come in the order in which they were added, and none may be added for a time before
// the time of the last one taken. The zero value is empty.
//
// Times are numbers of eleven digits in base 64. What differs from the present in the last
// digit alone lies in one of the 64 lists of level 0, each for one time; what differs in
// the last but one, on level 1, and so on. When the lists of the lower levels are empty,
// the next list of a level is dealt out to those below.
type Timeline[T any] struct {
	now   int64
	taken int            // of the list of the present
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

// Add adds an item.
func (l *Timeline[T]) Add(at int64, what T) {
	level := (bits.Len64(uint64(at^l.now)) - 1) / digit // of the first digit that differs
	k := at >> (digit * level) & (1<<digit - 1)
	l.used[level] |= 1 << k
	l.lists[level][k] = append(l.lists[level][k], timed[T]{at, what})
}

// Next takes the next item out, if there is one.
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

package agenda

import "math/bits"

// A Timeline is an agenda for very many items: it takes no comparisons. Items of one
// time come in the order in which they were added, and none may be added for a time before
// that of the last one taken. The zero value is empty.
//
// Times are numbers of eleven digits in base 64. What differs from the present in the last
// digit alone lies in one of the 64 lists of level 0, each for one time; what differs in
// the last but one, on level 1, and so on. When the lists of the lower levels are empty,
// the next list of a level is dealt out to those below.
type Timeline[T any] struct {
	now   int64
	taken int // of the list of the present
	size  int
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

// Len is the number of items.
func (l *Timeline[T]) Len() int { return l.size }

// Add adds an item.
func (l *Timeline[T]) Add(at int64, what T) {
	l.size++
	l.put(timed[T]{at, what})
}

func (l *Timeline[T]) put(x timed[T]) {
	level := (bits.Len64(uint64(x.at^l.now)) - 1) / digit // of the first digit that differs
	k := x.at >> (digit * level) & (1<<digit - 1)
	l.used[level] |= 1 << k
	l.lists[level][k] = append(l.lists[level][k], x)
}

// Next takes the next item out; there must be one.
func (l *Timeline[T]) Next() (at int64, what T) {
	present := &l.lists[0][l.now&(1<<digit-1)]
	for l.taken == len(*present) {
		*present, l.taken = (*present)[:0], 0
		l.used[0] &^= 1 << (l.now & (1<<digit - 1))
		level := 0
		for l.used[level] == 0 {
			level++
		}
		k, shift := bits.TrailingZeros64(l.used[level]), digit*level
		l.now = l.now>>(shift+digit)<<(shift+digit) | int64(k)<<shift
		if level > 0 {
			list := l.lists[level][k]
			l.lists[level][k] = list[:0]
			l.used[level] &^= 1 << k
			for _, x := range list {
				l.put(x)
			}
		}
		present = &l.lists[0][l.now&(1<<digit-1)]
	}
	what = (*present)[l.taken].what
	l.taken++
	l.size--
	return l.now, what
}

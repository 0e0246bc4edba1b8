package balance

import (
	"math/rand/v2"
	"slices"

	"emsim/internal/base/lists"
)

// set is an ordered set of other workers: a list or, for all others, no list, so
// that worlds of many workers fit the memory.
type set struct {
	list []int
	me   int
	of   int // all workers, if there is no list
}

// others returns the other workers of a range.
func others(w *Worker, name string, group int) set {
	n, me := w.Workers(), w.ID
	var list []int
	switch name {
	case "neighbours":
		list = lists.Of(w.Near(), func(j int32) int { return int(j) })
	case "circuits":
		list = table(w)
	case "group":
		first := me - me%group
		for j := first; j < min(n, first+group); j++ {
			list = append(list, j)
		}
	default:
		return set{me: me, of: n}
	}
	return set{list: slices.DeleteFunc(list, func(j int) bool { return j == me }), me: me}
}

// len returns how many they are.
func (s *set) len() int {
	if s.of > 0 {
		return s.of - 1
	}
	return len(s.list)
}

// at returns the k-th of them: of all others the k-th after the worker itself.
func (s *set) at(k int) int {
	if s.of > 0 {
		return (s.me + 1 + k) % s.of
	}
	return s.list[k]
}

// has reports whether another worker is one of them.
func (s *set) has(j int) bool { return s.of > 0 || slices.Contains(s.list, j) }

// draws are random draws without replacement: the number that is now at an index,
// where it was exchanged. It stores few, however many numbers there are.
type draws map[int]int

// next draws the k-th, from 0, of the numbers below n.
func (d draws) next(k, n int, random *rand.Rand) int {
	j := k + random.IntN(n-k)
	is := func(at int) int {
		if x, ok := d[at]; ok {
			return x
		}
		return at
	}
	x := is(j)
	d[j] = is(k)
	return x
}

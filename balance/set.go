package balance

import (
	"math/rand/v2"
	"slices"

	"emsim/internal/base/lists"
)

// set is an ordered set of other workers. If it holds all others, it has no list, so that worlds of many workers fit
// into memory.
type set struct {
	list []int
	me   int
	of   int // number of all workers, if there is no list
}

// others returns the other workers in a range.
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

// len returns the number of workers in the set.
func (s *set) len() int {
	if s.of > 0 {
		return s.of - 1
	}
	return len(s.list)
}

// at returns the k-th worker of the set. Without a list, workers are counted from the one after the worker itself.
func (s *set) at(k int) int {
	if s.of > 0 {
		return (s.me + 1 + k) % s.of
	}
	return s.list[k]
}

// has reports whether another worker is in the set.
func (s *set) has(j int) bool { return s.of > 0 || slices.Contains(s.list, j) }

// draws holds the state of random draws without replacement: it maps an index to the number swapped into it. Only
// swapped indexes are stored.
type draws map[int]int

// next returns the k-th draw, from 0, from the numbers below n.
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

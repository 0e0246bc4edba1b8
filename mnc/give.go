package mnc

import "fmt"

// A Share is what a PE knows and can do when it decides how many X to give to which neighbours. Policies use it.
// Neighbours are numbered from 0 in the order in which the PE considers them in this iteration.
type Share struct {
	e *pe
	c *Config
}

// A Giver is a policy: it gives X away by calls of Share.Give. It must depend on the Share alone, and may be called
// for any PE at any clock.
type Giver func(s Share)

// PE returns the number of the PE that runs the policy.
func (s Share) PE() int { return s.e.id }

// X returns the number of X in the PE's local memory, without those already given in this action.
func (s Share) X() int { return s.e.x.Len() - s.e.act.total }

// Y returns the number of Y in the PE's local memory.
func (s Share) Y() int { return s.e.y.Len() }

// Most returns how many more X this action can move.
func (s Share) Most() int { return s.c.Batch - s.e.act.total }

// Keep returns how many X the PE should keep as its own work (see Config.KeepClk); it may hold fewer. It returns 0
// where Config.Restraint does not apply.
func (s Share) Keep() int { return s.e.keptX(s.c) }

// Proper returns the PE's proper load by equation (2), in Q16.
func (s Share) Proper() int64 { return s.e.ability.proper(s.e, s.c.Form) }

// Neighbours returns the number of neighbours.
func (s Share) Neighbours() int { return s.e.n }

// neighbour returns the index of the k-th neighbour. It panics if there is none: that is a bug in the policy, like a
// slice index out of range.
func (s Share) neighbour(k int) int {
	if k < 0 || k >= s.e.n {
		panic(fmt.Sprintf("mnc: a policy names the neighbour %d of PE %d, which has %d neighbours, numbered "+
			"from 0", k, s.e.id, s.e.n))
	}
	return s.e.kthNeighbour(k)
}

// Neighbour returns the number of the k-th neighbour's PE.
func (s Share) Neighbour(k int) int { return int(s.e.nb[s.neighbour(k)].pe) }

// Load returns the X of the k-th neighbour: those it published, those in flight to it, and those just given to it.
func (s Share) Load(k int) int {
	k = s.neighbour(k)
	return s.e.view.loadX(k) + int(s.e.act.amount[k])
}

// Free returns how many X can still be given to the k-th neighbour.
func (s Share) Free(k int) int {
	k = s.neighbour(k)
	return s.c.Slots - s.e.view.sx[k] - int(s.e.act.amount[k])
}

// Ability returns the ability PA of the k-th neighbour as measured by the PE, in Q16. Abilities are measured under Auto
// only; otherwise they are 1.
func (s Share) Ability(k int) int64 { return s.e.ability.pa[s.neighbour(k)] }

// Give gives at most n X to the k-th neighbour, limited by X, Free(k) and Most. It returns how many it gave.
func (s Share) Give(k, n int) int {
	n = max(0, min(n, s.Free(k), s.X(), s.Most()))
	if n > 0 {
		s.e.addToAction(s.neighbour(k), n)
	}
	return n
}

// giver returns the policy that a configuration selects.
func (c *Config) giver() Giver {
	switch {
	case c.Give != nil:
		return c.Give
	case c.Policy == None:
		return func(Share) {}
	}
	return ByAbility
}

// ByAbility implements the paper's policy: it gives away the load above the proper load. Each datum goes to the
// neighbour with the least load for its ability, while that neighbour would still have less load for its ability
// than the PE. With abilities of 1 and nothing to keep it is the naive policy.
func ByAbility(s Share) {
	proper := (s.Proper() + One/2) >> 16
	keep := max(1, proper, int64(s.Keep()))
	for excess := min(int64(s.X())-keep, int64(s.Most())); excess > 0; excess-- {
		best, load, pa := -1, int64(0), int64(0)
		for k := range s.Neighbours() {
			if s.Free(k) <= 0 {
				continue
			}
			if next, his := int64(s.Load(k)+1), s.Ability(k); best < 0 || next*pa < load*his {
				best, load, pa = k, next, his
			}
		}
		if best < 0 || load<<16 >= pa*int64(s.X()) {
			return
		}
		s.Give(best, 1)
	}
}

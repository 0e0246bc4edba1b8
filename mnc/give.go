package mnc

import "fmt"

// A Share is what a PE knows, and what it can do, when it decides how many X to
// give to whom: the hook for a policy of one's own. Neighbours are numbered from 0
// in the order in which the PE looks at them this time.
type Share struct {
	e *pe
	c *Config
}

// A Giver is a policy: it gives X away with Share.Give, or does not. It must depend
// on the Share alone, and may be called for any PE at any clock.
type Giver func(s Share)

// PE returns the number of the PE that decides.
func (s Share) PE() int { return s.e.id }

// X returns the number of X in its local memory, without those that it has given.
func (s Share) X() int { return s.e.x.Len() - s.e.act.total }

// Y returns the number of Y in its local memory.
func (s Share) Y() int { return s.e.y.Len() }

// Most returns how many more X this action can move.
func (s Share) Most() int { return s.c.Batch - s.e.act.total }

// Keep returns how many X the PE keeps as its own work of the next slice, see
// Config.KeepClk; 0 without a Restraint.
func (s Share) Keep() int { return s.e.keptX(s.c) }

// Proper returns the PE's proper load by equation (2), in Q16.
func (s Share) Proper() int64 { return s.e.ability.proper(s.e, s.c.Form) }

// Neighbours returns the number of neighbours.
func (s Share) Neighbours() int { return s.e.n }

// neighbour finds the k-th neighbour. One that is not there is a mistake of the
// policy, like an index beyond a slice.
func (s Share) neighbour(k int) int {
	if k < 0 || k >= s.e.n {
		panic(fmt.Sprintf("mnc: a policy names the neighbour %d of PE %d, which has %d from 0 on", k, s.e.id, s.e.n))
	}
	return s.e.kthNeighbour(k)
}

// Neighbour returns the number of the k-th neighbour's PE.
func (s Share) Neighbour(k int) int { return int(s.e.nb[s.neighbour(k)].pe) }

// Load returns the X of the k-th neighbour: published, in flight to it, and given just now.
func (s Share) Load(k int) int {
	k = s.neighbour(k)
	return s.e.view.loadX(k) + int(s.e.act.amount[k])
}

// Room returns how many X can still be given to the k-th neighbour.
func (s Share) Room(k int) int {
	k = s.neighbour(k)
	return s.c.Slots - s.e.view.sx[k] - int(s.e.act.amount[k])
}

// Ability returns the ability PA of the k-th neighbour that the PE has measured, in Q16;
// it is measured under Auto only.
func (s Share) Ability(k int) int64 { return s.e.ability.pa[s.neighbour(k)] }

// Give gives up to n X to the k-th neighbour, as many as X, Room(k) and Most
// allow, and returns how many.
func (s Share) Give(k, n int) int {
	n = max(0, min(n, s.Room(k), s.X(), s.Most()))
	if n > 0 {
		s.e.addToAction(s.neighbour(k), n)
	}
	return n
}

// giver returns the policy of a configuration.
func (c *Config) giver() Giver {
	switch {
	case c.Give != nil:
		return c.Give
	case c.Policy == None:
		return func(Share) {}
	}
	return ByAbility
}

// ByAbility gives by the policy of the paper: it gives away what exceeds the proper
// load: one datum at a time to the neighbour with least for its ability, as long
// as that neighbour would still have less for its ability than the PE itself.
// With abilities of 1 and nothing to keep it is the naive policy.
func ByAbility(s Share) {
	proper := (s.Proper() + One/2) >> 16
	keep := max(1, proper, int64(s.Keep()))
	for excess := min(int64(s.X())-keep, int64(s.Most())); excess > 0; excess-- {
		best, load, pa := -1, int64(0), int64(0)
		for k := range s.Neighbours() {
			if s.Room(k) <= 0 {
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

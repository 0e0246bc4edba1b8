package compile

import (
	"math/bits"
	"slices"
)

// set is a set of small numbers.
type set []uint64

func (s set) has(r int) bool   { return s[r/64]>>(r%64)&1 != 0 }
func (s set) add(r int)        { s[r/64] |= 1 << (r % 64) }
func (s set) drop(r int)       { s[r/64] &^= 1 << (r % 64) }
func (s set) copy() set        { return slices.Clone(s) }
func (s set) equal(o set) bool { return slices.Equal(s, o) }
func (s set) join(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s set) meet(o set) {
	for i := range s {
		s[i] &= o[i]
	}
}

func (s set) without(o set) {
	for i := range s {
		s[i] &^= o[i]
	}
}

// some are the registers of a unit that a problem is about, in ascending order. Most
// registers live and die in one block, so that sets of the others are small.
type some struct {
	regs []reg
	at   []int // the place of a register in regs, or -1
}

func (u *unit) someOf(wanted func(r reg) bool) some {
	k := some{at: make([]int, u.regs)}
	for r := range reg(u.regs) {
		k.at[r] = -1
		if wanted(r) {
			k.at[r] = len(k.regs)
			k.regs = append(k.regs, r)
		}
	}
	return k
}

// newSet is the empty set of the registers, and full that of all.
func (k *some) newSet() set { return make(set, (len(k.regs)+63)/64) }
func (k *some) full() set   { return slices.Repeat(set{^uint64(0)}, len(k.newSet())) }

// eachRegister calls f for the registers of a set, ascending.
func (k *some) eachRegister(s set, f func(i int, r reg)) {
	for at, word := range s {
		for ; word != 0; word &= word - 1 {
			i := 64*at + bits.TrailingZeros64(word)
			f(i, k.regs[i])
		}
	}
}

// touch is an instruction that reads or writes one of the registers.
type touch struct {
	at     int // in the block's code; behind it are the operands of a branch, before it those of a node
	i      int // the register
	writes bool
}

// touches lists what a block does with the registers, in order.
func (k *some) touches(b *block) []touch {
	var list []touch
	b.eachTouch(func(at int, r reg, writes bool) {
		if i := k.at[r]; i >= 0 {
			list = append(list, touch{at, i, writes})
		}
	})
	return list
}

// crossing are the registers that can be alive at the border of a block.
func (u *unit) crossing() some {
	const several = -1
	home := make([]int, u.regs) // the block that has them, from 1 on
	for _, b := range u.blocks {
		u.meter.countSteps(len(b.code) + 1)
		b.eachTouch(func(_ int, r reg, writes bool) {
			switch {
			case home[r] == 0 && writes:
				home[r] = b.id + 1
			case home[r] != b.id+1:
				home[r] = several
			}
		})
	}
	return u.someOf(func(r reg) bool { return home[r] == several })
}

// following are the blocks that a block leads to.
func following(b *block) []*block { return b.next }

// postorder lists what can be reached from some blocks, so that those come first that lie
// behind others. steps are where a block leads.
func (u *unit) postorder(roots []*block, steps func(b *block) []*block) []*block {
	var list []*block
	seen := make([]bool, len(u.blocks))
	type visit struct {
		b  *block
		to []*block // still to be visited
	}
	var stack []visit
	enter := func(b *block) {
		if !seen[b.id] {
			seen[b.id] = true
			stack = append(stack, visit{b, steps(b)})
		}
	}
	for _, root := range roots {
		for enter(root); len(stack) > 0; {
			v := &stack[len(stack)-1]
			if len(v.to) == 0 {
				list = append(list, v.b)
				stack = stack[:len(stack)-1]
				continue
			}
			to := v.to[0]
			v.to = v.to[1:]
			enter(to)
		}
	}
	return list
}

// settle visits blocks in an order until no visit changes anything: after one that
// does, those of near are visited again.
func (u *unit) settle(order []*block, visit func(b *block) bool, near func(b *block) []*block) {
	due := slices.Repeat([]bool{true}, len(u.blocks))
	for again := true; again; {
		again = false
		for _, b := range order {
			u.meter.countSteps(1)
			if !due[b.id] {
				continue
			}
			due[b.id] = false
			if visit(b) {
				again = true
				for _, n := range near(b) {
					due[n.id] = true
				}
			}
		}
	}
}

// backward solves a backward problem about some registers: end is what holds at the
// end of a block apart from what holds at the beginning of its successors. reads
// says that what a block reads holds before.
func (u *unit) backward(k *some, reads bool, end func(b *block, in []set) set) (in, out []set) {
	n := len(u.blocks)
	in, out = make([]set, n), make([]set, n)
	gen, kill := make([]set, n), make([]set, n)
	before := make([][]*block, n) // also those that wake a block
	for i, b := range u.blocks {
		in[i], out[i], gen[i], kill[i] = k.newSet(), k.newSet(), k.newSet(), k.newSet()
		u.meter.countSteps(len(b.code) + len(in[i]))
		list := k.touches(b)
		for _, t := range slices.Backward(list) {
			if t.writes {
				kill[i].add(t.i)
				gen[i].drop(t.i)
			} else if reads {
				gen[i].add(t.i)
			}
		}
		for _, n := range successors(b) {
			before[n.id] = append(before[n.id], b)
		}
	}
	u.settle(u.postorder(u.blocks, successors), func(b *block) bool {
		s := end(b, in)
		u.meter.countSteps(len(s))
		for _, n := range b.next {
			s.join(in[n.id])
		}
		out[b.id] = s.copy()
		s.without(kill[b.id])
		s.join(gen[b.id])
		changed := !s.equal(in[b.id])
		in[b.id] = s
		return changed
	}, func(b *block) []*block { return before[b.id] })
	return in, out
}

// woken is what the nodes need that go on after the end of a block.
func (k *some) woken(b *block, in []set) set {
	s := k.newSet()
	for _, n := range b.wakes {
		s.join(in[n.id])
	}
	return s
}

// liveness is which registers are read later: with across, also by nodes that
// go on after the end of the strongly connected block.
func (u *unit) liveness(k *some, across bool) (in, out []set) {
	end := func(*block, []set) set { return k.newSet() }
	if across {
		end = k.woken
	}
	return u.backward(k, true, end)
}

// circles finds for every block the blocks of all circles through it, as the same
// number, or 0 if it is on none. steps are where a block leads.
func (u *unit) circles(steps func(b *block) []*block) []int {
	order := u.postorder(u.blocks, steps)
	u.meter.countSteps(len(order))
	before := make([][]*block, len(u.blocks))
	for _, b := range order {
		for _, to := range steps(b) {
			before[to.id] = append(before[to.id], b)
		}
	}
	// Kosaraju: from the first block of the order on, whoever leads to a block and is in no
	// circle yet is behind it as well.
	circle, done := make([]int, len(u.blocks)), make([]bool, len(u.blocks))
	for i, root := range slices.Backward(order) {
		if done[root.id] {
			continue
		}
		done[root.id] = true
		members := []*block{root}
		for at := 0; at < len(members); at++ {
			for _, b := range before[members[at].id] {
				if !done[b.id] {
					done[b.id] = true
					members = append(members, b)
				}
			}
		}
		if len(members) > 1 || slices.Contains(before[root.id], root) {
			for _, b := range members {
				circle[b.id] = i + 1
			}
		}
	}
	return circle
}

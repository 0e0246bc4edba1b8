package compile

import (
	"math/bits"
	"slices"
)

// set is a set of small numbers.
type set []uint64

func newSet(n int) set         { return make(set, (n+63)/64) }
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

func (k *some) newSet() set { return newSet(len(k.regs)) }

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
	at     int // in the block's code; behind it are the operands of a branch
	i      int // the register
	writes bool
}

// touches lists what a block does with the registers, in order.
func (k *some) touches(b *block) []touch {
	var list []touch
	note := func(at int, writes bool) func(reg) {
		return func(r reg) {
			if i := k.at[r]; i >= 0 {
				list = append(list, touch{at, i, writes})
			}
		}
	}
	for at := range b.code {
		b.code[at].uses(note(at, false))
		b.code[at].defs(note(at, true))
	}
	for _, a := range b.conds {
		if a.kind == isUse {
			note(len(b.code), false)(a.reg)
		}
	}
	return list
}

// crossing are the registers that can be alive at the border of a block.
func (u *unit) crossing() some {
	const several = -1
	home := make([]int, u.regs) // the block that has them, from 1 on
	for _, b := range u.blocks {
		u.meter.countSteps(len(b.code) + 1)
		meet := func(first bool) func(reg) {
			return func(r reg) {
				switch {
				case home[r] == 0 && first:
					home[r] = b.id + 1
				case home[r] != b.id+1:
					home[r] = several
				}
			}
		}
		for _, r := range b.in {
			if r != none {
				meet(true)(r)
			}
		}
		for i := range b.code {
			b.code[i].uses(meet(false))
			b.code[i].defs(meet(true))
		}
		for _, a := range b.conds {
			if a.kind == isUse {
				meet(false)(a.reg)
			}
		}
	}
	return u.someOf(func(r reg) bool { return home[r] == several })
}

// postorder lists the blocks so that those come first that lie behind others.
func (u *unit) postorder() []*block {
	var list []*block
	seen := make([]bool, len(u.blocks))
	type visit struct {
		b    *block
		next int
	}
	for _, root := range u.blocks {
		if seen[root.id] {
			continue
		}
		seen[root.id] = true
		for stack := []visit{{b: root}}; len(stack) > 0; {
			v := &stack[len(stack)-1]
			if v.next == len(v.b.next) {
				list = append(list, v.b)
				stack = stack[:len(stack)-1]
				continue
			}
			n := v.b.next[v.next]
			v.next++
			if !seen[n.id] {
				seen[n.id] = true
				stack = append(stack, visit{b: n})
			}
		}
	}
	return list
}

// settle visits blocks in an order until no visit changes anything: after one that
// does, those of near are visited again.
func (u *unit) settle(order []*block, visit func(b *block) bool, near func(b *block) []*block) {
	due := make([]bool, len(u.blocks))
	for i := range due {
		due[i] = true
	}
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
		for _, r := range b.in {
			if r != none && k.at[r] >= 0 {
				kill[i].add(k.at[r])
				gen[i].drop(k.at[r])
			}
		}
		for _, list := range [][]*block{b.next, b.wakes} {
			for _, n := range list {
				before[n.id] = append(before[n.id], b)
			}
		}
	}
	u.settle(u.postorder(), func(b *block) bool {
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
	return u.backward(k, true, func(b *block, in []set) set {
		if across {
			return k.woken(b, in)
		}
		return k.newSet()
	})
}

// circles finds for every block the blocks of all circles through it, as the same
// number, or 0 if it is on none. steps are where a block leads.
func (u *unit) circles(steps func(b *block) []*block) []int {
	n := len(u.blocks)
	circle, low, index := make([]int, n), make([]int, n), make([]int, n)
	var open []*block
	type visit struct {
		b    *block
		to   []*block
		next int
	}
	last, found := 0, 0
	for _, root := range u.blocks {
		if index[root.id] != 0 {
			continue
		}
		stack := []visit{{b: root, to: steps(root)}}
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			id := v.b.id
			if v.next == 0 && index[id] == 0 {
				u.meter.countSteps(1)
				last++
				index[id], low[id] = last, last
				open = append(open, v.b)
			}
			if v.next < len(v.to) {
				to := v.to[v.next]
				v.next++
				switch {
				case index[to.id] == 0:
					stack = append(stack, visit{b: to, to: steps(to)})
				case low[to.id] > 0: // still open
					low[id] = min(low[id], index[to.id])
				}
				continue
			}
			done := *v
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				p := stack[len(stack)-1].b.id
				low[p] = min(low[p], low[id])
			}
			if low[id] == index[id] {
				i := len(open) - 1
				for open[i] != done.b {
					i--
				}
				members := open[i:]
				open = open[:i]
				found++
				for _, m := range members {
					low[m.id] = -1 // closed
					if len(members) > 1 || slices.Contains(done.to, m) {
						circle[m.id] = found
					}
				}
			}
		}
	}
	return circle
}

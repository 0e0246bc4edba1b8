package compile

import (
	"math/bits"
	"slices"
)

// set is a sparse bit set of small numbers. It has only the words that are not 0, because few registers are live at one
// place of a long program.
type set = *numbers

type numbers struct {
	at   []int // ascending
	bits []uint64
}

// word returns the index of a number's word, or the index at which it would be inserted.
func (s *numbers) word(r int) (i int, found bool) { return slices.BinarySearch(s.at, r/64) }

func (s *numbers) has(r int) bool {
	i, found := s.word(r)
	return found && s.bits[i]>>(r%64)&1 != 0
}

func (s *numbers) add(r int) {
	i, found := s.word(r)
	if !found {
		s.at, s.bits = slices.Insert(s.at, i, r/64), slices.Insert(s.bits, i, 0)
	}
	s.bits[i] |= 1 << (r % 64)
}

func (s *numbers) drop(r int) {
	i, found := s.word(r)
	if !found {
		return
	}
	if s.bits[i] &^= 1 << (r % 64); s.bits[i] == 0 {
		s.at, s.bits = slices.Delete(s.at, i, i+1), slices.Delete(s.bits, i, i+1)
	}
}

func (s *numbers) copy() set        { return &numbers{slices.Clone(s.at), slices.Clone(s.bits)} }
func (s *numbers) equal(o set) bool { return slices.Equal(s.at, o.at) && slices.Equal(s.bits, o.bits) }
func (s *numbers) join(o set)       { s.combine(o, func(a, b uint64) uint64 { return a | b }) }
func (s *numbers) meet(o set)       { s.combine(o, func(a, b uint64) uint64 { return a & b }) }
func (s *numbers) without(o set)    { s.combine(o, func(a, b uint64) uint64 { return a &^ b }) }

// combine replaces each word of a set by the result of the function by, for this word and the same word of another set.
func (s *numbers) combine(o set, by func(a, b uint64) uint64) {
	var to numbers
	for i, j := 0, 0; i < len(s.at) || j < len(o.at); {
		var a, b uint64
		at := 0
		if j == len(o.at) || i < len(s.at) && s.at[i] <= o.at[j] {
			at, a = s.at[i], s.bits[i]
			i++
		} else {
			at = o.at[j]
		}
		if j < len(o.at) && o.at[j] == at {
			b = o.bits[j]
			j++
		}
		if w := by(a, b); w != 0 {
			to.at, to.bits = append(to.at, at), append(to.bits, w)
		}
	}
	*s = to
}

// subset lists the registers of a unit that an analysis covers, in ascending order. Most registers are local to one
// block, so that sets of the others are small.
type subset struct {
	regs []reg
	at   []int // the index of a register in regs, or -1
}

func (u *unit) subsetOf(wanted func(r reg) bool) subset {
	k := subset{at: make([]int, u.regs)}
	for r := range reg(u.regs) {
		k.at[r] = -1
		if wanted(r) {
			k.at[r] = len(k.regs)
			k.regs = append(k.regs, r)
		}
	}
	return k
}

// newSet returns an empty set, and full a set of all registers of k. A full set may also have greater numbers, up to a
// multiple of 64.
func (k *subset) newSet() set { return &numbers{} }

func (k *subset) full() set {
	s := k.newSet()
	for at := range (len(k.regs) + 63) / 64 {
		s.at, s.bits = append(s.at, at), append(s.bits, ^uint64(0))
	}
	return s
}

// eachRegister calls f for the registers of a set, ascending.
func (k *subset) eachRegister(s set, f func(i int, r reg)) {
	for n, word := range s.bits {
		for ; word != 0; word &= word - 1 {
			i := 64*s.at[n] + bits.TrailingZeros64(word)
			f(i, k.regs[i])
		}
	}
}

// access is a read or a write of one of the registers.
type access struct {
	at     int // the index in the block's code; -1 for a node's operands, len(code) for a branch's
	i      int // the index of the register
	writes bool
}

// accesses lists a block's reads and writes of the registers, in order.
func (k *subset) accesses(b *block) []access {
	var list []access
	b.eachAccess(func(at int, r reg, writes bool) {
		if i := k.at[r]; i >= 0 {
			list = append(list, access{at, i, writes})
		}
	})
	return list
}

// crossing returns the registers that can be live at a boundary of a basic block.
func (u *unit) crossing() subset {
	const several = -1
	home := make([]int, u.regs) // the ID of the only block that uses a register, plus 1; 0: not used; or several
	for _, b := range u.blocks {
		u.meter.countSteps(len(b.code) + 1)
		b.eachAccess(func(_ int, r reg, writes bool) {
			switch {
			case home[r] == 0 && writes:
				home[r] = b.id + 1
			case home[r] != b.id+1:
				home[r] = several
			}
		})
	}
	return u.subsetOf(func(r reg) bool { return home[r] == several })
}

// following returns the successors of a block in the same strongly connected block.
func following(b *block) []*block { return b.next }

// postorder returns the blocks that can be reached from some roots, in postorder. steps returns the successors of a
// block.
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

// toFixpoint visits blocks in the given order up to a fixpoint: after a visit that reports a change, the blocks of
// affected are visited again.
func (u *unit) toFixpoint(order []*block, visit func(b *block) bool, affected func(b *block) []*block) {
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
				for _, n := range affected(b) {
					due[n.id] = true
				}
			}
		}
	}
}

// backward runs a backward dataflow analysis over the registers in k, and returns its fixpoint at the beginning and the
// end of every block. end returns what holds at a block's end besides what holds at the beginning of its successors. A
// write of a register kills it; a read generates it if reads is set.
func (u *unit) backward(k *subset, reads bool, end func(b *block, in []set) set) (in, out []set) {
	n := len(u.blocks)
	in, out = make([]set, n), make([]set, n)
	gen, kill := make([]set, n), make([]set, n)
	before := make([][]*block, n) // predecessors, including blocks that wake a block
	for i, b := range u.blocks {
		in[i], out[i], gen[i], kill[i] = k.newSet(), k.newSet(), k.newSet(), k.newSet()
		u.meter.countSteps(len(b.code))
		list := k.accesses(b)
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
	u.toFixpoint(u.postorder(u.blocks, successors), func(b *block) bool {
		s := end(b, in)
		for _, n := range b.next {
			s.join(in[n.id])
		}
		u.meter.countSteps(len(s.at))
		out[b.id] = s.copy()
		s.without(kill[b.id])
		s.join(gen[b.id])
		changed := !s.equal(in[b.id])
		in[b.id] = s
		return changed
	}, func(b *block) []*block { return before[b.id] })
	return in, out
}

// woken returns the registers live at the nodes that continue after the end of b: the union of their sets in in.
func (k *subset) woken(b *block, in []set) set {
	s := k.newSet()
	for _, n := range b.wakes {
		s.join(in[n.id])
	}
	return s
}

// liveness finds the registers that are live at the beginning and at the end of every block. With across, a register is
// also live if a node that continues after the end of the strongly connected block reads it.
func (u *unit) liveness(k *subset, across bool) (in, out []set) {
	end := func(*block, []set) set { return k.newSet() }
	if across {
		end = k.woken
	}
	return u.backward(k, true, end)
}

// components returns for every block the number of its strongly connected component in the flow graph, or 0 if no
// loop contains it. steps returns the blocks that a block leads to.
func (u *unit) components(steps func(b *block) []*block) []int {
	order := u.postorder(u.blocks, steps)
	u.meter.countSteps(len(order))
	before := make([][]*block, len(u.blocks))
	for _, b := range order {
		for _, to := range steps(b) {
			before[to.id] = append(before[to.id], b)
		}
	}
	// Kosaraju's algorithm: in reverse postorder, each block that leads to a root, and has no component yet, is in the
	// component of the root.
	component, done := make([]int, len(u.blocks)), make([]bool, len(u.blocks))
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
				component[b.id] = i + 1
			}
		}
	}
	return component
}

package compile

// Loops that wait for something in every turn pass their values on in the
// operand segment. What such a loop does not change is stored before its first
// turn, and what it only reads behind its last one stays there until then.

// findSpare finds what loops that wait in every turn read only behind their last
// one: it stays in its word until then.
func (k *keeper) findSpare() {
	k.spare = make([]set, len(k.u.blocks))
	before := map[*block][]*block{}
	for _, b := range k.u.blocks {
		for _, list := range [][]*block{b.next, b.wakes} {
			for _, n := range list {
				before[n] = append(before[n], b)
			}
		}
	}
	for i, b := range k.u.blocks {
		after := reach(b)
		if len(b.from) < 2 || !after[b] || hasQuickTurn(b) {
			continue
		}
		k.spare[i] = newSet(k.u.regs)
		for j := range k.spare[i] {
			k.spare[i][j] = ^uint64(0)
		}
		turn, todo := map[*block]bool{}, []*block{b} // what a turn can pass through
		for len(todo) > 0 {
			x := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !turn[x] && after[x] {
				turn[x] = true
				k.u.reads(x, k.spare[i].drop)
				todo = append(todo, before[x]...)
			}
		}
	}
}

// hasQuickTurn reports a loop with a turn that does not wait.
func hasQuickTurn(b *block) bool {
	seen := map[*block]bool{}
	var walk func(x *block) bool
	walk = func(x *block) bool {
		for _, n := range x.next {
			if n == b {
				return true
			}
			if !seen[n] {
				seen[n] = true
				if walk(n) {
					return true
				}
			}
		}
		return false
	}
	return walk(b)
}

// reads calls f for the registers that a block reads.
func (u *unit) reads(b *block, f func(reg)) {
	for i := range b.code {
		b.code[i].uses(f)
	}
	for _, a := range b.conds {
		if a.kind == isUse {
			f(a.reg)
		}
	}
}

// storeBeforeLoops finds the loops that wait for something in every turn: what
// they do not change is stored once, before the first turn.
func (k *keeper) storeBeforeLoops() {
	for i, b := range k.u.blocks {
		k.stored[i] = newSet(k.u.regs)
		if len(b.from) < 2 {
			continue
		}
		after, turns := reach(b), newSet(k.u.regs)
		loops, enters := false, false
		for _, p := range b.from {
			if after[p] {
				turns.join(k.dirt[p.id])
				loops = true
			} else {
				enters = true
			}
		}
		if loops && enters {
			k.stored[i] = k.dirty[i].copy()
			turns.each(k.u.regs, k.stored[i].drop)
		}
	}
	for i := range k.dirt {
		k.dirt[i] = newSet(k.u.regs)
	}
}

// reach is what can run after a block, later pieces of the instance included.
func reach(b *block) map[*block]bool {
	seen := map[*block]bool{}
	var walk func(b *block)
	walk = func(b *block) {
		for _, list := range [][]*block{b.next, b.wakes} {
			for _, n := range list {
				if !seen[n] {
					seen[n] = true
					walk(n)
				}
			}
		}
	}
	walk(b)
	return seen
}

package compile

// Loops that wait for something in every turn pass their values on in the
// operand segment. What such a loop does not change is stored before its first
// turn, and what it only reads behind its last one stays there until then.

// successors are where a block leads, later pieces of the instance included.
func successors(b *block) []*block {
	if len(b.wakes) == 0 {
		return b.next
	}
	return append(b.next[:len(b.next):len(b.next)], b.wakes...)
}

// findSpare finds what loops that wait in every turn read only behind their last
// one: it stays in its word until then.
func (k *keeper) findSpare() {
	k.spare = make([]set, len(k.u.blocks))
	loop, quick := k.u.circles(successors), k.u.circles(following)
	unread := map[int]set{} // by loops
	for i, b := range k.u.blocks {
		if loop[i] == 0 {
			continue
		}
		if unread[loop[i]] == nil {
			unread[loop[i]] = k.homed.full()
		}
		for _, t := range k.touches[b.id] {
			if !t.writes {
				unread[loop[i]].drop(t.i)
			}
		}
	}
	for i, b := range k.u.blocks {
		if len(b.from) > 1 && loop[i] != 0 && quick[i] == 0 { // no turn goes on without waiting
			k.spare[i] = unread[loop[i]]
		}
	}
}

// storeBeforeLoops finds the loops that wait for something in every turn: what
// they do not change is stored once, before the first turn.
func (k *keeper) storeBeforeLoops() {
	loop := k.u.circles(successors)
	for i, b := range k.u.blocks {
		k.stored[i] = k.homed.newSet()
		if len(b.from) < 2 {
			continue
		}
		turns := k.homed.newSet()
		loops, enters := false, false
		for _, p := range b.from {
			if loop[i] != 0 && loop[p.id] == loop[i] {
				turns.join(k.dirt[p.id])
				loops = true
			} else {
				enters = true
			}
		}
		if loops && enters {
			k.stored[i] = k.dirty[i].copy()
			k.stored[i].without(turns)
		}
	}
	for i := range k.dirt {
		k.dirt[i] = k.homed.newSet()
	}
}

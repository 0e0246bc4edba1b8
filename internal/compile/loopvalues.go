package compile

import "slices"

// Loops that wait in every iteration pass their values on in the operand segment. Values that such a loop does not
// change are stored before the first iteration. Values that are read only after the loop stay in the segment until the
// loop ends.

// successors returns the successors of a block, including the nodes that it wakes.
func successors(b *block) []*block {
	if len(b.wakes) == 0 {
		return b.next
	}
	return append(b.next[:len(b.next):len(b.next)], b.wakes...)
}

// findSpare finds the values that are read only after a loop with waits. Such a value stays in its word until the loop
// ends, if every iteration waits or the loop does not change it.
func (k *keeper) findSpare() {
	k.spare, k.written = make([]set, len(k.u.blocks)), map[int]set{}
	loop, quick := k.u.components(successors), k.u.components(following)
	k.component = loop
	unread := map[int]set{} // by loop: the values that it does not read
	adds, waits := map[int]bool{}, map[int]bool{}
	for i, b := range k.u.blocks {
		if loop[i] == 0 {
			continue
		}
		if unread[loop[i]] == nil {
			unread[loop[i]], k.written[loop[i]] = k.homed.full(), k.homed.newSet()
		}
		adds[loop[i]], waits[loop[i]] = adds[loop[i]] || b.waitsFor != nil, waits[loop[i]] || len(b.wakes) > 0
		for _, t := range k.accesses[b.id] {
			if t.writes {
				k.written[loop[i]].add(t.i)
			} else {
				unread[loop[i]].drop(t.i)
			}
		}
	}
	k.lasts = func(b *block) bool { // a reduction loop is certain to wait only from its second chain on
		return slices.ContainsFunc(b.from, func(p *block) bool { return p.second }) || waits[loop[b.id]] && !adds[loop[b.id]]
	}
	for i, b := range k.u.blocks {
		switch {
		case len(b.from) < 2 || loop[i] == 0:
		case quick[i] == 0: // every iteration waits
			k.spare[i] = unread[loop[i]]
		case k.lasts(b):
			k.spare[i] = unread[loop[i]].copy()
			k.spare[i].without(k.written[loop[i]])
		}
	}
}

// storeBeforeLoops finds the loops that wait in every iteration. Values that such a loop does not change are stored
// once: before the first iteration, or before the second chain. The second chain begins when it is certain that the
// loop waits.
func (k *keeper) storeBeforeLoops() {
	loop := k.component
	for i, b := range k.u.blocks {
		k.stored[i] = k.homed.newSet()
		if len(b.from) < 2 {
			continue
		}
		changed := k.homed.newSet()
		loops, enters := false, false
		for _, p := range b.from {
			if loop[i] != 0 && loop[p.id] == loop[i] && !p.second {
				changed.join(k.dirt[p.id])
				loops = true
			} else {
				enters = true
			}
		}
		if loops && enters {
			k.stored[i] = k.dirty[i].copy()
			if k.lasts(b) {
				changed.meet(k.written[loop[i]])
			}
			k.stored[i].without(changed)
		}
	}
	for i := range k.dirt {
		k.dirt[i] = k.homed.newSet()
	}
}

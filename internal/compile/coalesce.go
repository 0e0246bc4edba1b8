package compile

import "slices"

// Each register that waits in the operand segment has its own word as long as there is room, because such code is
// easier to read. If there is no room, registers with disjoint live ranges share words.

// crowded reports whether the segment lacks room for a word for each register.
func (u *unit) crowded(homed []reg) bool {
	const spills = 2 // words for spilled registers
	n := 1 + spills
	for _, w := range u.words {
		n += int(u.space(w))
	}
	for _, r := range homed {
		if u.home[r] == "" {
			n++
		}
	}
	for _, b := range u.blocks {
		if b.node != nil {
			n += (&chunk{root: b}).words()
		}
	}
	return !u.system && n > segmentWords
}

// coalesce lets registers with disjoint live ranges use one word.
func (u *unit) coalesce(homed *subset) {
	near := u.together(homed)
	for i, r := range homed.regs {
		u.meter.countSteps(2 * i)
		taken := map[string]bool{}
		for j, o := range homed.regs[:i] {
			if near[i].has(j) {
				taken[u.home[o]] = true
			}
		}
		for _, o := range homed.regs[:i] {
			if u.home[r] == "" && !taken[u.home[o]] {
				u.home[r] = u.home[o]
			}
		}
		u.giveHome(r)
	}
}

// together returns for each register the registers whose live ranges overlap with its own.
func (u *unit) together(homed *subset) []set {
	near := make([]set, len(homed.regs))
	for i := range near {
		near[i] = homed.newSet()
	}
	edges := func(i int, live set) {
		u.meter.countSteps(len(live.at))
		near[i].join(live)
		homed.eachRegister(live, func(j int, _ reg) { near[j].add(i) })
		near[i].drop(i)
	}
	all := homed.newSet()
	for i := range homed.regs {
		all.add(i)
	}
	in, out := u.liveness(homed, true)
	for _, b := range u.blocks {
		live := out[b.id].copy()
		list := homed.accesses(b)
		for len(list) > 0 { // instruction by instruction, the last one first
			n := len(list) - 1
			for n > 0 && list[n-1].at == list[n].at {
				n--
			}
			for _, t := range list[n:] {
				if t.writes {
					edges(t.i, live)
				}
			}
			for _, t := range slices.Backward(list[n:]) { // its results, then its operands
				if t.writes {
					live.drop(t.i)
				} else {
					live.add(t.i)
				}
			}
			list = list[:n]
		}
		if b.node != nil {
			homed.eachRegister(in[b.id], func(i int, _ reg) { edges(i, in[b.id]) })
			for _, r := range b.in {
				if u.cut && r != none && homed.at[r] >= 0 { // operands may arrive before the code after a cut runs
					edges(homed.at[r], all)
				}
			}
		}
	}
	return near
}

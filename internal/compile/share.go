package compile

// Registers that wait in the operand segment have a word of their own as long
// as there is room, because that reads better. Where there is not, those that
// are never wanted at the same time share words.

// crowded reports that the segment has no room for a word for each register.
func (u *unit) crowded(homed set) bool {
	const spills = 2 // words for what does not fit the machine's registers
	n := 1 + spills
	for _, w := range u.words {
		n += int(u.space(w))
	}
	homed.each(u.regs, func(r reg) {
		if u.home[r] == "" {
			n++
		}
	})
	for _, b := range u.blocks {
		if b.node != nil {
			n += (&chunk{root: b}).words()
		}
	}
	return !u.system && n > segmentWords
}

// share gives registers the words of others that are wanted at other times.
func (u *unit) share(homed set) {
	near := u.together(homed)
	var have []reg // the registers that have words
	homed.each(u.regs, func(r reg) {
		taken := map[string]bool{}
		for _, o := range have {
			if near[r][o] {
				taken[u.home[o]] = true
			}
		}
		for _, o := range have {
			if u.home[r] == "" && !taken[u.home[o]] {
				u.home[r] = u.home[o]
			}
		}
		if u.home[r] == "" {
			u.home[r] = u.word(u.wordName(r))
		}
		have = append(have, r)
	})
}

// together finds the registers that are wanted at the same time.
func (u *unit) together(homed set) []map[reg]bool {
	near := make([]map[reg]bool, u.regs)
	for i := range near {
		near[i] = map[reg]bool{}
	}
	edges := func(r reg, live set) {
		live.each(u.regs, func(o reg) {
			if o != r && homed.has(o) && homed.has(r) {
				near[r][o], near[o][r] = true, true
			}
		})
	}
	in, out := u.live(true)
	for _, b := range u.blocks {
		live := out[b.id].copy()
		for _, a := range b.conds {
			if a.kind == isUse {
				live.add(a.reg)
			}
		}
		for i := len(b.code) - 1; i >= 0; i-- {
			b.code[i].defs(func(r reg) { edges(r, live) })
			b.code[i].defs(live.drop)
			b.code[i].uses(live.add)
		}
		for _, r := range b.in {
			if r != none {
				edges(r, live)
			}
		}
		if b.node != nil {
			in[b.id].each(u.regs, func(r reg) { edges(r, in[b.id]) })
		}
	}
	return near
}

// wordName is what the word of a register is called.
func (u *unit) wordName(r reg) string {
	if name := u.names[r]; name != "" {
		return name
	}
	return "t"
}

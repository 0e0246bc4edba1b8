package compile

import "slices"

// set is a set of registers of a unit.
type set []uint64

func newSet(n int) set         { return make(set, (n+63)/64) }
func (s set) has(r reg) bool   { return s[r/64]>>(r%64)&1 != 0 }
func (s set) add(r reg)        { s[r/64] |= 1 << (r % 64) }
func (s set) drop(r reg)       { s[r/64] &^= 1 << (r % 64) }
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

func (s set) each(n int, f func(reg)) {
	for r := range reg(n) {
		if s.has(r) {
			f(r)
		}
	}
}

// backward solves a backward problem over the blocks: end is what holds at the
// end of a block apart from what holds at the beginning of its successors.
func (u *unit) backward(end func(b *block, in []set) set) (in, out []set) {
	in, out = make([]set, len(u.blocks)), make([]set, len(u.blocks))
	for i := range in {
		in[i], out[i] = newSet(u.regs), newSet(u.regs)
	}
	for again := true; again; {
		again = false
		for i := len(u.blocks) - 1; i >= 0; i-- {
			b := u.blocks[i]
			s := end(b, in)
			for _, n := range b.next {
				s.join(in[n.id])
			}
			out[i] = s.copy()
			u.through(b, s)
			if !s.equal(in[i]) {
				in[i], again = s, true
			}
		}
	}
	return in, out
}

// through takes a set of live registers from the end of a block to its beginning.
func (u *unit) through(b *block, s set) {
	for _, a := range b.conds {
		if a.kind == isUse {
			s.add(a.reg)
		}
	}
	for i := len(b.code) - 1; i >= 0; i-- {
		b.code[i].defs(s.drop)
		b.code[i].uses(s.add)
	}
	for _, r := range b.in {
		if r != none {
			s.drop(r)
		}
	}
}

// woken is what the nodes need that go on after the end of a block.
func (u *unit) woken(b *block, in []set) set {
	s := newSet(u.regs)
	for _, n := range b.wakes {
		s.join(in[n.id])
	}
	return s
}

// live is which registers are read later: with across, also by nodes that go on
// after the end of the strongly connected block.
func (u *unit) live(across bool) (in, out []set) {
	return u.backward(func(b *block, in []set) set {
		if across {
			return u.woken(b, in)
		}
		return newSet(u.regs)
	})
}

// keep gives every register that lives across the end of a strongly connected
// block a word in the operand segment, and puts in the stores before an end and
// the loads behind it. It stores as late as possible, so that neither loops nor
// branches that end early pay for it.
func (u *unit) keep() {
	u.split()
	in, _ := u.live(true)
	homed := newSet(u.regs)
	for _, b := range u.blocks {
		if b.node != nil {
			homed.join(in[b.id])
		}
	}
	if u.crowded(homed) {
		u.share(homed)
	}
	homed.each(u.regs, func(r reg) {
		if u.home[r] == "" {
			u.home[r] = u.word(u.wordName(r))
		}
	})
	k := &keeper{u: u, homed: homed}
	k.soon, _ = u.live(false)
	k.needIn, k.needOut = k.needs(in)
	k.solve()
	k.place()
}

// keeper decides where loads and stores go.
type keeper struct {
	u               *unit
	homed           set
	soon            []set // read before the strongly connected block ends
	needIn, needOut []set // the word must be right by then
	have, dirty     []set // at a block's beginning: in a register; newer than the word
	haveEnd, dirt   []set // at its end
	spare           []set // at a block's beginning: not read before the next turn of a loop
	stored          []set // at a block's beginning: its word is made right on the ways that lead there
}

// needs is where a register's word will be read without being written before.
func (k *keeper) needs(in []set) ([]set, []set) {
	u := k.u
	needIn, needOut := make([]set, len(u.blocks)), make([]set, len(u.blocks))
	for i := range needIn {
		needIn[i], needOut[i] = newSet(u.regs), newSet(u.regs)
	}
	for again := true; again; {
		again = false
		for i := len(u.blocks) - 1; i >= 0; i-- {
			b := u.blocks[i]
			s := u.woken(b, in)
			for _, n := range b.next {
				s.join(needIn[n.id])
			}
			needOut[i] = s.copy()
			for j := range b.code {
				b.code[j].defs(s.drop)
			}
			for _, r := range b.in {
				if r != none {
					s.drop(r)
				}
			}
			if !s.equal(needIn[i]) {
				needIn[i], again = s, true
			}
		}
	}
	return needIn, needOut
}

// solve finds what is in registers at the beginning of every block, and then
// what is newer there than in its word. Where ways meet, a register that is read
// soon is there on all of them.
func (k *keeper) solve() {
	n := len(k.u.blocks)
	k.have, k.dirty, k.haveEnd, k.dirt = make([]set, n), make([]set, n), make([]set, n), make([]set, n)
	for i := range n { // everything is in a register until shown otherwise; nothing is newer until shown
		k.haveEnd[i], k.dirt[i] = newSet(k.u.regs), newSet(k.u.regs)
		for j := range k.haveEnd[i] {
			k.haveEnd[i][j] = ^uint64(0)
		}
	}
	k.findSpare()
	for again := true; again; {
		again = false
		for i, b := range k.u.blocks {
			k.have[i] = k.begin(b)
			end := k.have[i].copy()
			k.walk(b, end, newSet(k.u.regs), nil)
			again = again || !end.equal(k.haveEnd[i])
			k.haveEnd[i] = end
		}
	}
	k.stored = make([]set, n)
	k.solveDirty()
	k.storeBeforeLoops()
	k.solveDirty()
}

// solveDirty finds what is newer in registers than in their words.
func (k *keeper) solveDirty() {
	for again := true; again; {
		again = false
		for i, b := range k.u.blocks {
			k.dirty[i] = k.newer(b)
			if k.stored[i] != nil {
				k.stored[i].each(k.u.regs, k.dirty[i].drop)
			}
			end := k.dirty[i].copy()
			k.walk(b, k.have[i].copy(), end, nil)
			again = again || !end.equal(k.dirt[i])
			k.dirt[i] = end
		}
	}
}

// begin is what is in registers at the beginning of a block.
func (k *keeper) begin(b *block) set {
	have := newSet(k.u.regs)
	for _, r := range b.in {
		if r != none {
			have.add(r)
		}
	}
	for i, p := range b.from {
		if i == 0 {
			have = k.haveEnd[p.id].copy()
			continue
		}
		have.meet(k.haveEnd[p.id])
	}
	if len(b.from) > 1 {
		k.homed.each(k.u.regs, func(r reg) {
			if k.soon[b.id].has(r) && (k.spare[b.id] == nil || !k.spare[b.id].has(r)) {
				have.add(r)
			}
		})
	}
	return have
}

// newer is what is newer in a register than in its word.
func (k *keeper) newer(b *block) set {
	dirty := newSet(k.u.regs)
	for _, r := range b.in {
		if r != none {
			dirty.add(r)
		}
	}
	for _, p := range b.from {
		dirty.join(k.dirt[p.id])
	}
	if len(b.from) > 1 {
		dirty.meet(k.have[b.id])
	}
	return dirty
}

// walk follows a block; found is called at an instruction that needs a load.
func (k *keeper) walk(b *block, have, dirty set, found func(i int, r reg)) {
	want := func(i int) func(reg) {
		return func(r reg) {
			if k.homed.has(r) && !have.has(r) {
				have.add(r)
				if found != nil {
					found(i, r)
				}
			}
		}
	}
	for i := range b.code {
		b.code[i].uses(want(i))
		b.code[i].defs(func(r reg) {
			have.add(r)
			dirty.add(r)
		})
	}
	for _, a := range b.conds {
		if a.kind == isUse {
			want(len(b.code))(a.reg)
		}
	}
}

// place puts in the loads and stores.
func (k *keeper) place() {
	u := k.u
	before := make([]map[int][]reg, len(u.blocks))
	loads, stores := make([][]reg, len(u.blocks)), make([][]reg, len(u.blocks))
	for i, b := range u.blocks {
		before[i] = map[int][]reg{}
		have, dirty := k.have[i].copy(), k.dirty[i].copy()
		k.walk(b, have, dirty, func(j int, r reg) { before[i][j] = append(before[i][j], r) })
		k.homed.each(u.regs, func(r reg) {
			if len(b.next) == 0 && k.needOut[i].has(r) && dirty.has(r) {
				stores[i] = append(stores[i], r)
			}
			for _, n := range b.next {
				if len(n.from) < 2 {
					continue
				}
				if !have.has(r) && k.have[n.id].has(r) && k.soon[n.id].has(r) {
					loads[i] = append(loads[i], r)
				}
				reload := !k.have[n.id].has(r) && k.soon[n.id].has(r)
				if dirty.has(r) && !k.dirty[n.id].has(r) && (reload || k.needIn[n.id].has(r)) {
					stores[i] = append(stores[i], r)
				}
			}
		})
	}
	for i, b := range u.blocks {
		var code []instr
		for j := 0; j <= len(b.code); j++ {
			for _, r := range before[i][j] {
				code = append(code, u.load(r, b.line))
			}
			if j < len(b.code) {
				code = append(code, b.code[j])
			}
		}
		for _, r := range stores[i] {
			code = append(code, u.store(r, b.line))
		}
		for _, r := range loads[i] {
			code = append(code, u.load(r, b.line))
		}
		b.code = code
	}
}

// load and store move a register from and to its word.
func (u *unit) load(r reg, line int) instr {
	return instr{name: "ld", args: []arg{def(r), u.frame(), u.place(r)}, line: line}
}

func (u *unit) store(r reg, line int) instr {
	return instr{name: "st", args: []arg{use(r), u.frame(), u.place(r)}, line: line}
}

func (u *unit) frame() arg {
	if u.system {
		return text("r0")
	}
	return text("fp")
}

func (u *unit) place(r reg) arg {
	if u.system {
		return text(u.home[r])
	}
	return text("@" + u.home[r])
}

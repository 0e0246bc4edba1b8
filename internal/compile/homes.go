package compile

import (
	"cmp"
	"slices"

	"emsim/isa"
)

// assignHomes gives a word of the operand segment to every register that lives across the end of a strongly connected
// block. It inserts stores before such ends and loads after them. Stores are as late as possible, so that loops and
// branches that end early do not pay for them.
func (u *unit) assignHomes() {
	u.split()
	k := u.crossing()
	in, _ := u.liveness(&k, true)
	waits := k.newSet()
	for _, b := range u.blocks {
		if b.node != nil {
			waits.join(in[b.id])
		}
	}
	homed := u.subsetOf(func(r reg) bool { return k.at[r] >= 0 && waits.has(k.at[r]) })
	if len(homed.regs) == 0 {
		return
	}
	if u.crowded(homed.regs) {
		u.coalesce(&homed)
	}
	for _, r := range homed.regs {
		u.giveHome(r)
	}
	x := &keeper{u: u, homed: homed}
	in, _ = u.liveness(&homed, true)
	x.soon, _ = u.liveness(&homed, false)
	x.needIn, x.needOut = u.backward(&homed, false, func(b *block, _ []set) set { return homed.woken(b, in) })
	x.solve()
	x.place()
}

// giveHome makes sure that a register has a word.
func (u *unit) giveHome(r reg) {
	if u.home[r] == "" {
		u.home[r] = u.reserveWord(cmp.Or(u.names[r], "t"))
	}
}

// keeper decides where loads and stores go. Its sets contain registers that have words.
type keeper struct {
	u               *unit
	homed           subset
	accesses        [][]access
	soon            []set       // read before the strongly connected block ends
	needIn, needOut []set       // the word must be up to date by then: it is read before it is written
	have, dirty     []set       // at a block's beginning: in a register; newer than the word
	haveEnd, dirt   []set       // at its end
	spare           []set       // at a block's beginning: the loop around it does not read them
	component       []int       // by block: its strongly connected component in the graph that includes waits
	written         map[int]set // by component: the registers that its blocks write
	stored          []set       // at a block's beginning: words that the edges to it store

	// lasts reports whether a block begins a loop that keeps values in their words if it does not change them.
	lasts func(b *block) bool
}

// forward visits the blocks until nothing changes, in reverse postorder.
func (k *keeper) forward(visit func(b *block) bool) {
	order := k.u.postorder(k.u.blocks, following)
	slices.Reverse(order)
	k.u.toFixpoint(order, visit, following)
}

// solve finds which values are in registers at the beginning of every block, and which of them are newer than their
// words. At a join, a value that is read soon is loaded on every edge if it is in a register on one.
func (k *keeper) solve() {
	n := len(k.u.blocks)
	k.have, k.dirty, k.haveEnd, k.dirt, k.accesses = make([]set, n), make([]set, n), make([]set, n), make([]set, n), make([][]access, n)
	for i := range n { // everything is in a register until shown otherwise; nothing is newer until shown
		k.accesses[i] = k.homed.accesses(k.u.blocks[i])
		k.haveEnd[i], k.dirt[i] = k.homed.full(), k.homed.newSet()
	}
	k.findSpare()
	k.forward(func(b *block) bool {
		k.have[b.id] = k.begin(b)
		end := k.have[b.id].copy()
		k.walkBlock(b, end, k.homed.newSet(), nil)
		changed := !end.equal(k.haveEnd[b.id])
		k.haveEnd[b.id] = end
		return changed
	})
	k.stored = make([]set, n)
	k.solveDirty()
	k.storeBeforeLoops()
	k.solveDirty()
}

// solveDirty finds which values in registers are newer than their words.
func (k *keeper) solveDirty() {
	k.forward(func(b *block) bool {
		dirty := k.newer(b)
		if k.stored[b.id] != nil {
			dirty.without(k.stored[b.id])
		}
		k.dirty[b.id] = dirty
		end := dirty.copy()
		k.walkBlock(b, k.have[b.id].copy(), end, nil)
		changed := !end.equal(k.dirt[b.id])
		k.dirt[b.id] = end
		return changed
	})
}

// begin returns the values that are in registers at the beginning of a block.
func (k *keeper) begin(b *block) set {
	if len(b.from) == 0 {
		return k.homed.newSet()
	}
	have, some := k.homed.full(), k.homed.newSet()
	for _, p := range b.from {
		have.meet(k.haveEnd[p.id])
		some.join(k.haveEnd[p.id])
	}
	if len(b.from) > 1 {
		soon := k.soon[b.id].copy()
		soon.meet(some)
		if k.spare[b.id] != nil {
			soon.without(k.spare[b.id])
		}
		have.join(soon)
	}
	return have
}

// newer returns the values that are newer in registers than in their words at the beginning of a block.
func (k *keeper) newer(b *block) set {
	dirty := k.homed.newSet()
	for _, p := range b.from {
		dirty.join(k.dirt[p.id])
	}
	if len(b.from) > 1 {
		dirty.meet(k.have[b.id])
	}
	if b.begun {
		dirty.meet(k.written[k.component[b.id]])
	}
	return dirty
}

// walkBlock updates have and dirty through a block. It calls found for every instruction that needs a load.
func (k *keeper) walkBlock(b *block, have, dirty set, found func(at int, r reg)) {
	k.u.meter.countSteps(len(k.accesses[b.id]))
	for _, t := range k.accesses[b.id] {
		switch {
		case t.writes:
			have.add(t.i)
			dirty.add(t.i)
		case !have.has(t.i):
			have.add(t.i)
			if found != nil {
				found(t.at, k.homed.regs[t.i])
			}
		}
	}
}

// place inserts the loads and stores.
func (k *keeper) place() {
	u := k.u
	for i, b := range u.blocks {
		var code []instr
		done := 0
		have, dirty := k.have[i].copy(), k.dirty[i].copy()
		k.walkBlock(b, have, dirty, func(at int, r reg) {
			code = append(code, b.code[done:at]...)
			code, done = append(code, u.load(r, b.line)), at
		})
		code = append(code, b.code[done:]...)
		var loads, stores []instr
		for j, r := range k.homed.regs {
			if len(b.next) == 0 && k.needOut[i].has(j) && dirty.has(j) {
				stores = append(stores, u.store(r, b.line))
			}
			for _, n := range b.next {
				if len(n.from) < 2 {
					continue
				}
				soon := k.soon[n.id].has(j)
				if !have.has(j) && k.have[n.id].has(j) && soon {
					loads = append(loads, u.load(r, b.line))
				}
				reload := !k.have[n.id].has(j) && soon
				if dirty.has(j) && !k.dirty[n.id].has(j) && (reload || k.needIn[n.id].has(j)) {
					stores = append(stores, u.store(r, b.line))
				}
			}
		}
		b.code = append(append(code, stores...), loads...)
	}
}

// load returns the load of a register from its word.
func (u *unit) load(r reg, line int) instr {
	return instr{op: isa.LD, args: []arg{def(r), u.frame(), u.place(r)}, line: line}
}

// store returns the store of a register to its word.
func (u *unit) store(r reg, line int) instr {
	return instr{op: isa.ST, args: []arg{use(r), u.frame(), u.place(r)}, line: line}
}

func (u *unit) frame() arg {
	if u.system {
		return r0
	}
	return fp
}

func (u *unit) place(r reg) arg {
	if u.system {
		return labelArg(u.home[r])
	}
	return wordArg(u.home[r])
}

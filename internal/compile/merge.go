package compile

import (
	"go/types"
	"maps"
	"slices"
)

// mostMerged bounds the registers of a unit for mergeMoves [chosen: the work grows with the square of their number].
const mostMerged = 1 << 14

// mergeMoves coalesces the two registers of a move if they do not interfere and do not hold two variables. Most
// such moves stand before joins.
func (u *unit) mergeMoves() {
	if u.regs > mostMerged {
		return
	}
	u.linkBlocks()
	g := u.interference(mostLive, true)
	if len(g.spills) > 0 { // there is no graph, because too many registers are live
		return
	}
	near, owner, into := g.neighbours, u.owners(), make([]reg, u.regs)
	for r := range into {
		into[r] = reg(r)
	}
	find := func(r reg) reg {
		for into[r] != r {
			into[r] = into[into[r]]
			r = into[r]
		}
		return r
	}
	for _, m := range u.movesBetween() {
		a, b := find(m[0]), find(m[1])
		if u.meter.countSteps(1); a == b {
			continue
		}
		more, few, other := near[a], near[b], a
		if len(more) < len(few) {
			more, few, other = few, more, b
		}
		u.meter.countSteps(len(few))
		if owner[a] != nil && owner[b] != nil && owner[a] != owner[b] || slices.ContainsFunc(few, func(r reg) bool { return find(r) == other }) {
			continue
		}
		near[a], into[b] = append(more, few...), a
		if owner[a] == nil && (owner[b] != nil || u.names[a] == "") {
			owner[a], u.names[a] = owner[b], u.names[b]
		}
	}
	u.rename(find)
}

// owners returns the variable of each register: the first in the text, if there are several.
func (u *unit) owners() map[reg]types.Object {
	owner := map[reg]types.Object{}
	own := func(r reg, obj types.Object) {
		if o := owner[r]; o == nil || obj.Pos() < o.Pos() {
			owner[r] = obj
		}
	}
	for _, s := range u.scopes {
		u.meter.countSteps(len(s.vars) + len(s.named))
		for obj, r := range s.vars {
			own(r, obj)
		}
		for r, list := range s.named {
			for _, obj := range list {
				own(r, obj)
			}
		}
	}
	return owner
}

// movesBetween returns the pairs of registers that moves connect, the most frequent first.
func (u *unit) movesBetween() (list [][2]reg) {
	blocks := slices.Clone(u.blocks)
	slices.SortStableFunc(blocks, func(a, b *block) int { return b.frequency() - a.frequency() })
	early := map[reg]bool{} // operands of nodes: they may arrive before the code after a cut runs
	for _, b := range blocks {
		for _, r := range b.in {
			early[r] = u.cut
		}
	}
	for _, b := range blocks {
		u.meter.countSteps(len(b.code))
		for _, x := range b.code {
			if x.op == move && x.args[1].kind == isUse && !early[x.args[0].reg] && !early[x.args[1].reg] {
				list = append(list, [2]reg{x.args[0].reg, x.args[1].reg})
			}
		}
	}
	return list
}

// rename renames all registers and removes moves from a register to itself.
func (u *unit) rename(to func(r reg) reg) {
	args := func(list []arg) {
		for i := range list {
			if list[i].isReg() {
				list[i].reg = to(list[i].reg)
			}
		}
	}
	for _, b := range u.blocks {
		for i, r := range b.in {
			if r != none {
				b.in[i] = to(r)
			}
		}
		for i := range b.code {
			args(b.code[i].args)
		}
		args(b.conds)
		b.remove(func(x *instr) bool { return x.op == move && x.args[1] == use(x.args[0].reg) })
	}
	for _, s := range u.scopes {
		for obj, r := range s.vars {
			s.vars[obj] = to(r)
		}
		named := s.named
		s.named = map[reg][]types.Object{}
		for _, r := range slices.Sorted(maps.Keys(named)) {
			for _, obj := range named[r] {
				if n := to(r); !slices.Contains(s.named[n], obj) {
					s.named[n] = append(s.named[n], obj)
				}
			}
		}
	}
}

package compile

import (
	"slices"

	"emsim/isa"
)

// foldMoves lets an instruction write its result where the next move puts it, and removes instructions whose
// results nothing reads.
func (u *unit) foldMoves() {
	uses, defs := make([]int, u.regs), make([]int, u.regs)
	for _, b := range u.blocks {
		b.eachAccess(func(_ int, r reg, writes bool) {
			if writes {
				defs[r]++
			} else {
				uses[r]++
			}
		})
	}
	for _, b := range u.blocks {
		for i := 1; i < len(b.code); i++ {
			m, x := b.code[i], &b.code[i-1]
			if m.op != move || m.args[1].kind != isUse || x.other().macro || len(x.args) == 0 {
				continue
			}
			if t := m.args[1].reg; x.args[0].kind == isDef && x.args[0].reg == t && uses[t] == 1 && defs[t] == 1 {
				x.args, x.marks = append([]arg{m.args[0]}, x.args[1:]...), append(x.marks, m.marks...)
				b.code = slices.Delete(b.code, i, i+1)
				i--
			}
		}
	}
	idle := func(x *instr) bool {
		if len(x.args) == 0 || x.args[0].kind != isDef || uses[x.args[0].reg] > 0 || x.op == isa.GETSEG || x.op == isa.GETSTR || x.other().macro {
			return false
		}
		each(isUse, x.args, func(r reg) { uses[r]-- })
		return true
	}
	for again := true; again; {
		again = false
		for _, b := range u.blocks {
			n := len(b.code)
			b.remove(idle)
			again = again || len(b.code) < n
		}
	}
}

package compile

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	"emsim/isa"
)

// mostSlots and mostWords bound the pieces of a PE and the words of a piece, so that their product fits a word.
const (
	mostSlots = 1 << 14
	mostWords = 1 << 18
)

// ownersTable names a table of the PEs that hold pieces, so that loops find the pieces of their iterations at once. It
// has the pieces up to the number in the word nearWord: at most the first piece of each PE, and at most mostNear
// pieces. Filling it takes less than half of the time in which a machine of 1024 PEs starts [chosen].
const (
	ownersTable = "go.owners"
	nearWord    = "go.near"
	mostNear    = 128
)

// perColumn names a word with the largest signed number divided by the number of columns. A division takes 32 clocks.
// For pieces below 2^27, a multiplication by this word replaces it.
const perColumn = "go.columns"

// lowerPerColumn computes the word perColumn and the table of owners in the init block, if the program may use them.
func (l *lowerer) lowerPerColumn() {
	if len(l.c.arrays) > 0 || slices.ContainsFunc(l.c.order, func(f *function) bool { return f.lit != nil && isFloat(f.result) }) {
		most := l.registerArg(constOf(math.MaxInt32))
		per := l.computed(isa.DIV, most, use(l.binaryOp(isa.ADD, l.special(isa.SpecialK), constOf(1)).r))
		l.emit(isa.ST, use(per.r), r0, labelArg(perColumn))
		l.c.static = append(l.c.static, perColumn+": .space 1", nearWord+": .space 1", fmt.Sprintf("%s: .space %d", ownersTable, mostNear))
		piece := inReg(l.fresh("piece"))
		l.moveInto(piece.r, l.binaryOp(isa.SUB, l.peCount(), constOf(1)))
		l.takeExtreme("min", piece.r, constOf(mostNear-1), types.Typ[types.Int32])
		l.emit(isa.ST, use(piece.r), r0, labelArg(nearWord))
		body, next, end := l.block(), l.block(), l.block()
		l.goInto(body)
		pe, _ := l.farOwner(piece)
		l.emit(isa.ST, use(pe.r), use(piece.r), labelArg(ownersTable))
		l.branch(isa.BEQ, piece, constOf(0), end, next)
		l.continueAt(next)
		l.moveInto(piece.r, l.binaryOp(isa.SUB, piece, constOf(1)))
		l.jumpTo(body)
		l.continueAt(end)
	}
}

// owner returns the PE that holds a piece, as a continuation for address 0 of that PE. If a is not nil, at is the
// address of a's piece on that PE.
func (l *lowerer) owner(piece operand, a *spread) (pe, at operand) {
	pe, at = inReg(l.u.newReg()), inReg(l.u.newReg())
	l.choose(l.test(isa.BLTU, l.loadPEWord(labelArg(nearWord)), piece), func() {
		away, slot := l.farOwner(piece)
		l.moveInto(pe.r, away)
		if a != nil {
			l.moveInto(at.r, l.binaryOp(isa.ADD, l.loadPEWord(labelArg(a.label)), l.binaryOp(isa.MUL, slot, l.loadPEWord(a.words()))))
		}
	}, func() {
		l.emit(isa.LD, def(pe.r), l.registerArg(piece), labelArg(ownersTable))
		if a != nil {
			l.emit(isa.LD, def(at.r), r0, labelArg(a.label))
		}
	})
	return pe, at
}

// farOwner returns the PE that holds any piece, and the piece's number among the pieces of that PE.
func (l *lowerer) farOwner(piece operand) (pe, slot operand) {
	k := l.special(isa.SpecialK)
	columns := l.binaryOp(isa.ADD, k, constOf(1))
	all := l.binaryOp(isa.MULHU, l.binaryOp(isa.SHL, l.binaryOp(isa.ADD, piece, constOf(1)), constOf(1)), l.loadPEWord(labelArg(perColumn)))
	member := l.binaryOp(isa.SUB, piece, l.binaryOp(isa.MUL, all, columns))
	slot = l.binaryOp(isa.SHR, all, k)
	group := l.binaryOp(isa.SUB, all, l.binaryOp(isa.SHL, slot, k))
	return l.peAt(group, member), slot
}

// peAt returns a PE as a continuation of its address 0.
func (l *lowerer) peAt(group, member operand) operand {
	return l.binaryOp(isa.OR, l.binaryOp(isa.SHL, group, l.special(isa.SpecialGAPos)), l.binaryOp(isa.SHL, member, constOf(18)))
}

// special reads a special register.
func (l *lowerer) special(s isa.Special) operand { return l.computed(isa.RDS, specialArg(s)) }

// number returns the number of this PE: members of a group first, then the next group.
func (l *lowerer) number() operand {
	return l.binaryOp(isa.ADD, l.binaryOp(isa.MUL, l.special(isa.SpecialGA), l.binaryOp(isa.ADD, l.special(isa.SpecialK), constOf(1))), l.special(isa.SpecialCA))
}

// loadPEWord loads a variable that every PE has.
func (l *lowerer) loadPEWord(name arg) operand { return l.computed(isa.LD, r0, name) }

// argsAt returns the operands of a call on an array. It checks the indices and replaces them by an address, and adds
// the PE that holds the piece. For a Fill, it adds the span of all PEs and the address of this PE's part.
func (l *lowerer) argsAt(f *function, args []operand) []operand {
	a := f.array
	if f.fills() {
		for i, most := range []int64{1 << 30, mostWords} {
			l.demand(args[i], constOf(most), "size")
		}
		return slices.Concat(args[:2], []operand{l.allPEs(), l.allocatePart(a, args[0], args[1])}, args[2:])
	}
	n := len(args)
	l.demand(args[0], l.loadPEWord(a.pieces()), "index")
	words := l.loadPEWord(a.words())
	if n > 1 {
		l.demand(args[1], words, "index")
	}
	p := l.placed(a, args[0])
	at := p.at
	if n > 1 {
		at = l.binaryOp(isa.ADD, at, args[1])
	}
	return append(append([]operand{at}, args[min(n, 2):]...), p.pe)
}

// placed is a piece that the code has located: its PE, and its address there. The parts of an array begin at the same
// address on all PEs.
type placed struct {
	array *spread
	piece operand
	pe    operand
	at    operand
}

// placed returns the place of a piece. It emits the code that finds it, unless the place is known.
func (l *lowerer) placed(a *spread, piece operand) placed {
	for _, p := range l.pieces {
		if p.array == a && p.piece == piece {
			return p
		}
	}
	pe, at := l.owner(piece, a)
	l.pieces = append(l.pieces, placed{a, piece, pe, at})
	return l.pieces[len(l.pieces)-1]
}

// captures returns the index of the first parameter that holds a variable captured by the function's literal, or 0 if
// it has no literal.
func (f *function) captures() int {
	switch {
	case f.fills():
		return 4
	case f.lit != nil && !isFloat(f.result):
		return 3
	case f.lit != nil:
		return 2
	}
	return 0
}

// fills reports whether f is the function of a Fill, which has a literal as its last argument.
func (f *function) fills() bool { return len(f.params) >= 3 && f.array != nil }

// atOnce emits a test whether a word is on this PE. If it is, the code reads or writes it without a request.
func (l *lowerer) atOnce(f *function, args []operand, dst []reg, known *block) {
	own, away := l.block(), l.block()
	l.branch(isa.BEQ, args[len(args)-1], l.special(isa.SpecialPE), own, away)
	l.continueAt(own)
	l.answerIn(dst, known)(l.touch(f, args))
	l.continueAt(away)
}

// touch reads or writes a word of this PE.
func (l *lowerer) touch(f *function, args []operand) operand {
	if f.writes {
		l.emit(isa.ST, l.registerArg(args[1]), use(args[0].r), number(0))
		return constOf(0)
	}
	return l.computed(isa.LD, use(args[0].r), number(0))
}

// ask requests a word from another PE, with the code in lib/read.s.
func (l *lowerer) ask(at, pe operand, p *pending) {
	l.c.asks = true
	free := l.slots
	if free == none {
		free = l.freeSlots(1)
	}
	slot := l.computed(isa.LD, use(free), arg{kind: isLabel, name: "read.stack", n: -1})
	to := l.u.newReg()
	l.emitTo(p, isa.CONT, def(to), fp)
	l.emit(isa.ST, use(to), use(slot.r), labelArg("read.to"))
	port := l.binaryOp(isa.ADD, l.computedCont(isa.FormDirect, use(pe.r), labelArg("read.port")), slot)
	l.send(isa.FormCont, use(at.r), use(port.r), number(0)) // the address of a part names this PE
	l.moveInto(free, l.binaryOp(isa.SUB, inReg(free), constOf(1)))
	l.emit(isa.ST, use(free), r0, labelArg("read.free"))
}

// reserve waits for the answer slots of all requests of a group, if there are at most mostReserved and the block does
// not end before the last request.
func (l *lowerer) reserve(steps []step) {
	n, cuts := int64(0), false
	for _, s := range steps {
		switch {
		case s.call == nil:
		case l.c.callee(s.call).place == "asked":
			n++
		default:
			cuts = l.c.opt.Blocks != Largest
		}
	}
	if n > 0 && n <= mostReserved && !cuts {
		l.slots = l.freeSlots(n)
	}
}

// cutBefore ends the block before a call, if the option blocks asks for that. A request for a word does not count as a
// call.
func (l *lowerer) cutBefore(f *function) {
	if f.place != "asked" {
		l.cutBlock("before a call", false)
	}
}

// mostReserved bounds the slots that a group waits for in advance; other groups could take free slots meanwhile
// [chosen].
const mostReserved = 16

// freeSlots emits code that waits for n free answer slots, and returns the register with their number.
func (l *lowerer) freeSlots(n int64) reg {
	free := l.u.newReg()
	enough, wait := l.block(), l.block()
	test := func() {
		l.emit(isa.LD, def(free), r0, labelArg("read.free"))
		if n == 1 {
			l.branch(isa.BEQ, inReg(free), constOf(0), wait, enough)
		} else {
			l.branch(isa.BLTU, inReg(free), constOf(n), wait, enough)
		}
	}
	test()
	again := l.u.newNode("again", "slots for answers are taken", l.line, none)
	l.continueAt(wait)
	l.send(isa.FormOne, r0, fp, displacement(again))
	l.end().wakes, wait.waitsFor = []*block{again}, l.sums
	l.continueAt(again)
	test()
	l.continueAt(enough)
	return free
}

// lowerPort lowers the sender of a piece's words. The caller gets the node for item requests.
func (l *lowerer) lowerPort(f *function) {
	at := l.vars[f.params[0]]
	end := l.fresh("end")
	l.moveInto(end, l.binaryOp(isa.ADD, inReg(at), l.loadPEWord(f.array.words())))
	ask := l.u.newReg()
	want := l.u.newNode("want", "the next word is wanted", l.line, ask)
	l.send(isa.FormCont, use(l.computedCont(isa.FormOne, fp, displacement(want)).r), use(l.portRet), number(0))
	l.endBlock(want)

	l.continueAt(want)
	more, done, some, none := l.block(), l.block(), l.block(), l.block()
	l.branch(isa.BNE, inReg(ask), constOf(0), more, done)
	l.continueAt(done)
	l.release()
	l.continueAt(more)
	l.branch(isa.BNE, inReg(at), inReg(end), some, none)
	l.continueAt(some)
	l.send(isa.FormCont, use(l.computed(isa.LD, use(at), number(0)).r), use(ask), number(0))
	l.moveInto(at, l.binaryOp(isa.ADD, inReg(at), constOf(1)))
	l.endBlock(want)
	l.continueAt(none)
	l.answerEnd(ask)
	l.endBlock(want)
}

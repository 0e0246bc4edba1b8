package compile

import (
	"go/ast"
	"go/types"

	"emsim/isa"
)

// lowerFill makes the tree over all PEs that fills an array.
func (l *lowerer) lowerFill(f *function, lit *ast.FuncLit) {
	g := l.newGather(1, func(operand) {})
	args := l.valuesOf(f.params)
	l.toPEs(g, f, args[2].r, nil, func(_, span operand) []operand {
		return append([]operand{args[0], args[1], span}, args[3:]...)
	})
	l.fillHere(f, lit)
	l.endOne(g)
	l.gathered(g)
	l.ret(constOf(0))
}

// allocatePart allocates this PE's part of an array. there is the address of the part on the PE that called Fill. If it
// is given, allocatePart tries again until it gets the same address, which it does after this PE has made the same
// allocations and releases as that PE.
func (l *lowerer) allocatePart(a *spread, pieces, words operand, there ...operand) operand {
	old := l.loadPEWord(labelArg(a.label))
	l.branchIf(isa.BNE, old, constOf(0), func() { l.emit(isa.RELSTR, use(old.r)) })
	slots := l.binaryOp(isa.ADD, l.binaryOp(isa.DIV, pieces, l.peCount()), constOf(1))
	l.demand(slots, constOf(mostSlots), "size")
	size := l.binaryOp(isa.ADD, l.binaryOp(isa.MUL, slots, words), constOf(1))
	at, again, done := l.fresh("at"), l.block(), l.block()
	l.goInto(again)
	l.emit(isa.GETSTR, def(at), use(size.r))
	for _, r := range there {
		other, address := l.block(), constOf(1<<18-1)
		l.branch(isa.BEQ, l.binaryOp(isa.AND, inReg(at), address), l.binaryOp(isa.AND, r, address), done, other)
		l.continueAt(other)
		l.emit(isa.RELSTR, use(at))
		l.jumpTo(again)
	}
	l.goInto(done)
	l.emit(isa.ST, use(at), r0, labelArg(a.label))
	l.emit(isa.ST, l.registerArg(pieces), r0, a.pieces())
	l.emit(isa.ST, l.registerArg(words), r0, a.words())
	return inReg(at)
}

// fillHere computes this PE's part of an array.
func (l *lowerer) fillHere(f *function, lit *ast.FuncLit) {
	args := l.valuesOf(f.params)
	pieces, words := args[0], args[1]
	at := l.copied(l.allocatePart(f.array, pieces, words, args[3])).r
	all := l.peCount()
	b, k := l.fresh("piece"), l.fresh("word")
	l.moveInto(b, l.number())
	l.repeat(l.test(isa.BLTU, inReg(b), pieces), func() {
		l.moveInto(k, constOf(0))
		l.repeat(l.test(isa.BLTU, inReg(k), words), func() {
			v := l.fresh("value")
			l.whole = true
			l.runLiteral(lit, v, b, k)
			l.whole = false
			l.emit(isa.ST, use(v), use(at), number(0))
			l.moveInto(at, l.binaryOp(isa.ADD, inReg(at), constOf(1)))
			l.moveInto(k, l.binaryOp(isa.ADD, inReg(k), constOf(1)))
		})
		l.moveInto(b, l.binaryOp(isa.ADD, inReg(b), all))
	})
}

// runLiteral inlines a function literal, with arguments that it does not change.
func (l *lowerer) runLiteral(lit *ast.FuncLit, to reg, args ...reg) {
	params := l.c.info.TypeOf(lit).(*types.Signature).Params()
	for i, r := range args {
		l.vars[params.At(i)] = r
	}
	end, ret, again := l.block(), l.ret, l.again
	l.ret, l.again = l.answerIn([]reg{to}, end), nil
	p := l.c.forms.literals[lit]
	x := l.newFormer(p.form)
	x.part = p
	for i, v := range p.form.Params {
		x.values[v] = inReg(l.vars[p.params[i]])
	}
	x.all()
	l.u.merges = true
	l.ret, l.again = ret, again
	l.continueAt(end)
}

// returnArray sends the words of an array to the host, piece by piece.
func (l *lowerer) returnArray(a *spread) {
	port := a.access["Stream"]
	b := l.fresh("piece")
	l.moveInto(b, constOf(0))
	pieces := func(body, end *block) { l.branch(isa.BLTU, inReg(b), l.loadPEWord(a.pieces()), body, end) }
	l.repeat(pieces, func() {
		p := l.placed(a, inReg(b))
		l.pieces = nil
		ch := l.fresh("words")
		words, open := &pending{dst: ch}, l.block()
		l.issue(port, []operand{p.at, p.pe}, words, 0, func() { l.endBlock() })
		l.await([]*pending{words}, open)
		l.continueAt(open)
		next := l.block()
		l.goInto(next)
		item, got, end := l.receiveFrom(ch, "the next word")
		l.continueAt(got)
		l.emit(isa.OUT, use(item))
		l.jumpTo(next)
		l.continueAt(end)
		l.send(isa.FormCont, r0, use(ch), number(0))
		l.moveInto(b, l.binaryOp(isa.ADD, inReg(b), constOf(1)))
	})
	l.leave(1)
}

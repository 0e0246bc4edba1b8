package compile

import "go/ast"

// mostSlots and mostWords bound the pieces of a PE and the words of a piece, so
// that their product fits a word.
const (
	mostSlots = 1 << 14
	mostWords = 1 << 18
)

// owner is the PE of a piece, as a continuation of its address 0, and the
// number of the piece among those of the PE.
func (l *lowerer) owner(piece operand) (pe, slot operand) {
	k := l.special("k")
	columns := l.op("add", k, constOf(1))
	all := l.op("div", piece, columns)
	member := l.op("sub", piece, l.op("mul", all, columns))
	slot = l.op("shr", all, k)
	group := l.op("sub", all, l.op("shl", slot, k))
	return l.peAt(group, member), slot
}

// peAt is a PE as a continuation of its address 0.
func (l *lowerer) peAt(group, member operand) operand {
	return l.op("or", l.op("shl", group, l.special("gapos")), l.op("shl", member, constOf(18)))
}

// special reads a special register.
func (l *lowerer) special(name string) operand {
	r := l.u.newReg()
	l.emit("rds", def(r), text(name))
	return inReg(r)
}

// number is the own PE's number.
func (l *lowerer) number() operand {
	return l.op("add", l.op("mul", l.special("ga"), l.op("add", l.special("k"), constOf(1))), l.special("ca"))
}

// word loads a variable that every PE has.
func (l *lowerer) word(name arg) operand {
	r := l.u.newReg()
	l.emit("ld", def(r), text("r0"), name)
	return inReg(r)
}

// demand stops the program unless 0 <= i < n.
func (l *lowerer) demand(i, n operand) {
	ok := l.block()
	l.branch("bltu", i, n, ok, l.panics("index"))
	l.at(ok)
}

// spreadArgs are the arguments of a method of an array; the PE comes last.
func (l *lowerer) spreadArgs(x *ast.CallExpr, f *function) []operand {
	var args []operand
	n := len(x.Args)
	if f.fills() {
		n = 2
	}
	for _, e := range x.Args[:n] {
		args = append(args, l.expr(e))
	}
	a := f.array
	if f.fills() {
		for i, most := range []int64{1 << 30, mostWords} {
			ok := l.block()
			l.branch("bltu", args[i], constOf(most), ok, l.panics("size"))
			l.at(ok)
		}
		args = append(args, l.allPEs())
		return append(args, l.captured(x, f.params[len(args):])...)
	}
	l.demand(args[0], l.word(a.pieces()))
	words := l.word(a.words())
	if n > 1 {
		l.demand(args[1], words)
	}
	pe, slot := l.owner(args[0])
	at := l.op("mul", slot, words)
	if n > 1 {
		at = l.op("add", at, args[1])
	}
	return append(append([]operand{at}, args[min(n, 2):]...), pe)
}

// fills reports the function of a Fill, whose last argument is one.
func (f *function) fills() bool { return len(f.params) >= 3 && f.array != nil }

// here is the address of a word of this PE's part of an array.
func (l *lowerer) here(f *function) operand {
	return l.op("add", l.word(text(f.array.label)), inReg(l.vars[f.params[0]]))
}

func (l *lowerer) lowerGet(f *function) {
	at := l.here(f)
	r := l.u.newReg()
	l.emit("ld", def(r), use(at.r), text("0"))
	l.ret(inReg(r))
}

func (l *lowerer) lowerSet(f *function) {
	at := l.here(f)
	l.emit("st", use(l.vars[f.params[1]]), use(at.r), text("0"))
	l.ret(constOf(0))
}

// lowerPort makes the sender of a piece. The caller gets its node for questions.
func (l *lowerer) lowerPort(f *function) {
	at := l.fresh("at")
	l.move(at, l.here(f))
	end := l.fresh("end")
	l.move(end, l.op("add", inReg(at), l.word(f.array.words())))
	ask := l.u.newReg()
	want := l.u.newNode("want", "the next word is wanted", l.line, ask)
	t := l.u.newReg()
	l.emit("cont.1", def(t), text("fp"), late(func() string { return "@" + want.node.name }))
	l.emit("send", use(t), use(l.portRet), text("0"))
	l.stop(want)

	l.at(want)
	more, done, some, none := l.block(), l.block(), l.block(), l.block()
	l.branch("bne", inReg(ask), constOf(0), more, done)
	l.at(done)
	l.emit("relseg", text("fp"))
	l.stop()
	l.at(more)
	l.branch("bne", inReg(at), inReg(end), some, none)
	l.at(some)
	v := l.u.newReg()
	l.emit("ld", def(v), use(at), text("0"))
	l.emit("send", use(v), use(ask), text("0"))
	l.move(at, l.op("add", inReg(at), constOf(1)))
	l.stop(want)
	l.at(none)
	l.answerEnd(ask)
	l.stop(want)
}

// lowerFill makes the tree over all PEs that fills an array.
func (l *lowerer) lowerFill(f *function, lit *ast.FuncLit) {
	g := l.newGather(1, func(operand) {})
	args := l.paramsOf(f)
	l.toPEs(g, f, args[2].r, nil, func(_, span operand) []operand {
		return append([]operand{args[0], args[1], span}, args[3:]...)
	})
	l.fillHere(f, lit)
	l.endOne(g)
	l.gathered(g)
	l.ret(constOf(0))
}

// fillHere makes this PE's part.
func (l *lowerer) fillHere(f *function, lit *ast.FuncLit) {
	a := f.array
	pieces, words := inReg(l.vars[f.params[0]]), inReg(l.vars[f.params[1]])
	old := l.word(text(a.label))
	again, fresh := l.block(), l.block()
	l.branch("bne", old, constOf(0), again, fresh)
	l.at(again)
	l.emit("relstr", use(old.r))
	l.jump(fresh)
	l.at(fresh)
	all := l.pes()
	slots := l.op("add", l.op("div", pieces, all), constOf(1))
	ok := l.block()
	l.branch("bltu", slots, constOf(mostSlots), ok, l.panics("size"))
	l.at(ok)
	size := l.op("add", l.op("mul", slots, words), constOf(1))
	at := l.fresh("at")
	l.emit("getstr", def(at), use(size.r))
	l.emit("st", use(at), text("r0"), text(a.label))
	l.emit("st", use(pieces.r), text("r0"), a.pieces())
	l.emit("st", use(words.r), text("r0"), a.words())
	b, k := l.fresh("piece"), l.fresh("word")
	l.move(b, l.number())
	next, piece, word, body, after, end := l.block(), l.block(), l.block(), l.block(), l.block(), l.block()
	l.jump(next)
	l.at(next)
	l.branch("bltu", inReg(b), pieces, piece, end)
	l.at(piece)
	l.move(k, constOf(0))
	l.jump(word)
	l.at(word)
	l.branch("bltu", inReg(k), words, body, after)
	l.at(body)
	v := l.fresh("value")
	l.runLiteral(f, lit, []operand{inReg(b), inReg(k)}, v)
	l.emit("st", use(v), use(at), text("0"))
	l.move(at, l.op("add", inReg(at), constOf(1)))
	l.move(k, l.op("add", inReg(k), constOf(1)))
	l.jump(word)
	l.at(after)
	l.move(b, l.op("add", inReg(b), all))
	l.jump(next)
	l.at(end)
}

// runLiteral runs a function literal in place.
func (l *lowerer) runLiteral(f *function, lit *ast.FuncLit, args []operand, to reg) {
	end := l.block()
	outer := l.ret
	l.ret = func(v operand) {
		l.move(to, v)
		l.jump(end)
	}
	i := 0
	for _, field := range lit.Type.Params.List {
		for _, name := range field.Names {
			if obj := l.c.info.Defs[name]; obj != nil && name.Name != "_" {
				r := l.fresh(name.Name)
				l.vars[obj] = r
				l.move(r, args[i])
			}
			i++
		}
	}
	again, whole := l.again, l.whole
	l.again, l.whole = nil, true
	l.stmts(lit.Body.List)
	l.again, l.whole, l.ret = again, whole, outer
	l.at(end)
}

// returnArray sends the words of an array to the host, a piece after the other.
func (l *lowerer) returnArray(a *spread) {
	port := a.access["Stream"]
	b := l.fresh("piece")
	l.move(b, constOf(0))
	head, piece, done := l.block(), l.block(), l.block()
	l.jump(head)
	l.at(head)
	l.branch("bltu", inReg(b), l.word(a.pieces()), piece, done)
	l.at(piece)
	pe, slot := l.owner(inReg(b))
	ch := l.fresh("words")
	p, open := &pending{dst: ch}, l.block()
	l.issue(port, []operand{l.op("mul", slot, l.word(a.words())), pe}, p, 0, func() { l.stop() })
	l.await([]*pending{p}, open)
	l.at(open)
	next := l.block()
	l.jump(next)
	l.at(next)
	item, got, end := l.receiveFrom(ch, "the next word")
	l.at(got)
	l.emit("out", use(item))
	l.jump(next)
	l.at(end)
	l.emit("send", text("r0"), use(ch), text("0"))
	l.move(b, l.op("add", inReg(b), constOf(1)))
	l.jump(head)
	l.at(done)
	l.leave(1)
}

package compile

import (
	"fmt"
	"go/ast"
	"go/types"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// inline lowers a part of a function where it is called. body lowers the part, code is its syntax, and ret lowers its
// returns.
func (l *lowerer) inline(f *function, args []operand, ret func(...operand), code ast.Node, body func(x *former)) {
	outer := *l
	l.vars, l.again, l.f, l.whole, l.ret = map[types.Object]reg{}, nil, nil, true, ret
	unbind := l.bindArrays(f, args, code)
	x := l.newFormer(l.c.formOf(f))
	x.inlined = true
	for i, p := range f.params {
		if _, ok := l.c.arrayWords[p]; ok {
			continue
		}
		v := x.form.Params[i]
		if args[i].lit {
			r := l.fresh(p.Name())
			l.moveInto(r, args[i])
			x.most[v], args[i] = max(args[i].imm, -1), inReg(r)
		}
		l.vars[p], x.values[v] = args[i].r, args[i]
	}
	l.enterFrame()
	l.beginFunction(f)
	body(x)
	unbind()
	l.u.merges = true
	cur, number := l.cur, l.callNumber
	*l = outer
	l.cur, l.callNumber = cur, number
}

// helperCall inlines a call of a helper.
func (l *lowerer) helperCall(f *function, args []operand, dst []reg) {
	end := l.block()
	l.inline(f, args, l.answerIn(dst, end), f.decl.Body, (*former).all)
	l.continueAt(end)
}

// front inlines the guards of a function. If they answer, the code continues at the block known, with the results in
// dst. If not, it continues after them, and has to make the call with the arguments that front returns.
func (l *lowerer) front(f *function, args []operand, dst []reg, known *block) (left []operand) {
	if f.lit != nil {
		l.empty(args, dst, known)
		return l.rootArgs(f, args)
	}
	if f.array != nil {
		l.atOnce(f, args, dst, known)
		return args
	}
	guards := &ast.BlockStmt{Lbrace: f.decl.Body.Lbrace, Rbrace: f.decl.Body.List[f.front-1].End()}
	l.inline(f, args, l.answerIn(dst, known), guards, func(x *former) {
		front := x.x.fronts[x.form]
		x.list(x.form.Body.Nodes[x.x.given[x.form]:front.to], front.exit)
		if x.cur == nil {
			return
		}
		for i, v := range front.params {
			if v == nil {
				left = append(left, x.wordIn(x.c.arrayWords[f.params[i]]))
			} else {
				left = append(left, x.operand(v))
			}
		}
	})
	return left
}

// issue requests an instance. The rest of the call is in the node got, which receives the operand segment and ends with
// then. If the instance is certain to be on this PE, issue makes it at once, without such a node. It returns the
// segment of such an instance if the function has place own, and otherwise none. If p is nil, the code waits for no
// result.
func (l *lowerer) issue(f *function, args []operand, p *pending, site int, then func()) reg {
	l.callNumber++
	if !l.own && l.together != 1 {
		f.besides, f.unbounded = append(f.besides, l.f), f.unbounded || l.together == 0
	}
	which := 2 - l.callNumber%2
	switch {
	case l.own && f.own != nil:
		l.issueOwn(f, args[:len(f.params)], p) // even if a policy, or the owner of a piece, would decide its PE
		return none
	case f.place == "own":
		return l.issueNear(f, args, p, site, then)
	case f.place == "asked":
		l.ask(args[0], args[1], p)
		return none
	case f.place == "owner":
		last := len(args) - 1
		l.issueOn(args[last], f, args[:last], p, site, then)
		return none
	}
	got, keep := l.handOver(f, args, p, site, then)
	if l.many || l.sums != nil { // registers are scarce
		keep()
	} else {
		defer keep()
	}
	if l.byBit == nil {
		l.askPolicy(f, which, got)
		return none
	}
	odd := l.test(isa.BNE, l.binaryOp(isa.AND, *l.byBit, constOf(1)), constOf(0))
	l.choose(odd, func() { l.askPolicy(f, 2, got) }, func() { l.askPolicy(f, 1, got) })
	return none
}

// issueHere makes an instance on this PE.
func (l *lowerer) issueHere(f *function, args []operand, p *pending) reg {
	seg := l.computed(isa.GETSEG, labelArg(f.name)).r
	for i, a := range args {
		l.sendOperand(f, i, a, seg)
	}
	l.giveReturn(f, seg, p)
	return seg
}

// sendOperand sends operand i of an instance to its segment.
func (l *lowerer) sendOperand(f *function, i int, v operand, seg reg) {
	side := isa.FormRight
	switch {
	case f.operands() == 1:
		side = isa.FormOne
	case i == 0:
		side = isa.FormLeft
	}
	l.send(side, l.registerArg(v), use(seg), wordArg(entryOf(f, i)))
}

// issueOn requests an instance from a PE.
func (l *lowerer) issueOn(pe operand, f *function, args []operand, p *pending, site int, then func()) {
	got, keep := l.handOver(f, args, p, site, then)
	x := l.send(isa.FormDirect, fp, l.registerArg(pe), got.server())
	x.place = got.node.name
	keep()
}

// handOver makes the node got, which receives the segment, sends the arguments to it, and runs the code of then. keep
// stores the arguments that got must load. keep may run after the request, because the answer cannot come before the
// current block ends.
func (l *lowerer) handOver(f *function, args []operand, p *pending, site int, then func()) (got *block, keep func()) {
	args = lists.Of(args, func(a operand) operand {
		if a.array != nil && a.array.base != none { // the block of got does not have that register
			return l.load(a)
		}
		return a
	})
	got = l.u.newNode("got", "the segment of "+f.name, l.line, l.u.newReg())
	code := l.cur
	l.cur, got.node.gets = got, f
	seg := got.in[0]
	waits := func(a operand) bool { return a.array == nil && (!a.lit || !fitsConstant(a.imm)) }
	for i, a := range args {
		if waits(a) {
			a = l.computed(isa.LD, fp, l.argWord(f, i, site))
		}
		l.sendOperand(f, i, a, seg)
	}
	l.giveReturn(f, seg, p)
	then()
	l.cur = code
	return got, func() {
		for i, a := range args {
			if waits(a) {
				l.emit(isa.ST, l.registerArg(a), fp, l.argWord(f, i, site))
			}
		}
	}
}

// argWord returns the word where an argument waits for a segment. Calls with the same site share it, because only one
// of them is made.
func (l *lowerer) argWord(f *function, i, site int) arg {
	w := fmt.Sprintf("%s.arg%d_%s", l.u.name, site+1, l.c.plain(f.params[i].Name()))
	if l.u.taken[w] == 0 {
		l.u.addWord(w)
	}
	return wordArg(w)
}

// askPolicy requests an instance from the PE that the policy chooses. which selects one of the policy's two choices.
func (l *lowerer) askPolicy(f *function, which int, got *block) {
	op := callGo
	if f.place == "mlpe" {
		op = callMLPE
	}
	l.emit(op, number(int64(which)), displacement(got), got.server())
}

// giveReturn sends an instance the destination of its result. The result of the first instance goes to the host.
func (l *lowerer) giveReturn(f *function, seg reg, p *pending) {
	f.made = true
	last := len(f.params)
	for i := range f.returnWords() {
		t := l.u.newReg()
		switch {
		case p != nil:
			l.emitTo(p.word(i), isa.CONT, def(t), fp)
		case l.u.system:
			l.cont(isa.FormDirect, def(t), fp, labelArg("answer"))
		default:
			l.c.sink = true
			l.cont(isa.FormDirect, def(t), fp, labelArg("go.nowhere"))
		}
		l.sendOperand(f, last+i, inReg(t), seg)
	}
	if f.operands() > last+f.returnWords() {
		l.sendOperand(f, 0, constOf(0), seg)
	}
}

// answers reports whether the instances of a function send an answer. A function without results does not, if only go
// statements start it.
func (f *function) answers() bool { return f.result != nil || !f.started || f.called }

// answerWords returns the number of words with which a call answers. There is at least one, which says that the call
// has ended.
func (f *function) answerWords() int { return max(1, f.words) }

// returnWords returns the number of words that an instance of f sends as its answer: 0 if it does not answer.
func (f *function) returnWords() int {
	if f.answers() {
		return f.answerWords()
	}
	return 0
}

// operands returns the number of packets that begin an instance: its arguments and the destinations of its results.
// They meet in pairs, and the last pair starts the instance.
func (f *function) operands() int { return max(1, len(f.params)+f.returnWords()) }

// entryOf returns the node that operand i goes to.
func entryOf(f *function, i int) string {
	if i = max(i, 1); i >= f.operands()-1 {
		return f.name + ".start"
	}
	return fmt.Sprintf("%s.args%d", f.name, i)
}

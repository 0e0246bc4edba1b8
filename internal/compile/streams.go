package compile

import (
	"go/ast"
	"go/types"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// The sender of a stream has a node for it with two operands: a token of its
// own, which says at which statement it waits (0: the channel is closed), and
// the receiver's question. A question is the continuation that the item goes to;
// 0 says that the receiver asks no more. Behind the last item the answer is 0,
// and it goes to the word before the receiver's node if that has one operand:
// there code can begin that handles the end. A sender lives until all its
// receivers ask no more.

// outlet is a channel that this unit sends on.
type outlet struct {
	x     *channel
	node  *block // where questions come
	site  reg    // the operands
	ask   reg
	after []*block // behind every statement that sends
	items []reg    // what it sends
	ins   [][]reg  // what the function receives from there
}

// newOutlet makes the node of a channel.
func (l *lowerer) newOutlet(x *channel) *outlet {
	o := &outlet{x: x, site: l.u.newReg(), ask: l.u.newReg()}
	o.node = l.u.newNode("want", "an item of "+x.obj.Name()+" is wanted", l.line, o.site, o.ask)
	l.outlets = append(l.outlets, o)
	return o
}

func (l *lowerer) outlet(v types.Object) *outlet {
	o, _ := lists.Find(l.outlets, func(o *outlet) bool { return o.x.obj == v })
	return o
}

// openWord is the word that counts what keeps a sender alive: its own code, and
// the channels whose receivers may still ask.
func (l *lowerer) openWord() arg {
	if l.open == "" {
		l.open = l.u.reserveWord("open")
	}
	return wordArg(l.open)
}

// beginStreams makes the nodes of the channels that come as parameters.
func (l *lowerer) beginStreams(f *function) {
	for _, p := range f.params {
		if x := l.c.chans[p]; x != nil && x.taker == nil {
			l.ins = append(l.ins, p)
		}
	}
	for _, o := range f.outs {
		n := l.newOutlet(l.c.chans[o.v]).node.node
		n.name, n.known = l.c.questionNode(f, o.v), true
	}
	if n := int64(len(f.outs)); n > 0 {
		l.emit(isa.ST, l.registerArg(constOf(1+n)), fp, l.openWord())
	}
}

// makeChan is x := make(chan T).
func (l *lowerer) makeChan(s *ast.AssignStmt, name ast.Expr) {
	id, _ := name.(*ast.Ident)
	obj, _ := l.c.info.Defs[id].(*types.Var)
	x := l.c.chans[obj]
	if x == nil || l.f == nil {
		l.errorf(s, "no channel can be made here: write NAME := make(chan TYPE) at the beginning of a function")
		return
	}
	if x.sends == nil {
		return // known when the sender has been started
	}
	more := constOf(2)
	if l.open != "" {
		more = l.binaryOp(isa.ADD, l.computed(isa.LD, fp, l.openWord()), constOf(1))
	}
	l.emit(isa.ST, l.registerArg(more), fp, l.openWord())
	node := l.newOutlet(x).node
	r := l.fresh(obj.Name())
	l.vars[obj] = r
	l.cont(isa.FormRight, def(r), fp, displacement(node))
}

// goStmt starts a function that nobody waits for. The channels that it sends on
// are known when its segment is.
func (l *lowerer) goStmt(s *ast.GoStmt) {
	f := l.c.callee(s.Call)
	if f == nil || l.f == nil || !l.c.streams(f.decl.Type) {
		l.errorf(s, "go starts functions of the program that have a channel among their arguments; other calls that do not need each other's results run in parallel by themselves")
		return
	}
	for _, a := range s.Call.Args {
		l.prepare(a)
	}
	args := l.callArgs(s.Call, f)
	for _, a := range s.Call.Args {
		l.forget(a)
	}
	l.cutBlock("before a call", false)
	connect := func(seg reg) {
		for _, o := range f.outs {
			id, ok := ast.Unparen(s.Call.Args[o.index]).(*ast.Ident)
			if !ok {
				l.errorf(s.Call.Args[o.index], "a channel is a variable")
				return
			}
			v := l.c.info.Uses[id]
			r := l.fresh(id.Name)
			l.vars[v] = r
			l.cont(isa.FormRight, def(r), use(seg), wordArg(l.c.questionNode(f, o.v)))
			if l.c.chans[v.(*types.Var)].taker == nil {
				l.ins = append(l.ins, v)
			}
		}
	}
	if f.place == "own" {
		connect(l.issue(f, args, nil, 0, nil))
		return
	}
	if l.isLink(f) {
		l.byBit = &args[0]
	}
	var got *block
	l.issue(f, args, nil, 0, func() { got = l.cur })
	l.byBit = nil
	l.endBlock(got)
	l.continueAt(got)
	connect(got.in[0])
}

// isLink reports that the function starts itself once, so that its instances form
// a chain. With one choice of the policy only, the chain would run in a circle
// of a few PEs; the first argument, which mostly counts, alternates.
func (l *lowerer) isLink(f *function) bool {
	n := 0
	for _, x := range l.f.calls {
		if l.c.callee(x) == f {
			n++
		}
	}
	return f == l.f && n == 1 && len(f.params) > 0 && (kindOf(f.params[0].Type()) == types.Int32 || isUnsigned(f.params[0].Type()))
}

// sendStmt is x <- value.
func (l *lowerer) sendStmt(s *ast.SendStmt) {
	l.prepare(s.Value)
	words := lists.Of(l.inWords(l.values(s.Value)), l.load)
	l.forget(s.Value)
	id, ok := ast.Unparen(s.Chan).(*ast.Ident)
	if !ok {
		l.errorf(s.Chan, "a channel is a variable")
		return
	}
	o := l.outlet(l.c.info.Uses[id])
	if o == nil {
		l.errorf(s, "the channel %s is not open for sending here", id.Name)
		return
	}
	for _, v := range words {
		if v.lit {
			r := l.fresh(id.Name)
			l.moveInto(r, v)
			v = inReg(r)
		}
		after := l.block()
		o.after, o.items, o.ins = append(o.after, after), append(o.items, v.r), append(o.ins, l.insRegs())
		l.token(o, int64(len(o.after)))
		l.endBlock(o.node)
		l.continueAt(after)
	}
}

// token tells a channel's node where the code waits.
func (l *lowerer) token(o *outlet, site int64) {
	l.send(isa.FormLeft, l.registerArg(constOf(site)), fp, displacement(o.node))
}

// closeChan is close(x). From here on the node answers by itself.
func (l *lowerer) closeChan(v types.Object) {
	if o := l.outlet(v); o != nil {
		l.token(o, 0)
	}
}

// endStreams is what a function does before it ends: it closes its deferred
// channels, and asks no more.
func (l *lowerer) endStreams() {
	for _, v := range l.closes {
		l.closeChan(v)
	}
	l.askNoMore(l.insRegs())
}

func (l *lowerer) insRegs() []reg {
	return lists.Of(l.ins, func(v types.Object) reg { return l.vars[v] })
}

// askNoMore tells the senders of some channels that no more items are wanted.
func (l *lowerer) askNoMore(ends []reg) {
	for _, r := range ends {
		l.send(isa.FormCont, r0, use(r), number(0))
	}
}

// leave ends the function's own code, or a channel, or both: it releases the
// segment, or leaves it to the last channel that is asked no more.
func (l *lowerer) leave(parts int64) {
	if l.open == "" {
		l.release()
		return
	}
	left := l.binaryOp(isa.SUB, l.computed(isa.LD, fp, l.openWord()), constOf(parts))
	last, more := l.block(), l.block()
	l.branch(isa.BEQ, left, constOf(0), last, more)
	l.continueAt(last)
	l.release()
	l.continueAt(more)
	l.emit(isa.ST, l.registerArg(left), fp, l.openWord())
	l.endBlock()
}

// release ends the instance.
func (l *lowerer) release() {
	if l.own {
		l.releaseOwn()
		return
	}
	l.emit(isa.RELSEG, fp)
	l.endBlock()
}

// serve writes the code of the nodes where questions come.
func (l *lowerer) serve() {
	l.line = 0 // of no statement
	for _, o := range l.outlets {
		l.continueAt(o.node)
		site, ask := inReg(o.site), inReg(o.ask)
		closed := l.block()
		closed.cold = true
		for i, after := range o.after {
			here, give, stay, next := l.block(), l.block(), l.block(), l.block()
			if i == len(o.after)-1 { // one of the two is left
				l.branch(isa.BNE, site, constOf(0), here, closed)
			} else {
				l.branch(isa.BEQ, site, constOf(int64(i+1)), here, next)
			}
			l.continueAt(here)
			l.branch(isa.BNE, ask, constOf(0), give, stay)
			stay.cold = true
			l.continueAt(stay) // nobody takes the item: Go's sender would wait for ever
			l.askNoMore(o.ins[i])
			l.leave(2)
			l.continueAt(give)
			l.send(isa.FormCont, use(o.items[i]), use(o.ask), number(0))
			l.jumpTo(after)
			l.continueAt(next)
		}
		if len(o.after) == 0 {
			l.jumpTo(closed)
		}
		l.continueAt(closed)
		l.serveEnd(o)
	}
}

// serveEnd answers a question behind the last item.
func (l *lowerer) serveEnd(o *outlet) {
	more, done := l.block(), l.block()
	l.branch(isa.BNE, inReg(o.ask), constOf(0), more, done)
	l.continueAt(done)
	l.leave(1)
	l.continueAt(more)
	l.answerEnd(o.ask)
	l.token(o, 0)
	l.endBlock()
}

// answerEnd answers a question with a 0: beside the receiver's node if that has
// one operand.
func (l *lowerer) answerEnd(ask reg) {
	answer := func(displacement int64) func() {
		return func() { l.send(isa.FormCont, r0, use(ask), number(displacement)) }
	}
	l.choose(func(one, joined *block) {
		l.branch(isa.BEQ, l.computedCont(isa.FormOne, use(ask), number(0)), inReg(ask), one, joined)
	}, answer(-1), answer(0))
}

// question asks a channel for its next item, which goes to a node.
func (l *lowerer) question(ch reg, p *pending) {
	t := l.u.newReg()
	l.emitTo(p, isa.CONT, def(t), fp)
	l.send(isa.FormCont, use(t), use(ch), number(0))
}

// receive asks a channel and ends the block; the code goes on with the words of the item, or
// in end.
func (l *lowerer) receive(x ast.Expr) (words []reg, end *block) {
	words = l.regs(chanOf(l.typeOf(x)).Elem())
	words[0], l.cur, end = l.receiveFrom(l.chanReg(x), itemOf(types.ExprString(ast.Unparen(x))))
	l.restOfItem(x, words)
	return words, end
}

func (l *lowerer) restOfItem(x ast.Expr, words []reg) {
	if len(words) > 1 {
		l.receiveRest(l.chanReg(x), types.ExprString(x), words)
	}
}

// receiveRest receives the words of an item after the first one, one after the other.
func (l *lowerer) receiveRest(ch reg, item string, words []reg) {
	for _, r := range words[1:] {
		p, next := &pending{dst: r, item: item}, l.block()
		l.question(ch, p)
		l.await([]*pending{p}, next)
		l.continueAt(next)
	}
}

// itemOf is an item of a channel in words.
func itemOf(name string) string { return "an item of " + name }

// receiveFrom is receive; what are the words for an item.
func (l *lowerer) receiveFrom(ch reg, what string) (item reg, got, end *block) {
	item = l.u.newReg()
	got = l.u.newNode("item", what, l.line, item)
	end = l.u.newNode("end", "no more items", l.line, none)
	got.node.end, end.node.behind = end, true
	l.question(ch, &pending{node: got, form: isa.FormOne})
	l.endBlock(got, end)
	return item, got, end
}

// chanReg is the register of a channel.
func (l *lowerer) chanReg(x ast.Expr) reg {
	if r, ok := l.vars[l.c.named(x)]; ok {
		return r
	}
	l.errorf(x, "this channel is not open for receiving here: a channel is a variable, and its sender has been started before")
	return l.u.newReg()
}

// rangeChan is for x := range ch.
func (l *lowerer) rangeChan(s *ast.RangeStmt, label string) {
	head, brk := l.block(), l.block()
	l.goInto(head)
	item, end := l.receive(s.X)
	if s.Key != nil {
		l.assignTo(s.Key, l.assembled(s.X, chanOf(l.typeOf(s.X)).Elem(), lists.Of(item, inReg))...)
	}
	l.loopBody(label, brk, head, func() { l.stmts(s.Body.List) })
	l.jumpTo(head)
	l.continueAt(end)
	l.goInto(brk)
}

// receiveBoth is x, ok := <-ch.
func (l *lowerer) receiveBoth(targets []ast.Expr, from *ast.UnaryExpr) {
	for _, x := range targets {
		l.prepare(x)
		defer l.forget(x)
	}
	defer l.indexFirst(targets)()
	item, end := l.receive(from.X)
	ok, done := l.u.newReg(), l.block()
	l.moveInto(ok, constOf(1))
	l.jumpTo(done)
	l.continueAt(end)
	for _, r := range append(item, ok) {
		l.moveInto(r, constOf(0))
	}
	l.goInto(done)
	l.assignTo(targets[0], l.assembled(from.X, chanOf(l.typeOf(from.X)).Elem(), lists.Of(item, inReg))...)
	l.assignTo(targets[1], inReg(ok))
}

package compile

import (
	"go/types"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// The sender of a stream has a node for it with two operands: a token of its
// own, which says at which statement it waits (0: the channel is closed), and
// the receiver's question. A question is the continuation that the item goes to;
// 0 says that the receiver asks no more. After the last item the answer is 0,
// and it goes to the word before the receiver's node if that has one operand:
// there code can begin that handles the end. A sender lives until all its
// receivers ask no more.

// outlet is a channel that this unit sends on.
type outlet struct {
	x     *channel
	node  *block // where questions come
	site  reg    // the operands
	ask   reg
	after []*block // after every statement that sends
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

// openWord returns the word that counts what keeps a sender alive: its own code, and
// the channels whose receivers may still ask.
func (l *lowerer) openWord() arg {
	if l.open == "" {
		l.open = l.u.reserveWord("open")
	}
	return wordArg(l.open)
}

// beginStreams makes the nodes of the channels that come as parameters.
func (l *lowerer) beginStreams(f *function) {
	for _, o := range f.outs {
		n := l.newOutlet(l.c.chans[o.v]).node.node
		n.name, n.known = l.c.questionNode(f, o.v), true
	}
	if n := int64(len(f.outs)); n > 0 {
		l.emit(isa.ST, l.registerArg(constOf(1+n)), fp, l.openWord())
	}
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

// token tells a channel's node where the code waits.
func (l *lowerer) token(o *outlet, site int64) {
	l.send(isa.FormLeft, l.registerArg(constOf(site)), fp, displacement(o.node))
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
			l.continueAt(stay) // nothing takes the item: a sender of Go would wait for ever
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

// serveEnd answers a question after the last item.
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

// receiveRest receives the words of an item after the first one, one after the other.
func (l *lowerer) receiveRest(ch reg, item string, words []reg) {
	for _, r := range words[1:] {
		p, next := &pending{dst: r, item: item}, l.block()
		l.question(ch, p)
		l.await([]*pending{p}, next)
		l.continueAt(next)
	}
}

// itemOf returns an item of a channel in words.
func itemOf(name string) string { return "an item of " + name }

// receiveFrom asks a channel and ends the block; the code continues with the item, or in end. what says it in words.
func (l *lowerer) receiveFrom(ch reg, what string) (item reg, got, end *block) {
	item = l.u.newReg()
	got = l.u.newNode("item", what, l.line, item)
	end = l.u.newNode("end", "no more items", l.line, none)
	got.node.end, end.node.behind = end, true
	l.question(ch, &pending{node: got, form: isa.FormOne})
	l.endBlock(got, end)
	return item, got, end
}

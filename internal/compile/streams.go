package compile

import (
	"fmt"
	"go/types"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/compile/panics"
	"emsim/isa"
	"emsim/packet"
)

// The sender of a stream has a node for it with two operands: a token of its
// own, which says at which statement it waits (0: the channel is closed; -1: the
// function has ended and left it open), and the receiver's question. A question is
// the continuation that the item goes to; 0 says that the receiver asks no more.
// After the last item the answer is 0, and it goes to the word before the
// receiver's node if that has one operand: there code can begin that handles the
// end. A sender lives until all its receivers ask no more.

// outlet is a channel that this unit sends on.
type outlet struct {
	x     *channel
	node  *block // where questions come
	site  reg    // the operands
	ask   reg
	after []*block    // after every statement that sends
	items []reg       // what it sends
	ins   [][]heldEnd // what the function receives from there
	left  bool        // the function may end without closing it
}

// awaiting says in which line the code waits for the other end of a channel: at a site of a sender, or, if item is not
// nil, where an item comes.
type awaiting struct {
	site string
	item *pending
	line int
}

// lines returns the constants that tell whoever reads of a deadlock where code waits.
func (c *compiler) awaitLines(u *unit) (out []string) {
	for _, a := range u.awaits {
		if a.item != nil && a.item.node != nil {
			a.site = panics.ReceiveSite(a.item.node.node.name, matches[a.item.form])
		}
		if a.site != "" && a.line > 0 {
			_, line := c.where(a.line)
			text := fmt.Sprintf("%s = %d", a.site, line)
			out = append(out, fmt.Sprintf("%-40s ; %s", text, remark(strings.TrimSpace(c.lines[a.line-1]))))
		}
	}
	return out
}

// matches has the matching conditions of operands.
var matches = map[isa.Form]packet.Match{isa.FormOne: packet.One, isa.FormLeft: packet.Left, isa.FormRight: packet.Right}

// heldEnd is a receiving end that a function has, or may have; 0 says that it has not.
type heldEnd struct {
	r       reg
	perhaps bool
}

// siteLeft is the token of a channel that has been left open.
const siteLeft = -1

// memberBits is how many bits count the members of a group.
const memberBits = 5

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

// startsWord returns the word with the PE, as its group and member, where a loop has started the last function.
func (l *lowerer) startsWord() arg {
	if l.starts == "" {
		l.starts = l.u.reserveWord("starts")
	}
	return wordArg(l.starts)
}

// beginStarts begins with the own PE.
func (l *lowerer) beginStarts() {
	group := l.binaryOp(isa.SHL, l.special(isa.SpecialGA), constOf(memberBits))
	l.emit(isa.ST, l.registerArg(l.binaryOp(isa.OR, group, l.special(isa.SpecialCA))), fp, l.startsWord())
}

// nextPE returns the PE after the one where a loop has started the last function: a policy would send all of them to
// the same PEs.
func (l *lowerer) nextPE() operand {
	at, k := l.computed(isa.LD, fp, l.startsWord()), l.special(isa.SpecialK)
	member, group := inReg(l.u.newReg()), inReg(l.u.newReg())
	l.moveInto(member.r, l.binaryOp(isa.ADD, l.binaryOp(isa.AND, at, constOf(1<<memberBits-1)), constOf(1)))
	l.moveInto(group.r, l.binaryOp(isa.SHR, at, constOf(memberBits)))
	l.wrap(group, member, k)
	at = l.binaryOp(isa.OR, l.binaryOp(isa.SHL, group, constOf(memberBits)), member)
	l.emit(isa.ST, l.registerArg(at), fp, l.startsWord())
	return l.peAt(group, member)
}

// token tells a channel's node where the code waits.
func (l *lowerer) token(o *outlet, site int64) {
	l.send(isa.FormLeft, l.registerArg(constOf(site)), fp, displacement(o.node))
}

// askNoMore tells the senders of some channels that no more items are wanted.
func (l *lowerer) askNoMore(ends []heldEnd) {
	for _, e := range ends {
		tell := func() { l.send(isa.FormCont, r0, use(e.r), number(0)) }
		if e.perhaps {
			l.branchIf(isa.BNE, inReg(e.r), constOf(0), tell)
		} else {
			tell()
		}
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
		if o.left {
			gone, known := l.block(), l.block()
			gone.cold = true
			l.branch(isa.BEQ, site, constOf(siteLeft), gone, known)
			l.continueAt(gone) // the receiver waits for ever: its question shows it
			l.branchIf(isa.BNE, ask, constOf(0), func() {
				l.send(isa.FormRight, use(o.ask), fp, displacement(o.node))
				l.endBlock()
			})
			l.leave(1)
			l.continueAt(known)
		}
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
	l.choose(l.test(isa.BEQ, l.computedCont(isa.FormOne, use(ask), number(0)), inReg(ask)), answer(-1), answer(0))
}

// question asks a channel for its next item, which goes to a node.
func (l *lowerer) question(ch reg, p *pending) {
	l.u.awaits = append(l.u.awaits, awaiting{item: p, line: l.line})
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

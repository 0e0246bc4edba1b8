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

// The sender of a stream has a node for it with two operands. The left one is a token from the sender. It says at which
// statement the sender waits; 0 means that the channel is closed, and -1 that the function has ended and left it open.
// The right one is the receiver's item request: the continuation to which the item goes, or 0 if the receiver gives up
// the channel. After the last item the answer is 0. It goes to the word before the receiver's node if that node has one
// operand, because code for the end of the stream can begin there. A sender lives until all its receivers have given up
// their channels.

// outlet is a channel that this unit sends on.
type outlet struct {
	x     *channel
	node  *block // where item requests arrive
	site  reg    // the operands: the token and the request
	ask   reg
	after []*block    // by sent word: the code after its send
	items []reg       // by sent word: its register
	ins   [][]heldEnd // by sent word: the receiving ends to give up if nothing receives it
	left  bool        // the function may end without closing it
}

// awaiting is a line in which the code waits for the other end of a channel. A sender that waits sets site. A receiver
// sets item, the item that it waits for; its site follows from the item's node.
type awaiting struct {
	site string
	item *pending
	line int
}

// awaitLines returns constants with the lines in which code waits for channels. The report of a deadlock uses them.
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

// heldEnd is the register of a receiving end that a function has. If perhaps is set, the register may have 0: no end.
type heldEnd struct {
	r       reg
	perhaps bool
}

// siteLeft is the token of a channel that has been left open.
const siteLeft = -1

// memberBits is the number of bits for the member in the word of startsWord.
const memberBits = 5

// newOutlet makes the node for the item requests of a channel.
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

// openWord returns the word that counts what keeps a sender alive: its own code, and the channels whose receivers may
// still request items.
func (l *lowerer) openWord() arg {
	if l.open == "" {
		l.open = l.u.reserveWord("open")
	}
	return wordArg(l.open)
}

// beginStreams makes the nodes of the channels that are parameters.
func (l *lowerer) beginStreams(f *function) {
	for _, o := range f.outs {
		n := l.newOutlet(l.c.chans[o.v]).node.node
		n.name, n.known = l.c.requestNode(f, o.v), true
	}
	if n := int64(len(f.outs)); n > 0 {
		l.emit(isa.ST, l.registerArg(constOf(1+n)), fp, l.openWord())
	}
}

// isLink reports whether f is the function itself, which starts itself in one place: its instances form a chain. With
// one choice of the policy for all links, the chain would cycle through a few PEs. The first argument, which usually
// counts, therefore selects the choice.
func (l *lowerer) isLink(f *function) bool {
	n := 0
	for _, x := range l.f.calls {
		if l.c.callee(x) == f {
			n++
		}
	}
	return f == l.f && n == 1 && len(f.params) > 0 && (kindOf(f.params[0].Type()) == types.Int32 || isUnsigned(f.params[0].Type()))
}

// startsWord returns the word that holds the group and member of the PE where a loop has started the last function.
func (l *lowerer) startsWord() arg {
	if l.starts == "" {
		l.starts = l.u.reserveWord("starts")
	}
	return wordArg(l.starts)
}

// beginStarts initializes the word of startsWord with this PE.
func (l *lowerer) beginStarts() {
	group := l.binaryOp(isa.SHL, l.special(isa.SpecialGA), constOf(memberBits))
	l.emit(isa.ST, l.registerArg(l.binaryOp(isa.OR, group, l.special(isa.SpecialCA))), fp, l.startsWord())
}

// nextPE returns the PE after the one where a loop has started the last function, and remembers it. A policy would send
// all instances to the same few PEs.
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

// token sends a channel's node the token that says where the code waits.
func (l *lowerer) token(o *outlet, site int64) {
	l.send(isa.FormLeft, l.registerArg(constOf(site)), fp, displacement(o.node))
}

// askNoMore tells the senders of receiving ends that no more items will be requested.
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

// leave counts down the word of openWord by parts: the function's own code has ended, or a channel, or both. When
// nothing is left, it releases the segment. If the function sends on no channel, it releases the segment at once.
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

// serve lowers the nodes where item requests arrive.
func (l *lowerer) serve() {
	l.line = 0 // it belongs to no statement
	for _, o := range l.outlets {
		l.continueAt(o.node)
		site, ask := inReg(o.site), inReg(o.ask)
		closed := l.block()
		closed.cold = true
		if o.left {
			gone, known := l.block(), l.block()
			gone.cold = true
			l.branch(isa.BEQ, site, constOf(siteLeft), gone, known)
			l.continueAt(gone) // the receiver waits for ever: its request stays there, for the report of a deadlock
			l.branchIf(isa.BNE, ask, constOf(0), func() {
				l.send(isa.FormRight, use(o.ask), fp, displacement(o.node))
				l.endBlock()
			})
			l.leave(1)
			l.continueAt(known)
		}
		for i, after := range o.after {
			here, give, stay, next := l.block(), l.block(), l.block(), l.block()
			if i == len(o.after)-1 { // only this site and a closed channel are left
				l.branch(isa.BNE, site, constOf(0), here, closed)
			} else {
				l.branch(isa.BEQ, site, constOf(int64(i+1)), here, next)
			}
			l.continueAt(here)
			l.branch(isa.BNE, ask, constOf(0), give, stay)
			stay.cold = true
			l.continueAt(stay) // nothing takes the item: in Go the sender would wait for ever
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

// serveEnd answers item requests after the last item, until the receiver gives up the channel.
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

// answerEnd answers an item request with 0. The answer goes to the word before the receiver's node if that node has one
// operand.
func (l *lowerer) answerEnd(ask reg) {
	answer := func(displacement int64) func() {
		return func() { l.send(isa.FormCont, r0, use(ask), number(displacement)) }
	}
	l.choose(l.test(isa.BEQ, l.computedCont(isa.FormOne, use(ask), number(0)), inReg(ask)), answer(-1), answer(0))
}

// requestItem requests the next item of a channel, which goes to the node of p.
func (l *lowerer) requestItem(ch reg, p *pending) {
	l.u.awaits = append(l.u.awaits, awaiting{item: p, line: l.line})
	t := l.u.newReg()
	l.emitTo(p, isa.CONT, def(t), fp)
	l.send(isa.FormCont, use(t), use(ch), number(0))
}

// receiveRest receives the words of an item after the first one, one after the other.
func (l *lowerer) receiveRest(ch reg, item string, words []reg) {
	for _, r := range words[1:] {
		p, next := &pending{dst: r, item: item}, l.block()
		l.requestItem(ch, p)
		l.await([]*pending{p}, next)
		l.continueAt(next)
	}
}

// itemOf describes an item of a channel in words.
func itemOf(name string) string { return "an item of " + name }

// receiveFrom requests an item and ends the block. The code continues at the block got with the item, or at the block
// end if there are no more items. what describes the item.
func (l *lowerer) receiveFrom(ch reg, what string) (item reg, got, end *block) {
	item = l.u.newReg()
	got = l.u.newNode("item", what, l.line, item)
	end = l.u.newNode("end", "no more items", l.line, none)
	got.node.end, end.node.follows = end, true
	l.requestItem(ch, &pending{node: got, form: isa.FormOne})
	l.endBlock(got, end)
	return item, got, end
}

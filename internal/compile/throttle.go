package compile

import (
	"fmt"
	"slices"
	"strings"

	"emsim/isa"
)

// A PE that has few operand segments left makes no instances for other PEs. A request that a policy has sent to such a
// PE looks for another PE (seek.go). If no PE has room, the request returns, and the call is made on the caller's PE,
// in the own form of its function. An own form makes its calls on the same PE, one after another, so the calls below it
// need one segment for each level. Of the calls that have returned to a PE, one is made at a time. It waits only for
// calls below it and for words of arrays, so it ends, and the next one begins. Hence no calls wait for each other in a
// cycle, on any machine.
//
// A function has no own form if it, or a function that it calls, uses channels: both ends of a channel have to
// exist at the same time.

// spareBits says when a PE is short of segments: when fewer than 2^spareBits are free. These remain for the PE's own
// calls [chosen: deeper recursions are rare, and the limit is a fourteenth of the prototype's segments].
const spareBits = 6

// returnedBits is where the number of a function begins in the word that links a returned request to the
// previous one: above the address, which has 18 bits [derived: 262,144 words of a PE].
const returnedBits = 18

// findOwn makes the own forms of all functions that can have one.
func (c *compiler) findOwn() {
	streams := c.withCallers(func(f *function) bool {
		if f.array != nil {
			return f.fills() || f.array.access["Stream"] == f
		}
		return len(f.outs) > 0 || c.streams(f.decl)
	})
	for _, f := range slices.Clone(c.order) {
		if streams[f] || f.inlined || f.array != nil || f == c.entry && !c.isCalled(f) {
			continue
		}
		c.makeOwn(f)
	}
}

// makeOwn makes the own form of a function: a copy whose instances run on the PE of their caller.
func (c *compiler) makeOwn(f *function) {
	own := *f
	own.name, own.place, own.of = "own."+f.name, "own", f
	f.own = &own
	c.order = append(c.order, f.own)
}

// short ends the block with a test whether this PE is short of segments.
func (l *lowerer) short(yes, no *block) {
	l.branch(isa.BEQ, l.binaryOp(isa.SHR, l.special(isa.SpecialSegs), constOf(spareBits)), constOf(0), yes, no)
}

// issueOwn makes an instance of a function's own form, and counts it.
func (l *lowerer) issueOwn(f *function, args []operand, p *pending) {
	l.countOwn(isa.ADD)
	l.issueHere(f.own, args, p)
}

// countOwn counts the instances of own forms on this PE, up or down, and returns their number.
func (l *lowerer) countOwn(op opcode) operand {
	n := l.binaryOp(op, l.loadPEWord(labelArg("own.instances")), constOf(1))
	l.emit(isa.ST, use(n.r), r0, labelArg("own.instances"))
	return n
}

// callOwn makes a call in the own form and waits for the result.
func (l *lowerer) callOwn(f *function, args []operand) operand {
	p, end := &pending{dst: l.u.newReg()}, l.block()
	l.issueOwn(f, args, p)
	l.await([]*pending{p}, end)
	l.continueAt(end)
	return inReg(p.dst)
}

// releaseOwn ends an instance of an own form. After the last one, the returned call is over, and the next one begins.
func (l *lowerer) releaseOwn() {
	l.emit(isa.RELSEG, fp)
	last, more := l.block(), l.block()
	l.branch(isa.BEQ, l.countOwn(isa.SUB), constOf(0), last, more)
	l.continueAt(last)
	l.emit(jump, labelArg("own.next"))
	l.cur.ended = true
	l.endBlock()
	l.continueAt(more)
	l.endBlock()
}

// issueNear makes an instance on this PE, or requests one if the PE is short of segments. The entry has a single
// instance, so it makes the first instance of a parallel loop without this test.
func (l *lowerer) issueNear(f *function, args []operand, p *pending, site int, then func()) reg {
	if f.own == nil || f.lit != nil && l.f == l.c.entry && !l.c.isCalled(l.f) {
		return l.issueHere(f, args, p)
	}
	l.choose(l.short, func() { l.issueBack(f, args, p, site, then) }, func() { l.issueHere(f, args, p) })
	return none
}

// issueBack requests an instance from this PE, which is short of segments, so that the request becomes a returned call.
func (l *lowerer) issueBack(f *function, args []operand, p *pending, site int, then func()) reg {
	l.issueOn(l.special(isa.SpecialPE), f, args, p, site, then)
	return none
}

// iterationUnit is the amount that one iteration of df.Sum adds to the gather. The bit below it says that another
// iteration begins whenever one has ended.
const iterationUnit = 2

// beginIterations begins all iterations of a PE except the last one, in instances of their own. It stops when about
// half of the segments that are free now are left. If the iterations use channels, it stops when seven eighths are
// left, because the other ends of the channels are instances too. After that, each iteration that ends begins the next
// one. If no iteration is in progress, the PE requests from itself one instance that runs the rest. A loop without an
// own form then begins the next iteration all the same.
func (l *lowerer) beginIterations(g *gather, f *function, args []operand, all operand, last, end *block, step func()) {
	i, turns, keep := args[0], args[1], args[2] // the span is no longer needed
	free := l.special(isa.SpecialSegs)
	if l.c.streams(f.lit) {
		l.moveInto(keep.r, l.binaryOp(isa.SUB, free, l.binaryOp(isa.SHR, free, constOf(3))))
	} else {
		l.moveInto(keep.r, l.binaryOp(isa.ADD, l.binaryOp(isa.SHR, free, constOf(1)), constOf(1<<spareBits/2)))
	}
	begin, ask, next, full, alone, later := l.block(), l.block(), l.block(), l.block(), l.block(), l.block()
	l.goInto(begin)
	l.branch(isa.BLTU, all, turns, ask, last)
	l.continueAt(ask)
	l.branch(isa.BLTU, keep, l.special(isa.SpecialSegs), next, full)
	l.continueAt(next)
	l.oneMore(g)
	l.cutBlock("before a call", false)
	l.issueHere(f, append([]operand{i, constOf(1), constOf(onePE)}, args[3:]...), &pending{node: g.count, form: isa.FormOne})
	step()
	l.jumpTo(begin)
	l.continueAt(full)
	l.branch(isa.BEQ, inReg(g.open), constOf(iterationUnit), alone, later)
	l.continueAt(alone)
	if f.own == nil {
		l.jumpTo(next)
	} else {
		l.oneMore(g)
		l.issueBack(f, append([]operand{i, turns, constOf(onePE)}, args[3:]...), &pending{node: g.count, form: isa.FormOne}, 0, func() { l.endBlock() })
		l.jumpTo(end)
	}
	l.continueAt(later)
	wait := func(do func(a operand, word arg)) {
		for n, a := range args {
			if a.array == nil {
				do(a, l.argWord(f, n, 0))
			}
		}
	}
	wait(func(a operand, word arg) { l.emit(isa.ST, use(a.r), fp, word) })
	l.moveInto(g.open, l.binaryOp(isa.ADD, inReg(g.open), constOf(1)))
	l.awaitResults(g)
	g.more = func() {
		l.moveInto(g.open, l.binaryOp(isa.SUB, inReg(g.open), constOf(1)))
		wait(func(a operand, word arg) { l.emit(isa.LD, def(a.r), fp, word) })
		l.moveInto(all.r, l.peCount())
		l.jumpTo(begin)
	}
}

// returned returns the templates and blocks that make calls which have returned to a PE.
func (c *compiler) returned() (templates, system []string) {
	var table []string
	for _, f := range c.order {
		if f.own == nil || !f.lowered {
			continue
		}
		templates = append(templates, c.enter(f)...)
		system = append(system, systemLabel("back."+f.name, "who gets the request back"),
			assemblyLine("mov", fmt.Sprintf("r3, %d", len(table))), assemblyLine("jmp", "own.back"), "")
		table = append(table, "enter."+f.name)
	}
	if table == nil {
		return nil, nil
	}
	c.static = append(c.static, "own.busy: .space 1", "own.last: .space 1", "own.instances: .space 1", "own.enter: .word "+strings.Join(table, ", "))
	if c.seeking() {
		system = append(system, foundText)
	}
	return templates, append(system, strings.TrimPrefix(fmt.Sprintf(returnedText, returnedBits, 1<<returnedBits-1, spareBits), "\n"))
}

// returnedText has the blocks that make returned calls, one at a time. The node that waits for a segment has
// one operand, so its word is free to link the request to the previous one.
const returnedText = `
own.back:                                ; the node that waits for a segment; r3 = the function's number
    ld      r4, r0, own.busy
    bne     r4, r0, own.queue
    mov     r4, 1
    st      r4, r0, own.busy
    jmp     own.begin
own.queue:
    ld      r4, r0, own.last
    shl     r3, r3, %[1]d
    or      r3, r3, r4
    st      r3, r1, 0
    and     r4, r1, %[2]d
    st!     r4, r0, own.last
own.next:                                ; the call is over
    ld      r4, r0, own.last
    beq     r4, r0, own.done
    ld      r3, r4, 0
    and     r5, r3, %[2]d
    st      r5, r0, own.last
    shr     r3, r3, %[1]d
    rds     r5, pe
    or      r1, r4, r5
own.begin:
    ld      r3, r3, own.enter
    getseg  r3, r3
    send!   r3, r1, 0
own.done:
    st!     r0, r0, own.busy
.if mlpe != mlpe.off
own.reserve:                             ; who asks for a segment in advance
    rds     r3, segs
    shr     r3, r3, %[3]d
    beq     r3, r0, own.short
    jmp     reserve
own.short:
    send.d! r0, r1, own.none
own.none:                                ; the next call searches again
    ld      r3, r0, asked
    sub     r3, r3, 1
    st!     r3, r0, asked
.endif
`

// enter returns the template that receives the operands of a returned call and passes them to an instance of the own
// form. Its nodes have the same displacements as the nodes of the function, because the caller sends to these.
func (c *compiler) enter(f *function) []string {
	name, own := "enter."+f.name, f.own
	out := []string{"; what a returned call of " + f.name + " sends its operands to", ".template " + name}
	for _, node := range f.unit.begins {
		out = append(out, assemblyLine(".space", fmt.Sprintf("@%s - (. - %s)", node, name)), assemblyLine("jmp", "enter."+node))
	}
	side := "l"
	if f.operands() == 1 {
		side = "1"
	}
	for i := range max(1, f.operands()-1) {
		to := entryOf(own, i+1)
		out = append(out, "enter."+entryOf(f, i+1)+":")
		if i == 0 {
			out = append(out, assemblyLine("ld", "r4, r0, own.instances"), assemblyLine("add", "r4, r4, 1"), assemblyLine("st", "r4, r0, own.instances"),
				assemblyLine("getseg", "r3, "+own.name), assemblyLine("st", "r3, fp, @"+entryOf(f, 1)), assemblyLine("send."+side, "r1, r3, @"+to))
		} else {
			out = append(out, assemblyLine("ld", "r3, fp, @"+entryOf(f, 1)))
		}
		if side == "l" {
			out = append(out, assemblyLine("send.r", "r2, r3, @"+to))
		}
		if i+2 < f.operands() {
			out = append(out, assemblyLine("send.l!", "r0, fp, @"+entryOf(f, i+2)))
		} else {
			out = append(out, assemblyLine("relseg!", "fp"))
		}
	}
	return append(out, ".endtemplate", "")
}

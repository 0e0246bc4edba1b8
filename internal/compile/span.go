package compile

// A tree over the PEs has one instance on each of them. An instance has a span of
// PEs, of which its own is the first: a number of groups, a power of two, or a
// number of members of its own group. It asks a PE half of the span away for an
// instance that gets that half, and goes on with the rest, until its own PE is left.
// PEs are counted as for the pieces of arrays, members first, and behind the last
// one comes the first.

// A span is one word: groups << spanGroups | members. There are at most 17 members.
const (
	spanGroups = 5
	onePE      = 1<<spanGroups | 1
)

// allPEs is the span of the whole machine.
func (l *lowerer) allPEs() operand {
	k := l.special("k")
	return l.binaryOp("add", l.binaryOp("shl", constOf(1<<spanGroups), k), l.binaryOp("add", k, constOf(1)))
}

// toPEs asks for instances on the other PEs of a span, whose results are gathered;
// one after the other, because each request waits for its segment. needed, if there
// is one, decides about an instance so many PEs away, and args are its arguments.
func (l *lowerer) toPEs(g *gather, f *function, span reg, needed func(away operand, yes, no *block), args func(away, theirs operand) []operand) {
	head, more, ask, own := l.block(), l.block(), l.block(), l.block()
	l.goInto(head)
	l.branch("bltu", constOf(onePE), inReg(span), more, own)
	l.continueAt(more)
	away, theirs, pe := l.halve(span)
	if needed != nil {
		needed(away, ask, head)
	} else {
		l.jumpTo(ask)
	}
	l.continueAt(ask)
	if l.own {
		g.add(l.callOwn(f, args(away, theirs)))
		l.jumpTo(head)
		l.continueAt(own)
		return
	}
	l.oneMore(g)
	l.issueOn(l.peAt(pe[0], pe[1]), f, args(away, theirs), &pending{node: g.count, form: "1"}, 0, func() {
		g.wakes = append(g.wakes, l.cur)
		l.jumpTo(head)
	})
	l.awaitResults(g)
	l.continueAt(own)
}

// halve takes the far half from a span: how many PEs away it begins, itself, and
// the group and member of its first PE.
func (l *lowerer) halve(span reg) (away, theirs operand, pe [2]operand) {
	group, member := inReg(l.u.newReg()), inReg(l.u.newReg())
	away, theirs = inReg(l.u.newReg()), inReg(l.u.newReg())
	groups, members, wrap, end := l.block(), l.block(), l.block(), l.block()
	k := l.special("k")
	l.moveInto(group.r, l.special("ga"))
	l.moveInto(member.r, l.special("ca"))
	half := l.binaryOp("shr", inReg(span), constOf(spanGroups+1))
	l.branch("bne", half, constOf(0), groups, members)

	l.continueAt(groups)
	l.moveInto(away.r, l.binaryOp("mul", half, l.binaryOp("add", k, constOf(1))))
	l.moveInto(group.r, l.binaryOp("add", group, half))
	l.moveInto(span, l.binaryOp("sub", inReg(span), l.binaryOp("shl", half, constOf(spanGroups))))
	l.moveInto(theirs.r, inReg(span))
	l.jumpTo(end)

	l.continueAt(members)
	n := l.binaryOp("and", inReg(span), constOf(1<<spanGroups-1))
	few := l.binaryOp("shr", n, constOf(1))
	l.moveInto(away.r, l.binaryOp("sub", n, few))
	l.moveInto(theirs.r, l.binaryOp("add", few, constOf(1<<spanGroups)))
	l.moveInto(span, l.binaryOp("add", away, constOf(1<<spanGroups)))
	l.moveInto(member.r, l.binaryOp("add", member, away))
	l.branch("bltu", k, member, wrap, end)
	l.continueAt(wrap) // behind the last member comes the next group
	l.moveInto(member.r, l.binaryOp("sub", member, l.binaryOp("add", k, constOf(1))))
	l.moveInto(group.r, l.binaryOp("add", group, constOf(1)))
	l.jumpTo(end)

	l.continueAt(end)
	mask := l.binaryOp("sub", l.binaryOp("shl", constOf(1), k), constOf(1))
	l.moveInto(group.r, l.binaryOp("and", group, mask))
	return away, theirs, [2]operand{group, member}
}

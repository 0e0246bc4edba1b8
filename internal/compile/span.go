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
	return l.op("add", l.op("shl", constOf(1<<spanGroups), k), l.op("add", k, constOf(1)))
}

// toPEs asks for instances on the other PEs of a span, whose results are gathered;
// one after the other, because each request waits for its segment. needed, if there
// is one, decides about an instance so many PEs away, and args are its arguments.
func (l *lowerer) toPEs(g *gather, f *function, span reg, needed func(away operand, yes, no *block), args func(away, theirs operand) []operand) {
	head, more, ask, own := l.block(), l.block(), l.block(), l.block()
	l.jump(head)
	l.at(head)
	l.branch("bltu", constOf(onePE), inReg(span), more, own)
	l.at(more)
	away, theirs, pe := l.halve(span)
	if needed != nil {
		needed(away, ask, head)
	} else {
		l.jump(ask)
	}
	l.at(ask)
	l.oneMore(g)
	l.issueOn(l.peAt(pe[0], pe[1]), f, args(away, theirs), &pending{node: g.count, form: "1"}, 0, func() {
		g.wakes = append(g.wakes, l.cur)
		l.jump(head)
	})
	l.wait(g)
	l.at(own)
}

// halve takes the far half from a span: how many PEs away it begins, itself, and
// the group and member of its first PE.
func (l *lowerer) halve(span reg) (away, theirs operand, pe [2]operand) {
	group, member := inReg(l.u.newReg()), inReg(l.u.newReg())
	away, theirs = inReg(l.u.newReg()), inReg(l.u.newReg())
	groups, members, wrap, end := l.block(), l.block(), l.block(), l.block()
	k := l.special("k")
	l.move(group.r, l.special("ga"))
	l.move(member.r, l.special("ca"))
	half := l.op("shr", inReg(span), constOf(spanGroups+1))
	l.branch("bne", half, constOf(0), groups, members)

	l.at(groups)
	l.move(away.r, l.op("mul", half, l.op("add", k, constOf(1))))
	l.move(group.r, l.op("add", group, half))
	l.move(span, l.op("sub", inReg(span), l.op("shl", half, constOf(spanGroups))))
	l.move(theirs.r, inReg(span))
	l.jump(end)

	l.at(members)
	n := l.op("and", inReg(span), constOf(1<<spanGroups-1))
	few := l.op("shr", n, constOf(1))
	l.move(away.r, l.op("sub", n, few))
	l.move(theirs.r, l.op("add", few, constOf(1<<spanGroups)))
	l.move(span, l.op("add", away, constOf(1<<spanGroups)))
	l.move(member.r, l.op("add", member, away))
	l.branch("bltu", k, member, wrap, end)
	l.at(wrap) // behind the last member comes the next group
	l.move(member.r, l.op("sub", member, l.op("add", k, constOf(1))))
	l.move(group.r, l.op("add", group, constOf(1)))
	l.jump(end)

	l.at(end)
	mask := l.op("sub", l.op("shl", constOf(1), k), constOf(1))
	l.move(group.r, l.op("and", group, mask))
	return away, theirs, [2]operand{group, member}
}

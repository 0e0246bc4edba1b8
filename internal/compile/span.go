package compile

import "emsim/isa"

// A tree over the PEs has at most one instance on each PE. An instance has a span of PEs, which begins with its own: a
// number of groups, which is a power of two, or a number of members of its own group. While its span has other PEs, it
// requests an instance on the first PE of the far half, which gets that half. PEs have the same order as for the pieces
// of arrays: members first, and after the last PE comes the first.

// A span is one word: groups << spanGroups | members. There are at most 17 members.
const (
	spanGroups = 5
	onePE      = 1<<spanGroups | 1
)

// allPEs returns the span of the whole machine.
func (l *lowerer) allPEs() operand {
	k := l.special(isa.SpecialK)
	return l.binaryOp(isa.ADD, l.binaryOp(isa.SHL, constOf(1<<spanGroups), k), l.binaryOp(isa.ADD, k, constOf(1)))
}

// toPEs requests instances on the other PEs of a span, and gathers their results. It makes the requests one after
// another, because each waits for its segment. If needed is not nil, it decides by the distance in PEs whether an
// instance is requested. args returns an instance's arguments.
func (l *lowerer) toPEs(g *gather, f *function, span reg, needed func(away operand, yes, no *block), args func(away, theirs operand) []operand) {
	head, more, ask, own := l.block(), l.block(), l.block(), l.block()
	l.goInto(head)
	l.branch(isa.BLTU, constOf(onePE), inReg(span), more, own)
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
	l.issueOn(l.peAt(pe[0], pe[1]), f, args(away, theirs), &pending{node: g.count, form: isa.FormOne}, 0, func() {
		g.wakes = append(g.wakes, l.cur)
		l.jumpTo(head)
	})
	l.awaitResults(g)
	l.continueAt(own)
}

// halve takes the far half from a span. It returns how many PEs away that half begins, the half itself, and the
// group and member of its first PE.
func (l *lowerer) halve(span reg) (away, theirs operand, pe [2]operand) {
	group, member := inReg(l.u.newReg()), inReg(l.u.newReg())
	away, theirs = inReg(l.u.newReg()), inReg(l.u.newReg())
	k := l.special(isa.SpecialK)
	l.moveInto(group.r, l.special(isa.SpecialGA))
	l.moveInto(member.r, l.special(isa.SpecialCA))
	half := l.binaryOp(isa.SHR, inReg(span), constOf(spanGroups+1))
	l.choose(l.test(isa.BNE, half, constOf(0)), func() {
		l.moveInto(away.r, l.binaryOp(isa.MUL, half, l.binaryOp(isa.ADD, k, constOf(1))))
		l.moveInto(group.r, l.binaryOp(isa.ADD, group, half))
		l.mask(group, k)
		l.moveInto(span, l.binaryOp(isa.SUB, inReg(span), l.binaryOp(isa.SHL, half, constOf(spanGroups))))
		l.moveInto(theirs.r, inReg(span))
	}, func() {
		n := l.binaryOp(isa.AND, inReg(span), constOf(1<<spanGroups-1))
		few := l.binaryOp(isa.SHR, n, constOf(1))
		l.moveInto(away.r, l.binaryOp(isa.SUB, n, few))
		l.moveInto(theirs.r, l.binaryOp(isa.ADD, few, constOf(1<<spanGroups)))
		l.moveInto(span, l.binaryOp(isa.ADD, away, constOf(1<<spanGroups)))
		l.moveInto(member.r, l.binaryOp(isa.ADD, member, away))
		l.wrap(group, member, k)
	})
	return away, theirs, [2]operand{group, member}
}

// wrap replaces a member past the last one of its group by the corresponding member of the next group.
func (l *lowerer) wrap(group, member, k operand) {
	l.branchIf(isa.BLTU, k, member, func() {
		l.moveInto(member.r, l.binaryOp(isa.SUB, member, l.binaryOp(isa.ADD, k, constOf(1))))
		l.moveInto(group.r, l.binaryOp(isa.ADD, group, constOf(1)))
		l.mask(group, k)
	})
}

// mask replaces the group after the last one by the first group.
func (l *lowerer) mask(group, k operand) {
	groups := l.binaryOp(isa.SHL, constOf(1), k)
	l.moveInto(group.r, l.binaryOp(isa.AND, group, l.binaryOp(isa.SUB, groups, constOf(1))))
}

package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/isa"
)

// mostAsked bounds the calls of a turn [derived]: each has a node, and an operand segment
// has room for fewer than 2^askedBits.
const (
	askedBits = 8
	mostAsked = 1 << askedBits
)

// gather is a number of results that are added up as they come.
type gather struct {
	add     func(v operand)
	open    reg    // how many are to come, the instance's own parts included, in units
	unit    int64  // below are the calls of a turn that have no segment yet
	count   *block // the node where they come
	counted *block // and what follows there
	end     *block // after the last one
	wakes   []*block
	calls   []string // what the results are of
	more    func()   // what is done when one has come, if the lowest bit of open says so
}

// newGather makes the node for the results of a number of parts, to which more
// can be added.
func (l *lowerer) newGather(parts int64, add func(v operand)) *gather {
	g := &gather{add: add, unit: 1, open: l.fresh("open"), counted: l.block(), end: l.block()}
	if add != nil {
		g.count = l.countNode(g, add)
	}
	l.moveInto(g.open, constOf(parts))
	return g
}

// countNode makes a node for results that are added up in one way.
func (l *lowerer) countNode(g *gather, add func(v operand)) *block {
	r, code := l.u.newReg(), l.cur
	n := l.u.newNode("count", "a result", l.line, r)
	g.wakes = append(g.wakes, n)
	l.cur = n
	add(inReg(r))
	l.jumpTo(g.counted)
	l.cur = code
	return n
}

// callsFor notes whose results come.
func (g *gather) callsFor(x ast.Expr) {
	if text := types.ExprString(x); !slices.Contains(g.calls, text) {
		g.calls = append(g.calls, text)
	}
}

// oneMore counts a part that begins.
func (l *lowerer) oneMore(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.ADD, inReg(g.open), constOf(g.unit)))
}

// endOne counts a result or the end of a part; after the last one the code
// after all of them continues.
func (l *lowerer) endOne(g *gather) {
	l.countDown(g)
	l.awaitResults(g)
}

// countDown counts it, too, and leaves open what becomes of the block.
func (l *lowerer) countDown(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.SUB, inReg(g.open), constOf(g.unit)))
	more := l.block()
	l.branch(isa.BEQ, inReg(g.open), constOf(0), g.end, more)
	l.continueAt(more)
}

// awaitResults ends the strongly connected block while results are to come.
func (l *lowerer) awaitResults(g *gather) {
	l.here().waitsFor = g
	l.cur = nil
}

// gathered continues after all parts.
func (l *lowerer) gathered(g *gather) {
	l.continueAt(g.counted)
	l.countDown(g)
	if g.more != nil {
		l.branchIf(isa.BNE, l.binaryOp(isa.AND, inReg(g.open), constOf(1)), constOf(0), g.more)
	}
	l.awaitResults(g)
	for _, b := range l.u.blocks { // whoever stops inside waits for all of them
		if b.waitsFor == g {
			b.wakes = append(b.wakes, g.wakes...)
		}
	}
	l.continueAt(g.end)
}

package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/isa"
)

// leastUnit is the least weight of a result of a reduction loop with several calls an iteration. The bits below the
// weight count the calls of an iteration that wait for a segment [chosen: a constant of one instruction].
const leastUnit = 1 << 8

// gather adds up results as they arrive, and counts the outstanding ones.
type gather struct {
	add     func(v operand)
	open    reg      // number of outstanding results, including parts of the instance's own work, in units
	unit    int64    // the weight of a result in open; lower bits count calls without a segment
	count   *block   // the node where results arrive, or nil if each call has its own
	counted *block   // the code after a result has been added
	end     *block   // the code after the last result
	wakes   []*block // the nodes that continue while results are outstanding
	calls   []string // the calls whose results arrive, as text
	more    func()   // the code after a result if the lowest bit of open is set
}

// newGather begins a gather with a number of parts, to which more can be added. If add is not nil, it makes a node that
// passes results to add.
func (l *lowerer) newGather(parts int64, add func(v operand)) *gather {
	g := &gather{add: add, unit: 1, open: l.fresh("open"), counted: l.block(), end: l.block()}
	if add != nil {
		g.count = l.countNode(g, add)
	}
	l.moveInto(g.open, constOf(parts))
	return g
}

// countNode makes a node that passes the results which arrive there to add.
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

// callsFor records a call whose result arrives.
func (g *gather) callsFor(x ast.Expr) {
	if text := types.ExprString(x); !slices.Contains(g.calls, text) {
		g.calls = append(g.calls, text)
	}
}

// oneMore counts a part that begins.
func (l *lowerer) oneMore(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.ADD, inReg(g.open), constOf(g.unit)))
}

// endOne counts a result or the end of a part. After the last one, the code after the gather continues.
func (l *lowerer) endOne(g *gather) {
	l.countDown(g)
	l.awaitResults(g)
}

// countDown counts the end of a part. It continues in a new block if there are others.
func (l *lowerer) countDown(g *gather) {
	l.moveInto(g.open, l.binaryOp(isa.SUB, inReg(g.open), constOf(g.unit)))
	more := l.block()
	l.branch(isa.BEQ, inReg(g.open), constOf(0), g.end, more)
	l.continueAt(more)
}

// awaitResults ends the strongly connected block while results are outstanding.
func (l *lowerer) awaitResults(g *gather) {
	l.here().waitsFor = g
	l.cur = nil
}

// gathered emits the code that counts each result, and continues after all parts.
func (l *lowerer) gathered(g *gather) {
	l.continueAt(g.counted)
	l.countDown(g)
	if g.more != nil {
		l.branchIf(isa.BNE, l.binaryOp(isa.AND, inReg(g.open), constOf(1)), constOf(0), g.more)
	}
	l.awaitResults(g)
	for _, b := range l.u.blocks { // each block that ends inside waits for all results
		if b.waitsFor == g {
			b.wakes = append(b.wakes, g.wakes...)
		}
	}
	l.continueAt(g.end)
}

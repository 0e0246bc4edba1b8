package compile

import (
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// The code of functions and literals is lowered from their IR.

// facts holds what is known about a form independently of how it is lowered, so it is computed only once.
type facts struct {
	definedBy map[*ir.Value]*ir.Instr // the instruction that computes a value
	uses      map[*ir.Value]int
	moved     map[*ir.Instr]bool // loads that are lowered where their values are used
	ends      map[*ir.Value]ir.EndState
	outs      map[*ir.Loop]*ir.Region // by loop: its iterations one after the other, or nil if it is not unrolled
}

// former lowers a function from its form, which is its IR.
type former struct {
	*lowerer
	*facts
	x         *formBuilder
	form      *ir.Func
	values    map[*ir.Value]operand // that the code has computed, or that have registers
	landings  map[*ir.Label]*landing
	branches  map[*ir.If]*landing // the branches of Ifs whose conditions earlier code decides
	most      map[*ir.Value]int64 // upper bounds of induction variables, within iterations
	counted   map[*ir.If][]counted
	mems      map[*ir.Memory]*spot
	bases     map[addressed]reg
	part      *formedPart        // the body of a literal, or nil
	inlined   bool               // the code is inlined, or runs before the start
	reduction *reduction         // the innermost reduction loop, or nil
	rerun     map[*ir.Instr]bool // instructions that an iteration has run already
}

// landing is where exits to a label lead. If the label has a single parameter, whose only use is to decide an If, it is
// a decision: then the exits lead to the branches of that If.
type landing struct {
	to        *block
	params    []*ir.Value
	yes, no   *block // of a decision
	iteration bool   // the label begins another iteration
}

// counted is a loop counter, and an upper bound of its values in the iterations.
type counted struct {
	value *ir.Value
	most  int64
}

// instance lowers the code of a function's instances, without the guards that their callers have run.
func (l *lowerer) instance(f *function) {
	x := l.newFormer(l.c.formOf(f))
	from := x.x.given[x.form]
	nodes, params := x.form.Body.Nodes[from:], x.form.Params
	if f.front > 0 {
		front := x.x.fronts[x.form]
		nodes, params = slices.Concat(x.form.Body.Nodes[from:front.from], x.form.Body.Nodes[front.to:]), front.params
	}
	for i, v := range params {
		if r, ok := l.vars[f.params[i]]; ok && v != nil && !v.Constant {
			x.values[v] = inReg(r)
		}
	}
	if f.obj != nil && f.front == 0 { // otherwise its callers begin it
		x.beginFunction(f)
	}
	x.list(nodes, x.form.Body.Exit)
	if l.cur != nil {
		l.endBlock()
	}
	l.serve()
	l.u.merges = true
}

// all lowers a form, except the nodes that store its parameters.
func (x *former) all() {
	x.list(x.form.Body.Nodes[x.x.given[x.form]:], x.form.Body.Exit)
}

// newFormer returns a former of a form.
func (l *lowerer) newFormer(form *ir.Func) *former {
	x := &former{
		lowerer: l, x: l.c.forms, form: form, values: map[*ir.Value]operand{},
		landings: map[*ir.Label]*landing{}, branches: map[*ir.If]*landing{},
		most: map[*ir.Value]int64{}, counted: map[*ir.If][]counted{},
		mems: map[*ir.Memory]*spot{}, bases: map[addressed]reg{},
	}
	if x.facts = x.x.facts[form]; x.facts == nil {
		x.facts = &facts{definedBy: map[*ir.Value]*ir.Instr{}, uses: map[*ir.Value]int{}, moved: map[*ir.Instr]bool{}, ends: form.EndStates(), outs: map[*ir.Loop]*ir.Region{}}
		x.x.facts[form] = x.facts
		x.count(form.Body)
		x.findMoved(form.Body)
	}
	return x
}

// count records the instruction that computes each value, and counts the uses of values.
func (x *former) count(r *ir.Region) {
	r.Each(func(i *ir.Instr) {
		for _, v := range i.Results {
			x.definedBy[v] = i
		}
	})
	r.EachUse(func(v *ir.Value) {
		x.c.meter.countSteps(1)
		x.uses[v]++
	})
}

// list lowers nodes one after the other, and the exit after them.
func (x *former) list(nodes []ir.Node, exit *ir.Exit) {
	defer x.c.meter.deeper()()
	known := len(x.pieces)
	defer func() { x.pieces = x.pieces[:known] }() // other paths do not know these pieces
	begun, looked := false, false                  // a statement has begun; the code has looked for its calls
	mark := 0                                      // the line of the statement
	for len(nodes) > 0 {
		n := nodes[0]
		i, isInstr := n.(*ir.Instr)
		cond, isIf := n.(*ir.If)
		_, isLoop := n.(*ir.Loop)
		isMark := isInstr && i.Op == ir.Mark
		if begun && (isMark || x.beginsLoop(nodes, mark)) {
			x.cutBlock("after a statement", false)
			begun = isMark
		}
		switch {
		case x.reduction != nil && x.reduction.late[n], isInstr && x.lowersAtUse(i):
			nodes = nodes[1:]
			continue
		case x.cur == nil && !(isIf && x.branches[cond] != nil):
			return
		case x.cur == nil:
			x.compound(n, nodes[1:], exit)
		case isMark || isLoop:
			if begun = true; isLoop {
				x.compound(n, nodes[1:], exit)
			} else if mark, looked = i.Line, false; !x.headOf(i) {
				x.begin(i.Line)
			}
		case isInstr && i.Op == ir.Output:
			x.line = i.Line
			x.returnArray(x.x.outputs[i])
			x.cur = nil
			return
		case isInstr && i.Op == ir.Next:
			x.next(i, nodes[1:], exit)
		case isInstr && i.Op.Streams() && i.Op != ir.Receive:
			x.streams(i)
		case x.reduction != nil && x.reduction.calls[i] != nil:
			if x.asked(i, nodes[1:], exit); !x.reduction.several {
				return
			}
		case !looked && x.reduction == nil && x.callsAhead(nodes, exit):
			nodes = x.group(nodes)
			continue
		case isInstr && x.isTail(i, exit):
			x.tailCall(i)
			return
		case isInstr:
			x.instr(i)
		default:
			x.compound(n, nodes[1:], exit)
		}
		looked = isInstr && !isMark && !i.Op.Streams()
		nodes = nodes[1:]
	}
	if exit != nil && x.cur != nil {
		x.exit(exit)
	}
}

// beginsLoop reports whether nodes begin with a loop, or with the code before its first iteration, after a statement in
// line mark.
func (x *former) beginsLoop(nodes []ir.Node, mark int) bool {
	for _, n := range nodes {
		x.c.meter.countSteps(1)
		i, isInstr := n.(*ir.Instr)
		l, isLoop := n.(*ir.Loop)
		switch {
		case isInstr && (i.Op == ir.Mark || i.Line == mark), !isInstr && !isLoop:
			return false
		case isLoop:
			return n == nodes[0] || x.lineOf(l) == nodes[0].(*ir.Instr).Line
		}
	}
	return false
}

// callsAhead reports whether a statement always makes calls that need instances, or receives. A tail call alone does
// not count, because it becomes a jump.
func (x *former) callsAhead(nodes []ir.Node, exit *ir.Exit) bool {
	for k, n := range nodes {
		x.c.meter.countSteps(1)
		i, isInstr := n.(*ir.Instr)
		switch {
		case isInstr && x.awaited(i):
			return k < len(nodes)-1 || !x.isTail(i, exit)
		case isInstr && (i.Op == ir.Mark || i.Op == ir.Panic || i.Op.Streams()) || !isInstr && !x.simple(n):
			return false
		}
	}
	return false
}

// landing makes the landing of the label after a node. rest and exit are what follows the node.
func (x *former) landing(end *ir.Label, rest []ir.Node, exit *ir.Exit) *landing {
	g := x.landings[end]
	if g == nil {
		g = &landing{params: end.Params}
		x.landings[end] = g
	}
	g.to, g.yes, g.no = nil, nil, nil
	if len(end.Params) == 1 && end.Params[0].Type == ir.Bool && x.uses[end.Params[0]] == 1 {
		g.yes, g.no = x.decision(end.Params[0], rest, exit)
	}
	if g.yes == nil {
		g.to = x.block()
		for _, v := range end.Params {
			x.register(v)
		}
	}
	return g
}

// decision returns the blocks to which a condition branches, if its only use is to decide the If that follows, or the
// If that the exit decides. Otherwise it returns nil, nil.
func (x *former) decision(v *ir.Value, rest []ir.Node, exit *ir.Exit) (yes, no *block) {
	if len(rest) == 0 {
		if g := x.landings[exitTo(exit)]; g != nil && g.yes != nil && exit.Values[0] == v {
			return g.yes, g.no
		}
		return nil, nil
	}
	switch n := rest[0].(type) {
	case *ir.Instr:
		if x.lowersAtUse(n) && n.Op == ir.Not && n.Args[0] == v {
			no, yes = x.decision(n.Results[0], rest[1:], exit)
		}
	case *ir.If:
		if n.Cond == v {
			g := &landing{yes: x.block(), no: x.block()}
			x.branches[n] = g
			return g.yes, g.no
		}
	}
	return yes, no
}

// exitTo returns the label to which an exit leads, or nil.
func exitTo(e *ir.Exit) *ir.Label {
	if e == nil {
		return nil
	}
	return e.To
}

// compound lowers a node with regions.
func (x *former) compound(n ir.Node, rest []ir.Node, exit *ir.Exit) {
	_, end := ir.Parts(n)
	g := x.landing(end, rest, exit)
	switch n := n.(type) {
	case *ir.If:
		at := x.branches[n]
		if at == nil {
			at = &landing{yes: x.block(), no: x.block()}
			x.branchTo(n.Cond, at.yes, at.no)
		}
		delete(x.branches, n) // another path through a group lowers it again
		x.ways(n, at)
	case *ir.Block:
		x.list(n.Body.Nodes, n.Body.Exit)
	case *ir.Loop:
		x.lowerLoop(n, g)
	}
	if x.cur = g.to; g.yes != nil {
		x.cur = nil
	}
}

// ways lowers both branches of an If.
func (x *former) ways(n *ir.If, at *landing) {
	line := x.line
	for i, r := range []*ir.Region{n.Yes, n.No} {
		x.line = line
		x.continueAt([]*block{at.yes, at.no}[i])
		if a := x.reduction; a != nil && i == 0 && n == testOf(a.loop) {
			x.begin(x.lineOf(a.loop))
		}
		for _, c := range x.counted[n] {
			if x.most[c.value] = c.most; i > 0 {
				delete(x.most, c.value)
			}
		}
		x.list(r.Nodes, r.Exit)
	}
	x.line = line
}

// exit lowers an exit: to a return, to a branch if the landing is a decision, or to moves and a jump.
func (x *former) exit(e *ir.Exit) {
	g := x.landings[e.To]
	switch {
	case e.To == x.form.End:
		values := lists.Of(e.Values, func(v *ir.Value) operand {
			if load := x.definedBy[v]; x.moved[load] {
				return operand{r: none, array: x.word(load)}
			}
			return x.operand(v)
		})
		if len(values) == 0 {
			values = []operand{constOf(0)}
		}
		x.ret(values...)
		x.cur = nil
	case g.yes != nil:
		x.branchTo(e.Values[0], g.yes, g.no)
	default:
		begun := len(x.here().code) > 0
		x.moves(g.params, e.Values)
		if g.iteration && (begun || x.c.opt.Blocks == Finest) {
			x.cutBlock("next turn", false)
		}
		if a := x.reduction; a != nil && a.several && e.To == a.loop.Next {
			waiting := x.binaryOp(isa.AND, inReg(a.open), constOf(a.unit-1))
			x.branchIf(isa.BNE, waiting, constOf(0), func() { x.awaitResults(a.gather) })
		}
		x.jumpTo(g.to)
	}
}

// moves emits the moves that assign values to parameters, as if all were done at once.
func (x *former) moves(params, values []*ir.Value) {
	to := lists.Of(params, x.register)
	from := lists.Of(values[:len(to)], x.operand)
	due := []int{}
	for i := range to {
		if from[i].lit || from[i].r != to[i] {
			due = append(due, i)
		}
	}
	for len(due) > 0 {
		free := slices.IndexFunc(due, func(i int) bool {
			return !slices.ContainsFunc(due, func(j int) bool { return j != i && !from[j].lit && from[j].r == to[i] })
		})
		if free < 0 { // only cycles are left
			free = 0
			kept := x.copied(inReg(to[due[0]]))
			for _, j := range due {
				if !from[j].lit && from[j].r == to[due[0]] {
					from[j] = kept
				}
			}
		}
		i := due[free]
		x.moveInto(to[i], from[i])
		due = slices.Delete(due, free, free+1)
	}
}

// isTail reports whether an instruction is a call of the function itself that can become a jump: its results are
// returned, callers run no part of the function, and the function uses no channels.
func (x *former) isTail(i *ir.Instr, exit *ir.Exit) bool {
	return x.needs(i) && x.part == nil && x.f != nil && x.f.front == 0 && !x.c.streams(x.f.decl) && x.c.callee(x.x.sites[i]) == x.f &&
		exitTo(exit) == x.form.End && slices.Equal(exit.Values, i.Results)
}

// tailCall lowers a tail call to a jump.
func (x *former) tailCall(i *ir.Instr) {
	x.line = i.Line
	x.beginIteration(i)
	x.cutBlock("next turn", true)
	x.jumpTo(x.again)
}

// opTokens maps operations to operators.
var opTokens = map[ir.Op]token.Token{
	ir.Add: token.ADD, ir.Sub: token.SUB, ir.Mul: token.MUL, ir.Div: token.QUO, ir.Rem: token.REM,
	ir.And: token.AND, ir.Or: token.OR, ir.Xor: token.XOR, ir.AndNot: token.AND_NOT,
	ir.Shl: token.SHL, ir.Shr: token.SHR, ir.Less: token.LSS, ir.LessEq: token.LEQ,
	ir.Equal: token.EQL, ir.NotEqual: token.NEQ,
}

// typeOfWord maps types of the IR to types of Go.
var typeOfWord = [...]types.Type{
	ir.Int32: types.Typ[types.Int32], ir.Uint32: types.Typ[types.Uint32],
	ir.Float32: types.Typ[types.Float32], ir.Bool: types.Typ[types.Bool], ir.End: types.Typ[types.Uint32],
}

package compile

import (
	"cmp"
	"math"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// register returns the register of a value that has one of its own.
func (x *former) register(v *ir.Value) reg {
	o, known := x.values[v]
	if !known {
		o = inReg(x.fresh(v.Name))
		x.values[v] = o
		x.name(v, o.r)
	}
	return o.r
}

// name records for the debugger which variables have the value in a register.
func (x *former) name(v *ir.Value, r reg) {
	if owners := x.x.owners[v]; owners != nil {
		x.frame.named[r] = owners
	}
}

// define records the operand that a value's instruction has computed.
func (x *former) define(v *ir.Value, o operand) {
	known, again := x.values[v]
	switch {
	case again && !known.lit: // another path through a group defines it again
		x.moveInto(known.r, o)
	case v.Name != "":
		x.moveInto(x.register(v), o)
	default:
		x.values[v] = o
	}
}

// operand returns the operand of a value.
func (x *former) operand(v *ir.Value) operand {
	if v.Constant {
		return constOf(v.Word)
	}
	if o, ok := x.values[v]; ok {
		return o
	}
	if load := x.definedBy[v]; x.moved[load] {
		return x.loadWord(x.word(load))
	}
	return x.truth(v)
}

// truth computes the condition of a comparison or a Not with branches, as 1 or 0.
func (x *former) truth(v *ir.Value) operand {
	r := x.fresh("b")
	is := func(v int64) func() { return func() { x.moveInto(r, constOf(v)) } }
	x.choose(func(yes, no *block) { x.decide(x.definedBy[v], yes, no) }, is(1), is(0))
	return inReg(r)
}

// lowersAtUse reports whether an instruction is a condition that is not computed before its only use.
func (x *former) lowersAtUse(i *ir.Instr) bool {
	switch i.Op {
	case ir.Less, ir.LessEq, ir.Equal, ir.NotEqual, ir.Not:
		v := i.Results[0]
		return v.Type == ir.Bool && v.Name == "" && x.uses[v] <= 1
	}
	return false
}

// branchTo emits a branch on a condition.
func (x *former) branchTo(v *ir.Value, yes, no *block) {
	i := x.definedBy[v]
	switch {
	case v.Constant && v.Word != 0:
		x.jumpTo(yes)
	case v.Constant:
		x.jumpTo(no)
	case i != nil && x.lowersAtUse(i):
		x.decide(i, yes, no)
	default:
		x.branch(isa.BNE, x.operand(v), constOf(0), yes, no)
	}
}

// decide emits a branch on the condition that a comparison or a Not computes.
func (x *former) decide(i *ir.Instr, yes, no *block) {
	if i.Op == ir.Not {
		x.branchTo(i.Args[0], no, yes)
		return
	}
	x.compare(opTokens[i.Op], x.operand(i.Args[0]), x.operand(i.Args[1]), typeOfWord[i.Args[0].Type], yes, no)
}

// instr lowers an instruction, except a load that is lowered where its value is used.
func (x *former) instr(i *ir.Instr) {
	x.line, x.panicsAt = i.Line, i.At
	defer func() { x.panicsAt = 0 }()
	var args []operand
	switch {
	case x.moved[i]:
		return
	case i.Op != ir.Load && i.Op != ir.Store && i.Op != ir.Call:
		args = lists.Of(i.Args, x.operand)
	}
	t, most := typeOfWord[ir.Int32], int64(-1)
	if len(i.Args) > 0 {
		t = typeOfWord[i.Args[0].Type]
	}
	give := func(o operand) { x.define(i.Results[0], o) }
	switch i.Op {
	case ir.Copy:
		give(args[0])
	case ir.Div, ir.Rem:
		most = x.mostOf(i.Args[0])
		fallthrough
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.AndNot:
		give(x.arith(opTokens[i.Op], args[0], args[1], t, most))
	case ir.Shl, ir.Shr:
		if most = x.mostOf(i.Args[1]); most < 0 && i.Args[1].Type == ir.Uint32 {
			most = math.MaxUint32
		}
		give(x.shift(opTokens[i.Op], args[0], args[1], t, most))
	case ir.Neg:
		if isFloat(t) {
			give(x.binaryOp(isa.XOR, args[0], constOf(-1<<31)))
		} else {
			give(x.binaryOp(isa.SUB, constOf(0), args[0]))
		}
	case ir.Not:
		mask := int64(-1)
		if i.Args[0].Type == ir.Bool {
			mask = 1
		}
		give(x.binaryOp(isa.XOR, args[0], constOf(mask)))
	case ir.Less, ir.LessEq, ir.Equal, ir.NotEqual:
		give(x.truth(i.Results[0]))
	case ir.Min, ir.Max:
		r := x.fresh(i.Op.String())
		x.moveInto(r, args[0])
		x.takeExtreme(i.Op.String(), r, args[1], t)
		give(inReg(r))
	default:
		x.other(i, args)
	}
}

// other lowers an instruction that is not arithmetic.
func (x *former) other(i *ir.Instr, args []operand) {
	switch i.Op {
	case ir.ToFloat:
		x.define(i.Results[0], x.computed(isa.ITOF, x.registerArg(args[0])))
	case ir.Method:
		x.method(i, args)
	case ir.PEs:
		x.define(i.Results[0], x.peCount())
	case ir.Check:
		if m := x.mostOf(i.Args[0]); m < 0 || m >= i.Args[1].Word {
			x.demand(args[0], args[1], "index")
		}
	case ir.Load:
		x.define(i.Results[0], x.loadWord(x.word(i)))
	case ir.Store:
		x.put(x.word(i), x.operand(i.Args[1]))
	case ir.Call:
		f := x.c.callee(x.x.sites[i])
		if !f.inlined { // an access to a word of this PE
			if o := x.touch(f, x.argsOf(i, nil)); i.Results != nil {
				x.define(i.Results[0], o)
			}
			break
		}
		dst := x.answerRegs(f)
		line, passing, quiet := x.line, len(x.passing), x.quiet
		x.quiet = x.quiet || x.rerun[i]
		x.helperCall(f, x.argsOf(i, nil), dst)
		x.quiet = quiet
		x.releaseArrays(passing)
		x.line = line
		for n, v := range i.Results {
			x.define(v, inReg(dst[n]))
		}
	case ir.Panic:
		x.jumpTo(x.panics(cmp.Or(i.Panics, "called")))
		x.cur = nil
	}
}

// boundLevels bounds the depth of the operations in which mostOf looks for a bound [chosen: deeper expressions are
// rare].
const boundLevels = 32

// mostOf returns an upper bound of an integer, or -1 if it knows none or the integer may be negative.
func (x *former) mostOf(v *ir.Value) int64 { return x.upperValue(v, boundLevels) }

func (x *former) upperValue(v *ir.Value, levels int) int64 {
	x.c.meter.countSteps(1)
	if v.Constant {
		return max(v.Word, -1)
	}
	if m, known := x.most[v]; known {
		return m
	}
	i := x.definedBy[v]
	if i == nil || levels == 0 || v.Type != ir.Int32 && v.Type != ir.Uint32 {
		return -1
	}
	if levels--; i.Op == ir.Copy {
		return x.upperValue(i.Args[0], levels)
	}
	if len(i.Args) != 2 || i.Op == ir.Call {
		return -1
	}
	return boundOf(opTokens[i.Op], x.upperValue(i.Args[0], levels), x.upperValue(i.Args[1], levels), v.Type == ir.Uint32, i.Args[1].Constant)
}

// testOf returns the test that decides whether another iteration of a loop runs, or nil.
func testOf(n *ir.Loop) *ir.If {
	last := len(n.Body.Nodes) - 1
	if last < 0 {
		return nil
	}
	test, isIf := n.Body.Nodes[last].(*ir.If)
	if !isIf || exitTo(test.Yes.Exit) != n.Next {
		return nil
	}
	return test
}

// countsTo returns the comparison that ends a loop, if every iteration adds 1 to value k and the comparison tests it.
// Otherwise it returns nil.
func (x *former) countsTo(n *ir.Loop, k int) *ir.Instr {
	test, p := testOf(n), n.Next.Params[k]
	if test == nil {
		return nil
	}
	c, step := x.definedBy[test.Cond], x.definedBy[test.Yes.Exit.Values[k]]
	if c == nil || c.Op != ir.Less && c.Op != ir.LessEq || c.Args[0] != p ||
		step == nil || step.Op != ir.Add || step.Args[0] != p || !step.Args[1].Constant || step.Args[1].Word != 1 {
		return nil
	}
	return c
}

// bound records upper bounds of a loop's induction variables in its iterations. The test itself sees one more value.
func (x *former) bound(n *ir.Loop) {
	test := testOf(n)
	x.counted[test] = nil
	for k, p := range n.Next.Params {
		c := x.countsTo(n, k)
		if c == nil || x.mostOf(n.First[k]) < 0 {
			continue
		}
		most := x.mostOf(c.Args[1])
		if c.Op == ir.Less {
			most--
		}
		if most >= 0 && most != math.MaxInt32 {
			x.counted[test] = append(x.counted[test], counted{p, most})
		}
	}
}

package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// loop builds a loop. cond builds and returns the condition of another iteration, and next builds the code after one.
// The label of the next iteration has a parameter for each slot in slots, and for each variable that is assigned to in
// one of the nodes changed.
func (b *builder) loop(at ast.Stmt, label string, changed []ast.Node, slots []int, cond func() *ir.Value, body, next func()) {
	in, end := b.here(), b.newJoin()
	iteration := &join{label: &ir.Label{}, before: end.before, carried: slots}
	for slot := range b.env {
		v := b.owners[slot]
		if v != nil && !slices.Contains(slots, slot) && slices.ContainsFunc(changed, func(n ast.Node) bool { return b.c.assigned(n, v) }) {
			iteration.carried = append(iteration.carried, slot)
		}
	}
	n := &ir.Loop{Next: iteration.label, End: end.label, Body: &ir.Region{}}
	for _, slot := range iteration.carried {
		n.First = append(n.First, b.env[slot])
		v := b.owned(b.f.NewValue(b.env[slot].Type, b.nameOf(slot)), slot)
		iteration.label.Params = append(iteration.label.Params, v)
		b.env[slot] = v
	}
	b.x.heads[n] = at
	b.cur = n.Body
	another := func() {
		b.block(func(done *join) {
			b.within(goal{label: label, brk: end, cont: done}, body)
		})
		if b.cur != nil {
			next()
		}
		b.jump(iteration)
	}
	if c := cond(); c.Constant && c.Word != 0 {
		another()
	} else {
		b.branch(c, another, func() { b.jump(end) })
	}
	b.finishNode(in, n, end)
}

func (b *builder) forStmt(s *ast.ForStmt, label string) {
	n := len(b.env)
	b.line = b.c.lineOf(s)
	b.simple(s.Init)
	changed := []ast.Node{s.Body}
	if s.Post != nil {
		changed = append(changed, s.Post)
	}
	b.loop(s, label, changed, nil, func() *ir.Value {
		b.mark(s)
		if s.Cond == nil {
			return ir.Const(ir.Bool, 1)
		}
		return b.condition(s.Cond)
	}, func() { b.scope(s.Body.List...) }, func() {
		b.line = b.c.lineOf(s)
		b.simple(s.Post)
	})
	b.env = b.env[:n]
}

func (b *builder) rangeStmt(s *ast.RangeStmt, label string) {
	t := b.typeOf(s.X)
	if chanOf(t) != nil {
		b.rangeChannel(s, label)
		return
	}
	known := len(b.env)
	b.line = b.c.lineOf(s)
	n := ir.Const(ir.Int32, 0)
	var from []portion
	if !b.attempt(func() { n, from = b.rangeOf(s, t) }) {
		b.declareWrong(s)
		b.scope(s.Body.List...)
		b.env = b.env[:known]
		return
	}
	if s.Value == nil && (s.Key == nil || isBlank(s.Key)) {
		b.rangeTimes(s, label, n)
		b.env = b.env[:known]
		return
	}
	counter := b.newSlot(nil, ir.Const(n.Type, 0))
	b.loop(s, label, []ast.Node{s.Body}, []int{counter}, func() *ir.Value {
		b.mark(s)
		return b.compute(ir.Less, ir.Bool, b.env[counter], n)
	}, func() {
		inside := len(b.env)
		i := b.env[counter]
		b.rangeVariable(s, s.Key, []*ir.Value{i})
		if s.Value != nil && !isBlank(s.Value) {
			b.rangeVariable(s, s.Value, b.wordsOf(b.element(from[0], i, arrayType(t).Elem())))
		}
		b.scope(s.Body.List...)
		b.env = b.env[:inside]
	}, func() {
		b.line = b.c.lineOf(s)
		b.env[counter] = b.compute(ir.Add, n.Type, b.env[counter], ir.Const(n.Type, 1))
	})
	b.env = b.env[:known]
}

// rangeTimes builds a loop that only counts its iterations. It counts down, so that their number need not be kept.
func (b *builder) rangeTimes(s *ast.RangeStmt, label string, n *ir.Value) {
	left, zero := b.newSlot(nil, n), ir.Const(n.Type, 0)
	b.loop(s, label, []ast.Node{s.Body}, []int{left}, func() *ir.Value {
		b.mark(s)
		if n.Type == ir.Uint32 {
			return b.compute(ir.NotEqual, ir.Bool, b.env[left], zero)
		}
		return b.compute(ir.Less, ir.Bool, zero, b.env[left])
	}, func() { b.scope(s.Body.List...) }, func() {
		b.line = b.c.lineOf(s)
		b.env[left] = b.compute(ir.Sub, n.Type, b.env[left], ir.Const(n.Type, 1))
	})
}

// rangeOf returns the number of iterations of a loop over a number or an array, and the array if its words are used.
func (b *builder) rangeOf(s *ast.RangeStmt, t types.Type) (n *ir.Value, from []portion) {
	if s.Key != nil && !isBlank(s.Key) && s.Tok != token.DEFINE {
		b.refuse(s.Key, otherRange)
	}
	if arr := arrayType(t); arr != nil {
		if s.Value != nil {
			from = b.rangedArray(s)
		}
		return ir.Const(ir.Int32, arr.Len()), from
	}
	b.demandWords(s.X, t)
	n = b.count(s.X)
	if n.Constant && kindOf(t) == types.Int32 && s.Key != nil {
		n.Type = irType(b.keyType(s, t))
	}
	return n, nil
}

// keyType returns the type of the key of a range loop, or t if the loop has no key.
func (b *builder) keyType(s *ast.RangeStmt, t types.Type) types.Type {
	if key := b.typeOf(s.Key); key != nil {
		return key
	}
	return t
}

// rangedArray returns the array that a loop iterates over. It makes a copy if the loop changes the array, or if the
// array is not a variable or a part of one.
func (b *builder) rangedArray(s *ast.RangeStmt) []portion {
	list, ok := b.place(s.X)
	if ok && !b.c.assigned(s.Body, b.c.rootOf(s.X)) {
		return list
	}
	t := b.typeOf(s.X)
	m := b.newArray(s.X, "copy", t)
	copied := b.parts(m, nil, 0, t)
	b.store(copied, b.words(s.X))
	return copied
}

// rangeVariable gives a variable of a loop its value.
func (b *builder) rangeVariable(s *ast.RangeStmt, e ast.Expr, values []*ir.Value) {
	switch {
	case e == nil || isBlank(e):
	case s.Tok == token.DEFINE:
		b.declare(b.c.info.Defs[e.(*ast.Ident)].(*types.Var), values)
	default:
		b.attempt(func() { b.store(b.target(e), values) })
	}
}

package compile_test

import (
	"fmt"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
)

// verifier checks a function in the order of the text.
type verifier struct {
	f       *ir.Func
	seen    map[int]bool            // the IDs of values that have been defined so far, in any region
	known   []*ir.Value             // defined on all paths that lead here
	at      map[*ir.Value]bool      // the same values, as a set
	labels  map[*ir.Label][]ir.Type // around the region, with the types of their parameters
	reached map[*ir.Label]bool      // labels that some exit leads to
	err     error
}

// verify returns an error unless every value is defined once, and on all paths before its uses; types fit;
// exits lead to labels around them and give each parameter a value; marks have lines; and callees belong to the
// program.
func verify(p *ir.Program) error {
	funcs := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		funcs[f] = true
	}
	for _, f := range append(append([]*ir.Func{}, p.Funcs...), p.Inits...) {
		if err := verifyFunc(f, funcs); err != nil {
			return fmt.Errorf("%s: %w\n%s", f.Name, err, f)
		}
	}
	if !funcs[p.Entry] {
		return fmt.Errorf("the entry is no function of the program")
	}
	return nil
}

func verifyFunc(f *ir.Func, funcs map[*ir.Func]bool) error {
	v := &verifier{f: f, seen: map[int]bool{}, at: map[*ir.Value]bool{}, labels: map[*ir.Label][]ir.Type{f.End: f.Results}, reached: map[*ir.Label]bool{}}
	v.define(f.Params...)
	if len(f.End.Params) > 0 {
		v.fail("the label where it returns has parameters")
	}
	f.Body.Each(func(x *ir.Instr) {
		if x.Callee != nil && x.Callee.Body != nil && !funcs[x.Callee] {
			v.fail("it calls %s, which is no function of the program", x.Callee.Name)
		}
	})
	v.region(f.Body)
	return v.err
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

func (v *verifier) define(list ...*ir.Value) {
	for _, x := range list {
		if v.seen[x.ID] || x.Constant || x.ID < 1 {
			v.fail("%s is defined twice, or is not one of its values", x)
		}
		v.seen[x.ID], v.at[x] = true, true
		v.known = append(v.known, x)
	}
}

func (v *verifier) use(list ...*ir.Value) {
	for _, x := range list {
		if !x.Constant && !v.at[x] {
			v.fail("%s is used where it is not defined", x)
		}
	}
}

// region checks a region. The values that it defines are unknown after it.
func (v *verifier) region(r *ir.Region) {
	before := len(v.known)
	for i, n := range r.Nodes {
		if x, ok := n.(*ir.Instr); ok {
			v.instr(x)
			if x.Op == ir.Panic && (i < len(r.Nodes)-1 || r.Exit != nil) {
				v.fail("something comes after a panic")
			}
			continue
		}
		v.compound(n)
	}
	if r.Exit != nil {
		v.exit(r.Exit)
	} else if n := len(r.Nodes); n == 0 || !v.stops(r.Nodes[n-1]) {
		v.fail("a region has no exit")
	}
	v.forget(before)
}

// forget ends the scope of all but the first n known values.
func (v *verifier) forget(n int) {
	for _, x := range v.known[n:] {
		delete(v.at, x)
	}
	v.known = v.known[:n]
}

// stops reports whether nothing runs after a node.
func (v *verifier) stops(n ir.Node) bool {
	if x, ok := n.(*ir.Instr); ok {
		return x.Op == ir.Panic
	}
	_, end := ir.Parts(n)
	return !v.reached[end]
}

func (v *verifier) exit(e *ir.Exit) {
	v.reached[e.To] = true
	want, ok := v.labels[e.To]
	if !ok {
		v.fail("an exit leads to a label that is not around it")
		return
	}
	if len(want) != len(e.Values) {
		v.fail("an exit gives %d values, and its label has %d parameters", len(e.Values), len(want))
		return
	}
	v.use(e.Values...)
	for i, x := range e.Values {
		if x.Type != want[i] {
			v.fail("%s is given to a parameter of type %s", x, want[i])
		}
	}
}

func typesOf(list []*ir.Value) []ir.Type {
	return lists.Of(list, func(x *ir.Value) ir.Type { return x.Type })
}

func (v *verifier) compound(n ir.Node) {
	inside, end := ir.Parts(n)
	v.labels[end] = typesOf(end.Params)
	before := len(v.known)
	switch n := n.(type) {
	case *ir.If:
		if v.use(n.Cond); n.Cond.Type != ir.Bool {
			v.fail("%s is no condition", n.Cond)
		}
	case *ir.Loop:
		v.labels[n.Next] = typesOf(n.Next.Params)
		v.exit(&ir.Exit{To: n.Next, Values: n.First})
		v.define(n.Next.Params...)
		defer delete(v.labels, n.Next)
	}
	for _, r := range inside {
		v.region(r)
	}
	v.forget(before)
	delete(v.labels, end)
	v.define(end.Params...)
}

// signatures lists the operations whose operands share one type. The result is a Bool if cond is set, and has
// the type of the operands otherwise.
var signatures = map[ir.Op]struct {
	operands int
	allowed  [4]bool // indexed by Type
	cond     bool
}{
	ir.Add: {2, [4]bool{true, true, true}, false}, ir.Sub: {2, [4]bool{true, true, true}, false}, ir.Mul: {2, [4]bool{true, true, true}, false},
	ir.Div: {2, [4]bool{true, true, true}, false}, ir.Rem: {2, [4]bool{true, true}, false},
	ir.And: {2, [4]bool{true, true}, false}, ir.Or: {2, [4]bool{true, true}, false}, ir.Xor: {2, [4]bool{true, true}, false}, ir.AndNot: {2, [4]bool{true, true}, false},
	ir.Neg: {1, [4]bool{true, true, true}, false}, ir.Not: {1, [4]bool{true, true, false, true}, false},
	ir.Less: {2, [4]bool{true, true, true}, true}, ir.LessEq: {2, [4]bool{true, true, true}, true},
	ir.Equal: {2, [4]bool{true, true, true, true}, true}, ir.NotEqual: {2, [4]bool{true, true, true, true}, true},
	ir.Min: {2, [4]bool{true, true, true}, false}, ir.Max: {2, [4]bool{true, true, true}, false},
}

// instr checks an instruction: its operands are defined, and types fit.
func (v *verifier) instr(x *ir.Instr) {
	v.use(x.Args...)
	args, results := typesOf(x.Args), typesOf(x.Results)
	ok := true
	whole := func(t ir.Type) bool { return t == ir.Int32 || t == ir.Uint32 }
	s, same := signatures[x.Op]
	switch {
	case same:
		ok = len(args) == s.operands && len(results) == 1 && s.allowed[args[0]] && args[0] == args[len(args)-1] && (s.cond && results[0] == ir.Bool || !s.cond && results[0] == args[0])
	case x.Op == ir.Copy:
		ok = len(args) == 1 && len(results) == 1 && (args[0] == results[0] || whole(args[0]) && whole(results[0]))
	case x.Op == ir.Shl || x.Op == ir.Shr:
		ok = len(args) == 2 && len(results) == 1 && whole(args[0]) && whole(args[1]) && args[0] == results[0]
	case x.Op == ir.ToFloat:
		ok = len(args) == 1 && len(results) == 1 && args[0] == ir.Int32 && results[0] == ir.Float32
	case x.Op == ir.PEs:
		ok = len(args) == 0 && len(results) == 1 && results[0] == ir.Int32
	case x.Op == ir.Check:
		ok = len(args) == 2 && len(results) == 0 && whole(args[0]) && whole(args[1])
	case x.Op == ir.Load:
		ok = len(args) == 1 && len(results) == 1 && whole(args[0])
	case x.Op == ir.Store:
		ok = len(args) == 2 && len(results) == 0 && whole(args[0])
	case x.Op == ir.Call:
		ok = x.Callee.Body == nil || slices.Equal(args, typesOf(x.Callee.Params)) && slices.Equal(results, x.Callee.Results)
	case x.Op.Streams():
		ok = streamTypes(x, args, results)
	case x.Op == ir.Output:
		ok = len(args) == 0 && len(results) == 0
	case x.Op == ir.Panic:
		ok = len(args) == 0 && len(results) == 0
	case x.Op == ir.Mark:
		ok = len(args) == 0 && len(results) == 0 && x.Line > 0
	}
	if !ok {
		v.fail("%s has operands or results of wrong types: %v gives %v", x.Op, args, results)
	}
	v.define(x.Results...)
}

// streamTypes reports whether the operand and result types of an operation on streams fit.
func streamTypes(x *ir.Instr, args, results []ir.Type) bool {
	ends := func(list []ir.Type) bool {
		return !slices.ContainsFunc(list, func(t ir.Type) bool { return t != ir.End })
	}
	switch x.Op {
	case ir.Open:
		return len(args) == 0 && len(results) == 1 && ends(results)
	case ir.Start:
		return slices.Equal(args, typesOf(x.Callee.Params)) && ends(results) && len(results) == len(x.Callee.Channels)
	case ir.Send:
		return len(args) >= x.Channel.Words && ends(args[x.Channel.Words:]) && len(results) == 0
	case ir.Close, ir.Leave, ir.Drop:
		return ends(args) && len(results) == 0
	}
	return len(args) == 1 && ends(args) && len(results) > 0 && (x.Op == ir.Receive || results[len(results)-1] == ir.Bool)
}

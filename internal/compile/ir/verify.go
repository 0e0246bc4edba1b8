package ir

import "fmt"

// verifier checks a function in the order of the text.
type verifier struct {
	f       *Func
	seen    map[*Value]bool   // defined so far, in any region
	known   []*Value          // defined on all paths that lead here
	at      map[*Value]bool   // the same values, as a set
	labels  map[*Label][]Type // around the region, with the types of their parameters
	reached map[*Label]bool   // labels that some exit leads to
	err     error
}

// Verify returns an error unless every value is defined once, and on all paths before its uses; types fit;
// exits lead to labels around them and give each parameter a value; marks have lines; and callees belong to the
// program.
func (p *Program) Verify() error {
	funcs := map[*Func]bool{}
	for _, f := range p.Funcs {
		funcs[f] = true
	}
	for _, f := range append(append([]*Func{}, p.Funcs...), p.Inits...) {
		if err := f.verify(funcs); err != nil {
			return fmt.Errorf("%s: %w\n%s", f.Name, err, f)
		}
	}
	if !funcs[p.Entry] {
		return fmt.Errorf("the entry is no function of the program")
	}
	return nil
}

func (f *Func) verify(funcs map[*Func]bool) error {
	v := &verifier{f: f, seen: map[*Value]bool{}, at: map[*Value]bool{}, labels: map[*Label][]Type{f.End: f.Results}, reached: map[*Label]bool{}}
	v.define(f.Params...)
	if len(f.End.Params) > 0 {
		v.fail("the label where it returns has parameters")
	}
	f.Body.Each(func(x *Instr) {
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

func (v *verifier) define(list ...*Value) {
	for _, x := range list {
		if v.seen[x] || x.Constant || x.ID < 1 || x.ID > v.f.values {
			v.fail("%s is defined twice, or is not one of its values", x)
		}
		v.seen[x], v.at[x] = true, true
		v.known = append(v.known, x)
	}
}

func (v *verifier) use(list ...*Value) {
	for _, x := range list {
		if !x.Constant && !v.at[x] {
			v.fail("%s is used where it is not defined", x)
		}
	}
}

// region checks a region. The values that it defines are unknown after it.
func (v *verifier) region(r *Region) {
	before := len(v.known)
	for i, n := range r.Nodes {
		if x, ok := n.(*Instr); ok {
			v.instr(x)
			if x.Op == Panic && (i < len(r.Nodes)-1 || r.Exit != nil) {
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
func (v *verifier) stops(n Node) bool {
	if x, ok := n.(*Instr); ok {
		return x.Op == Panic
	}
	_, end := Parts(n)
	return !v.reached[end]
}

func (v *verifier) exit(e *Exit) {
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

func typesOf(list []*Value) []Type {
	types := []Type{}
	for _, x := range list {
		types = append(types, x.Type)
	}
	return types
}

func (v *verifier) compound(n Node) {
	inside, end := Parts(n)
	v.labels[end] = typesOf(end.Params)
	before := len(v.known)
	switch n := n.(type) {
	case *If:
		if v.use(n.Cond); n.Cond.Type != Bool {
			v.fail("%s is no condition", n.Cond)
		}
	case *Loop:
		v.labels[n.Next] = typesOf(n.Next.Params)
		v.exit(&Exit{n.Next, n.First})
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
var signatures = map[Op]struct {
	operands int
	allowed  [4]bool // indexed by Type
	cond     bool
}{
	Add: {2, [4]bool{true, true, true}, false}, Sub: {2, [4]bool{true, true, true}, false}, Mul: {2, [4]bool{true, true, true}, false},
	Div: {2, [4]bool{true, true, true}, false}, Rem: {2, [4]bool{true, true}, false},
	And: {2, [4]bool{true, true}, false}, Or: {2, [4]bool{true, true}, false}, Xor: {2, [4]bool{true, true}, false}, AndNot: {2, [4]bool{true, true}, false},
	Neg: {1, [4]bool{true, true, true}, false}, Not: {1, [4]bool{true, true, false, true}, false},
	Less: {2, [4]bool{true, true, true}, true}, LessEq: {2, [4]bool{true, true, true}, true},
	Equal: {2, [4]bool{true, true, true, true}, true}, NotEqual: {2, [4]bool{true, true, true, true}, true},
	Min: {2, [4]bool{true, true, true}, false}, Max: {2, [4]bool{true, true, true}, false},
}

// instr checks an instruction: its operands are defined, and types fit.
func (v *verifier) instr(x *Instr) {
	v.use(x.Args...)
	args, results := typesOf(x.Args), typesOf(x.Results)
	ok := true
	whole := func(t Type) bool { return t == Int32 || t == Uint32 }
	s, same := signatures[x.Op]
	switch {
	case same:
		ok = len(args) == s.operands && len(results) == 1 && s.allowed[args[0]] && args[0] == args[len(args)-1] && (s.cond && results[0] == Bool || !s.cond && results[0] == args[0])
	case x.Op == Copy:
		ok = len(args) == 1 && len(results) == 1 && (args[0] == results[0] || whole(args[0]) && whole(results[0]))
	case x.Op == Shl || x.Op == Shr:
		ok = len(args) == 2 && len(results) == 1 && whole(args[0]) && whole(args[1]) && args[0] == results[0]
	case x.Op == ToFloat:
		ok = len(args) == 1 && len(results) == 1 && args[0] == Int32 && results[0] == Float32
	case x.Op == PEs:
		ok = len(args) == 0 && len(results) == 1 && results[0] == Int32
	case x.Op == Check:
		ok = len(args) == 2 && len(results) == 0 && whole(args[0]) && whole(args[1])
	case x.Op == Load:
		ok = len(args) == 1 && len(results) == 1 && whole(args[0])
	case x.Op == Store:
		ok = len(args) == 2 && len(results) == 0 && whole(args[0])
	case x.Op == Call:
		ok = x.Callee.Body == nil || equal(args, typesOf(x.Callee.Params)) && equal(results, x.Callee.Results)
	case x.Op.Streams():
		ok = streamTypes(x, args, results)
	case x.Op == Output:
		ok = len(args) == 0 && len(results) == 0
	case x.Op == Panic:
		ok = len(args) == 0 && len(results) == 0
	case x.Op == Mark:
		ok = len(args) == 0 && len(results) == 0 && x.Line > 0
	}
	if !ok {
		v.fail("%s has operands or results of wrong types: %v gives %v", x.Op, args, results)
	}
	v.define(x.Results...)
}

// streamTypes reports whether the types of an instruction for streams fit.
func streamTypes(x *Instr, args, results []Type) bool {
	ends := func(list []Type) bool {
		for _, t := range list {
			if t != End {
				return false
			}
		}
		return true
	}
	switch x.Op {
	case Open:
		return len(args) == 0 && len(results) == 1 && ends(results)
	case Start:
		return equal(args, typesOf(x.Callee.Params)) && ends(results) && len(results) == len(x.Callee.Channels)
	case Send:
		return len(args) >= x.Channel.Words && ends(args[x.Channel.Words:]) && len(results) == 0
	case Close, Leave, Drop:
		return ends(args) && len(results) == 0
	}
	return len(args) == 1 && ends(args) && len(results) > 0 && (x.Op == Receive || results[len(results)-1] == Bool)
}

func equal(a, b []Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

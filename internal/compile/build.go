package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"emsim/internal/compile/ir"
)

// The IR of a program is built from its typed syntax. A variable of one word has a slot, which holds its value at the
// current place. An array lies in memory. At a join, a slot that some path has changed becomes a parameter of the
// label.

// IR returns the intermediate representation of a program that Compile accepts.
func IR(name string, src []byte, opt Options) (*ir.Program, error) {
	c, _, err := fitted(name, src, opt)
	if err != nil {
		return nil, err
	}
	err = c.run(c.buildForms) // again, because lowering changes them
	return c.forms.p, err
}

// builder is the state in which the IR of one function is built.
type builder struct {
	x      *formBuilder
	c      *compiler
	mems   map[types.Object]*ir.Memory // tables, and the arrays of the function
	f      *ir.Func
	cur    *ir.Region     // nil: the code is unreachable
	env    []*ir.Value    // the current values, by slot
	owners []types.Object // by slot: its variable, or nil
	slots  map[types.Object]int
	named  []portion // the parts of named results
	goals  []goal    // targets of break and continue
	end    func(values []*ir.Value)
	line   int

	initing   bool // the code runs before the start, and may change tables
	unreached bool // the code is unreachable: only its errors are reported

	channels map[types.Object]*ir.Channel // on which the function sends, by variable
	sends    []*ir.Channel                // the same channels, in the order of the text
	shut     map[*ir.Channel]int          // the slots that say whether the function has closed them
	deferred []*ir.Channel                // channels that a deferred close closes
	ends     []int                        // the slots of channel variables, which may have receiving ends
	used     []endUse                     // uses where such a variable must have an end

	unstarted, handedOn *ir.Value // no receiving end: no sender has been started yet; the end has been handed on
	no, yes             *ir.Value
}

// goal is a statement that can be the target of break or continue.
type goal struct {
	label     string
	brk, cont *join // cont is nil unless the statement is a loop
	isSwitch  bool
}

// join is a label, with the exits that lead there.
type join struct {
	label   *ir.Label
	before  []*ir.Value // the values of the known slots before the node
	exits   []*ir.Exit
	envs    [][]*ir.Value
	carried []int // of a loop's next iteration: the slots that its parameters stand for
}

// formBuilder builds the IR of a program's functions.
type formBuilder struct {
	*compiler
	p        *ir.Program
	tables   map[types.Object]*ir.Memory
	funcs    map[*function]*ir.Func
	heads    map[*ir.Loop]ast.Stmt
	owners   map[*ir.Value][]types.Object
	sites    map[*ir.Instr]*ast.CallExpr
	senders  map[*ir.Channel]types.Object
	sources  map[*ir.Instr]ast.Expr // the channel of a receive
	outputs  map[*ir.Instr]*spread
	fronts   map[*ir.Func]formFront
	literals map[*ast.FuncLit]*formedPart
	facts    map[*ir.Func]*facts
	given    map[*ir.Func]int          // how many nodes at the beginning store parameters that are arrays
	holders  map[*ir.Memory]*types.Var // the variables that are arrays of an instance
}

// formFront is the part of a function that its callers can run for it: the nodes between two indices. The nodes before
// them store parameters that are arrays, and make results. params has the values of the parameters after the front.
type formFront struct {
	from, to int
	exit     *ir.Exit // nil unless the front always answers
	params   []*ir.Value
}

// newFormBuilder makes a builder for the functions of the program.
func (c *compiler) newFormBuilder() *formBuilder {
	x := &formBuilder{compiler: c, p: &ir.Program{}, tables: map[types.Object]*ir.Memory{}, funcs: map[*function]*ir.Func{}, owners: map[*ir.Value][]types.Object{}, sites: map[*ir.Instr]*ast.CallExpr{}, outputs: map[*ir.Instr]*spread{}, literals: map[*ast.FuncLit]*formedPart{}, facts: map[*ir.Func]*facts{}, senders: map[*ir.Channel]types.Object{}, sources: map[*ir.Instr]ast.Expr{}, heads: map[*ir.Loop]ast.Stmt{}, fronts: map[*ir.Func]formFront{}, given: map[*ir.Func]int{}, holders: map[*ir.Memory]*types.Var{}}
	byLabel := map[string]*ir.Memory{}
	for _, t := range c.tables {
		m := &ir.Memory{Name: t.label, Words: t.size, Table: true, Init: t.words}
		x.p.Tables, byLabel[t.label] = append(x.p.Tables, m), m
	}
	for obj, label := range c.labels {
		x.tables[obj] = byLabel[label]
	}
	for _, f := range c.order {
		if f.obj != nil && f.of == nil {
			x.p.Funcs = append(x.p.Funcs, x.formed(f))
		}
	}
	x.p.Entry = x.funcs[c.entry]
	return x
}

// formed returns the IR of a function. A function that stands for a call of package df has IR without a body.
func (x *formBuilder) formed(f *function) *ir.Func {
	if x.funcs[f] == nil {
		x.funcs[f] = &ir.Func{Name: f.name, Line: x.lineOf(f.decl), End: &ir.Label{}}
	}
	return x.funcs[f]
}

// build fills in the IR of a function. body builds its code.
func (x *formBuilder) build(f *ir.Func, body func(b *builder)) {
	f.Body = &ir.Region{}
	b := &builder{x: x, c: x.compiler, mems: maps.Clone(x.tables), f: f, slots: map[types.Object]int{}, channels: map[types.Object]*ir.Channel{}, shut: map[*ir.Channel]int{}, cur: f.Body}
	b.unstarted, b.handedOn = ir.Const(ir.End, 0), ir.Const(ir.End, 0)
	b.no, b.yes = ir.Const(ir.Bool, 0), ir.Const(ir.Bool, 1)
	b.attempt(func() { body(b) })
	b.checkEnds()
}

// inits builds the code that runs before the start: the initial values of variables, and func init.
func (x *formBuilder) inits() {
	add := func(name string, at ast.Node, body func(b *builder)) {
		f := &ir.Func{Name: name, Line: x.lineOf(at), End: &ir.Label{}}
		x.p.Inits = append(x.p.Inits, f)
		if list := x.heavy(at); len(list) > 0 {
			x.reject(list[0], initCalls)
			return
		}
		x.build(f, func(b *builder) {
			b.initing = true
			body(b)
		})
	}
	for i, v := range x.info.InitOrder {
		if slices.ContainsFunc(v.Lhs, func(v *types.Var) bool { return x.computed[v] }) {
			add(fmt.Sprint("init.", v.Lhs[0].Name(), i), v.Rhs, func(b *builder) { b.initialise(v) })
		}
	}
	for _, d := range x.compiler.inits {
		add("init", d.Body, func(b *builder) {
			b.end = func([]*ir.Value) { b.leave(b.f.End) }
			b.stmts(d.Body.List)
			if b.cur != nil {
				b.end(nil)
			}
		})
	}
}

// function builds the parameters, the results and the body of a function of the program.
func (b *builder) function(f *function) {
	sig := f.obj.Signature()
	for v := range sig.Params().Variables() {
		switch ch := chanOf(v.Type()); {
		case ch == nil:
			b.param(v)
		case ch.Dir() == types.SendOnly:
			b.f.Channels = append(b.f.Channels, b.channelOf(v))
		default:
			b.param(v)
			b.ends = append(b.ends, b.slots[v])
		}
	}
	b.declareEnds(f)
	if sig.Recv() != nil { // its words come first
		n := len(b.f.Params)
		b.param(sig.Recv())
		b.f.Params = slices.Concat(b.f.Params[n:], b.f.Params[:n])
	}
	b.x.given[b.f] = len(b.f.Body.Nodes)
	b.results(sig)
	from := len(b.f.Body.Nodes)
	b.stmts(f.decl.Body.List[:f.front])
	if f.front > 0 {
		front := formFront{from: from, to: len(b.f.Body.Nodes), exit: b.f.Body.Exit}
		for _, p := range f.params {
			var v *ir.Value // nil: a word of an array
			if slot, ok := b.slots[p]; ok {
				v = b.env[slot]
			}
			front.params = append(front.params, v)
		}
		b.x.fronts[b.f] = front
	}
	b.stmts(f.decl.Body.List[f.front:])
	b.endBody(f.decl.Body.Rbrace)
}

// endBody builds the return at the end of a function's body, if that is reachable.
func (b *builder) endBody(at token.Pos) {
	if b.cur != nil {
		b.endStreams(at)
		b.end(b.wordsOf(b.named))
	}
}

// results declares the results of a function: as variables, if they have names.
func (b *builder) results(sig *types.Signature) {
	b.end = func(values []*ir.Value) { b.leave(b.f.End, values...) }
	for v := range sig.Results().Variables() {
		if _, ok := spreadElem(v.Type()); ok {
			continue // its words go to the host
		}
		b.f.Results = append(b.f.Results, irTypes(b.c.wordTypes(v.Type()))...)
		if v.Name() != "" {
			b.named = append(b.named, b.declare(v, nil)...)
		}
	}
}

// param makes the parameters for the words of a variable.
func (b *builder) param(v *types.Var) {
	var values []*ir.Value
	for _, w := range b.c.wordsOf(v) {
		list := b.c.wordTypes(w.Type())
		for i, t := range list {
			name := w.Name()
			if len(list) > 1 {
				name = fmt.Sprint(name, "_", i)
			}
			values = append(values, b.f.NewValue(irType(t), name))
		}
	}
	b.f.Params = append(b.f.Params, values...)
	b.declare(v, values)
}

// initialise builds the initial values of package variables.
func (b *builder) initialise(x *types.Initializer) {
	b.mark(x.Rhs)
	if len(x.Lhs) == 1 && x.Lhs[0].Name() != "_" {
		v := x.Lhs[0]
		b.attempt(func() { b.fill(b.parts(b.mems[v], nil, 0, v.Type()), x.Rhs) })
		b.leave(b.f.End)
		return
	}
	var values []*ir.Value
	if !b.attempt(func() { values = b.words(x.Rhs) }) {
		return
	}
	for _, v := range x.Lhs {
		n := int(b.c.wordsIn(v.Type()))
		if v.Name() != "_" {
			b.store(b.parts(b.mems[v], nil, 0, v.Type()), values[:n])
		}
		values = values[n:]
	}
	b.leave(b.f.End)
}

func irType(t types.Type) ir.Type {
	if chanOf(t) != nil {
		return ir.End
	}
	switch kindOf(t) {
	case types.Uint32:
		return ir.Uint32
	case types.Float32, types.UntypedFloat:
		return ir.Float32
	case types.Bool, types.UntypedBool:
		return ir.Bool
	}
	return ir.Int32
}

func irTypes(list []types.Type) (out []ir.Type) {
	for _, t := range list {
		out = append(out, irType(t))
	}
	return out
}

// emit adds an instruction without results.
func (b *builder) emit(op ir.Op, args ...*ir.Value) *ir.Instr {
	b.c.meter.countSteps(1)
	x := &ir.Instr{Op: op, Args: args, Line: b.line}
	b.here().Nodes = append(b.cur.Nodes, x)
	return x
}

// here returns the current region. Unreachable code gets one that belongs to no node.
func (b *builder) here() *ir.Region {
	if b.cur == nil {
		b.cur = &ir.Region{}
	}
	return b.cur
}

// compute adds an instruction with a result.
func (b *builder) compute(op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := b.f.NewValue(t, "")
	b.emit(op, args...).Results = []*ir.Value{v}
	return v
}

// operation adds the instruction of an operator. If it panics, the panic names the operator's line.
func (b *builder) operation(at token.Pos, op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v, x := b.f.NewValue(t, ""), b.emit(op, args...)
	x.Results, x.At = []*ir.Value{v}, b.c.lineAt(at)
	return v
}

// mark begins a statement.
func (b *builder) mark(n ast.Node) {
	b.line = b.c.lineOf(n)
	b.emit(ir.Mark)
}

// leave adds an exit to a label that needs no values besides the given ones.
func (b *builder) leave(to *ir.Label, values ...*ir.Value) {
	b.here().Exit = &ir.Exit{To: to, Values: values}
	b.cur = nil
}

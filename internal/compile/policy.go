package compile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/isa"
)

// policy is a policy in Go, whose functions become the macros of a policy in assembly language: docs/POLICY.md.
// choose runs within the block of a call, on the registers that the macro may use.
type policy struct {
	funcs  map[string]*ast.FuncDecl
	forms  map[string]*ir.Func
	random bool // it draws random words
}

// policyFuncs has the functions of a policy and their signatures.
var policyFuncs = map[string]string{
	"choose":  "(pe df.PE, n int32) df.Place",
	"setup":   "(pe df.PE)",
	"receive": "(pe df.PE, word int32)",
}

// Policy translates a policy in Go into one in assembly language. An error in the text has the type asm.Errors.
func Policy(name string, src []byte) (string, error) {
	opt, _ := Options{}.withDefaults() // the defaults are valid
	p := &policy{funcs: map[string]*ast.FuncDecl{}, forms: map[string]*ir.Func{}}
	var c *compiler
	var choose [2][]string
	var setup, receive []string
	for i := range choose {
		n, last := fmt.Sprint(i+1), c
		c = newCompiler(name, src, opt)
		if c.policy, c.prefix = p, "my_v_"; last != nil {
			c.consts, c.pool, c.static = last.consts, last.pool, last.static
		}
		if err := c.run(c.nesting, c.parse, func() { c.findPolicy(n) }, c.check, c.checkPlaces, c.findPositions, func() {
			for _, d := range c.file.Decls {
				if d, ok := d.(*ast.GenDecl); ok {
					c.surveyVars(d) // every PE has a copy of these tables
				}
			}
		}, c.buildPolicy, func() {
			choose[i] = c.policyText("choose", "my_call"+n, 3, 5, 6, 7)
			if last != nil {
				setup, receive = c.policyText("setup", "my_setup", 1, 2, 5, 6, 7, 8, 9, 10), c.policyText("receive", "my_receive")
			}
		}); err != nil {
			return "", err
		}
	}
	if p.random {
		setup = append([]string{assemblyLine("random_init", "")}, setup...)
	}
	out := slices.Concat(
		[]string{"; " + remark(name) + ", compiled by emsim", ".macro choose which", "  .if \\which == 1"}, choose[0], []string{"  .else"}, choose[1], []string{"  .endif", ".endm"},
		[]string{".macro policy_init"}, setup, []string{".endm", ".macro policy_blocks"}, receive, []string{".endm", ".macro policy_data"}, c.tableLines(), []string{".endm", ""},
	)
	text := strings.ReplaceAll(strings.Join(out, "\n"), "go.c", "my_c") // go.c is for the large constants of programs
	return policyLabel.ReplaceAllString(text, `.${1}_\@`), nil
}

// policyLabel matches a label of the code. A program has one such label for every call.
var policyLabel = regexp.MustCompile(`\bmy_\w+\.(b\d+|panic_[a-z]+\d+)\b`)

// findPolicy finds the functions of a policy. In choose, it makes the parameter n, which is 1 or 2, a constant.
func (c *compiler) findPolicy(n string) {
	for _, d := range c.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if types.ExprString(f.Type) != "func"+policyFuncs[name] || f.Recv != nil || f.Body == nil {
			c.errorf(f.Name, "a policy has the functions choose%s, setup%s and receive%s, and this is another one", policyFuncs["choose"], policyFuncs["setup"], policyFuncs["receive"])
			continue
		}
		if c.policy.funcs[name] = f; name == "choose" {
			inner, at := *f.Body, f.Body.Lbrace
			number := &ast.ValueSpec{Names: []*ast.Ident{{NamePos: at, Name: "n"}}, Type: ast.NewIdent("int32"), Values: []ast.Expr{&ast.BasicLit{ValuePos: at, Kind: token.INT, Value: n}}}
			inner.List = append([]ast.Stmt{&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: at, Tok: token.CONST, Specs: []ast.Spec{number}}}}, inner.List...)
			f.Body.List = []ast.Stmt{&inner}
		}
	}
	if c.file.Name.Name == "main" {
		c.errorf(c.file.Name, "a policy is no program: begin it with package policy")
	}
	if c.policy.funcs["choose"] == nil {
		c.errorf(c.file.Name, "a policy says where a call goes: func choose%s", policyFuncs["choose"])
	}
}

// checkPlaces rejects constants of type df.Place that are not the address of a PE.
func (c *compiler) checkPlaces() {
	for e, t := range c.info.Types {
		if t.Value != nil && t.Type.String() == dfPath+".Place" {
			if v, _ := constant.Int64Val(t.Value); v&(1<<18-1) != 0 {
				c.errorf(e, "%d is no df.Place: pe.At(group, column) makes one", v)
			}
		}
	}
}

// buildPolicy builds the IR of a policy's functions.
func (c *compiler) buildPolicy() {
	c.forms = c.newFormBuilder()
	for _, name := range slices.Sorted(maps.Keys(c.policy.funcs)) {
		f := c.policy.funcs[name]
		form := &ir.Func{Name: name, Line: c.lineOf(f), End: &ir.Label{}}
		c.policy.forms[name] = form
		c.forms.build(form, func(b *builder) {
			b.initing = true
			if sig := c.info.Defs[f.Name].(*types.Func).Signature(); name == "receive" {
				b.param(sig.Params().At(1))
			}
			b.end = func(values []*ir.Value) { b.leave(b.f.End, values...) }
			b.stmts(f.Body.List)
			b.endBody(f.Body.Rbrace)
		})
	}
}

// policyText returns the lines of the macro of a function, without the first and the last line. If registers are given,
// the code uses no others.
func (c *compiler) policyText(name, unit string, registers ...int) []string {
	f := c.policy.funcs[name]
	if f == nil {
		return nil
	}
	u := c.newUnit(unit, f)
	u.system, u.title, u.only = true, name, map[reg]int{}
	for r := firstReg; r <= lastReg && registers != nil; r++ {
		if !slices.Contains(registers, r) {
			u.banned |= 1 << r
		}
	}
	l := c.newLowerer(u, nil)
	l.line = c.lineOf(f)
	l.here().node = &node{name: unit}
	place, end, x := l.fresh("place"), l.block(), l.newFormer(c.policy.forms[name])
	switch name {
	case "choose":
		u.only[place] = 3
	case "receive":
		l.cur.in = []reg{l.fresh("word")}
		x.values[x.form.Params[0]] = inReg(l.cur.in[0])
	case "setup":
		l.stopIfWide()
	}
	l.ret = func(values ...operand) {
		if name == "choose" {
			l.moveInto(place, values[0])
		}
		l.jumpTo(end)
	}
	x.all()
	l.continueAt(end)
	if name == "choose" {
		l.emit(resultIn, use(place))
	}
	behind := assemblyLine("jmp", unit+".b0") // jumps to the end of the macro
	if registers != nil {
		l.emit(jump, labelArg(unit+".b0"))
		l.cur.ended = true
	}
	l.endBlock()
	for _, b := range u.blocks {
		b.cold = false // panics stay in line, and an empty block that leads to one has its name
		if len(b.code) == 0 && len(b.next) == 1 {
			b.panics = b.next[0].panics
		}
	}
	lines := slices.DeleteFunc(c.unitText(u), func(s string) bool { return s == "" || registers != nil && strings.HasPrefix(s, unit+":") })
	if last := len(lines) - 1; lines[last] == behind {
		lines = lines[:last]
	}
	if registers != nil {
		lines = append(lines, unit+".b0:")
	}
	return lines
}

// policyMethod returns the name of the method of df.PE that a call calls, or "".
func (c *compiler) policyMethod(x *ast.CallExpr) string {
	e, _ := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if s := c.info.Selections[e]; s != nil && s.Recv().String() == dfPath+".PE" {
		return e.Sel.Name
	}
	return ""
}

// policyReads maps methods to the special registers that they read.
var policyReads = map[string]isa.Special{"K": isa.SpecialK, "Group": isa.SpecialGA, "Column": isa.SpecialCA, "Load": isa.SpecialLoad}

// policyMethod builds a call of a method of df.PE.
func (b *builder) policyMethod(x *ast.CallExpr) []*ir.Value {
	p := b.c.policy
	switch b.c.policyMethod(x) {
	case "Random":
		if v := b.c.info.Types[x.Args[0]].Value; v != nil && constant.Sign(v) < 1 {
			b.c.errorf(x, "pe.Random(n) is a number from 0 to n-1, and n is %v", v)
		}
		p.random = true
	case "Send":
		if p.funcs["receive"] == nil {
			b.c.errorf(x, "nothing gets what is sent: write func receive%s", policyFuncs["receive"])
		}
	}
	i := b.emit(ir.Method, b.listed(x.Args)...)
	i.Results, b.x.sites[i] = b.newValues(b.typeOf(x)), x
	return i.Results
}

// method lowers a call of a method of df.PE, to the instructions of the macros in programs/lib/place.s.
func (x *former) method(i *ir.Instr, operands []operand) {
	method := x.c.policyMethod(x.x.sites[i])
	args := lists.Of(operands, x.registerArg)
	compute := func(op opcode, args ...arg) arg { return use(x.computed(op, args...).r) }
	give := func(o operand) { x.define(i.Results[0], o) }
	switch method {
	case "At":
		group := compute(isa.SHL, args[0], compute(isa.RDS, specialArg(isa.SpecialGAPos)))
		give(x.computed(isa.OR, group, compute(isa.SHL, args[1], number(18))))
	case "Random":
		word := compute(isa.ADD, compute(isa.MUL, compute(isa.LD, r0, labelArg("seed")), number(69069)), number(1))
		x.emit(isa.ST, word, r0, labelArg("seed"))
		give(x.computed(isa.MULHU, word, args[0]))
	case "Send":
		x.send(isa.FormDirect, args[1], args[0], labelArg("my_receive"))
	default:
		give(x.computed(isa.RDS, specialArg(policyReads[method])))
	}
}

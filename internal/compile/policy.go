package compile

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// policy is a policy in Go, whose functions become macros of one in assembly language:
// docs/POLICY.md. choose runs within the block of a call, on the registers that the macro may use.
type policy struct {
	funcs  map[string]*ast.FuncDecl
	random bool // it draws random words
}

// policyFuncs are the functions of a policy.
var policyFuncs = map[string]string{
	"choose":  "(pe df.PE, n int32) df.Place",
	"setup":   "(pe df.PE)",
	"receive": "(pe df.PE, word int32)",
}

// Policy translates a policy in Go into one in assembly language. An error about the text
// is asm.Errors.
func Policy(name string, src []byte) (string, error) {
	opt, _ := Options{}.withDefaults() // which are right
	p := &policy{funcs: map[string]*ast.FuncDecl{}}
	var c *compiler
	var choose [2][]string
	var setup, receive []string
	for i := range choose {
		n, last := fmt.Sprint(i+1), c
		c = newCompiler(name, src, opt)
		if c.policy, c.prefix = p, "my_v_"; last != nil {
			c.consts, c.pool, c.static = last.consts, last.pool, last.static
		}
		if err := c.run(c.nesting, c.parse, func() { c.findPolicy(n) }, c.check, c.checkPlaces, c.findPlaces, func() {
			for _, d := range c.file.Decls {
				if d, ok := d.(*ast.GenDecl); ok {
					c.surveyVars(d) // words of every PE
				}
			}
		}, c.findCalls, func() {
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
	text := strings.ReplaceAll(strings.Join(out, "\n"), "go.c", "my_c") // a program in Go has large constants, too
	return policyLabel.ReplaceAllString(text, `.${1}_\@`), nil
}

// policyLabel is a label of the code, of which a program has one for every call.
var policyLabel = regexp.MustCompile(`\bmy_\w+\.(b\d+|panic_[a-z]+\d+)\b`)

// findPolicy finds the functions. In choose the number of the call is a constant.
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

// checkPlaces refuses constants that are no PE's address.
func (c *compiler) checkPlaces() {
	for e, t := range c.info.Types {
		if t.Value != nil && t.Type.String() == dfPath+".Place" {
			if v, _ := constant.Int64Val(t.Value); v&(1<<18-1) != 0 {
				c.errorf(e, "%d is no df.Place: pe.At(group, column) makes one", v)
			}
		}
	}
}

// policyText are the lines of a function, without those around its macro. It may use these
// registers, or else all.
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
	l.initing = true // tables may change
	place, end, params := l.fresh("place"), l.block(), c.info.Defs[f.Name].(*types.Func).Signature().Params()
	switch name {
	case "choose":
		u.only[place] = 3
	case "receive":
		l.cur.in = []reg{l.fresh("word")}
		l.vars[params.At(1)] = l.cur.in[0]
	case "setup":
		l.stopIfWide()
	}
	l.ret = func(values ...operand) {
		if name == "choose" {
			l.moveInto(place, values[0])
		}
		l.jumpTo(end)
	}
	l.stmts(f.Body.List)
	if l.cur != nil {
		l.ret(constOf(0))
	}
	l.continueAt(end)
	if name == "choose" {
		l.emit(resultIn, use(place))
	}
	behind := assemblyLine("jmp", unit+".b0") // the macro
	if registers != nil {
		l.emit(jump, labelArg(unit+".b0"))
		l.cur.ended = true
	}
	l.endBlock()
	for _, b := range u.blocks {
		b.cold = false // nothing jumps over what stops the machine, which has the name of what leads to it
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

// policyMethod is the name of the method of df.PE that a call calls, or "".
func (c *compiler) policyMethod(x *ast.CallExpr) string {
	e, _ := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if s := c.info.Selections[e]; s != nil && s.Recv().String() == dfPath+".PE" {
		return e.Sel.Name
	}
	return ""
}

// policyReads are the methods that read a special register.
var policyReads = map[string]isa.Special{"K": isa.SpecialK, "Group": isa.SpecialGA, "Column": isa.SpecialCA, "Load": isa.SpecialLoad}

// policyCall translates what a policy asks package df for, as macros of programs/lib/place.s do.
func (l *lowerer) policyCall(x *ast.CallExpr, method string) operand {
	if l.c.policy == nil {
		return l.errorf(x, "a df.PE is for policies ('emsim docs POLICY'), and not for programs")
	}
	args := lists.Of(x.Args, func(e ast.Expr) arg { return l.registerArg(l.expression(e)) })
	compute := func(op opcode, args ...arg) arg { return use(l.computed(op, args...).r) }
	switch method {
	case "At":
		group := compute(isa.SHL, args[0], compute(isa.RDS, specialArg(isa.SpecialGAPos)))
		return l.computed(isa.OR, group, compute(isa.SHL, args[1], number(18)))
	case "Random":
		if v := l.c.info.Types[x.Args[0]].Value; v != nil && constant.Sign(v) < 1 {
			return l.errorf(x, "pe.Random(n) is a number from 0 to n-1, and n is %v", v)
		}
		l.c.policy.random = true
		word := compute(isa.ADD, compute(isa.MUL, compute(isa.LD, r0, labelArg("seed")), number(69069)), number(1))
		l.emit(isa.ST, word, r0, labelArg("seed"))
		return l.computed(isa.MULHU, word, args[0])
	case "Send":
		if l.c.policy.funcs["receive"] == nil {
			return l.errorf(x, "nothing gets what is sent: write func receive%s", policyFuncs["receive"])
		}
		l.send(isa.FormDirect, args[1], args[0], labelArg("my_receive"))
		return constOf(0)
	}
	return l.computed(isa.RDS, specialArg(policyReads[method]))
}

package compile

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// The pieces of an array of package df lie in the structure memories of all PEs: piece b is on PE number b mod PEs, as
// number b / PEs among the pieces there. Every PE knows where its own part begins, and how large the array is. A word
// on this PE is accessed at once. A word on another PE is read with a packet there and one back, and written by a call
// on that PE. A whole piece is read as a channel, whose sender is on the PE that owns it.

// spread is an array of package df, which is a variable of the package.
type spread struct {
	obj    *types.Var
	elem   types.Type
	label  string               // of the word with the address of this PE's part
	access map[string]*function // Get, Set and Stream, if they are used
	line   int
}

// oneWord reports whether a function reads or writes one word of an array.
func (f *function) oneWord() bool {
	return f.array != nil && (f == f.array.access["Get"] || f == f.array.access["Set"])
}

func (a *spread) pieces() arg { return labelArg(a.label + ".pieces") }
func (a *spread) words() arg  { return labelArg(a.label + ".words") }

// spreadWords returns the words of every PE for an array. If it is the only array that the entry returns, the label
// go.size marks its size.
func (c *compiler) spreadWords(a *spread) []string {
	const is = "this PE's part, how many pieces there are, words of each"
	lines := []string{fmt.Sprintf("%-40s ; %s: %s", a.label+": .space 1", c.lineName(a.line), is)}
	if len(c.outputs) == 1 && c.outputs[0] == a {
		lines = append(lines, "go.size: ; of the result")
	}
	return append(lines, a.label+".pieces: .space 1", a.label+".words: .space 1")
}

// surveySpread reports whether a package-level variable is a df.Array, and records it. It refuses an initial value.
func (c *compiler) surveySpread(name *ast.Ident, obj *types.Var, hasValue bool) bool {
	elem, ok := spreadElem(obj.Type())
	if !ok {
		return false
	}
	if hasValue {
		c.reject(name, arrayValue, name.Name, elem)
	}
	if c.goodType(name, elem) {
		c.spreads[obj] = &spread{obj: obj, elem: elem, label: c.label(name.Name), access: map[string]*function{}, line: c.lineOf(name)}
		c.arrays = append(c.arrays, c.spreads[obj])
	}
	return true
}

// spreadElem returns the type of the words of an array of package df, or false if the type is not such an array.
func spreadElem(t types.Type) (types.Type, bool) {
	n, ok := t.(*types.Named)
	if !ok || !ofDf(t) || n.Obj().Name() != "Array" || n.TypeArgs().Len() != 1 {
		return nil, false
	}
	return n.TypeArgs().At(0), true
}

// surveySpreadCall makes the function that a call of an array's method stands for. It also reports whether the call is
// a Fill, whose last argument is a function literal.
func (c *compiler) surveySpreadCall(f *function, x *ast.CallExpr) (withLit bool) {
	sel, _ := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if sel == nil || c.arrayOf(sel.X) == nil {
		return false
	}
	a, method := c.arrayOf(sel.X), sel.Sel.Name
	f.loops = true
	switch method {
	case "Words":
		c.reject(x, ofMain)
	case "Fill":
		c.surveyFill(f, a, x)
	default:
		c.byCall[x] = c.access(a, method, x)
		f.calls = append(f.calls, x)
	}
	return method == "Fill"
}

// access returns the function that a method of an array stands for.
func (c *compiler) access(a *spread, method string, at ast.Node) *function {
	g := a.access[method]
	if g != nil {
		return g
	}
	name := a.obj.Name() + "_" + strings.ToLower(method)
	g = c.makeFunction(at, name, name, "at")
	g.array, g.place = a, "owner" // its instances run where the piece is
	g.body = func(l *lowerer) { l.ret(l.touch(g, l.valuesOf(g.params))) }
	switch method {
	case "Get":
		g.result, g.place = a.elem, "asked"
	case "Set":
		g.params = append(g.params, types.NewVar(at.Pos(), c.pkg, "value", a.elem))
		g.writes = true
	case "Stream":
		g.body = func(l *lowerer) { l.lowerPort(g) }
	}
	a.access[method] = g
	return g
}

// arrayOf returns the array of package df that an expression names, or nil.
func (c *compiler) arrayOf(e ast.Expr) *spread {
	v, _ := c.objectOf(e).(*types.Var)
	return c.spreads[v]
}

// surveyFill makes the function that fills an array: a tree over all PEs.
func (c *compiler) surveyFill(f *function, a *spread, x *ast.CallExpr) {
	lit, ok := ast.Unparen(x.Args[2]).(*ast.FuncLit)
	switch {
	case !ok:
		c.reject(x.Args[2], noLiteral, "Fill", "piece, word int32", a.elem)
		return
	case f != c.entry || c.isCalled(f):
		c.reject(x, fillEntry)
		return
	}
	name := a.obj.Name() + "_fill"
	g := c.makeFunction(x, name, name, "pieces", "words", "span", "room")
	g.body = func(l *lowerer) { l.lowerFill(g, lit) }
	g.array, g.writes, g.place = a, true, "own" // the first instance runs on this PE, and requests the others
	c.callsLiteral(f, x, g, lit)
}

// checkFills rejects calls that need an instance in the function of a Fill.
func (c *compiler) checkFills() {
	for _, g := range c.order {
		for _, y := range g.calls {
			if g.fills() && !c.helper(c.callee(y)) {
				c.reject(y, fillCalls)
			}
		}
	}
}

// findWriters finds the functions that use arrays of package df, and the functions that change them, directly or
// through calls. A call that changes an array is made alone.
func (c *compiler) findWriters() {
	touch := c.withCallers(func(f *function) bool { return f.array != nil })
	write := c.withCallers(func(f *function) bool { return f.writes })
	for _, f := range c.order {
		f.touches, f.writes = touch[f], write[f]
	}
}

// touches reports whether a call uses arrays of package df.
func (c *compiler) touches(x *ast.CallExpr) bool { return c.callee(x).touches }

// alone reports whether a call may change an array of package df. Then it must not run at the same time as another
// call.
func (c *compiler) alone(x *ast.CallExpr) bool { return c.touches(x) && c.callee(x).writes }

// surveyArrayResult records an array of package df that the entry returns.
func (c *compiler) surveyArrayResult(f *function, e ast.Expr) {
	a := c.arrayOf(e)
	if a == nil {
		return
	}
	if c.isCalled(f) {
		c.reject(e, arrayPlace, c.typeName(a.obj.Type()))
		return
	}
	f.loops = true
	c.access(a, "Stream", e)
	if !slices.Contains(c.outputs, a) {
		c.outputs = append(c.outputs, a)
	}
}

package compile

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
)

// callee returns the function of the program that a call calls, or nil.
func (c *compiler) callee(x *ast.CallExpr) *function {
	fun := ast.Unparen(x.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		fun = s.Sel // a method
	}
	return cmp.Or(c.byCall[x], c.funcs[c.objectOf(fun)])
}

// surveyBody records which functions a function calls, and whether it has loops or has to wait for something.
func (c *compiler) surveyBody(f *function) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			f.loops = true
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				c.surveyArrayResult(f, n.Results[0])
			}
		case *ast.CallExpr:
			if c.callee(n) != nil {
				f.calls = append(f.calls, n)
			}
			withLit := c.surveySpreadCall(f, n)
			if c.dfCall(n) == "Sum" {
				c.surveyTree(f, n)
				withLit = true
			}
			if withLit {
				for _, a := range n.Args[:2] {
					ast.Inspect(a, visit)
				}
				return false
			}
		}
		return true
	}
	ast.Inspect(f.decl.Body, visit)
	f.loops = f.loops || len(f.outs) > 0 || c.streams(f.decl)
}

// helper reports whether a function is short, so that it is inlined: it is not recursive, calls only helpers, and uses
// no loop, no channel, no array of package df and no df.Sum.
func (c *compiler) helper(f *function) bool {
	if short, known := c.short[f]; known {
		return short
	}
	defer c.meter.deeper()()
	c.short[f] = false // a recursive function is not a helper
	c.short[f] = !f.loops && !slices.ContainsFunc(f.calls, func(x *ast.CallExpr) bool { return !c.helper(c.callee(x)) })
	return c.short[f]
}

// withCallers returns the functions that satisfy some, and the functions that call one of them, directly or through
// other calls.
func (c *compiler) withCallers(some func(f *function) bool) map[*function]bool {
	found := map[*function]bool{}
	for again := true; again; {
		again = false
		for _, f := range c.order {
			c.meter.countSteps(1 + len(f.calls))
			calls := func(x *ast.CallExpr) bool { return found[c.callee(x)] }
			if !found[f] && (some(f) || slices.ContainsFunc(f.calls, calls)) {
				found[f], again = true, true
			}
		}
	}
	return found
}

// reaches reports whether a function calls another one, or itself, directly or through other calls.
func (c *compiler) reaches(f, g *function) bool {
	seen := map[*function]bool{}
	var calls func(f *function) bool
	calls = func(f *function) bool {
		return slices.ContainsFunc(f.calls, func(x *ast.CallExpr) bool {
			h := c.callee(x)
			if h == nil || seen[h] {
				return false
			}
			seen[h] = true
			return h == g || calls(h)
		})
	}
	return calls(f)
}

func (c *compiler) isHeavy(x *ast.CallExpr) bool {
	f := c.callee(x)
	return f != nil && !f.inlined
}

// frontOf returns the number of statements at the beginning of a function that its callers can run themselves: the
// guards that end a recursion, before the first statement with a call. It returns 0 if they declare variables that the
// rest uses, or may assign a result and not return.
func (c *compiler) frontOf(f *function) int {
	if f.body != nil || f.inlined || c.opt.Guards == Callee || c.streams(f.decl) {
		return 0
	}
	front := 0
	for i, s := range f.decl.Body.List {
		if len(c.heavy(s)) > 0 {
			break
		}
		if c.returns(s) {
			front = i + 1
		}
	}
	if front == 0 || front == len(f.decl.Body.List) { // no guards, or no work for an instance
		return 0
	}
	for _, s := range f.decl.Body.List[:front] {
		if x, ok := s.(*ast.IfStmt); ok && x.Init == nil && x.Else == nil && len(x.Body.List) > 0 {
			if _, ends := x.Body.List[len(x.Body.List)-1].(*ast.ReturnStmt); ends {
				continue // results that it assigns are returned
			}
		}
		for v := range f.obj.Signature().Results().Variables() {
			if slices.ContainsFunc(c.wordsOf(v), func(w *types.Var) bool { return c.assigned(s, w) }) {
				return 0
			}
		}
	}
	own, behind := f.obj.Scope(), f.decl.Body.List[front-1].End()
	for _, name := range own.Names() {
		v := own.Lookup(name)
		here := f.decl.Body.Pos() <= v.Pos() && v.Pos() < behind
		if uses := c.places.names[v]; here && uses[len(uses)-1] > behind {
			return 0
		}
	}
	return front
}

// guarded reports whether a caller may get the answer of a call without an instance.
func (f *function) guarded() bool { return f.front > 0 || f.lit != nil || f.oneWord() }

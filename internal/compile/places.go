package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// positions has sorted positions of names, assignments and calls. Two searches find the positions in a part of the
// program, which lie between its beginning and its end. Walking through the part for every query would take quadratic
// time.
type positions struct {
	streams []token.Pos                  // expressions and names whose type is a channel
	names   map[types.Object][]token.Pos // where a variable is declared or used
	sets    map[types.Object][]token.Pos // where it, or an element of it, is assigned to
}

// within reports whether a part of the program contains one of the positions.
func within(list []token.Pos, n ast.Node) bool {
	i, _ := slices.BinarySearch(list, n.Pos())
	return i < len(list) && list[i] < n.End()
}

// findPositions collects the positions, once the types are known.
func (c *compiler) findPositions() {
	p := &positions{names: map[types.Object][]token.Pos{}, sets: map[types.Object][]token.Pos{}}
	c.places = p
	set := func(list ...ast.Expr) {
		for _, e := range list {
			words := c.namedWords(e)
			if v, ok := c.rootOf(e).(*types.Var); ok && words == nil { // of an element
				words = append(words, v)
			}
			for _, w := range words {
				p.sets[w] = append(p.sets[w], e.Pos())
			}
		}
	}
	ast.Inspect(c.file, func(n ast.Node) bool {
		c.meter.countSteps(1)
		switch n := n.(type) {
		case *ast.AssignStmt:
			set(n.Lhs...)
		case *ast.IncDecStmt:
			set(n.X)
		case *ast.RangeStmt:
			set(n.Key, n.Value)
		case *ast.Ident:
			c.noteName(n, n)
		case *ast.SelectorExpr:
			if words := c.namedWords(n); words != nil {
				root := ast.Expr(n)
				for x, ok := n, true; ok; x, ok = root.(*ast.SelectorExpr) {
					root = ast.Unparen(x.X)
				}
				c.noteName(root.(*ast.Ident), n)
				return false
			}
		}
		if e, ok := n.(ast.Expr); ok {
			if chanOf(c.info.TypeOf(e)) != nil {
				p.streams = append(p.streams, e.Pos())
			}
		}
		return true
	})
	slices.Sort(p.streams)
}

// noteName notes where a variable, or a field of it, is named.
func (c *compiler) noteName(v *ast.Ident, e ast.Expr) {
	names := c.places.names
	o := c.info.ObjectOf(v)
	if o == nil {
		return
	}
	names[o] = append(names[o], v.Pos())
	for _, w := range c.namedWords(e) {
		if w != o {
			names[w] = append(names[w], v.Pos())
		}
	}
}

// objectOf returns the object that an expression names, also a field of a variable, or nil.
func (c *compiler) objectOf(e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return c.info.Uses[id]
	}
	if words := c.namedWords(e); len(words) == 1 {
		return words[0]
	}
	return nil
}

// heavy returns the expressions in a node for which the code has to wait: calls that need an instance, and receives
// from channels. It leaves out calls of helpers, and function literals, which run in instances of their own.
func (c *compiler) heavy(n ast.Node) (list []ast.Expr) {
	ast.Inspect(n, func(n ast.Node) bool {
		c.meter.countSteps(1)
		switch x := n.(type) {
		case *ast.CallExpr:
			if c.isHeavy(x) {
				list = append(list, x)
			}
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				list = append(list, x)
			}
		}
		return !isLiteral(n)
	})
	return list
}

// streams reports whether a part of the program uses a channel.
func (c *compiler) streams(n ast.Node) bool { return within(c.places.streams, n) }

// returns reports whether a statement can return from the function. A return in a function literal does not count.
func (c *compiler) returns(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.ReturnStmt)
		found = found || is
		return !found && !isLiteral(n)
	})
	return found
}

func isLiteral(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok }

// assigned reports whether a part of the program changes a variable.
func (c *compiler) assigned(n ast.Node, v types.Object) bool { return within(c.places.sets[v], n) }

package compile

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// One mistake gives one message. A statement is reported once. A use of a variable, a parameter or a field is not
// reported if its declaration has been refused for its type.

// piece is a part of the program that is refused as a whole: a simple statement, the head of a compound statement or of
// a function, or a declaration.
type piece struct {
	node     ast.Node
	from, to token.Pos
	around   int // the index of the piece around this one, or -1
	refused  bool
}

// refusals records which pieces have been refused.
type refusals struct {
	pieces []piece // in the order of the text
	bad    map[types.Object]bool
	asking bool // a type is only tested: report nothing
	naming bool // a declaration is refused: report its mistake
}

// newRefusals finds the pieces of the program.
func (c *compiler) newRefusals() *refusals {
	r := &refusals{bad: map[types.Object]bool{}}
	var inside []int
	for n := range ast.Preorder(c.file) {
		p := piece{node: n, from: n.Pos(), to: n.End(), around: -1}
		body := ast.Node(nil)
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Doc != nil {
				p.from = n.Doc.Pos()
			}
			body = n.Body
		case *ast.IfStmt:
			body = n.Body
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		case *ast.SwitchStmt:
			body = n.Body
		case *ast.TypeSwitchStmt:
			body = n.Body
		case *ast.ValueSpec, *ast.TypeSpec, *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.ReturnStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.BranchStmt, *ast.SelectStmt:
		default:
			continue
		}
		if b, ok := body.(*ast.BlockStmt); ok && b != nil {
			p.to = b.Lbrace
		}
		for len(inside) > 0 && r.pieces[inside[len(inside)-1]].to <= p.from {
			inside = inside[:len(inside)-1]
		}
		if len(inside) > 0 {
			p.around = inside[len(inside)-1]
		}
		inside = append(inside, len(r.pieces))
		r.pieces = append(r.pieces, p)
	}
	return r
}

// refusedAlready reports whether a mistake at a position follows from a known one. It marks the piece there as refused.
func (c *compiler) refusedAlready(at token.Pos) bool {
	if c.refusals == nil {
		c.refusals = c.newRefusals()
	}
	r := c.refusals
	if r.asking || r.naming {
		return r.asking
	}
	i, found := slices.BinarySearchFunc(r.pieces, at, func(p piece, at token.Pos) int { return cmp.Compare(p.from, at) })
	if !found {
		i--
	}
	for i >= 0 && r.pieces[i].to <= at {
		i = r.pieces[i].around
	}
	if i < 0 {
		return false
	}
	p := &r.pieces[i]
	if p.refused {
		return true
	}
	p.refused = true
	follows := false
	eachName(p, func(id *ast.Ident) { follows = follows || r.bad[c.info.Uses[id]] })
	eachName(p, func(id *ast.Ident) {
		v, ok := c.info.Defs[id].(*types.Var)
		if !ok || !follows && c.goodVariable(v) {
			return
		}
		if r.bad[v] = true; !follows && c.surveyed { // the mistake in the variable's type is reported instead
			r.naming, follows = true, true
			c.goodValue(id, itemType(v.Type()))
			r.naming = false
		}
	})
	return follows
}

// eachName calls f for the names in a piece.
func eachName(p *piece, f func(id *ast.Ident)) {
	ast.Inspect(p.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			f(id)
		}
		return n == nil || n.Pos() < p.to
	})
}

// goodVariable reports whether the machine can hold the words of a variable. It reports no error.
func (c *compiler) goodVariable(v *types.Var) bool {
	if _, ok := spreadElem(v.Type()); ok && c.isTable(v) {
		return true
	}
	c.refusals.asking = true
	defer func() { c.refusals.asking = false }()
	return c.goodValue(&ast.Ident{}, itemType(v.Type()))
}

// itemType returns the type of a channel's items, or a type itself.
func itemType(t types.Type) types.Type {
	if ch := chanOf(t); ch != nil {
		return ch.Elem()
	}
	return t
}

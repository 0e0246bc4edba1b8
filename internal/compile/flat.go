package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"emsim/isa"
)

// A loop of the entry that is not inside another loop runs once, and has the machine for itself. If it adds up a call
// in every iteration, and its iterations depend on nothing but their numbers, it runs as a tree, provided there are
// enough iterations. It is then like the parallel loop of package df that the program could have used.

// leastFlat is the least number of iterations for a tree [chosen: with 5 short iterations a tree takes 1.7 to 2 times
// the clocks of a loop; with 60 it takes the same number on 4 PEs, and 0.3 of it on 80].
const leastFlat = 16

// A flatSum is the tree that replaces such a loop, and the sum to which the tree adds.
type flatSum struct {
	call *ast.CallExpr // stands for the tree
	sum  types.Object
	op   token.Token
}

// findFlat finds the flat sums of the entry, and makes their trees.
func (c *compiler) findFlat() {
	if c.policy != nil || c.isCalled(c.entry) || len(c.spreads) > 0 || len(c.places.streams) > 0 {
		return
	}
	ast.PreorderStack(c.entry.decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		switch s := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if key, ok := s.Key.(*ast.Ident); ok && !looped(stack) && s.Value == nil && s.Tok == token.DEFINE {
				zero := &ast.BasicLit{ValuePos: s.Pos(), Kind: token.INT, Value: "0"}
				c.info.Types[zero] = types.TypeAndValue{Type: types.Typ[types.Int32], Value: constant.MakeInt64(0)}
				c.flatLoop(s, key, zero, s.X, s.Body)
			}
		case *ast.ForStmt:
			init, isAssign := s.Init.(*ast.AssignStmt)
			cond, isTest := s.Cond.(*ast.BinaryExpr)
			post, isStep := s.Post.(*ast.IncDecStmt)
			if looped(stack) || !isAssign || !isTest || !isStep || init.Tok != token.DEFINE || len(init.Lhs) != 1 ||
				cond.Op != token.LSS || post.Tok != token.INC {
				break
			}
			key := init.Lhs[0].(*ast.Ident)
			if v := c.info.Defs[key]; v != nil && c.named(cond.X) == v && c.named(post.X) == v {
				c.flatLoop(s, key, init.Rhs[0], cond.Y, s.Body)
			}
		}
		return true
	})
}

// looped reports whether there is a loop on the stack of nodes around a place.
func looped(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		_, isFor := n.(*ast.ForStmt)
		_, isRange := n.(*ast.RangeStmt)
		return isFor || isRange
	})
}

// flatLoop makes the tree of a loop from lo to hi, exclusively, if the loop is a flat sum.
func (c *compiler) flatLoop(s ast.Stmt, key *ast.Ident, lo, hi ast.Expr, body *ast.BlockStmt) {
	k := c.info.Defs[key]
	if len(body.List) != 1 || k == nil || kindOf(k.Type()) != types.Int32 || c.hasCalls(lo) || c.hasCalls(hi) {
		return
	}
	a, isAssign := body.List[0].(*ast.AssignStmt)
	if !isAssign || a.Tok != token.ADD_ASSIGN && a.Tok != token.SUB_ASSIGN {
		return
	}
	sum, isVar := c.named(a.Lhs[0]).(*types.Var)
	kind := types.Invalid
	if isVar && !c.isTable(sum) {
		kind = kindOf(sum.Type())
	}
	if kind != types.Int32 && kind != types.Uint32 || c.mentions(a.Rhs[0], map[types.Object]bool{sum: true}) ||
		c.mentions(hi, map[types.Object]bool{sum: true, k: true}) || !c.placed(a.Rhs[0]) {
		return
	}
	from, to := c.info.Types[lo].Value, c.info.Types[hi].Value
	if from != nil && to != nil && wordOf(to, k.Type())-wordOf(from, k.Type()) < leastFlat {
		return
	}
	lit := &ast.FuncLit{
		Type: &ast.FuncType{Func: s.Pos(), Params: &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{key}}}}},
		Body: &ast.BlockStmt{
			Lbrace: body.Lbrace, Rbrace: body.Rbrace,
			List: []ast.Stmt{&ast.ReturnStmt{Return: a.Rhs[0].Pos(), Results: a.Rhs}},
		},
	}
	result := types.NewVar(s.Pos(), c.pkg, "", sum.Type())
	number := types.NewTuple(k.(*types.Var))
	c.info.Types[lit] = types.TypeAndValue{
		Type: types.NewSignatureType(nil, nil, nil, number, types.NewTuple(result), false),
	}
	x := &ast.CallExpr{
		Fun: &ast.Ident{NamePos: s.Pos(), Name: "turns"}, Lparen: s.Pos(), Args: []ast.Expr{lo, hi}, Rparen: body.Rbrace,
	}
	c.info.Types[x] = types.TypeAndValue{Type: sum.Type()}
	c.makeTree(c.entry, x, lit)
	c.flat[s] = &flatSum{x, sum, a.Tok - token.ADD_ASSIGN + token.ADD}
}

// hasCalls reports whether an expression has calls or function literals, which must not be evaluated twice.
func (c *compiler) hasCalls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, isCall := n.(*ast.CallExpr)
		found = found || isLiteral(n) || isCall && !c.info.Types[x.Fun].IsType()
		return !found
	})
	return found
}

// placed reports whether an expression makes calls, and the policy places all of them.
func (c *compiler) placed(e ast.Expr) bool {
	calls, placed := 0, true
	ast.Inspect(e, func(n ast.Node) bool {
		c.meter.countSteps(1)
		if x, ok := n.(*ast.CallExpr); ok && c.isHeavy(x) {
			calls++
			placed = placed && c.callee(x).place == "policy"
		}
		placed = placed && !isLiteral(n)
		return true
	})
	return calls > 0 && placed
}

// asTree emits a test whether a flat sum has enough iterations for a tree, and the tree for that case. Lowering
// continues in the other case.
func (l *lowerer) asTree(lo, hi operand, tree func()) {
	few, some, many := l.block(), l.block(), l.block()
	switch {
	case lo.lit && hi.lit:
		l.jumpTo(many)
	case lo.isZero():
		l.branch(isa.BLT, constOf(leastFlat-1), hi, many, few)
	default:
		l.branch(isa.BLT, lo, hi, some, few)
		l.continueAt(some)
		l.branch(isa.BLTU, l.binaryOp(isa.SUB, hi, lo), constOf(leastFlat), few, many)
	}
	l.continueAt(many)
	tree()
	if l.cur = few; lo.lit && hi.lit {
		l.cur = nil
	}
}

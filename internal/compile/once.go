package compile

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// One mistake gives one message. A statement is reported once, and so is the same refusal of the same variable or
// function. A use of a variable, a parameter or a field is not reported if its declaration has been refused for its
// type.

// piece is a part of the program that is refused as a whole: a simple statement, the head of a compound statement or of
// a function, or a declaration.
type piece struct {
	node     ast.Node
	from, to token.Pos
	head     bool // of a statement or a function with a body
	around   int  // the index of the piece around this one, or -1
	refused  bool
}

// refusals records which pieces have been refused.
type refusals struct {
	pieces []piece // in the order of the text
	bad    map[types.Object]bool
	known  map[subject]bool
	asking bool // a type is only tested: report nothing
	naming bool // a declaration is refused: report its mistake
}

// subject is a refusal, and what it is about: a variable, a constant, a function, or the name of a type that is too
// large.
type subject struct {
	r     *refusal
	about any
}

// newRefusals finds the pieces of the program.
func (c *compiler) newRefusals() *refusals {
	r := &refusals{bad: map[types.Object]bool{}, known: map[subject]bool{}}
	var inside []int
	for n := range ast.Preorder(c.file) {
		p := piece{node: n, from: n.Pos(), to: n.End(), around: -1}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Doc != nil {
				p.from = n.Doc.Pos()
			}
		case *ast.CaseClause:
			p.to = n.Colon
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt,
			*ast.ValueSpec, *ast.TypeSpec, *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.ReturnStmt,
			*ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.BranchStmt:
		default:
			continue
		}
		ast.Inspect(n, func(part ast.Node) bool {
			if body, ok := part.(*ast.BlockStmt); ok {
				p.to, p.head = min(p.to, body.Lbrace), true
			}
			return part == n
		})
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

// pieceAt returns the piece at a position, or nil.
func (r *refusals) pieceAt(at token.Pos) *piece {
	i, found := slices.BinarySearchFunc(r.pieces, at, func(p piece, at token.Pos) int { return cmp.Compare(p.from, at) })
	if !found {
		i--
	}
	for i >= 0 && r.pieces[i].to <= at {
		i = r.pieces[i].around
	}
	if i < 0 {
		return nil
	}
	if around := r.pieces[i].around; around >= 0 && r.pieces[around].head {
		i = around // all of a head is one piece
	}
	return &r.pieces[i]
}

// follows reports whether a mistake at a position follows from a known one. It marks the piece there as refused. If
// about is nil, the mistake is about the variable or function that is named at the position.
func (c *compiler) follows(refused *refusal, at token.Pos, about any) bool {
	c.mistakes++
	if c.places == nil || c.policy != nil {
		return false
	}
	if c.refusals == nil {
		c.refusals = c.newRefusals()
	}
	r := c.refusals
	if r.asking || r.naming {
		return r.asking
	}
	p := r.pieceAt(at)
	if p == nil || p.refused {
		return p != nil
	}
	p.refused = true
	follows := false
	eachName(p, func(id *ast.Ident) {
		v, isVar := c.info.Uses[id].(*types.Var)
		before := isVar && (v.Pos() < p.from || p.to <= v.Pos()) // declared elsewhere
		follows = follows || r.bad[v] || before && c.surveyed && !c.goodVariable(v)
		if o := c.info.ObjectOf(id); id.Pos() == at && about == nil && isNamed(o) {
			about = o
		}
	})
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
	key := subject{refused, about}
	follows = follows || about != nil && r.known[key]
	r.known[key] = true
	return follows
}

// isNamed reports whether an object is a variable, a function or a constant of the program.
func isNamed(o types.Object) bool {
	_, isType := o.(*types.TypeName)
	_, isPackage := o.(*types.PkgName)
	return o != nil && o.Pkg() != nil && !isType && !isPackage
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

// typeErrors reports the errors of go/types that do not follow from others. An error follows if another one is in the
// same piece, or is about the same name. That something is not used follows from any other error in its function.
func (c *compiler) typeErrors(wrong []types.Error) {
	if len(wrong) == 0 {
		return
	}
	r, known := c.newRefusals(), map[any]bool{}
	for _, unused := range []bool{false, true} {
		for _, e := range wrong {
			if strings.HasPrefix(e.Msg, "\t") || strings.Contains(e.Msg, "declared and not used") != unused {
				continue // "\t" continues the error before it
			}
			in, _ := slices.BinarySearchFunc(c.file.Decls, e.Pos, func(d ast.Decl, at token.Pos) int {
				return int(d.End() - at)
			})
			about := c.subjects(r.pieceAt(e.Pos), in, e.Msg)
			if !(unused && known[in]) && !slices.ContainsFunc(about, func(x any) bool { return known[x] }) {
				c.typeError(e)
			}
			for _, x := range append(about, in) {
				known[x] = true
			}
		}
	}
}

// subjects returns what an error of go/types in declaration number in is about: its piece, unknown names and variables
// there, and functions in its message. An error about a parameter or a result is about the function as well.
func (c *compiler) subjects(p *piece, in int, message string) (list []any) {
	if p == nil || p.refused {
		return []any{p}
	}
	p.refused = true
	words := map[string]bool{}
	for _, w := range name.FindAllString(message, -1) {
		words[w] = true
	}
	f, _ := c.file.Decls[in].(*ast.FuncDecl)
	inHead := func(at token.Pos) bool { return f != nil && f.Type.Pos() <= at && at < f.Type.End() }
	ofFunc := f != nil && (words["return"] || p.node == f)
	eachName(p, func(id *ast.Ident) {
		o := c.info.ObjectOf(id)
		_, isFunc := o.(*types.Func)
		switch {
		case o == nil && id.Name != "_":
			list = append(list, id.Name)
		case isNamed(o) && (words[id.Name] || words["return"] || !isFunc && !words["undefined"]):
			list, ofFunc = append(list, o), ofFunc || inHead(o.Pos())
		}
	})
	if ofFunc {
		list = append(list, c.info.Defs[f.Name])
	}
	return append(list, p)
}

// name matches a name in a message.
var name = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

package compile

import (
	"go/ast"
	"go/types"
)

// A value can have several words: what a function returns. Each word is in a register of
// its own.

// wordTypes are the types of the words of a value.
func wordTypes(t types.Type) []types.Type {
	switch t := t.(type) {
	case nil:
		return nil
	case *types.Tuple:
		var list []types.Type
		for v := range t.Variables() {
			list = append(list, wordTypes(v.Type())...)
		}
		return list
	}
	return []types.Type{t}
}

// goodValue refuses values with words that the machine does not have.
func (c *compiler) goodValue(n ast.Node, t types.Type) bool {
	for _, t := range wordTypes(t) {
		if !c.goodType(n, t) {
			return false
		}
	}
	return true
}

// answerRegs are registers for what a function returns.
func (l *lowerer) answerRegs(f *function) []reg {
	var list []reg
	for range f.answerWords() {
		list = append(list, l.fresh(f.decl.Name.Name))
	}
	return list
}

// resultRegs are registers for the result of a call, or for an item.
func (l *lowerer) resultRegs(x ast.Expr) []reg {
	list := []reg{l.u.newReg()}
	for range len(wordTypes(l.typeOf(x))) - 1 {
		list = append(list, l.u.newReg())
	}
	return list
}

// values are the words of an expression.
func (l *lowerer) values(e ast.Expr) []operand {
	if e = ast.Unparen(e); len(wordTypes(l.typeOf(e))) == 1 {
		return []operand{l.expression(e)}
	}
	defer l.c.meter.deeper()()
	if o, ok := l.done[e]; ok {
		return o
	}
	if x, ok := e.(*ast.CallExpr); ok {
		return l.callExpr(x)
	}
	return l.failed(e, "this kind of expression has no translation: use arithmetic, calls, variables and tables")
}

// listed are the words of several expressions.
func (l *lowerer) listed(list []ast.Expr) (values []operand) {
	for _, e := range list {
		values = append(values, l.values(e)...)
	}
	return values
}

// failed reports an error about an expression, and makes words for it.
func (l *lowerer) failed(e ast.Expr, format string, args ...any) (values []operand) {
	for range max(1, len(wordTypes(l.typeOf(e)))) {
		values = append(values, l.errorf(e, format, args...))
	}
	return values
}

// nameResults makes the variables of results that have names, where the body needs them.
func (l *lowerer) nameResults(sig *types.Signature, body *ast.BlockStmt) {
	l.named = nil
	for v := range sig.Results().Variables() {
		if v.Name() == "" || !within(l.c.places.bare, body) && !within(l.c.places.names[v], body) {
			continue
		}
		l.vars[v] = l.fresh(v.Name())
		l.moveInto(l.vars[v], constOf(0))
		l.named = append(l.named, v)
	}
}

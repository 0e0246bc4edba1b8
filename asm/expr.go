package asm

import (
	"math"
	"strconv"
)

// exprKind is the kind of an expression's node.
type exprKind uint8

const (
	exprBad  exprKind = iota // reported already
	exprNum                  // a number: the value of tok
	exprHere                 // the address of the statement
	exprName                 // a symbol
	exprNode                 // @label: its displacement
	exprUnary
	exprBinary
)

// expr is an expression; tok is its operator or its only token.
type expr struct {
	kind exprKind
	tok  token
	x, y *expr
}

// maxDepth is the greatest depth to which an expression may be nested.
const maxDepth = 200

// operators holds, for each binary operator, its precedence as in Go and its function. ok is false if the result does
// not fit.
var operators = map[string]struct {
	level int
	do    func(x, y int64) (v int64, ok bool)
}{
	"||": {1, func(x, y int64) (int64, bool) { return truth(x != 0 || y != 0), true }},
	"&&": {2, func(x, y int64) (int64, bool) { return truth(x != 0 && y != 0), true }},
	"==": {3, func(x, y int64) (int64, bool) { return truth(x == y), true }},
	"!=": {3, func(x, y int64) (int64, bool) { return truth(x != y), true }},
	"<":  {3, func(x, y int64) (int64, bool) { return truth(x < y), true }},
	"<=": {3, func(x, y int64) (int64, bool) { return truth(x <= y), true }},
	">":  {3, func(x, y int64) (int64, bool) { return truth(x > y), true }},
	">=": {3, func(x, y int64) (int64, bool) { return truth(x >= y), true }},
	"+":  {4, func(x, y int64) (int64, bool) { return x + y, (x+y > x) == (y > 0) }},
	"-":  {4, func(x, y int64) (int64, bool) { return x - y, (x-y < x) == (y > 0) }},
	"|":  {4, func(x, y int64) (int64, bool) { return x | y, true }},
	"^":  {4, func(x, y int64) (int64, bool) { return x ^ y, true }},
	"*":  {5, multiply},
	"/":  {5, func(x, y int64) (int64, bool) { return x / y, x != math.MinInt64 || y != -1 }},
	"%":  {5, func(x, y int64) (int64, bool) { return x % y, true }},
	"<<": {5, func(x, y int64) (int64, bool) { return x << y, x<<y>>y == x }},
	">>": {5, func(x, y int64) (int64, bool) { return x >> y, true }},
	"&":  {5, func(x, y int64) (int64, bool) { return x & y, true }},
}

func multiply(x, y int64) (int64, bool) {
	v := x * y
	return v, x == 0 || v/x == y && (x != -1 || y != math.MinInt64)
}

// expression parses an expression whose binary operators have at least the precedence level.
func (p *parser) expression(level int) *expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return p.badExpr(p.peek(), "the expression is nested more than %d deep", maxDepth)
	}
	x := p.operand()
	for {
		op := p.peek()
		prec := operators[op.text].level
		if op.kind != tokOp || prec < level {
			return x
		}
		p.next()
		x = &expr{kind: exprBinary, tok: op, x: x, y: p.expression(prec + 1)}
	}
}

// badExpr reports an error and skips the parser's remaining tokens.
func (p *parser) badExpr(at token, format string, args ...any) *expr {
	p.fail(at, format, args...)
	return &expr{kind: exprBad, tok: at}
}

func (p *parser) operand() *expr {
	t := p.peek()
	switch t.kind {
	case tokNumber:
		p.next()
		return &expr{kind: exprNum, tok: t}
	case tokHere:
		p.next()
		return &expr{kind: exprHere, tok: t}
	case tokWord, tokDotted:
		if _, reg := register(t.text); reg {
			return p.badExpr(t, "the register %s cannot be used in an expression: expected a number or a name", t.text)
		}
		p.next()
		return &expr{kind: exprName, tok: t}
	case tokFloat:
		return p.badExpr(t, "%s is not an integer: floating-point numbers belong in .float", t.text)
	case tokOp:
		return p.operator(t)
	}
	return p.badExpr(t, "expected a number, a name or an expression, found %s", t.describe())
}

// operator parses an operand that begins with an operator.
func (p *parser) operator(t token) *expr {
	switch t.text {
	case "-", "+", "~", "!":
		p.next()
		p.depth++
		defer func() { p.depth-- }()
		if p.depth > maxDepth {
			return p.badExpr(t, "the expression is nested more than %d deep", maxDepth)
		}
		return &expr{kind: exprUnary, tok: t, x: p.operand()}
	case "(":
		p.next()
		x := p.expression(1)
		if !p.accept(")") {
			return p.badExpr(p.peek(), "expected ) for the ( in column %s, found %s",
				lazy(func() string { return strconv.Itoa(t.column()) }), p.peek().describe())
		}
		return x
	case "@":
		p.next()
		name := p.peek()
		if name.kind != tokWord && name.kind != tokDotted {
			return p.badExpr(name, "expected a label after @, found %s", name.describe())
		}
		p.next()
		return &expr{kind: exprNode, tok: name}
	}
	return p.badExpr(t, "expected a number, a name or an expression, found %s", t.describe())
}

// scope is the context, other than the symbols, that an expression's value depends on.
type scope struct {
	outer string // ordinary label that local labels belong to
	here  uint32 // the current address
	early bool   // only values that are already known may be used
	why   string // with early: the directive that needs the value now
}

// eval returns the value of an expression. If it has none, eval reports why
// and returns false.
func (a *assembler) eval(e *expr, sc scope) (int64, bool) {
	switch e.kind {
	case exprNum:
		return e.tok.val, true
	case exprHere:
		return int64(sc.here), true
	case exprName:
		s := a.lookup(e.tok, sc)
		if s == nil {
			return 0, false
		}
		return a.value(s, e.tok, sc)
	case exprNode:
		return a.displacement(e.tok, sc)
	case exprUnary:
		x, ok := a.eval(e.x, sc)
		if !ok {
			return 0, false
		}
		if e.tok.text == "-" && x == math.MinInt64 {
			return 0, a.overflow(e)
		}
		return unary(e.tok.text, x), true
	case exprBinary:
		return a.binary(e, sc)
	}
	return 0, false
}

func unary(op string, x int64) int64 {
	switch op {
	case "-":
		return -x
	case "~":
		return ^x
	case "!":
		return truth(x == 0)
	}
	return x
}

func (a *assembler) overflow(e *expr) bool {
	a.errorf(e.tok, "the result of %s does not fit 64 bits", e.tok.text)
	return false
}

func (a *assembler) binary(e *expr, sc scope) (int64, bool) {
	x, okx := a.eval(e.x, sc)
	if okx && (e.tok.text == "&&" && x == 0 || e.tok.text == "||" && x != 0) {
		return truth(x != 0), true
	}
	y, oky := a.eval(e.y, sc)
	if !okx || !oky {
		return 0, false
	}
	switch op := e.tok.text; {
	case (op == "/" || op == "%") && y == 0:
		a.errorf(e.tok, "division by zero")
		return 0, false
	case (op == "<<" || op == ">>") && (y < 0 || y > 63):
		a.errorf(e.tok, "a shift by %d: expected 0..63", y)
		return 0, false
	}
	if v, ok := operators[e.tok.text].do(x, y); ok {
		return v, true
	}
	return 0, a.overflow(e)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

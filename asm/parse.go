package asm

import (
	"slices"
	"strings"
)

// parser reads the tokens of a line or of one operand.
type parser struct {
	a     *assembler
	stmt  *stmt
	toks  []token
	i     int
	depth int
	stop  token // the token after toks
	given bool  // the parser gave up after an error
}

// parse returns a parser of a line's tokens, which are valid only until the next line is parsed. It reports errors of
// the lexer.
func (a *assembler) parse(line *srcLine, call *macroCall) (p *parser, grown bool) {
	toks, grown := lex(line, call, maxErrors-len(a.problems), a.toks)
	a.toks = toks
	s := a.cur
	s.addr, s.from = a.addr, a.from
	for _, t := range toks {
		if t.kind == tokError && t.line == line {
			a.errorf(t, "%s", t.text)
		}
	}
	stop := token{line: line, col: int32(len(line.text)), end: int32(len(line.text))}
	if n := len(toks); n > 0 && toks[n-1].line == line {
		stop.col, stop.end = toks[n-1].end, toks[n-1].end
	}
	return &parser{a: a, stmt: s, toks: toks, stop: stop}, grown
}

func (p *parser) peek() token { return p.ahead(0) }

func (p *parser) ahead(n int) token {
	if p.i+n < len(p.toks) {
		return p.toks[p.i+n]
	}
	return p.stop
}

func (p *parser) next() token {
	t := p.peek()
	p.i++
	return t
}

// accept takes the operator op if it is next, and reports whether it did.
func (p *parser) accept(op string) bool {
	if p.peek().is(op) {
		p.i++
		return true
	}
	return false
}

// expect takes the operator op or reports that it is missing.
func (p *parser) expect(op string) bool {
	if p.accept(op) {
		return true
	}
	p.fail(p.peek(), "expected %s, found %s", op, p.peek().describe())
	return false
}

// expectEnd reports an error if further tokens follow.
func (p *parser) expectEnd() bool {
	if p.i >= len(p.toks) {
		return true
	}
	p.fail(p.peek(), "expected the end of the line, found %s", p.peek().describe())
	return false
}

// fail reports an error and skips the remaining tokens, so there is at most one error per parser. It does not report
// errors of the lexer again.
func (p *parser) fail(at token, format string, args ...any) {
	if at.kind == tokError {
		p.stmt.bad = true
	} else if !p.given {
		p.a.errorf(at, format, args...)
	}
	p.i, p.given = max(p.i, len(p.toks)), true
}

// valueNow parses an expression and returns its value, which must be known in pass 1.
func (p *parser) valueNow(who string) (int64, bool) {
	bad := p.stmt.bad
	x := p.expression(1)
	if x.kind == exprBad || p.stmt.bad && !bad {
		return 0, false
	}
	sc := p.stmt.scope()
	sc.early, sc.why = true, who
	return p.a.eval(x, sc)
}

// split returns a parser for each of the remaining operands.
func (p *parser) split() []*parser {
	var list []*parser
	for p.i < len(p.toks) {
		toks := p.untilComma()
		stop := p.peek()
		stop.kind = tokEnd // end of the operand
		list = append(list, &parser{a: p.a, stmt: p.stmt, toks: toks, stop: stop})
		if p.accept(",") && p.i >= len(p.toks) {
			list = append(list, &parser{a: p.a, stmt: p.stmt, stop: p.stop})
		}
	}
	return list
}

// readLine handles one line of the program.
func (a *assembler) readLine(line *srcLine) {
	if a.defines != nil {
		a.collect(line)
		return
	}
	call := a.topFrame().call
	if a.skipping() {
		word := firstWord(line.text)
		if !slices.Contains([]string{".if", ".elif", ".else", ".endif"}, word) {
			line.skipped = true
			if call != nil {
				a.countText(token{line: line}, len(line.text), endless)
			}
			return
		}
		if !a.isEvaluated(word) {
			short := *line
			short.text = line.text[:strings.Index(line.text, word)+len(word)]
			line = &short
		}
	}
	p, grown := a.parse(line, call)
	a.stop = a.stop || grown
	if call != nil && !p.showExpanded(line) {
		return
	}
	if a.tokens += len(p.toks); a.tokens > a.bound(maxTotal) {
		p.fail(p.peek(), "the program has grown to %d tokens: does a macro call itself without end?", a.bound(maxTotal))
		a.stop = true
		return
	}
	p.labels()
	p.stmt.outer = a.outer
	p.statement()
}

// labels defines the labels before a statement.
func (p *parser) labels() {
	for {
		t := p.peek()
		if t.kind != tokWord && t.kind != tokDotted || !p.ahead(1).is(":") {
			return
		}
		p.i += 2
		a := p.a
		if t.kind == tokWord {
			a.outer = t.text
		} else if a.outer == "" {
			a.errorf(t, "the local label %s has no ordinary label before it to belong to", t.text)
			continue
		}
		a.behindPerPE(t)
		a.define(&symbol{
			name: fullName(t, scope{outer: a.outer}), kind: Label, at: t, value: int64(a.addr),
			tmpl: a.tmpl,
		})
	}
}

// statement handles the part of a line after its labels.
func (p *parser) statement() {
	a, t := p.a, p.peek()
	p.stmt.head = t
	switch {
	case t.kind == tokEnd:
		return
	case t.kind == tokWord && p.ahead(1).is("="):
		p.i += 2
		p.constant(t)
	case t.kind == tokDotted:
		p.next()
		d := directives[t.text]
		if d == nil {
			p.fail(t, "%s is not a directive%s", brief(t.text),
				a.didYouMean(t, t.text, func() []string { return directiveNames }))
			return
		}
		d(p)
	case t.kind == tokWord:
		p.next()
		if m := a.macros[t.text]; m != nil {
			p.callMacro(m)
			return
		}
		p.instruction(t)
	default:
		p.fail(t, "expected a label, an instruction or a directive, found %s", t.describe())
		return
	}
	if p.stmt.emit != nil || p.stmt.size > 0 {
		a.stmts = append(a.stmts, p.stmt)
		p.stmt.line.stmt = p.stmt
	}
}

// constant handles the value of NAME = x and .equ NAME, x.
func (p *parser) constant(name token) {
	x := p.expression(1)
	if p.expectEnd() {
		p.a.defineConstant(name, x, p.stmt)
	}
}

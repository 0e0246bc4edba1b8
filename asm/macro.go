package asm

import (
	"fmt"
	"strings"

	"emsim/isa"
)

// macro is a named run of lines with parameters.
type macro struct {
	name   string
	at     token // the directive
	params []macroParam
	file   string
	lines  []string
	no     int    // line number of lines[0]
	nested int    // .macro lines inside the body that are still open
	frame  *frame // in which it is defined
}

// macroParam is a parameter of a macro.
type macroParam struct {
	name     string
	byself   []token // default
	optional bool
}

// macroCall is one use of a macro.
type macroCall struct {
	macro  *macro
	args   [][]token // one a parameter
	unique int       // \@
}

// defineMacro handles .macro NAME p, q=default.
func (p *parser) defineMacro() {
	a := p.a
	head := p.stmt.head
	if !p.first() {
		return
	}
	m := &macro{at: head, file: a.top().file, no: head.line.no + 1, frame: a.top()}
	a.defines = m // also after an error: its lines are no statements
	t := p.peek()
	if t.kind != tokWord || strings.Contains(t.text, ".") {
		p.fail(t, "expected the macro's name, found %s", t.describe())
		return
	}
	p.next()
	if _, ok := isa.Lookup(t.text); ok || alias(t.text) != nil {
		p.fail(t, "%q is an instruction: a macro needs another name", t.text)
		return
	}
	if old := a.macros[t.text]; old != nil {
		p.fail(t, "the macro %q is already defined at %s", t.text, old.at.place())
		return
	}
	m.name = t.text
	for first := true; p.peek().kind != tokEnd; first = false {
		if !first && !p.expect(",") {
			return
		}
		if !p.macroParam(m) {
			return
		}
	}
	a.macros[m.name] = m
}

func (p *parser) macroParam(m *macro) bool {
	t := p.peek()
	if t.kind != tokWord || strings.Contains(t.text, ".") {
		p.fail(t, "expected the name of a parameter, found %s", t.describe())
		return false
	}
	p.next()
	for _, q := range m.params {
		if q.name == t.text {
			p.fail(t, "two parameters are called %q", t.text)
			return false
		}
	}
	q := macroParam{name: t.text}
	if p.accept("=") {
		q.optional = true
		q.byself = p.untilComma()
	}
	m.params = append(m.params, q)
	return true
}

// untilComma takes the tokens up to a comma outside of parentheses.
func (p *parser) untilComma() []token {
	depth, from := 0, p.i
	for ; p.i < len(p.toks); p.i++ {
		switch t := p.toks[p.i]; {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.is(",") && depth <= 0:
			return p.toks[from:p.i]
		}
	}
	return p.toks[from:]
}

// collect adds a line to the macro that is being defined.
func (a *assembler) collect(line *srcLine) {
	m := a.defines
	line.skipped = true
	switch firstWord(line.text) {
	case ".macro":
		m.nested++
	case ".endm":
		if m.nested == 0 {
			a.defines = nil
			toks, _ := lex(line, nil)
			p := a.parse(line, toks)
			p.next()
			p.end()
			return
		}
		m.nested--
	}
	text := line.text
	if call := a.top().call; call != nil { // a macro that defines a macro
		text = call.fill(text)
	}
	m.lines = append(m.lines, text)
}

// firstWord returns the word that a line begins with.
func firstWord(text string) string {
	text = strings.TrimLeft(text, " \t")
	end := strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 || !isWordByte(byte(r)) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// callMacro reads the macro's lines in the place of the statement.
func (p *parser) callMacro(m *macro) {
	a := p.a
	head := p.stmt.head
	call := &macroCall{macro: m, args: make([][]token, len(m.params)), unique: a.unique}
	a.unique++
	given := p.split()
	if len(given) > len(m.params) {
		p.fail(head, "the macro %s takes %s, %d given: %s", m.name, plural(len(m.params), "argument"), len(given), m.usage())
		return
	}
	for i, q := range m.params {
		switch {
		case i < len(given) && len(given[i].toks) > 0:
			call.args[i] = given[i].toks
		case q.optional:
			call.args[i] = q.byself
		default:
			p.fail(head, "the macro %s needs its argument %q: %s", m.name, q.name, m.usage())
			return
		}
	}
	if len(a.frames) >= maxFrames {
		p.fail(head, "macros are nested more than %d deep: does %s call itself without end?", maxFrames, m.name)
		a.stop = true
		return
	}
	f := a.top()
	a.push(&frame{
		file: m.file, lines: m.lines, no: m.no, from: &origin{macro: m.name, at: head},
		call: call, conds: len(a.conds), depth: f.depth + 1,
	})
}

// usage shows how the macro is called.
func (m *macro) usage() string {
	var b strings.Builder
	b.WriteString(m.name)
	for i, q := range m.params {
		sep := ", "
		if i == 0 {
			sep = " "
		}
		b.WriteString(sep + q.name)
		if q.optional {
			b.WriteString("=" + source(q.byself))
		}
	}
	return b.String()
}

// fill writes a line of a macro's body with its arguments, for the listing and
// for the bodies of macros inside of it.
func (c *macroCall) fill(text string) string {
	pairs := []string{`\@`, fmt.Sprint(c.unique), `\()`, ""}
	longest := 0
	for _, q := range c.macro.params {
		longest = max(longest, len(q.name))
	}
	for n := longest; n > 0; n-- { // longer names first: \ab is not \a with b
		for i, q := range c.macro.params {
			if len(q.name) == n {
				pairs = append(pairs, `\`+q.name, source(c.args[i]))
			}
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// shorten cuts a line for the listing.
func shorten(s string) string {
	if len(s) > maxShown {
		return s[:maxShown] + "..."
	}
	return s
}

package asm

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/plural"
	"emsim/isa"
)

// macro is a named sequence of lines with parameters.
type macro struct {
	name   string
	at     token // the directive
	params []macroParam
	file   string
	lines  []string
	no     int        // line number of lines[0]
	nested int        // .macro lines inside the body that are still open
	frame  *frame     // frame in which it is defined
	outer  *macroCall // call of the macro that contains it, whose parameters it can use too
}

// macroParam is a parameter of a macro.
type macroParam struct {
	name     string
	byself   []token // its default
	optional bool
}

// macroCall is one use of a macro.
type macroCall struct {
	macro  *macro
	args   [][]token // one per parameter
	unique int       // value of \@
}

// maxParams is the largest number of a macro's parameters. It is limited because each parameter in a body is searched
// for in the list.
const maxParams = 64

// defineMacro handles .macro NAME p, q=default.
func (p *parser) defineMacro() {
	a := p.a
	head := p.stmt.head
	if !p.first() {
		return
	}
	m := &macro{at: head, file: a.topFrame().file, no: head.line.no + 1, frame: a.topFrame(), outer: a.topFrame().call}
	a.defines = m // set even after an error, because the macro's lines are not statements
	t, ok := p.takeWord("the macro's name", false)
	if !ok {
		return
	}
	if _, ok := isa.Lookup(t.text); ok || alias(t.text) != nil {
		p.fail(t, "%q is an instruction: a macro needs another name", t.text)
		return
	}
	if old := a.macros[t.text]; old != nil {
		p.fail(t, "the macro %q is already defined at %s", t.text, lazy(old.at.position))
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
	t, ok := p.takeWord("the name of a parameter", false)
	if !ok {
		return false
	}
	for _, q := range m.params {
		if q.name == t.text {
			p.fail(t, "two parameters are called %q", t.text)
			return false
		}
	}
	if len(m.params) == maxParams {
		p.fail(t, "a macro has at most %d parameters", maxParams)
		return false
	}
	q := macroParam{name: t.text}
	if p.accept("=") {
		q.optional = true
		q.byself = slices.Clone(p.untilComma())
	}
	m.params = append(m.params, q)
	return true
}

// untilComma takes the tokens up to a comma outside parentheses.
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

// collect adds a line to the macro that is being defined, or ends the definition.
func (a *assembler) collect(line *srcLine) {
	m := a.defines
	line.skipped = true
	switch firstWord(line.text) {
	case ".macro":
		m.nested++
	case ".endm":
		if m.nested == 0 {
			a.defines = nil
			p, _ := a.parse(line, nil)
			p.next()
			p.expectEnd()
			return
		}
		m.nested--
	}
	m.lines = append(m.lines, line.text)
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

// callMacro reads the macro's lines in place of the statement.
func (p *parser) callMacro(m *macro) {
	a := p.a
	head := p.stmt.head
	call := &macroCall{macro: m, args: make([][]token, len(m.params)), unique: a.unique}
	a.unique++
	given := p.split()
	if len(given) > len(m.params) {
		p.fail(head, "the macro %s takes %s, %d given: %s", m.name, plural.Of(len(m.params), "argument"), len(given),
			lazy(m.usage))
		return
	}
	for i, q := range m.params {
		switch {
		case i < len(given) && len(given[i].toks) > 0:
			call.args[i] = slices.Clone(given[i].toks)
		case q.optional:
			call.args[i] = q.byself
		default:
			p.fail(head, "the macro %s needs its argument %q: %s%s", m.name, q.name, lazy(m.usage), missingComma(given))
			return
		}
		for _, t := range call.args[i] {
			if t.kind == tokError { // it is reported at its own place
				p.stmt.bad = true
				return
			}
		}
	}
	if len(a.frames) >= maxFrames {
		p.fail(head, "macros are nested more than %d deep: does %s call itself without end?", maxFrames, m.name)
		a.stop = true
		return
	}
	f := a.topFrame()
	a.pushFrame(&frame{
		file: m.file, lines: m.lines, no: m.no, from: &origin{call: call, at: head},
		call: call, conds: len(a.conds), depth: f.depth + 1,
	})
}

// usage returns the usage line of the macro.
func (m *macro) usage() string {
	var list []string
	for _, q := range m.params {
		text := brief(q.name)
		if q.optional {
			text += "=" + brief(source(q.byself))
		}
		list = append(list, text)
	}
	return strings.TrimSpace(m.name + " " + strings.Join(list, ", "))
}

// endless is the likely reason why macros produce too much text.
const endless = "does a macro call itself without end?"

// argument returns the argument for a parameter of the macro, or of the macros that contain it.
func (c *macroCall) argument(name string) ([]token, bool) {
	for ; c != nil; c = c.macro.outer {
		for i := range c.macro.params {
			if c.macro.params[i].name == name {
				return c.args[i], true
			}
		}
	}
	return nil, false
}

// parameterName returns the length of the parameter name at the start of text.
func parameterName(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) && text[n] != '.' {
		n++
	}
	return n
}

// showExpanded stores a macro's line with its arguments for the listing, and counts its text. It returns false if the
// program has grown too long.
func (p *parser) showExpanded(line *srcLine) bool {
	text := line.text[:len(line.text)-len(strings.TrimLeft(line.text, " \t"))] + source(p.toks)
	if line.shown = text; len(text) > maxShown {
		line.shown = text[:maxShown] + "..."
	}
	return p.a.countText(token{line: line}, len(text), endless)
}

// missingComma returns the end of a message about too few arguments, if an argument has two words next to each other.
func missingComma(given []*parser) string {
	for _, g := range given {
		for i, t := range g.toks[:max(0, len(g.toks)-1)] {
			if next := g.toks[i+1]; t.kind == tokWord && next.kind == tokWord {
				return fmt.Sprintf("; is there a comma missing between %s and %s?", brief(t.text), brief(next.text))
			}
		}
	}
	return ""
}

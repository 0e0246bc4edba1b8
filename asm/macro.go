package asm

import (
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/plural"
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
	args   [][]token // one per parameter
	texts  []string  // of the arguments
	unique int       // \@
}

// maxParams bounds the parameters of a macro, because each one that a body
// names is searched for among them.
const maxParams = 64

// defineMacro handles .macro NAME p, q=default.
func (p *parser) defineMacro() {
	a := p.a
	head := p.stmt.head
	if !p.first() {
		return
	}
	m := &macro{at: head, file: a.topFrame().file, no: head.line.no + 1, frame: a.topFrame()}
	a.defines = m // also after an error, because its lines are not statements
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
		p.fail(t, "the macro %q is already defined at %s", t.text, lazy(old.at.place))
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
			p, _ := a.parse(line, nil)
			p.next()
			p.expectEnd()
			return
		}
		m.nested--
	}
	text := line.text
	if call := a.topFrame().call; call != nil { // a macro that defines a macro
		text, _ = a.expandLine(call, line, true)
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
		p.fail(head, "the macro %s takes %s, %d given: %s", m.name, plural.Of(len(m.params), "argument"), len(given), lazy(m.usage))
		return
	}
	for i, q := range m.params {
		switch {
		case i < len(given) && len(given[i].toks) > 0:
			call.args[i] = slices.Clone(given[i].toks)
		case q.optional:
			call.args[i] = q.byself
		default:
			p.fail(head, "the macro %s needs its argument %q: %s", m.name, q.name, lazy(m.usage))
			return
		}
		for _, t := range call.args[i] {
			if t.kind == tokError { // it is reported where it was written
				p.stmt.bad = true
				return
			}
		}
		call.texts = append(call.texts, source(call.args[i]))
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

// usage shows how the macro is called.
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

// endless is the likely reason for too much text from macros.
const endless = "does a macro call itself without end?"

// expandLine writes a line of a macro's body with the arguments of the call, or
// reports that it becomes too long. The result is for the listing or, if the
// macro defines another macro, for the body of that one.
func (a *assembler) expandLine(call *macroCall, line *srcLine, body bool) (text string, ok bool) {
	text, at := call.substitute(line.text, body)
	place := token{line: line, col: int32(at), end: int32(at) + 1}
	switch {
	case len(text) > maxLine:
		a.errorf(place, "with the arguments of the macro the line has grown to more than %d characters: does the macro repeat its argument without end?", maxLine)
		a.stop = true
		return "", false
	case !a.countText(place, len(text), endless):
		return "", false
	}
	return text, true
}

// substitute writes a line of the macro's body with its arguments, until it is
// longer than a line may be, and says where the last parameter was. Strings,
// characters and comments stay as they are. The body of another macro keeps
// \(), which may separate a parameter of its own.
func (c *macroCall) substitute(text string, body bool) (filled string, at int) {
	var b strings.Builder
	done := 0 // bytes of the text already written
	for i := 0; i < len(text) && b.Len() <= maxLine; {
		switch {
		case text[i] == ';' || strings.HasPrefix(text[i:], "//"):
			i = len(text)
		case text[i] == '"' || text[i] == '\'':
			i = endOfQuotes(text, i)
		case text[i] == '\\':
			arg, end, ok := c.parameter(text, i+1, body)
			if ok {
				b.WriteString(text[done:i] + arg)
				at, done = i, end
			}
			i = end
		default:
			i++
		}
	}
	b.WriteString(text[done:])
	return b.String(), at
}

// endOfQuotes returns the end of the string or character that begins at i.
func endOfQuotes(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
		case text[i]:
			return j + 1
		}
	}
	return len(text)
}

// parameter returns the value of the parameter whose name begins at i, and
// the end of the name.
func (c *macroCall) parameter(text string, i int, body bool) (arg string, end int, ok bool) {
	switch rest := text[i:]; {
	case strings.HasPrefix(rest, "@"):
		return strconv.Itoa(c.unique), i + 1, true
	case strings.HasPrefix(rest, "()"):
		return "", i + 2, !body
	}
	end = i + parameterName(text[i:])
	for n := range c.macro.params {
		if c.macro.params[n].name == text[i:end] {
			return c.texts[n], end, true
		}
	}
	return "", end, false
}

// parameterName returns the length of the name at the start of a text.
func parameterName(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) && text[n] != '.' {
		n++
	}
	return n
}

// shorten cuts a line for the listing.
func shorten(s string) string {
	if len(s) > maxShown {
		return s[:maxShown] + "..."
	}
	return s
}

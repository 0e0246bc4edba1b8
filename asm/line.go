package asm

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// sourceAt is a line of the program from which a compiler made the assembly text.
type sourceAt struct {
	file   string
	line   int
	detail string
}

// reportMade returns the single error of assembly text that a compiler made. main is the file name of that text.
func (a *assembler) reportMade(main string) Errors {
	first, made := a.problems[0], a.opt.Made
	if first.from == nil && first.err.File != main {
		return Errors{List: []*Error{first.err}} // only a modified library can have such an error
	}
	e := &Error{File: made.File, Line: 1, Column: 1, Message: first.err.Message, Width: 1}
	if !a.stop {
		e.Message = fmt.Sprintf("emsim translated the program into wrong assembly text, which is a bug in "+
			"emsim, not in the program: %s: %s", first.err.Source, first.err.Message)
	}
	if first.from != nil {
		e.File, e.Line = first.from.file, first.from.line
	}
	if lines := splitLines(string(made.Text), maxLines); e.File == path.Clean(filepath.ToSlash(made.File)) &&
		e.Line <= len(lines) {
		e.Source = lines[e.Line-1]
		e.Column += len(e.Source) - len(strings.TrimLeft(e.Source, " \t"))
		e.Width = max(1, utf8.RuneCountInString(strings.TrimSpace(e.Source)))
	}
	return Errors{List: []*Error{e}}
}

// lineDirective handles .line. The words that follow come from a line of another file, which the debugger, traces and
// faults name. The compiler can add a detail for the debugger. A .line without operands ends this.
func (p *parser) lineDirective() {
	a := p.a
	if t := p.peek(); t.kind == tokEnd {
		a.from = nil
		return
	}
	at := p.peek()
	v, ok := p.valueNow(p.stmt.head.text)
	if !ok {
		return
	}
	if v < 1 || v > maxLines {
		p.fail(at, "%d is out of range: a line is 1..%d", v, maxLines)
		return
	}
	if !p.expect(",") {
		return
	}
	from := &sourceAt{line: int(v)}
	file := p.peek()
	if file.kind == tokString && file.stringValue() == "" {
		p.fail(file, "expected the name of a file")
		return
	}
	if p.takeString(&from.file) && (!p.accept(",") || p.takeString(&from.detail)) && p.expectEnd() {
		a.from = from
	}
}

package asm

import (
	"fmt"
	"strconv"
	"strings"

	"emsim/internal/base/escape"
	"emsim/internal/base/plural"
	"emsim/internal/base/srcerr"
)

// Listing is the text of a program line by line, with its addresses, words and errors.
type Listing struct {
	lines    []*srcLine
	problems map[int][]*Error // by line
	more     int              // number of errors that are only counted
	object   *Object          // the object as far as it was assembled
	perPE    *stmt            // the .perpe, or nil
}

func (a *assembler) listing(o *Object) *Listing {
	l := &Listing{
		lines: a.lines, problems: map[int][]*Error{}, more: a.found - len(a.problems), object: o,
		perPE: a.perPE,
	}
	for _, p := range a.problems {
		l.problems[p.seq] = append(l.problems[p.seq], p.err)
	}
	return l
}

// String returns the listing as text.
func (l *Listing) String() string {
	var b strings.Builder
	b.WriteString("addr   word              line  source\n")
	file := ""
	for _, line := range l.lines {
		if line.file != file {
			file = line.file
			fmt.Fprintf(&b, "%31s %s\n", ";;;", file)
		}
		l.writeLine(&b, line)
		for _, e := range l.problems[line.seq] {
			here := e.File == line.file && e.Line == line.no
			if here && line.shown == line.text &&
				len(line.text) <= srcerr.Widest { // otherwise the columns would differ from those in the file
				_, caret := srcerr.Excerpt(e.Source, e.Column, e.Width)
				fmt.Fprintf(&b, "****%27s%s\n", "", caret)
			}
			if here {
				fmt.Fprintf(&b, "**** %s\n", e.Message)
			} else {
				fmt.Fprintf(&b, "**** %s\n", e.Error())
			}
		}
	}
	if l.more > 0 {
		fmt.Fprintf(&b, "\nand %s\n", plural.Of(l.more, "further error"))
	}
	if n := len(l.problems); n > 0 {
		b.WriteString("\nThe program has errors: there is no object.\n")
	}
	l.symbols(&b)
	return b.String()
}

// writeLine writes one source line, and more lines if it has further words.
func (l *Listing) writeLine(b *strings.Builder, line *srcLine) {
	addr, word := "", ""
	s := line.stmt
	switch {
	case s == nil || line.skipped:
	case s == l.perPE:
		addr, word = fmt.Sprintf("%05x", s.addr), "(1 a PE)"
	case s.size > 0:
		addr = fmt.Sprintf("%05x", s.addr)
		if word = s.wordText(0); s.kind == Space {
			word = fmt.Sprintf("(%d)", s.size)
		}
	}
	mark := ' '
	switch {
	case line.skipped:
		mark = '-'
	case line.depth > 0:
		mark = '+'
	}
	fmt.Fprintf(b, "%-5s  %-16s %5d%c %s\n", addr, word, line.no, mark,
		escape.Text(string([]rune(line.shown)))) // each byte that is not UTF-8 counts as one character, as for carets
	if s == nil || s.kind == Space {
		return
	}
	for i := 1; i < len(s.words); i++ {
		fmt.Fprintf(b, "%05x  %s\n", s.addr+uint32(i), s.wordText(i))
	}
}

// wordText returns a word of a statement in hexadecimal, padded to the ten digits of a code word.
func (s *stmt) wordText(i int) string {
	if i >= len(s.words) {
		return ""
	}
	return fmt.Sprintf("%010x", s.words[i])
}

func (l *Listing) symbols(b *strings.Builder) {
	o := l.object
	if len(o.Symbols)+len(o.Params)+len(o.Args) == 0 {
		return
	}
	b.WriteString("\n")
	rows, wide := l.symbolRows(), [...]int{0, 0, 0, 0}
	for _, r := range rows {
		for i := range wide {
			wide[i] = max(wide[i], min(len(r[i]), maxColumn))
		}
	}
	for _, r := range rows {
		for i, w := range wide {
			fmt.Fprintf(b, "%-*s  ", w, r[i])
		}
		b.WriteString(r[len(wide)] + "\n")
	}
}

// symbolRow is a line of the table of symbols: name, kind, value, hex, note.
type symbolRow [5]string

// maxColumn is the greatest width of a column. It prevents one long name from making every line long.
const maxColumn = 60

// symbolRows returns the rows of the table of symbols.
func (l *Listing) symbolRows() []symbolRow {
	list := []symbolRow{{"symbol", "kind", "value", "hex", "note"}}
	add := func(name, kind string, value int64, note string) {
		list = append(list, symbolRow{name, kind, strconv.FormatInt(value, 10), fmt.Sprintf("%#x", value), note})
	}
	o := l.object
	templates := o.templates()
	for _, s := range o.Symbols {
		note := ""
		switch s.Kind {
		case Label:
			if o.PerPE != nil && s.Value == int64(*o.PerPE) {
				note = "one word per PE"
			}
		case Template:
			note = plural.Of(s.Size, "word")
			if s.Reach > 0 {
				note += fmt.Sprintf(", reaches displacement %d", s.Reach)
			}
		case Node:
			if t := templateOf(templates, uint32(s.Value)); t != nil {
				note = fmt.Sprintf("displacement %d of %s", s.Value-t.Value, t.Name)
			}
		}
		add(s.Name, s.Kind.String(), s.Value, note)
	}
	for i := range o.Params {
		p := &o.Params[i]
		add(p.Name, "parameter", p.Value, p.describe())
	}
	for _, x := range o.Args {
		add(x.Name, "argument", int64(x.Entry), fmt.Sprintf("%d..%d", x.Min, x.Max))
	}
	return list
}

// describe returns the possible values of a parameter, and the chosen one.
func (p *Param) describe() string {
	if len(p.Values) == 0 {
		return fmt.Sprintf("of %d..%d", p.Min, p.Max)
	}
	return fmt.Sprintf("%s of %s", p.Chosen(), listed(p.Values))
}

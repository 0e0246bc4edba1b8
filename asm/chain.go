package asm

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"emsim/internal/base/escape"
)

// Step is one step by which a line with an error got into the program: the call of a macro, a line of a macro, or an
// .include.
type Step struct {
	Macro  string `json:"macro,omitempty"` // the macro that is called, or that the line belongs to; "" for an .include
	Inside bool   `json:"inside"`          // the line belongs to the macro, and uses an argument that has an error
	File   string `json:"file"`
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, in characters
	Source string `json:"source"` // the source line
	Width  int    `json:"-"`      // characters that the step marks
}

// shownCalls is the number of calls that an error shows at each end of a long chain.
const shownCalls = 4

// writeChain writes the steps of a chain. Below a macro step it shows the source line with a caret; for an include,
// the place is enough.
func writeChain(b *strings.Builder, chain []Step) {
	for i, s := range chain {
		if n := len(chain) - 2*shownCalls; n > 0 && i >= shownCalls && i < shownCalls+n {
			if i == shownCalls { // a deep recursion: its ends say enough
				fmt.Fprintf(b, "\n  ... %d further calls", n)
			}
			continue
		}
		place := fmt.Sprintf("%s:%d:%d", escape.Line(s.File), s.Line, s.Column)
		switch {
		case s.Macro == "":
			b.WriteString("\n  included at " + place)
			continue
		case s.Inside:
			fmt.Fprintf(b, "\n  used in macro %s at %s:", s.Macro, place)
		default:
			fmt.Fprintf(b, "\n  in macro %s, called at %s:", s.Macro, place)
		}
		excerpt(b, s.Source, s.Column, s.Width)
	}
}

// newStep returns a step whose place is a token.
func newStep(macro string, at token) Step {
	return Step{
		Macro: macro, File: at.line.file, Line: at.line.no, Column: at.column(), Source: at.line.text,
		Width: max(1, utf8.RuneCountInString(at.line.text[at.col:at.end])),
	}
}

// chain returns the steps by which a line with an error got into the program. If the error is in a macro's argument,
// its line is outside the macros that use the argument. Then the lines of these macros come first.
func (a *assembler) chain(at token, line *srcLine) []Step {
	var list []Step
	o := a.cur.line
	for ; o != line && o.from != nil && o.from.call != nil; o = o.from.at.line {
		use, given, ok := o.from.call.argumentUse(o, at)
		if !ok {
			break
		}
		s := newStep(o.from.call.macro.name, use)
		s.Inside = true
		list = append(list, s)
		if !given { // the error is in a default value, which no caller wrote
			line = o
			break
		}
	}
	for from := line.from; from != nil; from = from.at.line.from {
		name := ""
		if from.call != nil {
			name = from.call.macro.name
		}
		list = append(list, newStep(name, from.at))
	}
	return list
}

// argumentUse returns the parameter, in a line of the macro's body, that stands for the argument with the given
// token. given reports whether the caller wrote the argument; otherwise it is the default.
func (c *macroCall) argumentUse(line *srcLine, at token) (use token, given, ok bool) {
	for i, arg := range c.args {
		for _, t := range arg {
			if t.line != at.line || t.col > at.col || t.end < at.end {
				continue
			}
			q := &c.macro.params[i]
			for col := range line.text {
				if line.text[col] == '\\' && line.text[col+1:col+1+parameterName(line.text[col+1:])] == q.name {
					byself := q.optional && len(q.byself) > 0 && &arg[0] == &q.byself[0]
					return token{line: line, col: int32(col), end: int32(col + 1 + len(q.name))}, !byself, true
				}
			}
		}
	}
	return token{}, false, false
}

package asm

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/escape"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
)

// maxErrors is the largest number of errors that one assembly reports in full.
const maxErrors = 50

// Error is one error of a program, with its place.
type Error struct {
	File    string
	Line    int // from 1
	Column  int // from 1, in characters
	Message string
	Source  string // the source line
	Width   int    // number of characters that the error marks, at least 1
	Chain   []Step // how the line got into the program: macros and includes, innermost first
}

// Error returns "file:line:column: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", escape.Line(e.File), e.Line, e.Column, e.Message)
}

// Text returns the error with its source line, a caret below the place, and
// the macros and includes that led there, each call with its line and caret.
func (e *Error) Text() string {
	var b strings.Builder
	b.WriteString(e.Error())
	excerpt(&b, e.Source, e.Column, e.Width)
	writeChain(&b, e.Chain)
	return b.String()
}

// excerpt writes a source line and a caret below the place.
func excerpt(b *strings.Builder, source string, column, width int) {
	line, caret := srcerr.Excerpt(source, column, width)
	b.WriteString("\n    " + line + "\n    " + caret)
}

// Errors are the errors of one assembly, in the order of the program's lines.
type Errors struct {
	List []*Error // at most 50
	More int      // number of further errors that were left out
}

// Error returns the whole report: a heading, then each error with its source
// line and caret.
func (e Errors) Error() string {
	n := len(e.List) + e.More
	var b strings.Builder
	fmt.Fprintf(&b, "the program has %s", plural.Of(n, "error"))
	for _, x := range e.List {
		b.WriteString("\n" + x.Text())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", e.More)
	}
	return b.String()
}

// Kind returns the kind of this failure.
func (e Errors) Kind() string { return "assembly" }

// Details returns the keys of the JSON error object.
func (e Errors) Details() map[string]any {
	list := make([]map[string]any, len(e.List))
	for i, x := range e.List {
		list[i] = map[string]any{"file": x.File, "line": x.Line, "column": x.Column, "message": x.Message}
		if len(x.Chain) > 0 {
			list[i]["via"] = excerpts(x.Chain)
		}
	}
	d := map[string]any{"errors": list}
	if e.More > 0 {
		d["more"] = e.More
	}
	return d
}

// excerpts returns the chain with the part of each line that Text shows.
func excerpts(chain []Step) []Step {
	chain = slices.Clone(chain)
	for i, s := range chain {
		chain[i].Source, _ = srcerr.Excerpt(s.Source, s.Column, s.Width)
	}
	return chain
}

// Usage is a mistake outside the program's text, as in all machines: a file that cannot be read or is not an object
// file, or a parameter that the program does not have.
type Usage = simerr.Usage

// unread returns the error for a file that could not be read.
func unread(err error) error { return simerr.Usagef("cannot read the program: %w", err) }

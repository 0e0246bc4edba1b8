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

// maxErrors is how many errors one run reports in full.
const maxErrors = 50

// Error is one error of a program, with its place.
type Error struct {
	File    string
	Line    int // from 1
	Column  int // from 1, in characters
	Message string
	Source  string // the source line
	Width   int    // characters that the error is about, at least 1
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

// Errors are the errors of one run of the assembler, in the order of the
// program's lines.
type Errors struct {
	List []*Error // at most 50
	More int      // how many further ones were left out
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

// Kind is the word for this sort of failure.
func (e Errors) Kind() string { return "assembly" }

// Details are the keys of the JSON error object.
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

// excerpts is the chain with the part of each line that Text shows.
func excerpts(chain []Step) []Step {
	chain = slices.Clone(chain)
	for i, s := range chain {
		chain[i].Source, _ = srcerr.Excerpt(s.Source, s.Column, s.Width)
	}
	return chain
}

// Usage is a mistake outside of the program's text, as in all machines: it
// wraps a *ReadError, a *ParamError or a *FormatError.
type Usage = simerr.Usage

// ReadError says that a program's file could not be read.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("cannot read the program: %v", e.Err) }

// Unwrap returns what the file system said.
func (e *ReadError) Unwrap() error { return e.Err }

// unread is the error of a file that could not be read.
func unread(path string, err error) error { return &Usage{Err: &ReadError{Path: path, Err: err}} }

// ParamError says that the run chose a parameter that the program does not
// have, or a value that the parameter does not take.
type ParamError struct {
	Name, Value string
	Message     string
}

func (e *ParamError) Error() string { return e.Message }

// badParam is the error of a value that a parameter does not take.
func badParam(name, value, format string, args ...any) error {
	return &Usage{Err: &ParamError{Name: name, Value: value, Message: fmt.Sprintf(format, args...)}}
}

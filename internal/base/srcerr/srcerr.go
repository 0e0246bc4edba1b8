// Package srcerr holds errors in source text: machine files, sweeps, programs. Each error names file, line and column,
// and shows the line with a caret below the place. The package is separate from simerr because the assembler, whose
// errors have their own kind, also needs the caret.
package srcerr

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"emsim/internal/base/escape"
	"emsim/internal/base/lists"
)

// Error is one error of a file.
type Error struct {
	File         string
	Line, Column int // from 1, in characters; 0 for the whole file
	Message      string
	source       string // the line
	width        int    // characters that the error is about
}

// At returns an error about length bytes of the text, starting at an offset.
func At(file string, text []byte, offset, length int, message string) Error {
	offset = max(0, min(offset, len(text)))
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, _, _ := bytes.Cut(text[start:], []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return Error{
		File: file, Message: Brief(message),
		source: string([]rune(string(line))), // bytes that are not UTF-8 count as one each
		Line:   bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(text[start:offset]) + 1,
		width: min(utf8.RuneCount(text[offset:min(len(text), offset+length)]),
			utf8.RuneCount(line)-utf8.RuneCount(text[start:offset])),
	}
}

// AtLine returns an error about a line and a column, both counted from 1; the column counts bytes. Line 0 means the
// whole file.
func AtLine(file string, text []byte, line, column int, message string) Error {
	if line < 1 {
		return Error{File: file, Message: Brief(message)}
	}
	offset := 0
	for range line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	return At(file, text, offset+column-1, 1, message)
}

// Error returns "file:line:column: message", the line and a caret below the
// place.
func (e Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", escape.Line(e.File), e.Message)
	}
	line, caret := Excerpt(e.source, e.Column, e.width)
	return fmt.Sprintf("%s:%d:%d: %s\n    %s\n    %s", escape.Line(e.File), e.Line, e.Column, e.Message, line, caret)
}

// longest is the largest number of bytes of a message that are shown [chosen]. A message may quote text as long as its
// file.
const longest = 1000

// Brief shortens a very long message, and notes by how much.
func Brief(message string) string {
	if len(message) <= longest {
		return message
	}
	head := strings.ToValidUTF8(message[:longest], "")
	return fmt.Sprintf("%s... (%d more bytes)", head, len(message)-len(head))
}

// Widest is the largest number of characters of a line that Excerpt shows.
const Widest = 150

// Excerpt returns a line and a marker for the line below it. The marker covers width characters, starting at a column,
// which counts from 1. Tabs are kept, so both lines are aligned. A very long line is cut to the part around the place.
// Unprintable characters are shown as escapes.
func Excerpt(source string, column, width int) (line, caret string) {
	text := []rune(source)
	col := min(column-1, len(text))
	end := min(col+max(0, width), len(text))
	before, after := "", ""
	if len(text) > Widest {
		from := max(0, col-Widest/2)
		to := min(len(text), from+Widest)
		if from > 0 {
			before = "..."
		}
		if to < len(text) {
			after = "..."
		}
		text, col, end = text[from:to], col-from, min(end, to)-from
	}
	left, place := before+escape.Text(string(text[:col])), escape.Text(string(text[col:end]))
	return left + place + escape.Text(string(text[end:])) + after, escape.Caret(left, place)
}

// Errors are the errors found in a file, in order.
type Errors []Error

// Most is the largest number of errors that are reported for a file. Readers stop after that.
const Most = 20

// First returns the first Most errors, with a note that there may be more if the list is that long.
func (e Errors) First() Errors {
	if len(e) < Most {
		return e
	}
	return append(e[:Most:Most], Error{
		File:    e[0].File,
		Message: fmt.Sprintf("these are the first %d errors, there may be more", Most),
	})
}

// Error returns all errors, one after the other.
func (e Errors) Error() string {
	lines := lists.Of(e, Error.Error)
	return strings.Join(lines, "\n")
}

// Details returns the further keys of the JSON error.
func (e Errors) Details() map[string]any {
	list := make([]map[string]any, len(e))
	for i, x := range e {
		list[i] = map[string]any{"file": x.File, "message": x.Message}
		if x.Line > 0 {
			list[i]["line"], list[i]["column"] = x.Line, x.Column
		}
	}
	return map[string]any{"errors": list}
}

// Package vcd writes value change dumps, the files of wave viewers (IEEE 1364).
//
//	vcd.go  the whole package
package vcd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// File is a value change dump. Scopes and signals come first, then Begin, then the values in order of time. A signal is
// identified by its code.
type File struct {
	w     *bufio.Writer
	codes int
	first strings.Builder // the initial values of all signals
	at    uint64
}

// New begins a file with the nonempty comments and an outer scope.
func New(w io.Writer, scope string, comments ...string) *File {
	f := &File{w: bufio.NewWriterSize(w, 1<<16)}
	for _, c := range comments {
		if c != "" {
			fmt.Fprintf(f.w, "$comment %s $end\n", strings.ReplaceAll(c, "$", ""))
		}
	}
	fmt.Fprint(f.w, "$comment one unit of time is one clock of the machine $end\n$version emsim "+
		"$end\n$timescale 1 ns $end\n")
	f.Scope(scope)
	return f
}

// Scope begins a scope in the current one.
func (f *File) Scope(name string) { fmt.Fprintf(f.w, "$scope module %s $end\n", name) }

// Leave ends the current scope.
func (f *File) Leave() { fmt.Fprint(f.w, "$upscope $end\n") }

// Text adds a signal whose values are strings, with its initial value, and returns its code.
func (f *File) Text(name, first string) string {
	code := f.code()
	fmt.Fprintf(f.w, "$var string 1 %s %s $end\n", code, name)
	fmt.Fprintf(&f.first, "s%s %s\n", first, code)
	return code
}

// Number adds a signal whose values are numbers of the given width in bits, initially 0, and returns its code.
func (f *File) Number(name string, bits int) string {
	code := f.code()
	fmt.Fprintf(f.w, "$var reg %d %s %s [%d:0] $end\n", bits, code, name, bits-1)
	fmt.Fprintf(&f.first, "b0 %s\n", code)
	return code
}

// Begin ends the declarations and writes the initial values at the given time.
func (f *File) Begin(at uint64) {
	f.at = at
	fmt.Fprintf(f.w, "$upscope $end\n$enddefinitions $end\n#%d\n$dumpvars\n%s$end\n", at, f.first.String())
}

// At moves to the given time, unless it is the present one.
func (f *File) At(at uint64) {
	if at != f.at {
		f.at = at
		fmt.Fprintf(f.w, "#%d\n", at)
	}
}

// Now returns the present time.
func (f *File) Now() uint64 { return f.at }

// SetText changes a signal added by Text. Spaces, control characters and characters outside ASCII become _.
func (f *File) SetText(code, value string) { fmt.Fprintf(f.w, "s%s %s\n", Word(value), code) }

// SetNumber changes a signal added by Number.
func (f *File) SetNumber(code string, value uint64) { fmt.Fprintf(f.w, "b%b %s\n", value, code) }

// Close flushes the file to its writer.
func (f *File) Close() error { return f.w.Flush() }

// code returns the next identifier: printable characters, shortest first.
func (f *File) code() string {
	n, code := f.codes, []byte{}
	f.codes++
	for ; ; n = n/94 - 1 {
		code = append(code, byte('!'+n%94))
		if n < 94 {
			return string(code)
		}
	}
}

// Word returns the text with _ for each character that is not printable ASCII or is a space.
func Word(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, s)
}

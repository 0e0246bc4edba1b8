// Package lines reads users' text files that have one statement per line: words separated by spaces. A # begins a
// comment. It collects errors with their places.
package lines

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
)

// A Word is a part of a line and its offset in the text.
type Word struct {
	Text string
	At   int
}

// A File is the text of a file, with the errors found in it so far.
type File struct {
	name string
	text []byte
	mark byte // begins a comment
	errs srcerr.Errors
}

// New returns a File for the text; the file's name is used in errors.
func New(name string, text []byte) *File { return NewMarked(name, text, '#') }

// NewMarked returns a File whose comments begin with mark.
func NewMarked(name string, text []byte, mark byte) *File {
	return &File{name: name, text: text, mark: mark}
}

// Each calls do with the words of each line that has any. It stops when there are too many errors.
func (f *File) Each(do func(words []Word)) {
	for at := 0; at < len(f.text) && len(f.errs) < srcerr.Most; {
		line, _, _ := bytes.Cut(f.text[at:], []byte("\n"))
		statement, _, _ := bytes.Cut(line, []byte{f.mark})
		switch words := split(statement, at); {
		case len(words) > 0 && words[0].Text[0] == ';':
			f.Errorf(words[0], "a comment begins with # in this file, not with ;")
		case len(words) > 0:
			do(words)
		}
		at += len(line) + 1
	}
}

// split splits a line into words. at is the offset of the line in the file, and is added to the offsets of the words.
func split(line []byte, at int) []Word {
	var words []Word
	for i := 0; i < len(line); {
		n := bytes.IndexAny(line[i:], " \t\r")
		if n < 0 {
			n = len(line) - i
		}
		if n > 0 {
			words = append(words, Word{string(line[i : i+n]), at + i})
		}
		i += n + 1
	}
	return words
}

// Errorf adds an error about a word.
func (f *File) Errorf(w Word, format string, args ...any) {
	f.errs = append(f.errs, srcerr.At(f.name, f.text, w.At, max(1, len(w.Text)), fmt.Sprintf(format, args...)))
}

// Wholef adds an error about the whole file.
func (f *File) Wholef(format string, args ...any) {
	f.errs = append(f.errs, srcerr.AtLine(f.name, nil, 0, 0, fmt.Sprintf(format, args...)))
}

// Errors returns the number of errors so far.
func (f *File) Errors() int { return len(f.errs) }

// Err returns a usage error with all errors and their places, or nil.
func (f *File) Err() error {
	if len(f.errs) == 0 {
		return nil
	}
	return &simerr.Usage{Err: f.errs.First()}
}

// Between reports whether a line has from `least` to `most` words, and adds an error if not. The text shape describes
// the expected line in the error.
func (f *File) Between(words []Word, least, most int, shape string) bool {
	switch {
	case len(words) < least:
		f.Errorf(words[len(words)-1], "the line ends here; expected %s", shape)
	case len(words) > most:
		f.Errorf(words[most], "expected the end of the line: %s", shape)
	default:
		return true
	}
	return false
}

// Whole parses an integer, and adds an error if it is not from `least` to `most`.
func (f *File) Whole(w Word, what string, least, most int64) int64 {
	v, err := strconv.ParseInt(w.Text, 10, 64)
	if err != nil || v < least || v > most {
		f.Errorf(w, "%q is not %s from %d to %d", w.Text, what, least, most)
	}
	return v
}

// Span parses a number, or a range of numbers, from 0 to limit-1. It returns the first number and the last one plus 1.
func (f *File) Span(w Word, what string, limit int) (from, to int, ok bool) {
	low, high, ranged := strings.Cut(w.Text, "-")
	if !ranged {
		high = low
	}
	a, err1 := strconv.Atoi(low)
	b, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || a < 0 || b < a || b >= limit {
		f.Errorf(w, "%q is not a %s or a range of them from 0 to %d, as in 3 or 0-2", w.Text, what, limit-1)
		return 0, 0, false
	}
	return a, b + 1, true
}

// Time parses a time that is a multiple of unit, as in 2s or 70ms.
func (f *File) Time(w Word, unit, most time.Duration) time.Duration {
	d, err := time.ParseDuration(w.Text)
	switch {
	case err != nil || d < 0 || d > most:
		f.Errorf(w, "%q is not a time from 0s to %v, as in 2s or 70ms", w.Text, most)
	case d%unit != 0:
		f.Errorf(w, "%q is not a whole number of %v", w.Text, unit)
	}
	return d
}

// Millionths parses a decimal number with at most six digits after the point and returns it in millionths, so that no
// rounding affects the result.
func (f *File) Millionths(w Word, what string, least, most float64) int64 {
	v, err := strconv.ParseFloat(w.Text, 64)
	scaled := math.Round(v * 1e6)
	switch {
	case err != nil || !(v >= least && v <= most):
		f.Errorf(w, "%q is not %s from %v to %v", w.Text, what, least, most)
		return 0
	case math.Abs(float64(v*1e6)-scaled) > 1e-3:
		f.Errorf(w, "%q is not %s: expected at most six digits after the point", w.Text, what)
		return 0
	}
	return int64(scaled)
}

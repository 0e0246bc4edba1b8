// Package tomlfile reads users' TOML files: machines, sweeps, policies, workloads and exercises. It returns every value
// with its place, and collects errors about them.
//
//	tomlfile.go  a file and the errors found in it
//	tree.go      the file's values, with their places
//	fields.go    values stored in the fields of a struct
package tomlfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
)

// A Range is a place: a part of the text. The zero value means no place.
type Range = unstable.Range

// A File is the text of a file, with the errors found in it so far.
type File struct {
	Name string
	Text []byte

	errs srcerr.Errors
}

// Tree returns the file's values. If the file is not TOML, Tree adds an error and returns nil.
func (f *File) Tree() *Node {
	root, err := parse(f.Text)
	if err == nil {
		return root
	}
	line, column := 0, 0
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column = d.Position()
	}
	f.errs = append(f.errs, srcerr.AtLine(f.Name, f.Text, line, column,
		"this is not TOML: "+strings.TrimPrefix(err.Error(), "toml: ")))
	return nil
}

// Point returns the first byte of a place.
func Point(at Range) Range { return Range{Offset: at.Offset, Length: min(1, at.Length)} }

// Failf adds an error about a place, unless an equal one exists.
func (f *File) Failf(at Range, format string, args ...any) {
	if f.HasMostErrors() {
		return
	}
	e := srcerr.At(f.Name, f.Text, int(at.Offset), int(at.Length), fmt.Sprintf(format, args...))
	if at == (Range{}) {
		e = srcerr.AtLine(f.Name, nil, 0, 0, e.Message)
	}
	if !slices.Contains(f.errs, e) {
		f.errs = append(f.errs, e)
	}
}

// Failed reports whether errors were added.
func (f *File) Failed() bool { return f.errs != nil }

// HasMostErrors reports whether the limit of errors has been reached.
func (f *File) HasMostErrors() bool { return len(f.errs) >= srcerr.Most }

// Err returns a usage error with all errors, ordered by place, or nil.
func (f *File) Err() error {
	if f.errs == nil {
		return nil
	}
	slices.SortStableFunc(f.errs, func(a, b srcerr.Error) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return &simerr.Usage{Err: f.errs.First()}
}

// OrList returns a suggestion for an unknown name, or else the list of all names.
func OrList(name string, all []string) string {
	if h := suggest.DidYouMean(name, all); h != "" {
		return h
	}
	return "; it has " + strings.Join(all, ", ")
}

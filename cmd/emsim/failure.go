package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
)

// failed reports a run that did not end well: its statistics so far are
// printed, or are part of the JSON error.
func (a *app) failed(err error, keys map[string]any, table func(io.Writer) error) error {
	if !a.json {
		fmt.Fprint(a.out, "statistics until it stopped:\n\n")
		_ = table(a.out) // err counts more, and a.out remembers its own
	}
	return &failure{err: err, keys: keys}
}

// unwritten reports a file that could not be written when the work was done:
// the answer is printed all the same, or is part of the JSON error.
func (a *app) unwritten(err error, answer any, table func(io.Writer) error) error {
	if !a.json {
		_ = table(a.out) // err counts more, and a.out remembers its own
	}
	return &failure{err: err, keys: map[string]any{"statistics": answer}}
}

// failure is an error of a run with its statistics so far.
type failure struct {
	err  error
	keys map[string]any
}

func (e *failure) Error() string { return e.err.Error() }
func (e *failure) Unwrap() error { return e.err }

// Details returns the error's own keys and the statistics.
func (e *failure) Details() map[string]any {
	all := maps.Clone(e.keys)
	var d detailed
	if errors.As(e.err, &d) {
		maps.Copy(all, d.Details())
	}
	return all
}

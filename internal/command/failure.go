package command

import (
	"fmt"
	"io"
	"maps"

	"emsim/internal/base/simerr"
)

// failed reports a failed run: its statistics so far are printed, or are part
// of the JSON error.
func (a *app) failed(err error, keys map[string]any, table func(io.Writer) error) error {
	return a.stopped(err, keys, "statistics until it stopped", table)
}

// partial reports work of which some parts were complete when the user ended it:
// done is the answer so far; table shows it, or is nil if there is nothing to
// show.
func (a *app) partial(err error, done any, table func(io.Writer) error) error {
	return a.stopped(err, map[string]any{"partial": done}, "completed until then", table)
}

func (a *app) stopped(err error, keys map[string]any, title string, table func(io.Writer) error) error {
	if !a.json && table != nil {
		fmt.Fprintf(a.out, "%s:\n\n", title)
		_ = table(a.out) // err counts more, and a.out remembers its own
	}
	return &failure{err: err, keys: keys}
}

// unwritten reports a file that could not be written after the work was done:
// the answer is still printed, or is part of the JSON error.
func (a *app) unwritten(err error, answer any, table func(io.Writer) error) error {
	if !a.json {
		_ = table(a.out) // err counts more, and a.out remembers its own
	}
	return &failure{err: err, keys: map[string]any{"statistics": answer}}
}

// failure is an error with the answer so far.
type failure struct {
	err  error
	keys map[string]any
}

func (e *failure) Error() string { return e.err.Error() }
func (e *failure) Unwrap() error { return e.err }

// Details returns the error's own keys and those of the answer.
func (e *failure) Details() map[string]any {
	all := maps.Clone(e.keys)
	maps.Copy(all, simerr.Details(e.err))
	return all
}

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
)

// emitRun ends a command that ran a machine with the answer of the run. err says why
// it failed: then the answer is that until it stopped. files says why a file of it
// could not be written. Either is the error; with --json the answer is part of it.
func (a *app) emitRun(x any, table func(io.Writer) error, err, files error) error {
	switch {
	case err != nil:
		return a.failed(errors.Join(err, files), map[string]any{"statistics": x}, table)
	case files != nil:
		return a.unwritten(files, x, table)
	}
	return a.emitAnswer(x, table)
}

// emitParts ends a command that does many things with the answer. If the user ended
// it, the answer has what was complete by then, and how says how far it got.
func (a *app) emitParts(ctx context.Context, err error, x any, table func(io.Writer) error, how string, args ...any) error {
	switch {
	case err == nil:
		return a.emitAnswer(x, table)
	case !interrupt.Ended(err):
		return err
	}
	return a.partial(interrupt.Of(ctx, how, args...), x, table)
}

// ended is err, or how far the work got if the user ended it.
func ended(ctx context.Context, err error, how string, args ...any) error {
	if interrupt.Ended(err) {
		return interrupt.Of(ctx, how, args...)
	}
	return err
}

// failed reports a failed run: its statistics so far are printed, or are part
// of the JSON error.
func (a *app) failed(err error, keys map[string]any, table func(io.Writer) error) error {
	return a.stopped(err, keys, "statistics until it stopped:\n\n", table)
}

// partial reports work of which some parts were complete when the user ended it:
// done is the answer so far; table shows it, or is nil if there is nothing to
// show.
func (a *app) partial(err error, done any, table func(io.Writer) error) error {
	return a.stopped(err, map[string]any{"partial": done}, "completed until then:\n\n", table)
}

// unwritten reports a file that could not be written after the work was done:
// the answer is still printed, or is part of the JSON error.
func (a *app) unwritten(err error, answer any, table func(io.Writer) error) error {
	return a.stopped(err, map[string]any{"statistics": answer}, "", table)
}

func (a *app) stopped(err error, keys map[string]any, title string, table func(io.Writer) error) error {
	if !a.json && table != nil {
		fmt.Fprint(a.out, title)
		_ = table(a.out) // err counts more, and a.out remembers its own
	}
	return &failure{err: err, keys: keys}
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

// Package interrupt lets the user end a command. The first SIGINT, SIGTERM or SIGHUP ends the command's context, so
// that it can save its results; the second one kills the process.
//
//	signal ──► Watch ──► ctx of the command, or of its current part ──► Error
//
//	interrupt.go  contexts and their errors
//	signals.go    the signals; signals_js.go: none in a browser
package interrupt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
)

// sent is the cause of a context that was ended by a signal or by End.
type sent struct{ name string }

func (s sent) Error() string { return s.name }

// A Watch ends a context at the first signal.
type Watch struct {
	signals chan os.Signal
	stopped chan struct{}

	mu    sync.Mutex
	end   context.CancelCauseFunc // ends the command
	over  bool                    // the command's context has been ended
	parts bool                    // SIGINT ends only parts of the command
	part  context.CancelCauseFunc // ends the current part; nil between parts
}

// New returns a context that the first signal ends. A signal that was ignored when the process started stays ignored,
// such as SIGHUP under nohup.
func New(ctx context.Context) (context.Context, *Watch) {
	w := &Watch{signals: make(chan os.Signal, len(names)), stopped: make(chan struct{})}
	ctx, w.end = context.WithCancelCause(ctx)
	for s := range names {
		w.listen(s)
	}
	go w.watchSignals()
	return ctx, w
}

func (w *Watch) listen(s os.Signal) {
	if !signal.Ignored(s) {
		signal.Notify(w.signals, s)
	}
}

func (w *Watch) watchSignals() {
	for {
		select {
		case s := <-w.signals:
			w.handleSignal(s)
		case <-w.stopped:
			return
		}
	}
}

// handleSignal ends the command or its part, and restores the default handling, so that the next signal kills the
// process.
func (w *Watch) handleSignal(s os.Signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case s != os.Interrupt || !w.parts:
		signal.Stop(w.signals)
		w.over = true
		w.end(sent{names[s]})
	case w.part != nil:
		signal.Reset(s)
		w.part(sent{names[s]})
	}
}

// End ends the context for a reason other than a signal.
func (w *Watch) End(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.end(sent{why})
}

// Stop restores the default handling of the signals.
func (w *Watch) Stop() {
	signal.Stop(w.signals)
	close(w.stopped)
	w.end(nil)
}

// Parts makes SIGINT end only the current part of the command. Between parts, SIGINT has no effect.
func (w *Watch) Parts() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.parts = true
}

// Part begins a part of the command, whose context SIGINT also ends. The returned function ends the part. A second
// SIGINT during the same part kills the process.
func (w *Watch) Part(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = cancel
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.part = nil; sentTo(ctx) == names[os.Interrupt] && !w.over {
			w.listen(os.Interrupt)
		}
		cancel(nil)
	}
}

// sentTo returns the name of the signal, or the reason of End, that has ended a context, or "".
func sentTo(ctx context.Context) string {
	var s sent
	errors.As(context.Cause(ctx), &s)
	return s.name
}

// Error is the error of work that the user ended.
type Error struct {
	Signal string // the signal, or the reason of End; "" for another cause
	How    string // how far the work got: "after 12 of 346 rows"

	keys map[string]any
}

// Of returns the Error for a context that has ended; how says how far the work got.
func Of(ctx context.Context, how string, args ...any) *Error {
	return &Error{Signal: sentTo(ctx), How: fmt.Sprintf(how, args...)}
}

// With adds a key to the JSON error.
func (e *Error) With(key string, value any) *Error {
	e.keys = e.Details()
	e.keys[key] = value
	return e
}

// Error returns what ended the work, and how far it got.
func (e *Error) Error() string {
	if e.Signal == "" {
		return "interrupted " + e.How
	}
	return fmt.Sprintf("interrupted by %s %s", e.Signal, e.How)
}

// Kind returns the JSON error's kind.
func (e *Error) Kind() string { return "interrupted" }

// Details returns the further keys of the JSON error.
func (e *Error) Details() map[string]any {
	all := map[string]any{}
	maps.Copy(all, e.keys)
	if e.Signal != "" {
		all["signal"] = e.Signal
	}
	return all
}

// Ended reports whether err is the error of an ended context.
func Ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Await does work that cannot check ctx and has nothing to save. If ctx ends first, Await returns ctx's error at once,
// and the work continues unobserved until the process ends.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if x := recover(); x != nil {
				o.panic = fmt.Sprintf("%v\n\n%s", x, debug.Stack())
			}
			done <- o
		}()
		o.value, o.err = work()
	}()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic)
		}
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

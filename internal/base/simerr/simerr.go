// Package simerr holds the errors that all machines share. The type of an error
// tells the code that runs a machine what to do, whatever the machine is:
//
//	Usage     a parameter, a file or a command has to be corrected
//	Deadlock  the machine made no progress although work was left
//	Limit     the run reached a bound: clocks, time, loops of a solver
//	Fault     anything else that went wrong in the machine or in its model
//
// Each wraps the machine's own error, which has the displayed text and may have more evidence: errors.As finds it.
package simerr

import (
	"errors"
	"fmt"
	"maps"
)

// The kinds that more than one machine uses, which are values of the key "kind" in the command's JSON errors
// [docs/COMMAND.md].
const (
	KindUsage     = "usage"
	KindDeadlock  = "deadlock"
	KindMaxClocks = "max_clocks"
)

// Keys are the further keys of a JSON error, such as "clock".
type Keys map[string]any

// Usage says that the user must correct something: the text says what was wrong,
// what was expected, and what to do.
type Usage struct {
	Parameter string // the parameter that is wrong; "" if the text names it
	File      string // the file that holds the mistake, or ""
	Line      int    // in File, from 1; 0 for the whole file
	Err       error
}

// Usagef returns a *Usage whose text is formatted as by fmt.Errorf, with %w.
func Usagef(format string, args ...any) error {
	return &Usage{Err: fmt.Errorf(format, args...)}
}

// Error returns the text, after the file and line or the parameter if known.
func (e *Usage) Error() string {
	switch {
	case e.File != "" && e.Line > 0:
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	case e.File != "":
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	case e.Parameter != "":
		return fmt.Sprintf("%s: %v", e.Parameter, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the machine's own error.
func (e *Usage) Unwrap() error { return e.Err }

// Kind returns KindUsage.
func (e *Usage) Kind() string { return KindUsage }

// Details returns the parameter, file and line that are known, and the wrapped
// error's keys.
func (e *Usage) Details() map[string]any {
	d := Keys{}
	if e.Parameter != "" {
		d["parameter"] = e.Parameter
	}
	if e.File != "" {
		d["file"] = e.File
	}
	if e.Line > 0 {
		d["line"] = e.Line
	}
	return mergeKeys(d, e.Err)
}

// Wait names something that waits, and what it waits for.
type Wait struct{ Who, For string }

// Deadlock says that a machine made no progress although work was left.
type Deadlock struct {
	Machine string // the machine's package, such as "em4"
	Name    string // its kind in JSON, unless KindDeadlock
	Clock   int64  // when it was noticed, in the machine's unit of time
	Waits   []Wait // what waits for what; only the first waits if there are many
	Keys    Keys
	Err     error // the displayed text, and the machine's own evidence
}

// Error returns the machine's text.
func (e *Deadlock) Error() string { return e.Err.Error() }

// Unwrap returns the machine's own error.
func (e *Deadlock) Unwrap() error { return e.Err }

// Kind returns the kind in JSON.
func (e *Deadlock) Kind() string {
	if e.Name != "" {
		return e.Name
	}
	return KindDeadlock
}

// Details returns Keys and the wrapped error's keys.
func (e *Deadlock) Details() map[string]any { return mergeKeys(e.Keys, e.Err) }

// Limit says that a run reached a bound before its end.
type Limit struct {
	Machine string // the machine's package, such as "em4"
	Name    string // the bound: the kind in JSON, such as KindMaxClocks
	Clock   int64  // when it was reached, in the machine's unit of time; 0 when time does not matter
	Keys    Keys
	Err     error // the displayed text, and the machine's own evidence
}

// Error returns the machine's text.
func (e *Limit) Error() string { return e.Err.Error() }

// Unwrap returns the machine's own error.
func (e *Limit) Unwrap() error { return e.Err }

// Kind returns the kind in JSON.
func (e *Limit) Kind() string { return e.Name }

// Details returns Keys and the wrapped error's keys.
func (e *Limit) Details() map[string]any { return mergeKeys(e.Keys, e.Err) }

// Fault says that the modelled machine failed, or that the model broke one of its own rules. It is never the user's
// mistake.
type Fault struct {
	Machine string // the machine's package, such as "pdes"
	Name    string // the kind in JSON, such as "model_fault"
	Keys    Keys
	Err     error // the displayed text
}

// Error returns the machine's text.
func (e *Fault) Error() string { return e.Err.Error() }

// Unwrap returns the machine's own error.
func (e *Fault) Unwrap() error { return e.Err }

// Kind returns the kind in JSON.
func (e *Fault) Kind() string { return e.Name }

// Details returns Keys and the wrapped error's keys.
func (e *Fault) Details() map[string]any { return mergeKeys(e.Keys, e.Err) }

// Kind returns an error's kind in JSON, or "" for an error without one.
func Kind(err error) string {
	var k interface{ Kind() string }
	if errors.As(err, &k) {
		return k.Kind()
	}
	return ""
}

// Details returns an error's further keys in JSON in a new map, which the
// caller may change; it is never nil.
func Details(err error) map[string]any { return mergeKeys(nil, err) }

// mergeKeys merges keys with the keys of err; keys take precedence.
func mergeKeys(keys Keys, err error) map[string]any {
	all := map[string]any{}
	var d interface{ Details() map[string]any }
	if errors.As(err, &d) {
		maps.Copy(all, d.Details())
	}
	maps.Copy(all, keys)
	return all
}

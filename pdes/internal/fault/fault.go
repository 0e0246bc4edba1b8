// Package fault has the one error type of the pdes packages: a sentence for
// people and a one-word kind for programs.
package fault

import "fmt"

// An Error says what was wrong, where, and what to do about it.
type Error struct {
	kind    string
	message string
	details map[string]any
}

func (e *Error) Error() string { return e.message }

// Kind is the error in one word: "usage" for an invalid parameter, otherwise
// what happened to the modelled machine.
func (e *Error) Kind() string { return e.kind }

// Details are further keys for a report, such as the clock. It may be nil.
func (e *Error) Details() map[string]any { return e.details }

// Usage reports an invalid parameter.
func Usage(format string, args ...any) *Error {
	return &Error{kind: "usage", message: fmt.Sprintf(format, args...)}
}

// Model reports that the modelled machine failed at a clock.
func Model(kind string, clock int64, format string, args ...any) *Error {
	return &Error{
		kind:    kind,
		message: fmt.Sprintf(format, args...),
		details: map[string]any{"clock": clock},
	}
}

// With adds one key to the error's details and returns the error.
func (e *Error) With(key string, value any) *Error {
	if e.details == nil {
		e.details = map[string]any{}
	}
	e.details[key] = value
	return e
}

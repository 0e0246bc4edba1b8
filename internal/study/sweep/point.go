package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/recipe"
)

// OK is the outcome of a point that ended with an answer. The other outcomes are the error kinds of 'emsim run', and
// misfit: the machine cannot hold the program.
const (
	OK     = "ok"
	misfit = "misfit"
)

// WrongPoint is the error of a point without a result, because its answer is wrong or the model panicked.
type WrongPoint struct {
	Point *Point
	Err   error
}

func (e *WrongPoint) Error() string {
	return fmt.Sprintf("%v\n    %s", e.Err, e.Point.Command())
}

func (e *WrongPoint) Unwrap() error { return e.Err }

// runPoint runs a point. It returns an error if there is no result: the context's or a *WrongPoint. The function
// progress receives the clocks of the run in progress.
func (p *Point) runPoint(ctx context.Context, progress func(clock uint64)) (r *Result, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = nil, &WrongPoint{p, fmt.Errorf("the model stopped itself: %v\n%s", x, debug.Stack())}
		}
	}()
	r = &Result{Definition: p.definition}
	return r, p.outcome(ctx, r, p.subject().run(ctx, p, r, progress))
}

// outcome sets the outcome of a result. It returns errors that are not outcomes.
func (p *Point) outcome(ctx context.Context, r *Result, err error) error {
	var unfit *em4.Misfit
	var fault *emcr.Fault
	switch {
	case err == nil:
		r.Outcome = OK
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unfit):
		r.Outcome = misfit
	case errors.As(err, &fault): // also in the init blocks
		r.Outcome = fault.Kind()
	case slices.Contains(p.subject().ends(), simerr.Kind(err)):
		r.Outcome = simerr.Kind(err)
	default:
		return &WrongPoint{p, err}
	}
	r.Message = err.Error()
	return nil
}

// Command returns the command line that runs only this point.
func (p *Point) Command() string {
	line := ""
	for _, word := range p.subject().command(p) {
		line += " " + recipe.Quoted(word)
	}
	return line[1:]
}

// Label returns a short description of the point.
func (p *Point) Label() string {
	text := p.subject().label(p)
	if p.Variant != base {
		text += ", " + p.Variant
	}
	return text
}

// lighten reduces an answer to the values, by column, that the table and the sidecar need, because a sweep holds all
// its results in memory. It reports whether the answer was complete.
func (r *Result) lighten(p *Point) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(r.Answer, &all) != nil || all == nil {
		return false
	}
	r.Answer, r.values = nil, map[string]json.RawMessage{wallKey: all[wallKey]}
	return p.subject().values(p, all, r.values)
}

// wallKey is the key of the time that a run took on this computer, in seconds.
const wallKey = "wall_seconds"

// number returns a result's value in a column, or 0 if it is not a number.
func (r *Result) number(column string) float64 {
	x, _ := numberOf(r.values[column])
	return x
}

// cellText returns a value as text for the table: strings without quotes, lists with commas as in --set, and "" for
// null.
func cellText(value json.RawMessage) string {
	var s string
	var list []string
	switch {
	case json.Unmarshal(value, &s) == nil: // also for null
		return s
	case json.Unmarshal(value, &list) == nil:
		return strings.Join(list, ",")
	}
	return string(value)
}

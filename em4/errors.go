package em4

import (
	"fmt"
	"strings"
)

// maxListed bounds the lists of an error message.
const maxListed = 20

// Deadlock is the error of a machine in which packets are in flight but nothing
// can move any more.
type Deadlock struct {
	Clock uint64 // clocks from the start of the machine
	Hang
}

// Error names the waiting units.
func (e *Deadlock) Error() string {
	return fmt.Sprintf("deadlock at clock %d: nothing can move, %d packets are in flight\n%s", e.Clock, e.InFlight, e.Hang)
}

// Kind returns the kind of the JSON error.
func (e *Deadlock) Kind() string { return "deadlock" }

// Details returns the other keys of the JSON error.
func (e *Deadlock) Details() map[string]any {
	return e.Keys(e.Clock)
}

// NoResult is the error of a program that ended without sending a word to the
// host.
type NoResult struct {
	Clock uint64 // clocks of the run
	Hang
}

// Error lists the half-matched operands.
func (e *NoResult) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the program ended after %d clocks without a word to the host", e.Clock)
	if len(e.Operands) == 0 {
		b.WriteString("; no operand waits for a partner")
	} else {
		fmt.Fprintf(&b, "\n%s", e.Hang)
	}
	return b.String()
}

// Kind returns the kind of the JSON error.
func (e *NoResult) Kind() string { return "no_result" }

// Details returns the other keys of the JSON error.
func (e *NoResult) Details() map[string]any {
	return e.Keys(e.Clock)
}

// WindowLimit is the error of a run whose series has reached its limit.
type WindowLimit struct {
	Clock   uint64 // clocks of this run
	Window  uint64 // clocks of a window
	Windows int    // number of windows so far
}

// Error says what to change.
func (e *WindowLimit) Error() string {
	return fmt.Sprintf("after %d clocks the run has %d windows of %d clocks, all of which are kept in memory: choose longer windows", e.Clock, e.Windows, e.Window)
}

// Kind returns the kind of the JSON error.
func (e *WindowLimit) Kind() string { return "usage" }

// Details returns the other keys of the JSON error.
func (e *WindowLimit) Details() map[string]any { return map[string]any{"clock": e.Clock} }

// ClockLimit is the error of a run that has reached its clock limit.
type ClockLimit struct {
	Clock uint64 // clocks of this run
	What  string // "run", or "init" while the program's init blocks run
	Hang
}

// Error says what the machine was doing.
func (e *ClockLimit) Error() string {
	if e.What == "init" {
		return fmt.Sprintf("the clock limit was reached after %d clocks (init): the program's init blocks have not ended\n%s", e.Clock, e.Hang)
	}
	return fmt.Sprintf("the clock limit was reached after %d clocks (%s)\n%s", e.Clock, e.What, e.Hang)
}

// Kind returns the kind of the JSON error.
func (e *ClockLimit) Kind() string { return "max_clocks" }

// Details returns the other keys of the JSON error.
func (e *ClockLimit) Details() map[string]any {
	return e.Keys(e.Clock)
}

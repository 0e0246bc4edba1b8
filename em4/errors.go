package em4

import (
	"fmt"
	"strings"

	"emsim/internal/plural"
)

// maxListed bounds the lists of an error message.
const maxListed = 20

// Deadlock is a machine in which nothing can move any more while packets are
// in flight.
type Deadlock struct {
	Clock uint64 // clocks from the start of the machine
	Hang
}

// Error names the waiting units.
func (e *Deadlock) Error() string {
	return fmt.Sprintf("deadlock at clock %d: nothing can move, %s %s in flight\n%s",
		e.Clock, plural.Of(e.InFlight, "packet"), plural.Verb(e.InFlight, "is", "are"), e.Hang)
}

// Kind is the JSON error's kind.
func (e *Deadlock) Kind() string { return "deadlock" }

// Details returns the further keys of the JSON error.
func (e *Deadlock) Details() map[string]any {
	return e.Keys(e.Clock)
}

// NoResult is a program that ended without a word to the host.
type NoResult struct {
	Clock uint64 // clocks of the run
	Hang
}

// Error lists the half-matched operands.
func (e *NoResult) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the program ended after %s without a word to the host", plural.Of(e.Clock, "clock"))
	if len(e.Operands) == 0 {
		b.WriteString("; no operand waits for a partner")
	} else {
		fmt.Fprintf(&b, "\n%s", e.Hang)
	}
	return b.String()
}

// Kind is the JSON error's kind.
func (e *NoResult) Kind() string { return "no_result" }

// Details returns the further keys of the JSON error.
func (e *NoResult) Details() map[string]any {
	return e.Keys(e.Clock)
}

// WindowLimit is a run whose series has grown beyond its bound.
type WindowLimit struct {
	Clock   uint64 // clocks of this run
	Window  uint64 // clocks of a window
	Windows int    // how many there are
}

// Error says what to choose.
func (e *WindowLimit) Error() string {
	return fmt.Sprintf("after %s the run has %s of %s, and all are held in memory: take longer ones",
		plural.Of(e.Clock, "clock"), plural.Of(e.Windows, "window"), plural.Of(e.Window, "clock"))
}

// Kind is the JSON error's kind.
func (e *WindowLimit) Kind() string { return "usage" }

// Details returns the further keys of the JSON error.
func (e *WindowLimit) Details() map[string]any { return map[string]any{"clock": e.Clock} }

// ClockLimit is a run that reached its clock limit.
type ClockLimit struct {
	Clock uint64 // clocks of this run
	What  string // "run", or "init" for the program's init blocks
	Hang
}

// Error says what the machine was about.
func (e *ClockLimit) Error() string {
	if e.What == "init" {
		return fmt.Sprintf("the clock limit was reached after %s (init): the program's init blocks have not come to their end\n%s", plural.Of(e.Clock, "clock"), e.Hang)
	}
	return fmt.Sprintf("the clock limit was reached after %s (%s)\n%s", plural.Of(e.Clock, "clock"), e.What, e.Hang)
}

// Kind is the JSON error's kind.
func (e *ClockLimit) Kind() string { return "max_clocks" }

// Details returns the further keys of the JSON error.
func (e *ClockLimit) Details() map[string]any {
	return e.Keys(e.Clock)
}

package em4

import (
	"fmt"
	"strings"

	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
)

// maxListed is the largest number of entries in a list of an error message.
const maxListed = 20

// The errors of this package; all machines share these types. A fault of one PE is an emcr.Fault.
type (
	// Usage is the error of a program that does not fit the machine (it wraps a *Misfit), or of a series with too many
	// windows (it wraps a *WindowLimit).
	Usage = simerr.Usage
	// Deadlock is the error of a machine with packets in flight that can no longer move. It wraps a *Stuck.
	Deadlock = simerr.Deadlock
	// Limit is the error of a run that reached its clock limit. It wraps a *ClockLimit.
	Limit = simerr.Limit
	// Fault is the error of a program that ended without a result. It wraps a *NoResult.
	Fault = simerr.Fault
)

// Deadlock returns h as the error of a deadlocked machine.
func (h Hang) Deadlock() error {
	d := &Deadlock{Machine: "em4", Clock: int64(h.Clock), Err: &Stuck{h}}
	for _, w := range h.Waits {
		d.Waits = append(d.Waits, simerr.Wait{Who: fmt.Sprintf("PE %v, %s", w.PE, w.Unit), For: w.For})
	}
	return d
}

// Stuck describes the waiting units of a deadlock.
type Stuck struct{ Hang }

// Error names the waiting units.
func (e *Stuck) Error() string {
	return fmt.Sprintf("deadlock at clock %d: nothing can move, %s %s in flight\n%s",
		e.Clock, plural.Of(e.InFlight, "packet"), plural.Verb(e.InFlight, "is", "are"), e.Hang)
}

// NoResult is the error of a program that ended without sending a word to the
// host.
type NoResult struct{ Hang }

// Error lists the operands that wait for a partner.
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

// WindowLimit is the error of a run whose series has reached its limit.
type WindowLimit struct {
	Clock   uint64 // clocks of this run
	Window  uint64 // clocks of a window
	Windows int    // number of windows so far
}

// Error says what to change.
func (e *WindowLimit) Error() string {
	return fmt.Sprintf("after %s the run has %s of %s, all of which are kept in memory: choose longer windows",
		plural.Of(e.Clock, "clock"), plural.Of(e.Windows, "window"), plural.Of(e.Window, "clock"))
}

// Details returns the further keys of the JSON error.
func (e *WindowLimit) Details() map[string]any { return map[string]any{"clock": e.Clock} }

// ClockLimit is the error of a run that has reached its clock limit.
type ClockLimit struct {
	What string // "run", or "init" while the program's init blocks run
	Hang
}

// Error says whether the run or its init blocks reached the limit, and what was waiting.
func (e *ClockLimit) Error() string {
	why := ""
	if e.What == "init" {
		why = ": the program's init blocks have not ended"
	}
	return fmt.Sprintf("the clock limit was reached after %s (%s)%s\n%s", plural.Of(e.Clock, "clock"), e.What, why,
		e.SoFar())
}

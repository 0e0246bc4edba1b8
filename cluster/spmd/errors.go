package spmd

import (
	"fmt"

	"emsim/internal/base/simerr"
)

// The error types of this package, which all machines share.
type (
	// Usage is the error for an invalid parameter or file. It names the parameter, as in "tasks"; for a file it
	// holds srcerr.Errors.
	Usage = simerr.Usage
	// Deadlock is the error of a run in which a processor waits for an answer that will never arrive. It is always a
	// mistake of the model, never of the parameters. Its keys are "processor", "peer" (whose answer it waits for
	// last) and "at_us" (when the deadlock was found).
	Deadlock = simerr.Deadlock
)

func badValue(parameter, format string, args ...any) error {
	return &Usage{Parameter: parameter, Err: fmt.Errorf(format, args...)}
}

// stuck returns the error of the first processor that did not end.
func stuck(processor, peer int, atUS int64) error {
	return &Deadlock{
		Machine: "spmd", Clock: atUS,
		Waits: []simerr.Wait{{
			Who: fmt.Sprintf("processor %d", processor),
			For: fmt.Sprintf("tasks from processor %d", peer),
		}},
		Keys: simerr.Keys{"processor": processor, "peer": peer, "at_us": atUS},
		Err: fmt.Errorf("at %d us processor %d waits for tasks from processor %d, but no answer is in flight", atUS,
			processor, peer),
	}
}

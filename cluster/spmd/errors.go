package spmd

import (
	"fmt"

	"emsim/internal/base/simerr"
)

// The errors of this package, as in all machines.
type (
	// Usage is a parameter or a file from which no machine can be built. It names
	// the parameter, as in "tasks"; for a file it holds srcerr.Errors.
	Usage = simerr.Usage
	// Deadlock is a processor that waits for an answer that will never come:
	// always a mistake of the model, never of the parameters. Its keys are
	// "processor", "peer" (the one it asked last) and "at_us" (when it was
	// noticed).
	Deadlock = simerr.Deadlock
)

func badValue(parameter, format string, args ...any) error {
	return &Usage{Parameter: parameter, Err: fmt.Errorf(format, args...)}
}

// stuck reports the first processor that did not end.
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

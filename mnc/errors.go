package mnc

import (
	"fmt"

	"emsim/internal/base/simerr"
)

// The error types of this package, which all machines share.
type (
	// Usage is the error for an invalid value of a Config, or for invalid text of a wiring.
	Usage = simerr.Usage
	// Deadlock is the error of a run that stalled, see Config.Stall. It wraps a *Stall; its kind is "stalled".
	Deadlock = simerr.Deadlock
	// Fault is the error of a mistake in the model that the host found: a datum that arrived twice,
	// changed or was never sent ("model_fault").
	Fault = simerr.Fault
)

func usagef(format string, args ...any) error { return simerr.Usagef("mnc: "+format, args...) }

// dataFault returns the fault of a datum that is not as it should be.
func dataFault(id uint32, format string, args ...any) error {
	return &Fault{
		Machine: "mnc", Name: "model_fault", Keys: simerr.Keys{"datum": int(id)},
		Err: fmt.Errorf("mnc: "+format, args...),
	}
}

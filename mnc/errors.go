package mnc

import (
	"fmt"

	"emsim/internal/base/simerr"
)

// The errors of this package, the same types as for all machines.
type (
	// Usage is an invalid value of a Config or an invalid text of a wiring.
	Usage = simerr.Usage
	// Deadlock is a run that stalled: no Y has reached the sink for Config.Stall
	// clocks. It wraps a *Stall; its kind is "stalled".
	Deadlock = simerr.Deadlock
	// Fault is a mistake of the model, found by the host: a datum that arrived
	// twice, changed or was never sent ("model_fault").
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

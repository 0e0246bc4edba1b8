package pdes

import "emsim/internal/base/simerr"

// The error types of this package and its subpackages, which all machines share. An invalid configuration is a
// *Usage.
type (
	// Usage is the error for an invalid parameter.
	Usage = simerr.Usage
	// Deadlock is the error of a run in which no event can occur any more. Its key "pp" is the processor of the
	// logical process that waits.
	Deadlock = simerr.Deadlock
	// Limit is the error of a run that has not ended after Config.MaxClocks clocks ("max_clocks"), or of a search
	// that has not proven its map optimal ("no_proof").
	Limit = simerr.Limit
	// Fault is the error of a run that ended before its migration began ("no_migration"), or of a broken invariant of
	// the protocol, which is a mistake in this model.
	Fault = simerr.Fault
)

package pdes

import "emsim/internal/base/simerr"

// The errors of this package and its subpackages, the same as for all machines. An invalid configuration is a *Usage.
type (
	// Usage is an invalid parameter.
	Usage = simerr.Usage
	// Deadlock is a run in which nothing can happen any more. Its key "pp" is
	// the processor of the logical process that waits.
	Deadlock = simerr.Deadlock
	// Limit is a run that is not over after Config.MaxClocks ("max_clocks"), or
	// a search that has not proven its map ("no_proof").
	Limit = simerr.Limit
	// Fault is a run that ended before its migration began ("no_migration"), or
	// a broken invariant of the protocol, which is a mistake in this model.
	Fault = simerr.Fault
)

//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// errorsNotSignals makes a write beyond the user's limit for the size of files
// fail like one to a full disk, instead of ending the process on the spot.
func errorsNotSignals() { signal.Ignore(syscall.SIGXFSZ) }

//go:build unix

package command

import (
	"os/signal"
	"syscall"
)

// errorsNotSignals makes a write beyond the user's file size limit return an error, like a write to a full disk,
// instead of ending the process.
func errorsNotSignals() { signal.Ignore(syscall.SIGXFSZ) }

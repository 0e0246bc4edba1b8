//go:build !js

package interrupt

import (
	"os"
	"syscall"
)

// names holds the signals that end a command, with their names.
var names = map[os.Signal]string{os.Interrupt: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}

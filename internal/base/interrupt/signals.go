//go:build !js

package interrupt

import (
	"os"
	"syscall"
)

// names are the signals that end a command.
var names = map[os.Signal]string{os.Interrupt: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}

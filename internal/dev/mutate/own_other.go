//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// own bounds the wait for the processes that a command has started.
func own(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }

//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// boundChildren limits the wait for the child processes of a command.
func boundChildren(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }

// boundMemory does nothing: these systems have no limit that child processes inherit.
func boundMemory() {}

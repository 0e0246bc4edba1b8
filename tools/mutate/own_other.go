//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// boundChildren bounds the wait for the processes that a command has started.
func boundChildren(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }

// boundMemory does nothing: these systems have no bound that processes inherit.
func boundMemory() {}

//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// own gives a command a process group of its own, so that what it has started
// ends with it.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// boundChildren gives a command its own process group, so that its child
// processes end with it.
func boundChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

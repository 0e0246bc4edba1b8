//go:build unix

package main

import (
	"os/exec"
	"syscall"
	"time"
)

// boundChildren gives a command its own process group, so that its child processes end with it.
func boundChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// boundMemory limits the memory of this process and its child processes. Address space that is only reserved does not
// count.
func boundMemory() {
	syscall.Setrlimit(syscall.RLIMIT_DATA,
		&syscall.Rlimit{Cur: most, Max: most}) //nolint:errcheck // it fails only if a lower limit is set
}

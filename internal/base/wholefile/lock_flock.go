//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package wholefile

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the lock of a file, which its end or the process's gives back. It fails if
// another one has it, or there are no locks.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// lives reports whether there is a process of that number on this computer.
func lives(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

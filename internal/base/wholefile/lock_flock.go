//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package wholefile

import (
	"io/fs"
	"os"
	"syscall"
)

// renamesOpen says that an open file can be renamed.
const renamesOpen = true

// locks says that the system has locks.
const locks = true

// errHeld says that another process has the lock.
var errHeld error = syscall.EWOULDBLOCK

// lock takes the lock of a file, which is released at the latest when the process ends.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// lockWaiting waits for the lock.
func lockWaiting(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }

// own gives a new file the owner of the older one, if the system permits.
func own(f *os.File, older fs.FileInfo) {
	if s, ok := older.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(s.Uid), int(s.Gid)) != nil {
			_ = f.Chown(-1, int(s.Gid)) // it may be one of our groups
		}
	}
}

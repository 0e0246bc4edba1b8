//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package wholefile

import (
	"io/fs"
	"os"
	"syscall"
)

// renamesOpen says that a file can change its name while it is open.
const renamesOpen = true

// errHeld says that another process has the lock.
var errHeld error = syscall.EWOULDBLOCK

// lock takes the lock of a file, which ends with the process at the latest.
func lock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// own gives a new file the owner of the older one, where the system lets us.
func own(f *os.File, older fs.FileInfo) {
	if s, ok := older.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(s.Uid), int(s.Gid)) != nil {
			_ = f.Chown(-1, int(s.Gid)) // a group of ours it may be
		}
	}
}

package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// WriteOnce writes a whole file unless there is one: of several processes that
// write different texts at the same time, one is the first.
func WriteOnce(name string, text []byte, perm fs.FileMode) error {
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	f, err := temporary(target{path: name}.dir(), perm)
	if err != nil {
		return unwritten(name, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	linked := false
	if err == nil {
		err2 := os.Link(f.Name(), name)
		linked = err2 == nil || errors.Is(err2, fs.ErrExist)
	}
	_ = remove(f) // what remains is a stray
	switch {
	case err != nil:
		return unwritten(name, cause(err))
	case !linked: // a file system without links
		return WriteFile(name, text, perm)
	}
	syncDir(name)
	return nil
}

// CreateLog begins a file that is written line by line, with a name that begins
// so, in a directory that it makes if necessary. Its lock says that the process
// lives.
func CreateLog(dir, name string) (*os.File, error) {
	for {
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		f, err := os.CreateTemp(dir, name+"-*.log")
		if errors.Is(err, fs.ErrNotExist) {
			continue // somebody has just removed the empty directory
		}
		if err == nil {
			_ = lockWaiting(f) // not every file system has locks
		}
		return f, err
	}
}

// Held reports whether a process that lives has the lock of a log. known is
// false if the system or the file system has no locks.
func Held(name string) (held, known bool) {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return false, false
	}
	defer f.Close()
	err = lock(f)
	return errors.Is(err, errHeld), locks && (err == nil || errors.Is(err, errHeld))
}

// Clock is the time by the clock of the file system that holds a directory,
// which may be another computer's. ok is false for one that cannot be written.
func Clock(dir string) (now time.Time, ok bool) {
	f, err := os.CreateTemp(dir, ".emsim-clock-*.tmp")
	if err != nil {
		return now, false
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.WriteString("\n"); err != nil {
		return now, false
	}
	info, err := f.Stat()
	if err != nil {
		return now, false
	}
	return info.ModTime(), true
}

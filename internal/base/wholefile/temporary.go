package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// pattern matches the names of temporary files.
const pattern = ".emsim-*.tmp"

// in names a file in a directory. Join would shorten LINK/.. to nothing.
func in(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// temporary creates a file in a directory, protected from being removed as a stray.
func temporary(dir string, perm fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		name := in(dir, fmt.Sprintf(".emsim-%d-%d.tmp", os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case errors.Is(err, fs.ErrExist): // another file of this process, or a stray of its number
			continue
		case err != nil:
			return nil, dirError(dir, err)
		}
		if !errors.Is(lock(f), errHeld) && is(name, f) {
			return f, nil
		}
		f.Close() // another process was faster and takes it for a stray
	}
}

// temporary creates the file that will replace the target.
func (t target) temporary(perm fs.FileMode) (*os.File, error) {
	if t.info != nil {
		perm = t.info.Mode().Perm()
	}
	f, err := temporary(t.dir(), perm)
	if err == nil && t.info != nil {
		own(f, t.info)
		_ = f.Chmod(perm) // restores what the umask removed; not every file system has modes
	}
	return f, err
}

// remove removes a temporary file, under its lock if there is one: once it is
// closed another process may take it for a stray.
func remove(f *os.File) error {
	defer f.Close()
	if !renamesOpen {
		f.Close()
	}
	return os.Remove(f.Name())
}

// removeStrays removes the temporary files of dead processes, whose locks are
// free.
func removeStrays(dir string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if ok, _ := filepath.Match(pattern, e.Name()); !ok || !e.Type().IsRegular() {
			continue
		}
		name := in(dir, e.Name())
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		if lock(f) == nil && is(name, f) {
			_ = os.Remove(name)
		}
		f.Close()
	}
}

// is reports whether a name still refers to an open file.
func is(name string, f *os.File) bool {
	there, err := os.Lstat(name)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(there, info)
}

// syncDir makes the new name as durable as the text. Not every file system can
// do that; the file is written in any case.
func syncDir(file string) {
	if d, err := os.Open(target{path: file}.dir()); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

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

// temporary makes a file beside others, which nobody takes for a stray.
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
		f.Close() // somebody was faster and takes it for a stray
	}
}

// temporary makes the file that will take the place of the target.
func (t target) temporary(perm fs.FileMode) (*os.File, error) {
	if t.info != nil {
		perm = t.info.Mode().Perm()
	}
	f, err := temporary(t.dir(), perm)
	if err == nil && t.info != nil {
		own(f, t.info)
		_ = f.Chmod(perm) // what the umask took; not every file system has modes
	}
	return f, err
}

// remove removes a temporary file, under its lock where there is one: as soon as
// it is closed somebody may take it for a stray.
func remove(f *os.File) error {
	defer f.Close()
	if !renamesOpen {
		f.Close()
	}
	return os.Remove(f.Name())
}

// removeStrays removes the temporary files of processes that are dead: nobody
// holds their locks.
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

// is reports whether a name still stands for an open file.
func is(name string, f *os.File) bool {
	there, err := os.Lstat(name)
	if err != nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(there, info)
}

// syncDir makes the new name as lasting as the text. Not every file system can
// do that, and the file is written in any case.
func syncDir(file string) {
	if d, err := os.Open(target{path: file}.dir()); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

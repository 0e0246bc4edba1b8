package wholefile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// target is the file that a name refers to.
type target struct {
	path    string      // the path after following links
	info    fs.FileInfo // the existing file's; nil if there is none
	inPlace bool        // the file exists and cannot be replaced
}

// maxLinks is the largest number of symbolic links that a name may lead through.
const maxLinks = 40

// findTarget resolves a name to a target.
func findTarget(name string) (target, error) {
	t := target{path: name}
	var err error
	t.info, err = os.Stat(name)
	switch {
	case name == "":
		return t, errors.New("a file needs a name")
	case errors.Is(err, fs.ErrNotExist):
		t.info = nil
	case err != nil:
		return t, cause(err)
	case t.info.IsDir():
		return t, errors.New("it is a directory")
	case !t.info.Mode().IsRegular() || stream(t.info) != nil:
		t.inPlace = true
		return t, nil
	}
	for range maxLinks {
		to, err := os.Readlink(t.path)
		if err != nil {
			break // not a link, or nonexistent
		}
		if !filepath.IsAbs(to) {
			dir, _ := filepath.Split(t.path) // unlike filepath.Dir, Split keeps LINK/..
			to = dir + to
		}
		t.path = to
	}
	if t.info == nil {
		return t, nil
	}
	if there, err := os.Lstat(t.path); err != nil || !os.SameFile(there, t.info) {
		t.path, t.inPlace = name, true // such as /proc/self/fd/3, which leads to a file without a name
		return t, nil
	}
	return t, t.writable()
}

// writable returns an error if the target is protected against writing, and so must not be replaced.
func (t target) writable() error {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return cause(err)
	}
	return f.Close()
}

// stream returns the process's standard output or error if that is the file, or nil. Opening it again would overwrite
// it from its beginning.
func stream(info fs.FileInfo) *os.File {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if s, err := f.Stat(); err == nil && os.SameFile(s, info) {
			return f
		}
	}
	return nil
}

// openInPlace opens a target that cannot be replaced. If keep is true, the caller must not close f.
func (t target) openInPlace() (f *os.File, keep bool, err error) {
	if f := stream(t.info); f != nil {
		return f, true, nil
	}
	if f, err = os.OpenFile(t.path, os.O_WRONLY, 0); err != nil {
		return nil, false, cause(err)
	}
	return f, false, nil
}

// SameFile reports whether two names refer to the same file, which need not exist yet. Targets that are written in
// place never count as the same.
func SameFile(x, y string) bool {
	a, err := findTarget(x)
	if err != nil || a.inPlace {
		return false
	}
	b, err := findTarget(y)
	switch {
	case err != nil || b.inPlace || (a.info == nil) != (b.info == nil):
		return false
	case a.info != nil:
		return os.SameFile(a.info, b.info)
	}
	c, err := os.Stat(a.folder())
	if err != nil || filepath.Base(a.path) != filepath.Base(b.path) {
		return false
	}
	d, err := os.Stat(b.folder())
	return err == nil && os.SameFile(c, d)
}

// folder returns the directory that the file is in.
func (t target) folder() string {
	dir, _ := filepath.Split(t.path)
	return cmp.Or(dir, ".")
}

// InPlace reports whether a name refers to something that cannot be replaced,
// such as a device.
func InPlace(name string) bool {
	t, err := findTarget(name)
	return err == nil && t.inPlace
}

// Probe returns an error if a file cannot be written. Call it before work whose result would be lost.
func Probe(name string) error {
	t, err := findTarget(name)
	if err == nil && !t.inPlace {
		err = probe(t.folder())
	}
	return unwritten(name, err)
}

func probe(dir string) error {
	f, err := temporary(dir, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return dirError(dir, err) // files can be added to the directory, but not removed or renamed
	}
	return nil
}

// temporary creates a new, uniquely named file in a directory. A killed process leaves it there.
func temporary(dir string, perm fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		// Join would shorten LINK/.. to nothing; os.CreateTemp ignores the umask.
		name := fmt.Sprintf("%s%c.emsim-%d-%d.tmp", dir, filepath.Separator, os.Getpid(), i)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case errors.Is(err, fs.ErrExist): // of this process, or of another process that had the same number
			continue
		case err != nil:
			return nil, dirError(dir, err)
		}
		return f, nil
	}
}

// temporary creates the file that will replace the target.
func (t target) temporary(perm fs.FileMode) (*os.File, error) {
	if t.info != nil {
		perm = t.info.Mode().Perm()
	}
	f, err := temporary(t.folder(), perm)
	if err == nil && t.info != nil {
		_ = f.Chmod(perm) // restores bits that the umask removed; some file systems have no modes
	}
	return f, err
}

// syncDir makes the new name as durable as the contents. Errors are ignored: some file systems cannot do it, and the
// file is written in any case.
func syncDir(file string) {
	if d, err := os.Open(target{path: file}.folder()); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// dirError returns an error that says that no file can be created in a directory, and why.
func dirError(dir string, err error) error {
	if dir = filepath.Clean(dir); errors.Is(err, fs.ErrNotExist) {
		return noDir(dir)
	}
	return fmt.Errorf("no file can be created and renamed in the directory %s: %w", dir, cause(err))
}

// noDir is the error for a directory that does not exist.
type noDir string

func (e noDir) Error() string { return "there is no directory " + string(e) }
func (e noDir) Unwrap() error { return fs.ErrNotExist }

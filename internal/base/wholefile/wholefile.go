// Package wholefile writes files completely or not at all. The text goes to a
// temporary file in the same directory, which is renamed when everything is on
// the disk: a full disk, a failed write or a kill leaves the old file.
//
//	wholefile.go  a file from Create to Commit or Abort
//	target.go     what a name refers to: links, devices, existing files
//
// Targets that cannot be replaced (a device, a pipe, standard output) are
// written in place. Of a symbolic link the target is replaced. The new file
// gets the mode of the older one; a hard link to the older file keeps the
// older text.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"emsim/internal/base/simerr"
)

// Error says that a file could not be written; it comes inside a *simerr.Usage.
type Error struct {
	Name string // as given to Create
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s cannot be written: %v", e.Name, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// unwritten returns the usage error of a file that could not be written, or nil.
func unwritten(name string, err error) error {
	if err == nil {
		return nil
	}
	return &simerr.Usage{Err: &Error{name, err}}
}

// File is a file that is being written. Its first error stays: nothing is
// written after it, and Commit returns it.
type File struct {
	name   string
	target string // the file to replace; "" if the file is written in place
	out    *os.File
	keep   bool // out is a stream of the process, which stays open
	done   bool
	err    error

	write  func(p []byte) (int, error) // these three are out's and the system's,
	sync   func() error                // except in tests
	rename func(from, to string) error
}

// Create begins a file. Its error says why the file cannot be written.
func Create(name string) (*File, error) { return create(name, 0o666) }

func create(name string, perm fs.FileMode) (*File, error) {
	t, err := findTarget(name)
	if err != nil {
		return nil, unwritten(name, err)
	}
	f := &File{name: name, rename: os.Rename}
	if t.inPlace {
		f.out, f.keep, err = t.openInPlace()
	} else {
		f.target = t.path
		f.out, err = t.temporary(perm)
	}
	if err != nil {
		return nil, unwritten(name, err)
	}
	f.write, f.sync = f.out.Write, f.out.Sync
	return f, nil
}

// Write writes to the end of the file.
func (f *File) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.write(p)
	f.noteError(err)
	return n, f.err
}

// WriteAt writes anywhere in a file that is not written in place.
func (f *File) WriteAt(p []byte, at int64) (int, error) {
	if f.target == "" {
		f.noteError(errors.New("it must be a separate file"))
	}
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.out.WriteAt(p, at)
	f.noteError(err)
	return n, f.err
}

// noteError records the first error.
func (f *File) noteError(err error) {
	if f.err == nil {
		f.err = unwritten(f.name, cause(err))
	}
}

// Commit puts the file in its place, unless a write failed. After Commit or
// Abort it only returns the first error again.
func (f *File) Commit() error {
	if f.done {
		return f.err
	}
	if f.target != "" && f.err == nil {
		f.noteError(f.sync())
	}
	f.close()
	switch {
	case f.target == "":
		return f.err
	case f.err == nil:
		f.noteError(f.rename(f.out.Name(), f.target))
	}
	if f.err != nil {
		_ = os.Remove(f.out.Name())
	} else {
		syncDir(f.target)
	}
	return f.err
}

// Abort discards the file, unless it has been committed. What was written in
// place stays.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.close()
	if f.target != "" {
		_ = os.Remove(f.out.Name())
	}
}

func (f *File) close() {
	f.done = true
	if f.keep {
		return
	}
	f.noteError(f.out.Close())
}

// WriteFile writes a whole file; perm is the mode of a new file, before the
// umask.
func WriteFile(name string, text []byte, perm fs.FileMode) error {
	f, err := create(name, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	_, _ = f.Write(text) // Commit returns the error
	return f.Commit()
}

// WriteMark writes a small file on which nothing depends: it need not survive a
// crash.
func WriteMark(name string, text []byte) error { return os.WriteFile(name, text, 0o666) }

// cause removes the temporary file's name from an error.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

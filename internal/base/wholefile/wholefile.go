// Package wholefile writes files completely or not at all. The text goes to a temporary file in the same directory,
// which is renamed after everything is on the disk. A full disk, a failed write or a kill leaves the old file
// unchanged.
//
//	wholefile.go  a file from Create to Commit or Abort
//	target.go     the files that names refer to: links, devices, existing files
//
// Targets that cannot be replaced (a device, a pipe, standard output) are written in place. For a symbolic link, the
// link's target is replaced. The new file gets the mode of the old one. A hard link to the old file keeps the old text.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"emsim/internal/base/simerr"
)

// Error says that a file could not be written. It is wrapped in a *simerr.Usage.
type Error struct {
	Name string // the name given to Create
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s cannot be written: %v", e.Name, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// unwritten returns a usage error that says why a file could not be written, or nil if err is nil.
func unwritten(name string, err error) error {
	if err == nil {
		return nil
	}
	return &simerr.Usage{Err: &Error{name, err}}
}

// File is a file that is being written. After the first error, nothing more is written, and Commit returns that error.
type File struct {
	name   string
	target string // the file to replace; "" if the file is written in place
	out    *os.File
	keep   bool // out is a standard stream of the process and must not be closed
	done   bool
	err    error

	write  func(p []byte) (int, error) // the functions of out and package os,
	sync   func() error                // except in tests
	rename func(from, to string) error
}

// Create begins a file, or returns an error that says why it cannot be written.
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

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.write(p)
	f.noteError(err)
	return n, f.err
}

// WriteAt writes at an offset. The file must not be written in place.
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

// Commit puts the file in its place, unless a write failed. After Commit or Abort it only returns the first error
// again.
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

// Abort discards the file, unless it has been committed. Text written in place remains.
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

// WriteFile writes a whole file. The argument perm is the mode of a new file, before the umask.
func WriteFile(name string, text []byte, perm fs.FileMode) error {
	f, err := create(name, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	_, _ = f.Write(text) // Commit returns the error
	return f.Commit()
}

// WriteMark writes a small file whose loss does no harm. It need not survive a crash.
func WriteMark(name string, text []byte) error { return os.WriteFile(name, text, 0o666) }

// cause returns the cause of an error without the temporary file's name.
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

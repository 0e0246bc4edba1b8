// Package input reads files named by users: regular files of bounded size and of the expected kind. It recognises other
// kinds of files by their first bytes and names them in the error. It never waits for a pipe or reads an endless
// device.
//
//	input.go  opening and reading
//	kind.go   the kinds of files
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Want describes the file that is expected.
type Want struct {
	What  string // the expected file with its article, for errors: "a program"
	Kinds []Kind // kinds accepted besides Text; nil accepts any
	Most  int64  // bytes
	Why   string // why that many bytes are enough
}

// Open opens a regular file. Anything else, such as a directory, a pipe or a
// device, is an error at once.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	var path *fs.PathError
	if errors.As(err, &path) {
		path.Op = "open" // the operation that was asked for
	}
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// OpenIn works like Open, but opens a file of a file system, such as a folder that somebody else has written. With an
// fs.FS made by os.OpenRoot, no file outside the folder can be opened.
func OpenIn(files fs.FS, name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%s is not in the folder: expected a file in it or below it, without .. or a / "+
			"in front",
			name)
	}
	info, err := fs.Stat(files, name) // before opening it, since opening a pipe waits
	if err == nil {
		err = regular(name, info)
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		if path.Op = "open"; path.Err.Error() == escapes {
			return nil, fmt.Errorf("%s is a link out of the folder: expected a file in it or below it", name)
		}
	}
	if err != nil {
		return nil, err
	}
	return files.Open(name)
}

// escapes is the error text of os.OpenRoot's file system for a link that leads out of it. Package os does not export
// the error.
const escapes = "path escapes from parent"

// regular returns an error for anything but a regular file.
func regular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s", name, fileSort(info.Mode()))
}

// fileSort describes a file that is not regular, and says what was expected instead.
func fileSort(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory: expected a file"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe: expected a file, so write its output to a file first"
	case mode&fs.ModeSocket != 0:
		return "a socket: expected a file"
	}
	return "a device: expected a file"
}

// Read returns the contents of a file, without the byte order mark that some editors write at the beginning. Its errors
// name the file and say what is wrong with it; for a missing file it returns the system's error.
func (w Want) Read(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	return w.readAll(name, f)
}

// ReadIn works like Read, but reads a file of a file system; see OpenIn.
func (w Want) ReadIn(files fs.FS, name string) ([]byte, error) {
	f, err := OpenIn(files, name)
	if err != nil {
		return nil, err
	}
	return w.readAll(name, f)
}

// readAll reads and closes a file.
func (w Want) readAll(name string, f fs.File) ([]byte, error) {
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	text := head[:n]
	if err := w.Check(name, text); err != nil { // before the rest, which may be large
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := w.checkSize(name, info.Size()); err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(f, w.Most+1-int64(n))) // the file may have grown, or its size may be unknown
	if err != nil {
		return nil, err
	}
	text = append(text, rest...)
	return bytes.TrimPrefix(text, []byte("\ufeff")), w.Check(name, text)
}

// Check rejects contents that are too long or not of an expected kind.
func (w Want) Check(name string, text []byte) error {
	if err := w.Refuse(name, text); err != nil {
		return err
	}
	return w.checkSize(name, int64(len(text)))
}

// Refuse rejects contents that are not of an expected kind. It needs only the beginning of the file.
func (w Want) Refuse(name string, text []byte) error {
	k := KindOf(name, text)
	if k == Text || w.Kinds == nil || slices.Contains(w.Kinds, k) {
		return nil
	}
	if k == Assembly && filepath.Ext(name) != ".s" && slices.Contains(w.Kinds, Text) {
		return nil // a list whose comments begin with ; looks like assembly; its reader reports any errors
	}
	use := ""
	if u := uses[k]; u != "" {
		use = ": " + fmt.Sprintf(u, name)
	}
	return fmt.Errorf("%s is %s, not %s%s", name, k, w.What, use)
}

func (w Want) checkSize(name string, n int64) error {
	if n <= w.Most {
		return nil
	}
	return fmt.Errorf("%s is too large: %s has at most %s, %s", name, w.What, sizeText(w.Most), w.Why)
}

// sizeText returns a number of bytes as text, with a unit if it is a multiple of one.
func sizeText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

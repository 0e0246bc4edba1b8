// Package input reads the files that people name: regular files of a bounded
// size that are what is wanted. A file of another sort is told by its first
// bytes and named for what it is. Nothing here waits for a pipe or reads a
// device without end.
//
//	input.go  opening and reading
//	kind.go   what a file is
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// Want says what a file is to be.
type Want struct {
	What  string // with its article, for errors: "a program"
	Kinds []Kind // that it may be, Text always; nil for anything at all
	Most  int64  // bytes
	Why   string // so many are enough
}

// Open opens a regular file. Anything else, such as a directory, a pipe or a
// device, is an error at once.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	var path *fs.PathError
	if errors.As(err, &path) {
		path.Op = "open" // what was asked for
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s", name, sort(info.Mode()))
	}
	return os.Open(name)
}

// sort says what is no regular file, and what to do.
func sort(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory: expected a file"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe: expected a file, so write what it gives to one first"
	case mode&fs.ModeSocket != 0:
		return "a socket: expected a file"
	}
	return "a device: expected a file"
}

// Read returns what a file holds. Its errors name the file and say what is
// wrong with it; that of a missing file is the system's.
func (w Want) Read(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	text := head[:n]
	if err := w.Check(name, text); err != nil { // before the rest, of which there may be much
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := w.size(name, info.Size()); err != nil {
		return nil, err
	}
	text = slices.Grow(text, int(max(0, info.Size()-int64(n))))
	for room := w.Most + 1 - int64(n); room > 0; { // the file may have grown, or be one whose size is not known
		text = slices.Grow(text, 1)
		n, err := f.Read(text[len(text):min(int64(cap(text)), int64(len(text))+room)])
		text, room = text[:len(text)+n], room-int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return text, w.Check(name, text)
}

// Check refuses a text that is too long, or that is something else than what
// is wanted.
func (w Want) Check(name string, text []byte) error {
	if err := w.Refuse(name, text); err != nil {
		return err
	}
	return w.size(name, int64(len(text)))
}

// Refuse is Check without the size: the beginning of a file tells.
func (w Want) Refuse(name string, text []byte) error {
	k := KindOf(name, text)
	if k == Text || w.Kinds == nil || slices.Contains(w.Kinds, k) {
		return nil
	}
	use := ""
	if u := uses[k]; u != "" {
		use = ": " + fmt.Sprintf(u, name)
	}
	return fmt.Errorf("%s is %s, not %s%s", name, k, w.What, use)
}

func (w Want) size(name string, n int64) error {
	if n <= w.Most {
		return nil
	}
	return fmt.Errorf("%s is too large: %s has at most %s, %s", name, w.What, size(w.Most), w.Why)
}

// size writes a number of bytes.
func size(n int64) string {
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

// Package checkpoint reads and writes files that save a computation in progress: a frame around the bytes of a walk
// over the state (internal/base/state). Reading checks the whole file before using it. Writing is atomic, so a kill
// leaves the old file. docs/FORMATS.md describes the format.
//
//	file.go  the whole package
//
//	magic 8 | version 4 | size 8 | unpacked 8 | recipe's size 4 | checksum 4 | body (gzip) | recipe
package checkpoint

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/machinefile"
)

const (
	magic      = "EMSIMCKP"
	version    = 9 // must be changed when the meaning of a file changes
	headerSize = 36

	// maxRatio is above the best possible compression ratio of a body.
	maxRatio = 1100

	// maxSize is larger than the checkpoint of any machine that fits in a computer.
	maxSize = 1 << 38

	maxKind = 100 // bytes in the name of a kind of machine

	headSize = 4096 // enough to recognise other kinds of files
)

// files describes checkpoints, to distinguish them from other files.
var files = input.Want{What: "a checkpoint", Kinds: []input.Kind{input.Checkpoint, input.Binary}}

// Error says why a file is not a checkpoint, or why none could be written. It is wrapped in a *simerr.Usage.
type Error struct {
	File string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.File, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// failed returns an *Error, wrapped as a usage error.
func failed(file string, format string, args ...any) error {
	return &simerr.Usage{Err: &Error{file, fmt.Errorf(format, args...)}}
}

// Probe returns an error if Write could not succeed. Call it before work whose result would be lost.
func Probe(file string) error {
	if wholefile.InPlace(file) {
		return failed(file, "a checkpoint cannot be written there: it exists and is not a regular file")
	}
	if err := wholefile.Probe(file); err != nil {
		return failed(file, "a checkpoint cannot be written there: %w", unnamed(err))
	}
	return nil
}

// Write saves the state that walk visits, the machine's kind, and a recipe: one line of text that tells how to
// reproduce the file. Read does not need the recipe. After an error, the file is unchanged.
func Write(file, kind, recipe string, walk func(c *state.Codec)) error {
	if err := Probe(file); err != nil {
		return err
	}
	f, err := wholefile.Create(file)
	if err == nil {
		defer f.Abort()
		err = write(f, recipe, func(c *state.Codec) {
			state.Text(c, &kind, maxKind)
			walk(c)
		})
	}
	if err == nil {
		err = f.Commit()
	}
	if err != nil {
		return failed(file, "the checkpoint could not be written: %w", unnamed(err))
	}
	return nil
}

// unnamed returns the cause of an error without the file's name.
func unnamed(err error) error {
	var e *wholefile.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// counter counts and checksums the bytes that pass through it.
type counter struct {
	w   io.Writer
	n   uint64
	sum uint32
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += uint64(n)
	c.sum = crc32.Update(c.sum, crc32.IEEETable, b[:n])
	return n, err
}

func write(f *wholefile.File, recipe string, walk func(c *state.Codec)) error {
	if _, err := f.Write(make([]byte, headerSize)); err != nil {
		return err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	packed := &counter{w: buf}
	zip, err := gzip.NewWriterLevel(packed, gzip.BestSpeed)
	if err != nil {
		return err
	}
	plain := &counter{w: zip}
	c := state.Writer(plain)
	walk(c)
	for _, finish := range []func() error{c.Flush, zip.Close, buf.Flush} {
		if err := finish(); err != nil {
			return err
		}
	}
	h := header(packed.n, plain.n, len(recipe))
	_, _ = io.WriteString(packed, recipe) // buf keeps an error for Flush
	if err := buf.Flush(); err != nil {
		return err
	}
	h = binary.LittleEndian.AppendUint32(h, crc32.Update(packed.sum, crc32.IEEETable, h))
	_, err = f.WriteAt(h, 0)
	return err
}

// header returns the beginning of a file, up to the checksum.
func header(size, unpacked uint64, recipe int) []byte {
	h := binary.LittleEndian.AppendUint32([]byte(magic), version)
	h = binary.LittleEndian.AppendUint64(h, size)
	h = binary.LittleEndian.AppendUint64(h, unpacked)
	return binary.LittleEndian.AppendUint32(h, uint32(recipe))
}

// Read restores the state that walk visits, for a machine of the given kind. Before it calls walk, Read rejects a file
// that is truncated, damaged, of another version or machine, or not a checkpoint.
func Read(file, kind string, walk func(c *state.Codec)) error {
	f, err := openCheckpoint(file)
	if err != nil {
		return failed(file, "the checkpoint cannot be read: %w", err)
	}
	defer f.Close()
	is := ""
	err = readState(f, func(c *state.Codec) {
		if state.Text(c, &is, maxKind); is != kind {
			c.Fail("it belongs to a machine %q", is)
			return
		}
		walk(c)
	})
	if k, known := machinefile.KindOf(is); known && is != kind {
		own, _ := machinefile.KindOf(kind)
		return failed(file, "this is a checkpoint of %s, not of %s: %s --resume %s continues it", k.Doc, own.Doc,
			k.Run(), file)
	}
	if err != nil {
		return failed(file, "%w", err)
	}
	return nil
}

// openCheckpoint opens a file, and rejects one that is not a checkpoint.
func openCheckpoint(file string) (*os.File, error) {
	f, err := input.Open(file)
	if err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	n, _ := f.ReadAt(head, 0) // a read error will occur again later
	if err := files.Refuse(file, head[:n]); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func readState(f *os.File, walk func(c *state.Codec)) error {
	size, unpacked, err := check(f)
	if err != nil {
		return err
	}
	if _, err := f.Seek(headerSize, io.SeekStart); err != nil {
		return err
	}
	zip, err := gzip.NewReader(bufio.NewReaderSize(io.LimitReader(f, size), 1<<16))
	if err != nil {
		return fmt.Errorf("this is a damaged checkpoint: %w", err)
	}
	c := state.Reader(zip, unpacked)
	walk(c)
	err = c.Err()
	if err == nil && c.BytesLeft() > 0 {
		err = fmt.Errorf("%d bytes are left over", c.BytesLeft())
	}
	if n, _ := zip.Read(make([]byte, 1)); err == nil && n > 0 {
		err = errors.New("it unpacks to more than it says")
	}
	if err != nil {
		return fmt.Errorf("%w: %w", state.ErrMisfit, err)
	}
	return nil
}

// check reads a file to its end, and rejects it if it is not a whole, undamaged checkpoint. It returns the packed and
// the unpacked size of its body.
func check(f *os.File) (packed int64, unpacked int, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	if info.Size() > maxSize {
		return 0, 0, fmt.Errorf("this is too large for a checkpoint: one of %d GiB would not fit into a "+
			"computer's memory", maxSize>>30)
	}
	h := make([]byte, headerSize)
	n, err := io.ReadFull(f, h)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, err
	}
	switch {
	case n < len(magic) || string(h[:len(magic)]) != magic:
		return 0, 0, fmt.Errorf("this is not a checkpoint: it does not begin with %s", magic)
	case n < headerSize:
		return 0, 0, fmt.Errorf("this checkpoint is cut off: %d bytes, the header alone has %d", n, headerSize)
	}
	if v := binary.LittleEndian.Uint32(h[8:]); v != version {
		return 0, 0, fmt.Errorf("this checkpoint has version %d, this program reads version %d: resume it with the "+
			"emsim that wrote it, or run the program again", v, version)
	}
	size, plain := binary.LittleEndian.Uint64(h[12:]), binary.LittleEndian.Uint64(h[20:])
	all := size + uint64(binary.LittleEndian.Uint32(h[28:]))
	switch have := uint64(info.Size()) - headerSize; {
	case have < all || all < size:
		return 0, 0, fmt.Errorf("this checkpoint is cut off: %d bytes of %d", have, all)
	case have > all:
		return 0, 0, fmt.Errorf("this is a damaged checkpoint: %d bytes follow its end", have-all)
	}
	sum := &counter{w: io.Discard}
	if _, err := io.Copy(sum, f); err != nil {
		return 0, 0, err
	}
	if got, want := crc32.Update(sum.sum, crc32.IEEETable, h[:headerSize-4]),
		binary.LittleEndian.Uint32(h[headerSize-4:]); got != want {
		return 0, 0, fmt.Errorf("this checkpoint is damaged: its checksum is %08x, the file says %08x", got, want)
	}
	if plain > maxRatio*size {
		return 0, 0, fmt.Errorf("this checkpoint was tampered with: %d bytes do not unpack to %d", size, plain)
	}
	return int64(size), int(plain), nil
}

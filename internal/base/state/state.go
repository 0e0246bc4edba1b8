// Package state writes, reads and hashes the state of a model with one walk
// over its fields.
//
// A model's State method names every field once, by address. The same walk
// hashes, saves and restores the state, so a checkpoint holds exactly what
// the hash covers.
//
//	state.go      a walk: save, restore, hash
//	fields.go     all fields of a struct
//	stream.go     walks to and from files
//	snapshots.go  when a run shows its state, and how it continues from a state
//	shown.go      samples and states of a run of an event-driven machine, and how it ends
package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
)

// ErrTruncated is the error of a restore whose bytes end too early.
var ErrTruncated = errors.New("state: the bytes end too early")

// Codec is the state of one walk, which saves, restores or hashes.
type Codec struct {
	buf     []byte
	loading bool
	digest  bool
	own     bool
	err     error
	marking bool
	marks   []Mark
	of      int // the processing element that the walk has reached
	stream      // used by Writer and Reader
}

// Saver returns a codec that appends to buf.
func Saver(buf []byte) *Codec { return &Codec{buf: buf} }

// Hasher returns a saving codec whose bytes are only hashed: a model may
// supply running sums instead of large contents.
func Hasher(buf []byte) *Codec { return &Codec{buf: buf, digest: true} }

// Mark says to which part of a model the bytes from an offset to the next mark belong.
type Mark struct {
	Of   int    // number of the processing element; -1 means none
	Unit string // the unit of the element
	From int
}

// Marker returns a Hasher that appends to marks where the bytes of each part of the model begin.
func Marker(buf []byte, marks []Mark) *Codec {
	return &Codec{buf: buf, digest: true, marking: true, marks: marks, of: -1}
}

// Marks returns the marks of a Marker's walk.
func (c *Codec) Marks() []Mark { return c.marks }

// Of tells the codec that the walk has reached a processing element.
func (c *Codec) Of(number int) { c.of = number }

// In tells the codec that the walk has reached a unit.
func (c *Codec) In(unit string) {
	if c.marking {
		c.marks = append(c.marks, Mark{c.of, unit, len(c.buf)})
	}
}

// Loader returns a codec that restores from buf.
func Loader(buf []byte) *Codec { return &Codec{buf: buf, loading: true} }

// Reloader returns a Loader of bytes that this process has saved.
func Reloader(buf []byte) *Codec { return &Codec{buf: buf, loading: true, own: true} }

// IsOwn reports whether this process has saved the bytes, so that they need not be checked for damage.
func (c *Codec) IsOwn() bool { return c.own }

// Bytes returns the saved bytes.
func (c *Codec) Bytes() []byte { return c.buf }

// Loading reports whether the walk restores.
func (c *Codec) Loading() bool { return c.loading }

// Digest reports whether the bytes are only hashed.
func (c *Codec) Digest() bool { return c.digest }

// Err returns the first error of a restore, or of writing to a stream.
func (c *Codec) Err() error { return c.err }

// BytesLeft returns how many bytes a restore has not read.
func (c *Codec) BytesLeft() int { return len(c.buf) + c.rest }

// Fail makes a restore fail because its bytes are well formed but wrong.
func (c *Codec) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("state: "+format, args...)
	}
}

// Int is any integer type.
type Int interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Num visits an integer field.
func Num[T Int](c *Codec, p *T) {
	if !c.loading {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, uint64(*p))
		if c.out != nil && len(c.buf) >= streamChunk {
			c.drain()
		}
		return
	}
	if len(c.buf) < 8 && !c.fillBuffer(8) {
		*p = 0
		return
	}
	v := binary.LittleEndian.Uint64(c.buf)
	c.buf = c.buf[8:]
	*p = T(v)
	if uint64(*p) != v {
		c.Fail("%d does not fit its field", v)
	}
}

// Nums visits every element of an array or of a slice whose length is fixed.
func Nums[T Int](c *Codec, s []T) {
	for i := range s {
		Num(c, &s[i])
	}
}

// Pairs visits words and tags alternately. It is a fast Num for memories, of which a machine has megabytes: a codec
// that holds the bytes does not check its buffer for every field.
func Pairs(c *Codec, words []uint64, tags []uint8) {
	size := 16 * len(words)
	switch {
	case !c.loading && c.out == nil:
		c.buf = slices.Grow(c.buf, size)
		b := c.buf[len(c.buf) : len(c.buf)+size]
		for i, w := range words {
			binary.LittleEndian.PutUint64(b[16*i:], w)
			binary.LittleEndian.PutUint64(b[16*i+8:], uint64(tags[i]))
		}
		c.buf = c.buf[:len(c.buf)+size]
	case c.loading && len(c.buf) >= size:
		for i := range words {
			v := binary.LittleEndian.Uint64(c.buf[16*i+8:])
			if words[i], tags[i] = binary.LittleEndian.Uint64(c.buf[16*i:]), uint8(v); v > 0xff {
				c.Fail("%d does not fit its field", v)
			}
		}
		c.buf = c.buf[size:]
	default:
		for i := range words {
			Num(c, &words[i])
			Num(c, &tags[i])
		}
	}
}

// Float visits floating-point fields, bit by bit.
func Float(c *Codec, list ...*float64) {
	for _, p := range list {
		bits := math.Float64bits(*p)
		Num(c, &bits)
		*p = math.Float64frombits(bits)
	}
}

// Bool visits truth values.
func Bool(c *Codec, list ...*bool) {
	for _, p := range list {
		v := uint8(0)
		if *p {
			v = 1
		}
		Num(c, &v)
		if v > 1 {
			c.Fail("%d is not a truth value", v)
		}
		*p = v == 1
	}
}

// Len visits the length of a slice, 0..limit, and makes the slice that long
// when restoring.
func Len[T any](c *Codec, s *[]T, limit int) {
	n := len(*s)
	Num(c, &n)
	if !c.loading {
		return
	}
	if n < 0 || n > limit {
		c.Fail("length %d is outside 0..%d", n, limit)
		n = 0
	}
	// Every element takes at least eight bytes. A length that does not fit the remaining bytes is rejected before
	// memory is allocated.
	if n > c.BytesLeft()/8 {
		c.endsEarly()
	}
	if c.err != nil {
		n = 0
	}
	*s = make([]T, n)
}

// List visits a slice of length 0..limit, element by element. A restore allocates only as it reads, so limit may be
// large.
func List[T any](c *Codec, s *[]T, limit int, each func(*T)) {
	n := len(*s)
	Num(c, &n)
	if !c.loading {
		for i := range *s {
			each(&(*s)[i])
		}
		return
	}
	*s = nil
	if n < 0 || n > limit {
		c.Fail("length %d is outside 0..%d", n, limit)
	}
	for i := 0; i < n && c.err == nil; i++ {
		var x T
		each(&x)
		*s = append(*s, x)
	}
}

// Bytes visits a slice of 0..limit bytes, padded to a multiple of eight.
func Bytes(c *Codec, b *[]byte, limit int) {
	n := len(*b)
	Num(c, &n)
	if c.loading && (n < 0 || n > limit) {
		c.Fail("length %d is outside 0..%d", n, limit)
	}
	if c.loading && n > c.BytesLeft() {
		c.endsEarly()
	}
	if c.loading {
		*b = nil
	}
	for i := 0; i < n && c.err == nil; i += 8 {
		var word [8]byte
		if !c.loading {
			copy(word[:], (*b)[i:])
		}
		v := binary.LittleEndian.Uint64(word[:])
		Num(c, &v)
		if c.loading && c.err == nil {
			*b = binary.LittleEndian.AppendUint64(*b, v)[:min(i+8, n)]
		}
	}
}

// Text visits a string of 0..limit bytes.
func Text(c *Codec, s *string, limit int) {
	b := []byte(*s)
	Bytes(c, &b, limit)
	*s = string(b)
}

// Hash returns the FNV-1a hash of saved bytes.
func Hash(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b) // never fails
	return h.Sum64()
}

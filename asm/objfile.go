package asm

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"emsim/internal/base/simerr"
)

// The object file: see docs/FORMATS.md.
const (
	magic      = "EMSIMOBJ"
	version    = 4
	untyped    = 3                  // older version, without the result's type, which can also be read
	headerSize = len(magic) + 4 + 4 // magic, version, size of the body
	sumSize    = 4                  // CRC-32 of everything before it
	noEntry    = math.MaxUint32
)

// badFormat returns the error of an invalid object file, found at a byte.
func badFormat(offset int, format string, args ...any) error {
	return simerr.Usagef("bad object file: %s (at byte %d)", fmt.Sprintf(format, args...), offset)
}

// codec writes or reads the little-endian fields of an object file. After an error it reads zeros.
type codec struct {
	b       []byte
	pos     int // position of the next byte to read
	reading bool
	version uint32
	values  int // number of values of parameters so far
	err     error
}

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = badFormat(c.pos, format, args...)
	}
}

// nextBytes returns the next n bytes, or nil.
func (c *codec) nextBytes(n int) []byte {
	if c.err == nil && n > len(c.b)-c.pos {
		c.fail("%d bytes are missing", n-(len(c.b)-c.pos))
	}
	if c.err != nil {
		return nil
	}
	c.pos += n
	return c.b[c.pos-n : c.pos]
}

// field visits an integer of size bytes.
func field[T ~uint8 | ~uint32 | ~int64 | ~uint64](c *codec, size int, p *T) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, uint64(*p))[:len(c.b)+size]
		return
	}
	var b [8]byte
	copy(b[:], c.nextBytes(size))
	*p = T(binary.LittleEndian.Uint64(b[:]))
}

// addresses visits fields of four bytes.
func (c *codec) addresses(list ...*uint32) {
	for _, p := range list {
		field(c, 4, p)
	}
}

// count visits the number of elements of a list. An element has at least size bytes, so a number that is too large
// for the rest of the file is rejected before anything is allocated.
func (c *codec) count(have int, what string, size int) int {
	n := uint32(have)
	field(c, 4, &n)
	if left := len(c.b) - c.pos; c.reading && uint64(n)*uint64(size) > uint64(left) {
		c.fail("it promises %d %s, but only %d bytes follow", n, what, left)
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

func (c *codec) text(s *string) {
	n := c.count(len(*s), "characters", 1)
	if c.reading {
		*s = string(c.nextBytes(n))
	} else {
		c.b = append(c.b, *s...)
	}
}

func (c *codec) entry(p **uint32) {
	v := uint32(noEntry)
	if *p != nil {
		v = **p
	}
	if field(c, 4, &v); c.reading && c.err == nil && v != noEntry {
		*p = &v
	}
}

// readList visits a list of elements of at least size bytes each; an empty one is read as nil. No list has more
// elements than a PE's memory has words: each section and line has at least one word, the number of names is limited,
// and programs have fewer files.
func readList[T any](c *codec, l *[]T, what string, size int, each func(*T)) {
	n := c.count(len(*l), what, size)
	if c.reading && n > maxNames {
		c.fail("it has %d %s, more than the %d that a program can have", n, what, maxNames)
	}
	if c.reading && n > 0 && c.err == nil {
		*l = make([]T, n)
	}
	for i := range *l {
		if each(&(*l)[i]); c.err != nil {
			*l = nil
			return
		}
	}
}

// object visits the parts of an object in the order of the file.
func (c *codec) object(o *Object) {
	readList(c, &o.Sections, "sections", 9, c.section)
	readList(c, &o.Symbols, "symbols", 21, func(s *Symbol) {
		field(c, 1, &s.Kind)
		field(c, 8, &s.Value)
		c.addresses(&s.Size, &s.Reach)
		c.text(&s.Name)
	})
	readList(c, &o.Files, "files", 4, c.text)
	readList(c, &o.Lines, "lines", 20, func(l *Line) {
		c.addresses(&l.Addr, &l.Words, &l.File, &l.Line)
		c.text(&l.Detail)
	})
	readList(c, &o.Params, "parameters", 32, func(p *Param) {
		c.text(&p.Name)
		readList(c, &p.Values, "values", 4, c.text)
		if c.values += len(p.Values); c.reading && c.values > maxNames {
			c.fail("its parameters have more than %d values", maxNames)
		}
		for _, v := range []*int64{&p.Min, &p.Max, &p.Value} {
			field(c, 8, v)
		}
	})
	readList(c, &o.Args, "arguments", 24, func(x *Arg) {
		c.text(&x.Name)
		field(c, 8, &x.Min)
		field(c, 8, &x.Max)
		c.addresses(&x.Entry)
	})
	for _, p := range []**uint32{&o.Init, &o.Start, &o.PerPE} {
		c.entry(p)
	}
	if c.version > untyped {
		c.text(&o.Result)
	}
}

func (c *codec) section(s *Section) {
	field(c, 1, &s.Kind)
	c.addresses(&s.Start, &s.Size)
	if s.Kind == Space || c.err != nil {
		return
	}
	if c.reading {
		if left := len(c.b) - c.pos; uint64(s.Size)*8 > uint64(left) {
			c.fail("a section promises %d words, but only %d bytes follow", s.Size, left)
			return
		}
		s.Words = make([]uint64, s.Size)
	}
	for i := range s.Words {
		field(c, 8, &s.Words[i])
	}
}

// Marshal returns the object file. Equal objects have equal files.
func (o *Object) Marshal() []byte {
	v := uint32(version)
	body := &codec{version: v}
	body.object(o)
	size := uint32(len(body.b))
	f := &codec{b: []byte(magic)}
	f.addresses(&v, &size)
	f.b = append(f.b, body.b...)
	return binary.LittleEndian.AppendUint32(f.b, crc32.ChecksumIEEE(f.b))
}

// Unmarshal returns the object in an object file that Marshal wrote. For any input its memory is at most a small
// multiple of the input's size. The error is a *Usage.
func Unmarshal(b []byte) (*Object, error) {
	v, err := checkFrame(b)
	if err != nil {
		return nil, err
	}
	r, o := &codec{b: b[:len(b)-sumSize], pos: headerSize, reading: true, version: v}, &Object{}
	r.object(o)
	if r.err == nil && r.pos != len(r.b) {
		r.fail("%d bytes are left over", len(r.b)-r.pos)
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := o.Validate(); err != nil {
		return nil, badFormat(headerSize, "%v", err)
	}
	return o, nil
}

// checkFrame checks the header and checksum around the body, and returns the version.
func checkFrame(b []byte) (v uint32, err error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return 0, badFormat(0, "it does not begin with %s", magic)
	}
	if len(b) < headerSize {
		return 0, badFormat(len(b), "it is cut off: %d bytes, the header alone has %d", len(b), headerSize)
	}
	if v = binary.LittleEndian.Uint32(b[len(magic):]); v != version && v != untyped {
		return 0, badFormat(len(magic), "it has version %d, this program reads the versions %d and %d: assemble "+
			"the source again", v, untyped, version)
	}
	want := uint64(headerSize) + uint64(binary.LittleEndian.Uint32(b[len(magic)+4:])) + sumSize
	if uint64(len(b)) < want {
		return 0, badFormat(len(b), "it is cut off: %d bytes of %d", len(b), want)
	}
	if uint64(len(b)) > want {
		return 0, badFormat(int(want), "%d bytes follow its end", uint64(len(b))-want)
	}
	at := len(b) - sumSize
	if got, want := crc32.ChecksumIEEE(b[:at]), binary.LittleEndian.Uint32(b[at:]); got != want {
		return 0, badFormat(at, "it is damaged: its checksum is %08x, the file says %08x", got, want)
	}
	return v, nil
}

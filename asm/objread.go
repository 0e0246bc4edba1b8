package asm

import (
	"encoding/binary"
)

// reader takes little-endian fields. After an error it returns zeros.
type reader struct {
	b      []byte
	pos    int
	values int // of parameters so far
	err    error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = badFormat(r.pos, format, args...)
	}
}

// take returns the next n bytes, or nil.
func (r *reader) take(n int) []byte {
	if r.err == nil && n > len(r.b)-r.pos {
		r.fail("%d bytes are missing", n-(len(r.b)-r.pos))
	}
	if r.err != nil {
		return nil
	}
	r.pos += n
	return r.b[r.pos-n : r.pos]
}

func (r *reader) u8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count takes the number of elements of a list. An element has at least size
// bytes, so a number that the rest of the file cannot hold is refused before
// anything is allocated.
func (r *reader) count(what string, size int) int {
	n := r.u32()
	if left := len(r.b) - r.pos; uint64(n)*uint64(size) > uint64(left) {
		r.fail("it promises %d %s, but only %d bytes follow", n, what, left)
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return string(r.take(r.count("characters", 1))) }

func (r *reader) entry() *uint32 {
	v := r.u32()
	if v == noEntry || r.err != nil {
		return nil
	}
	return &v
}

// list reads a list of elements of at least size bytes each; an empty one is
// nil. No list has more elements than a PE's memory has words: each section,
// line of the map and file produced at least one word, and names are bounded.
func list[T any](r *reader, what string, size int, read func(*T)) []T {
	n := r.count(what, size)
	if n > maxNames {
		r.fail("it has %d %s, more than the %d that a program can have", n, what, maxNames)
		return nil
	}
	if n == 0 {
		return nil
	}
	l := make([]T, n)
	for i := range l {
		if read(&l[i]); r.err != nil {
			return nil
		}
	}
	return l
}

func (r *reader) object() *Object {
	o := &Object{}
	o.Sections = list(r, "sections", 9, r.section)
	o.Symbols = list(r, "symbols", 21, func(s *Symbol) {
		s.Kind, s.Value, s.Size, s.Reach, s.Name = SymbolKind(r.u8()), int64(r.u64()), r.u32(), r.u32(), r.text()
	})
	o.Files = list(r, "files", 4, func(s *string) { *s = r.text() })
	o.Lines = list(r, "lines", 16, func(l *Line) {
		l.Addr, l.Words, l.File, l.Line = r.u32(), r.u32(), r.u32(), r.u32()
	})
	o.Params = list(r, "parameters", 32, func(p *Param) {
		p.Name = r.text()
		p.Values = list(r, "values", 4, func(s *string) { *s = r.text() })
		if r.values += len(p.Values); r.values > maxNames {
			r.fail("its parameters have more than %d values", maxNames)
		}
		p.Min, p.Max, p.Value = int64(r.u64()), int64(r.u64()), int64(r.u64())
	})
	o.Args = list(r, "arguments", 24, func(x *Arg) {
		x.Name, x.Min, x.Max, x.Entry = r.text(), int64(r.u64()), int64(r.u64()), r.u32()
	})
	o.Init, o.Start, o.PerPE = r.entry(), r.entry(), r.entry()
	return o
}

func (r *reader) section(s *Section) {
	s.Kind, s.Start, s.Size = SectionKind(r.u8()), r.u32(), r.u32()
	if s.Kind == Space || r.err != nil {
		return
	}
	if left := len(r.b) - r.pos; uint64(s.Size)*8 > uint64(left) {
		r.fail("a section promises %d words, but only %d bytes follow", s.Size, left)
		return
	}
	s.Words = make([]uint64, s.Size)
	for i := range s.Words {
		s.Words[i] = r.u64()
	}
}

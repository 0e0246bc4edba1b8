package asm

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// The object file: see docs/FORMATS.md.
const (
	magic      = "EMSIMOBJ"
	version    = 2
	headerSize = len(magic) + 4 + 4 // magic, version, size of the body
	sumSize    = 4                  // CRC-32 of all before it
	noEntry    = math.MaxUint32
)

// FormatError says why a file is not an object file.
type FormatError struct {
	Offset  int // byte at which the error was noticed
	Message string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("bad object file: %s (at byte %d)", e.Message, e.Offset)
}

// badFormat is the error of a file that is no object file.
func badFormat(offset int, format string, args ...any) error {
	return &Usage{Err: &FormatError{Offset: offset, Message: fmt.Sprintf(format, args...)}}
}

// writer appends little-endian fields.
type writer struct{ b []byte }

func (w *writer) u8(v uint8)   { w.b = append(w.b, v) }
func (w *writer) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *writer) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }
func (w *writer) count(n int)  { w.u32(uint32(n)) }
func (w *writer) text(s string) {
	w.count(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) entry(p *uint32) {
	if p == nil {
		w.u32(noEntry)
		return
	}
	w.u32(*p)
}

// Marshal returns the object file. Equal objects have equal files.
func (o *Object) Marshal() []byte {
	w := &writer{}
	w.count(len(o.Sections))
	for i := range o.Sections {
		s := &o.Sections[i]
		w.u8(uint8(s.Kind))
		w.u32(s.Start)
		w.u32(s.Size)
		for _, x := range s.Words {
			w.u64(x)
		}
	}
	w.count(len(o.Symbols))
	for _, s := range o.Symbols {
		w.u8(uint8(s.Kind))
		w.u64(uint64(s.Value))
		w.u32(s.Size)
		w.u32(s.Reach)
		w.text(s.Name)
	}
	w.count(len(o.Files))
	for _, f := range o.Files {
		w.text(f)
	}
	w.count(len(o.Lines))
	for _, l := range o.Lines {
		w.u32(l.Addr)
		w.u32(l.Words)
		w.u32(l.File)
		w.u32(l.Line)
	}
	w.params(o.Params)
	w.count(len(o.Args))
	for _, x := range o.Args {
		w.text(x.Name)
		w.u64(uint64(x.Min))
		w.u64(uint64(x.Max))
		w.u32(x.Entry)
	}
	w.entry(o.Init)
	w.entry(o.Start)
	w.entry(o.PerPE)

	f := &writer{b: []byte(magic)}
	f.u32(version)
	f.count(len(w.b))
	f.b = append(f.b, w.b...)
	f.u32(crc32.ChecksumIEEE(f.b))
	return f.b
}

func (w *writer) params(params []Param) {
	w.count(len(params))
	for i := range params {
		p := &params[i]
		w.text(p.Name)
		w.count(len(p.Values))
		for _, v := range p.Values {
			w.text(v)
		}
		w.u64(uint64(p.Min))
		w.u64(uint64(p.Max))
		w.u64(uint64(p.Value))
	}
}

// Unmarshal is the inverse of Marshal. For any input its memory is at most a
// small multiple of the input's size; the error is a *FormatError.
func Unmarshal(b []byte) (*Object, error) {
	if err := checkFrame(b); err != nil {
		return nil, err
	}
	r := &reader{b: b[:len(b)-sumSize], pos: headerSize}
	o := r.object()
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

// checkFrame checks the header and checksum around the body.
func checkFrame(b []byte) error {
	fail := func(at int, format string, args ...any) error {
		return badFormat(at, format, args...)
	}
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return fail(0, "it does not begin with %s", magic)
	}
	if len(b) < headerSize {
		return fail(len(b), "it is cut off: %d bytes, the header alone has %d", len(b), headerSize)
	}
	if v := binary.LittleEndian.Uint32(b[len(magic):]); v != version {
		return fail(len(magic), "it has version %d, this program reads version %d: assemble the source again", v, version)
	}
	want := uint64(headerSize) + uint64(binary.LittleEndian.Uint32(b[len(magic)+4:])) + sumSize
	if uint64(len(b)) < want {
		return fail(len(b), "it is cut off: %d bytes of %d", len(b), want)
	}
	if uint64(len(b)) > want {
		return fail(int(want), "%d bytes follow its end", uint64(len(b))-want)
	}
	at := len(b) - sumSize
	if got, want := crc32.ChecksumIEEE(b[:at]), binary.LittleEndian.Uint32(b[at:]); got != want {
		return fail(at, "it is damaged: its checksum is %08x, the file says %08x", got, want)
	}
	return nil
}

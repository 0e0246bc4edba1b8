package emcr

import (
	"fmt"

	"emsim/isa"
)

// Image is a program in memory, the same for all PEs and shared by them: code
// is decoded once and cannot be written.
type Image struct {
	code []op     // by address
	data []uint64 // initial words by address; code words read as their encoding
}

// op is a decoded instruction with what its row says at hand.
type op struct {
	isa.Inst
	lit        uint64 // value of the constant operand
	eval       isa.Eval
	class      isa.Class
	mem, extra uint8
	quiet      uint8 // clocks from here until the first instruction that may be a send, at most maxLate
	ok         bool  // an instruction, not data
}

// NewImage returns an image of the given length in words, all of them data 0.
func NewImage(words uint32) *Image {
	return &Image{code: make([]op, words), data: make([]uint64, words)}
}

// SetData puts a data word into the image.
func (m *Image) SetData(addr uint32, v uint64) { m.data[addr] = v }

// SetCode puts an instruction word into the image.
func (m *Image) SetCode(addr uint32, word uint64, w isa.Word) error {
	in, err := isa.Decode(word)
	if err != nil {
		return fmt.Errorf("code address %#x: %w", addr, err)
	}
	row := &isa.Table[in.Op]
	o := op{Inst: in, eval: row.Eval, class: row.Class, mem: row.Mem, extra: row.Extra, ok: true}
	if in.Lit {
		o.lit = w.Trunc(uint64(int64(in.Imm)))
	}
	m.code[addr] = o
	m.data[addr] = word
	return nil
}

// Words returns the image's length.
func (m *Image) Words() uint32 { return uint32(len(m.code)) }

// At returns the instruction at an address.
func (m *Image) At(addr uint32) (isa.Inst, bool) {
	if int(addr) >= len(m.code) || !m.code[addr].ok {
		return isa.Inst{}, false
	}
	return m.code[addr].Inst, true
}

// Measure finds out how long every instruction is from a send, for Due. Without
// it a PE is evaluated more often than it need be.
func (m *Image) Measure() {
	for i := range m.code {
		m.code[i].quiet = maxLate
	}
	for changed := true; changed; {
		changed = false
		for i := range m.code {
			if q := m.measure(uint32(i)); q < m.code[i].quiet {
				m.code[i].quiet, changed = q, true
			}
		}
	}
}

// measure is the distance of one instruction, from those that can follow it.
func (m *Image) measure(pc uint32) uint8 {
	in := &m.code[pc]
	if !in.ok || in.class == isa.ClassSend {
		return 0
	}
	behind := uint8(0) // the next block may begin with a send
	if !in.End {
		behind = uint8(m.quiet(pc + 1))
	}
	if in.class == isa.ClassBranch {
		behind = min(behind, uint8(m.quiet(uint32(in.Imm))))
	}
	return min(maxLate, 1+in.mem+in.extra+behind)
}

func (m *Image) quiet(pc uint32) uint64 {
	if int(pc) >= len(m.code) {
		return 0
	}
	return uint64(m.code[pc].quiet)
}

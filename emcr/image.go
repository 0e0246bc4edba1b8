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
	toSend     uint8 // clocks from here until the first instruction that may be a send, at most maxLate
	toEnd      uint8 // clocks from here until the end of the block, at most maxLate
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

// Measure finds out how far every instruction is from a send and from the end
// of its block, for Due. Without it a PE is evaluated more often than it need be.
func (m *Image) Measure() {
	for i := range m.code {
		if m.code[i].ok {
			m.code[i].toSend, m.code[i].toEnd = maxLate, maxLate
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range m.code {
			if !m.code[i].ok {
				continue
			}
			in := &m.code[i]
			if send, end := m.measure(uint32(i)); send < in.toSend || end < in.toEnd {
				in.toSend, in.toEnd, changed = send, end, true
			}
		}
	}
}

// measure returns the distances of one instruction, from those of the ones
// that can follow it.
func (m *Image) measure(pc uint32) (send, end uint8) {
	in := &m.code[pc]
	if in.End {
		send, end = maxLate, 0
	} else {
		send, end = m.distances(pc + 1)
	}
	if in.class == isa.ClassBranch {
		s, e := m.distances(uint32(in.Imm))
		send, end = min(send, s), min(end, e)
	}
	clocks := 1 + in.mem + in.extra
	send, end = min(maxLate, send+clocks), min(maxLate, end+clocks)
	if in.class == isa.ClassSend {
		send = 0
	}
	return send, end
}

// distances returns the clocks from the fetch of an instruction to that of the
// first one that may be a send, and to the end of the block.
func (m *Image) distances(pc uint32) (send, end uint8) {
	if int(pc) >= len(m.code) {
		return 0, 0
	}
	return m.code[pc].toSend, m.code[pc].toEnd
}

// quiet returns the clocks from the fetch of an instruction to that of the
// first one that may be a send, in this block or, so many clocks behind its
// end, the next.
func (m *Image) quiet(pc uint32, next uint64) uint64 {
	send, end := m.distances(pc)
	return min(uint64(send), uint64(end)+next)
}

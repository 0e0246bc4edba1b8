package emcr

import (
	"fmt"
	"slices"

	"emsim/isa"
	"emsim/packet"
)

// Image is a program in memory, shared by all PEs: its code is decoded once and cannot be overwritten. The only parts
// that differ between PEs are the PEs that the code names.
type Image struct {
	code []op           // by address
	data []uint64       // initial words by address; code words read as their encoding
	near []isa.Relation // relations that instructions name, without duplicates
	pe   []uint64       // by PE and by index in near: the PE that is meant, as a continuation with address 0
}

// op is a decoded instruction together with its row of the instruction table.
type op struct {
	isa.Inst
	lit        uint64 // value of the constant operand; for movpe, the index in Image.near
	eval       isa.Eval
	class      isa.Class
	form       isa.Form // how a continuation gets its matching condition
	mem, extra uint8
	toSend     uint8 // lookahead.go: clocks until the first instruction that can send, at most maxLookahead
	toEnd      uint8 // lookahead.go: clocks until the end of the block, at most maxLookahead
	ok         bool  // it is an instruction, not data
}

// NewImage returns an image with the given number of words, all of them data words with value 0.
func NewImage(words uint32) *Image {
	return &Image{code: make([]op, words), data: make([]uint64, words)}
}

// SetData writes a data word to the image.
func (m *Image) SetData(addr uint32, v uint64) { m.data[addr] = v }

// SetCode writes an instruction word to the image. It returns an error if the
// word encodes no instruction.
func (m *Image) SetCode(addr uint32, word uint64, w isa.Width) error {
	in, err := isa.Decode(word)
	if err != nil {
		return fmt.Errorf("code address %#x: %w", addr, err)
	}
	row := &isa.Table[in.Op]
	o := op{Inst: in, eval: row.Eval, class: row.Class, form: in.Form(), mem: row.Mem, extra: row.Extra, ok: true}
	if in.Lit {
		o.lit = w.Trunc(uint64(int64(in.Imm)))
	}
	if row.Class == isa.ClassConstant {
		o.lit = m.nearIndex(in.Relation())
	}
	m.code[addr] = o
	m.data[addr] = word
	return nil
}

// nearIndex returns the index of a relation in near. It adds the relation if near does not have it.
func (m *Image) nearIndex(r isa.Relation) uint64 {
	i := slices.Index(m.near, r)
	if i < 0 {
		i = len(m.near)
		m.near = append(m.near, r)
	}
	return uint64(i)
}

// Fill sets the PEs that the code names, for each of n PEs. It must be called after all code has been set. The function
// at returns the PE to which a relation points from PE i.
func (m *Image) Fill(n int, f packet.Format, at func(i int, r isa.Relation) packet.PE) {
	m.pe = make([]uint64, 0, n*len(m.near))
	for i := range n {
		for _, r := range m.near {
			m.pe = append(m.pe, f.Payload(packet.Cont{PE: at(i, r)}))
		}
	}
}

// constantOf returns the constant of a movpe instruction in PE i.
func (m *Image) constantOf(i uint32, in *op) uint64 { return m.pe[int(i)*len(m.near)+int(in.lit)] }

// Words returns the image's length in words.
func (m *Image) Words() uint32 { return uint32(len(m.code)) }

// InstructionAt returns the instruction at an address. ok is false if the address does not hold an instruction.
func (m *Image) InstructionAt(addr uint32) (isa.Inst, bool) {
	if int(addr) >= len(m.code) || !m.code[addr].ok {
		return isa.Inst{}, false
	}
	return m.code[addr].Inst, true
}

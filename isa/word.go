package isa

import "fmt"

// Inst is a decoded instruction.
//
//	end 1 | opcode 6 | D 4 | A 4 | literal 1 | B 4 | constant 19   = 39 bits
//
// If the literal bit is 1, an operand with LetterS is the constant instead of a register.
type Inst struct {
	Imm     int32 // -2^18..2^18-1, or 0..2^18-1 for addresses
	Op      Op
	D, A, B uint8
	Lit     bool
	End     bool // the block ends after this instruction, unless it is a taken branch
}

// The field widths of the instruction word.
const (
	WordBits = 39
	immBits  = 19
	regBits  = 4
	opBits   = 6

	// ImmMin and ImmMax are the bounds of a 19-bit constant.
	ImmMin  = -1 << (immBits - 1)
	ImmMax  = 1<<(immBits-1) - 1
	regMask = 1<<regBits - 1
)

// Encode returns the instruction as a word. The fields of in must be in their ranges.
func Encode(in Inst) uint64 {
	w := boolBit(in.End)
	w = w<<opBits | uint64(in.Op)
	w = w<<regBits | uint64(in.D)
	w = w<<regBits | uint64(in.A)
	w = w<<1 | boolBit(in.Lit)
	w = w<<regBits | uint64(in.B)
	return w<<immBits | uint64(in.Imm)&(1<<immBits-1)
}

// Decode decodes an instruction word. It is the inverse of Encode. It returns an error for a word that Encode cannot
// produce, because the opcode has no row or an unused field is not 0. Such a word is data.
func Decode(w uint64) (Inst, error) {
	if w>>WordBits != 0 {
		return Inst{}, fmt.Errorf("isa: %#x is wider than an instruction word of %d bits", w, WordBits)
	}
	in := Inst{
		Imm: int32(w<<(32-immBits)&(1<<32-1)) >> (32 - immBits),
		B:   uint8(w >> immBits & regMask),
		Lit: w>>(immBits+regBits)&1 == 1,
		A:   uint8(w >> (immBits + regBits + 1) & regMask),
		D:   uint8(w >> (immBits + 2*regBits + 1) & regMask),
		Op:  Op(w >> (immBits + 3*regBits + 1) & (1<<opBits - 1)),
		End: w>>(WordBits-1) == 1,
	}
	if int(in.Op) >= len(Table) {
		return Inst{}, fmt.Errorf("isa: %#x has opcode %d, the last one is %d", w, in.Op, len(Table)-1)
	}
	if err := in.check(); err != nil {
		return Inst{}, fmt.Errorf("isa: %#x: %s: %w", w, Table[in.Op].Name, err)
	}
	return in, nil
}

// check returns an error if a field that the row does not use is not 0, or if a field that it uses is out of range.
func (in Inst) check() error {
	row := &Table[in.Op]
	var usesD, usesA, usesB, usesImm, mayLit bool
	for _, l := range row.Operands {
		switch l {
		case LetterD:
			usesD = true
		case LetterA:
			usesA = true
		case LetterB:
			usesB = true
		case LetterS:
			mayLit = true
			usesB, usesImm = usesB || !in.Lit, usesImm || in.Lit
		case LetterI:
			usesImm = true
		case LetterX:
			usesImm = true
			if in.Imm < 0 {
				return fmt.Errorf("code address %d is negative", in.Imm)
			}
		case LetterM:
			usesImm = true
			if in.Imm < 0 || int(in.Imm) >= len(SpecialNames) {
				return fmt.Errorf("no special register has number %d", in.Imm)
			}
		case LetterO:
			usesB = true
			if int(in.B) >= len(OrderNames) {
				return fmt.Errorf("no order of PEs has number %d", in.B)
			}
		case LetterN:
			usesImm = true
			if in.Imm < -MaxSteps || in.Imm > MaxSteps {
				return fmt.Errorf("%d steps are not within -%d..%d", in.Imm, MaxSteps, MaxSteps)
			}
		}
	}
	switch row.Forms {
	case FieldD:
		usesD = true
		if Form(in.D) >= FormsOf(in.Op) {
			return fmt.Errorf("no form %d", in.D)
		}
	case FieldB:
		usesB = true
		if Form(in.B) >= FormsOf(in.Op) {
			return fmt.Errorf("no form %d", in.B)
		}
	}
	switch {
	case !usesD && in.D != 0:
		return fmt.Errorf("unused field D holds %d", in.D)
	case !usesA && in.A != 0:
		return fmt.Errorf("unused field A holds %d", in.A)
	case !usesB && in.B != 0:
		return fmt.Errorf("unused field B holds %d", in.B)
	case !usesImm && in.Imm != 0:
		return fmt.Errorf("unused constant holds %d", in.Imm)
	case !mayLit && in.Lit:
		return fmt.Errorf("it does not take a constant as second operand")
	}
	return nil
}

// Form returns the form that the instruction's suffix selects.
func (in Inst) Form() Form {
	switch Table[in.Op].Forms {
	case FieldD:
		return Form(in.D)
	case FieldB:
		return Form(in.B)
	}
	return FormCont
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

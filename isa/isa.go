// Package isa is the instruction set of the modelled EMC-R: one table that the assembler, the disassembler, the EXU and
// docs/ISA.md all use.
//
//	isa.go      opcodes, classes, operands
//	word.go     the instruction word, encoding and decoding
//	table.go    one row per instruction
//	eval.go     the pure functions of the rows
//	special.go  special registers
//	order.go    PEs that the code names and the loader fills in
//	doc/        writes the tables of docs/ISA.md (go generate ./isa)
//
// docs/CHANGING.md lists what a new instruction needs.
//
// paper: about 26 RISC-like instructions, 39-bit words, blocks of instructions that run without interruption on a
// register file [EM-4 papers' abstracts]. chosen: mnemonics, encodings, the register conventions.
package isa

import "slices"

//go:generate go run ./doc ../docs/ISA.md

// The register file. At a block's start every register is 0 except R1, R2 and FP.
const (
	Registers = 16
	R0        = 0  // always 0
	R1        = 1  // at a block's start: the left operand, or the only operand
	R2        = 2  // at a block's start: the right operand of a two-operand node
	FP        = 15 // at a block's start: continuation of word 0 of the operand segment (system block: of address 0)
)

// Op is an opcode, which is the index of its row in Table.
type Op uint8

// Class says which part of the EXU executes an instruction.
type Class uint8

// The classes.
const (
	ClassALU      Class = iota // rd = Eval(a, b)
	ClassBranch                // branches to Imm if Eval(a, b) is 1
	ClassLoad                  // memory read
	ClassStore                 // memory write
	ClassSend                  // makes a packet and sends it
	ClassCont                  // makes a continuation
	ClassSegment               // manages operand segments and structure memory
	ClassSpecial               // reads or writes a special register
	ClassConstant              // loads a constant that the loader has filled in for each PE
)

// Row is one instruction.
type Row struct {
	Name     string // mnemonic
	Operands string // one Letter constant per operand, in source order
	Forms    Field  // field that holds the matching condition of a mnemonic suffix, or NoField
	Class    Class
	Mem      uint8  // clocks of the memory port, beyond the instruction fetch
	Extra    uint8  // clocks without the memory port, beyond the fetch
	Eval     Eval   // pure function, or nil
	Source   string // where the instruction comes from
	Assumed  bool   // the paper does not give the instruction or its clocks: our assumption
	Doc      string // description in one line
}

// The operand letters of Row.Operands.
const (
	LetterD = 'd' // register, field D
	LetterA = 'a' // register, field A
	LetterB = 'b' // register, field B
	LetterS = 's' // register in field B, or 19-bit signed constant
	LetterI = 'i' // 19-bit signed constant: displacement or address
	LetterX = 'x' // code address 0..2^18-1
	LetterM = 'm' // special register by name
	LetterO = 'o' // order of PEs by name, field B
	LetterN = 'n' // steps along the order, -MaxSteps..MaxSteps
)

// Field names a field of the instruction word that may hold a suffix.
type Field uint8

// The fields.
const (
	NoField Field = iota
	FieldD
	FieldB
)

// Form is what the suffix of a mnemonic selects.
type Form uint8

// The forms of send and cont.
const (
	FormCont   Form = iota // no suffix: the matching condition of the continuation
	FormOne                // .1: one-operand node
	FormLeft               // .l: left operand
	FormRight              // .r: right operand
	FormDirect             // .d: direct mode, the constant is the code address of a system block
	forms
)

// Suffixes lists the mnemonic suffixes in the order of Form.
var Suffixes = [forms]string{"", ".1", ".l", ".r", ".d"}

// Lookup returns the opcode of a mnemonic without a suffix, and whether the mnemonic exists.
func Lookup(name string) (Op, bool) {
	i := slices.IndexFunc(Table[:], func(r Row) bool { return r.Name == name })
	return Op(max(0, i)), i >= 0
}

// FormsOf returns the number of forms of an instruction. They begin with FormCont.
func FormsOf(op Op) Form {
	if Table[op].Forms == NoField {
		return 1
	}
	return forms
}

// Alias is another spelling of an instruction, with some of its fields fixed.
type Alias struct {
	Name     string
	Operands string // letters, as in Row
	Of       Inst   // the fixed fields
	Doc      string
}

// Aliases lists all aliases. The disassembler does not use them.
var Aliases = []Alias{
	{"mov", "ds", Inst{Op: ADD}, "rd = rb or constant (add rd, r0, s)"},
	{"jmp", "x", Inst{Op: BEQ}, "go to x (beq r0, r0, x)"},
	{"nop", "", Inst{Op: ADD}, "nothing (add r0, r0, r0); with ! it ends a block"},
}

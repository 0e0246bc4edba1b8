package compile

import (
	"fmt"

	"emsim/isa"
)

// opcode is an instruction of the machine, or one of the opcodes below.
type opcode = isa.Op

// The opcodes that the machine's table does not have: aliases, macros of the library, and a remark.
const (
	move opcode = opcode(len(isa.Table)) + iota
	jump
	callGo
	callMLPE
	divideFloats
	placeInit
	placeSearch
	resultIn // not an instruction: its operand stays in a register up to here
)

// otherOp describes such an opcode.
type otherOp struct {
	name  string
	macro bool   // it cannot carry the mark that ends a strongly connected block
	size  int    // words, at most; 0 means 1
	spoil uint16 // machine registers that it clobbers besides its results
}

// The registers that macros of lib/go.s clobber: r3, r5 to r7; with a search also r8, r9 and r11.
const (
	spoilStatic = 1<<3 | 1<<5 | 1<<6 | 1<<7
	spoilSearch = spoilStatic | 1<<8 | 1<<9 | 1<<11
)

var otherOps = [...]otherOp{
	{name: "mov"},
	{name: "jmp", macro: true},
	{name: "call_go", macro: true, size: 10, spoil: spoilStatic},
	{name: "call_mlpe", macro: true, size: 48, spoil: spoilSearch},
	{name: "divide_floats", macro: true, size: 90, spoil: spoilStatic | 1<<4 | 1<<8},
	{name: "place_init", macro: true},
	{name: "place_search", macro: true},
	{name: "; in"},
}

// other describes the opcode of x if the machine's table does not have it.
func (x *instr) other() (o otherOp) {
	if n := int(x.op) - len(isa.Table); n >= 0 {
		o = otherOps[n]
	}
	return o
}

// name returns the name of an instruction in the text.
func (x *instr) name() string {
	if name := x.other().name; name != "" {
		return name
	}
	return isa.Table[x.op].Name + isa.Suffixes[x.suffix()]
}

// send emits a send of the given form.
func (l *lowerer) send(form isa.Form, args ...arg) *instr {
	x := l.emit(isa.SEND, args...)
	x.form = form
	return x
}

// cont emits an instruction that makes a continuation.
func (l *lowerer) cont(form isa.Form, args ...arg) { l.emit(isa.CONT, args...).form = form }

// computedCont emits cont and returns the continuation.
func (l *lowerer) computedCont(form isa.Form, args ...arg) operand {
	t := l.u.newReg()
	l.cont(form, append([]arg{def(t)}, args...)...)
	return inReg(t)
}

// labelPlus returns the address n words after a label.
func labelPlus(label string, n int64) string {
	switch {
	case n == 0:
		return label
	case n < 0:
		return fmt.Sprintf("%s - %d", label, -n)
	}
	return fmt.Sprintf("%s + %d", label, n)
}

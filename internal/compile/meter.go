package compile

import (
	"go/ast"
	"runtime"

	"emsim/asm"
)

// stepLimit bounds the work of a translation. Steps are counted instead of time, so that the same program is refused
// everywhere [chosen: about two seconds, and ten times the steps of a program that fills a PE's memory].
const stepLimit = 1 << 26

// meter counts the work of a translation and what it produces.
type meter struct {
	steps  int // visits of statements, expressions, instructions and registers
	words  int // instructions so far, except moves
	pieces int // blocks so far
	depth  int // nesting of statements and expressions
	full   func(what string)
}

// deeper notes that the translation enters a statement or an expression, up to the call of out. In a browser,
// Gosched moves the pending calls off the small stack.
func (m *meter) deeper() (out func()) {
	m.countSteps(1)
	if m.depth++; m.depth%256 == 0 {
		runtime.Gosched()
	}
	return func() { m.depth-- }
}

// countSteps counts n steps, and ends a translation that takes too many.
func (m *meter) countSteps(n int) {
	if m.steps += n; m.steps > stepLimit {
		m.full("is too large to translate: it takes more steps than the translation of any program that fits a PE. Functions that run in their callers count at every call: give some of them a loop, or make fewer of their calls")
	}
}

// countWord counts an instruction, unless it is a move, which may vanish. It refuses a program that no machine can
// hold, before the compiler spends memory on it.
func (m *meter) countWord(op opcode) {
	m.countSteps(1)
	if op == move {
		return
	}
	if m.words++; m.words > asm.MemoryWords {
		m.full("needs more words of code than a PE has room for: functions that run in their callers count at every call")
	}
}

// block counts a block. Calls of functions that do nothing make blocks without instructions.
func (m *meter) block() {
	m.countSteps(1)
	if m.pieces++; m.pieces > 2*asm.MemoryWords {
		m.full("needs more pieces of code than a PE has room for: functions that run in their callers count at every call")
	}
}

// ended is the value of a panic that ends a translation after its error has been reported.
type ended struct{}

// refuse reports an error and ends the translation.
func (c *compiler) refuse(n ast.Node, format string, args ...any) {
	c.errorf(n, format, args...)
	panic(ended{})
}

// bounded runs a pass up to its end or to an error that ends the translation.
func (c *compiler) bounded(pass func()) {
	defer func() {
		if x := recover(); x != nil && x != (ended{}) {
			panic(x)
		}
	}()
	pass()
}

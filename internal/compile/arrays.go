package compile

import (
	"go/ast"
	"go/types"
)

// An array inside of a function lies in the operand segment of the instance, or
// beside the system code: one word for each element.

// mostLocal is how many words such an array can have: a segment has 64.
const mostLocal = 32

// declareArray makes an array and fills it with zeros.
func (l *lowerer) declareArray(name *ast.Ident, arr *types.Array, value ast.Expr) {
	obj := l.c.info.Defs[name]
	switch {
	case value != nil:
		l.errorf(value, "an array begins with zeros: write var %s [%d]%s, and then an assignment for each word", name.Name, arr.Len(), arr.Elem())
		return
	case !l.c.goodType(name, arr.Elem()):
		return
	case arr.Len() > mostLocal:
		l.errorf(name, "an array inside of a function has %d words at most, because it lies in the operand segment, which has %d: make it smaller, or make it a variable of the package that func init fills", mostLocal, segmentWords)
		return
	case name.Name == "_" || arr.Len() == 0:
		return
	}
	word, again := l.arrays[obj]
	if !again {
		word = l.u.reserveWord(l.c.plain(name.Name))
		l.arrays[obj], l.u.sizes[word] = word, arr.Len()
	}
	for i := range arr.Len() {
		base, off := l.local(word, constOf(i))
		l.emit("st", textArg("r0"), base, off)
	}
}

// local is the place of a word of an array that begins at a word of the unit.
func (l *lowerer) local(word string, i operand) (base, off arg) {
	if !l.u.system {
		word = "@" + word
	}
	switch {
	case i.lit:
		return l.u.frame(), textArg(labelPlus(word, i.imm))
	case l.u.system:
		return use(i.r), textArg(word)
	}
	t := l.u.newReg()
	l.emit("add", def(t), textArg("fp"), use(i.r))
	return use(t), textArg(word)
}

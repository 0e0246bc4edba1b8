package compile_test

import "fmt"

// results gives variables the results of a call.
func (w *writer) results() {
	pair := fmt.Sprintf("pair(n-%d, %s, %s)", 1+w.IntN(3), w.expr(signed, 1), w.expr(unsigned, 1))
	switch w.IntN(4) {
	case 0:
		pair = fmt.Sprintf("turned(%s, %s)", w.expr(signed, 1), w.value(unsigned))
	case 1:
		pair = fmt.Sprintf("turned(%s)", pair)
	}
	x, y := w.name("v"), w.name("v")
	if w.one(2) {
		w.line("%s, %s = %s", w.target(signed), w.target(unsigned), pair)
		return
	}
	w.line(w.pick("%s, %s := %s", "var %s, %s = %s"), x, y, pair)
	w.line("_, _ = %s, %s", x, y)
	w.declare(signed, x, true)
	w.declare(unsigned, y, true)
}

// pairs writes functions with two results: one with names for them, and a short one.
func (w *writer) pairs() {
	w.vars, w.own, w.arrays = names{{"n", "a"}, {"b"}}, names{{"a"}, {"b"}}, names{}
	w.result = none
	w.line("func pair(n, a int32, b uint32) (lo int32, hi uint32) {")
	w.indent++
	w.vars, w.own = w.vars.with(signed, "lo").with(unsigned, "hi"), w.own.with(signed, "lo").with(unsigned, "hi")
	w.line("if n <= 0 {")
	w.line(w.pick("\tlo = %s\n\t\treturn", "\treturn %s, hi"), w.expr(signed, 2))
	w.line("}")
	w.statements(1 + w.IntN(2))
	if w.one(3) {
		w.leave(fmt.Sprintf("return pair(n-%d, %s, %s)", 1+w.IntN(2), w.expr(signed, 1), w.expr(unsigned, 1)))
	}
	w.line("return%s", w.pick("", " "+w.value(signed)+", "+w.value(unsigned)))
	w.indent--
	w.line("}\n\nfunc turned(a int32, b uint32) (int32, uint32) { return int32(b) ^ 5, uint32(a) + 3 }\n")
}

package compile_test

import (
	"fmt"
	"slices"
)

// array declares an array of four words, or two rows of them.
func (w *writer) array() {
	if w.plain {
		w.assign()
		return
	}
	t, name := w.IntN(kinds), w.name("array")
	if len(slices.Concat(w.arrays[:]...)) > 2 {
		if len(w.arrays[t]) > 0 {
			w.arraysWhole(t)
		}
		return
	}
	rows := []string{name}
	switch w.IntN(4) {
	case 0:
		w.line("%s := %s", name, w.words(t))
	case 1:
		w.line("%s := [2][4]%s{%s}", name, typeNames[t], w.pick(w.words(t)+", "+w.words(t), "1: "+w.words(t)))
		w.line("_ = %s", name)
		rows = []string{name + "[0]", name + "[1]"}
	default:
		w.line("var %s [4]%s", name, typeNames[t])
		w.line("%s[%d] = %s", name, w.IntN(4), w.expr(t, 1))
	}
	w.line("_ = %s", name)
	for _, row := range rows {
		w.arrays = w.arrays.with(t, row)
	}
	w.arraysWhole(t)
}

// words returns an array of four words.
func (w *writer) words(t int) string {
	if len(w.arrays[t]) > 0 && w.one(2) {
		return w.pick(w.arrays[t]...)
	}
	elements := []string{w.expr(t, 1), w.expr(t, 1)}
	return fmt.Sprintf(w.pick("[4]%s{%s, %s}", "[4]%s{2: %s, %s}", "[4]%s{1: %s, 0: %s}", "[...]%s{%s, 3: %s}"), typeNames[t], elements[0], elements[1])
}

// arraysWhole assigns to whole arrays, or ranges over one.
func (w *writer) arraysWhole(t int) {
	a, b := w.pick(w.arrays[t]...), w.pick(w.arrays[t]...)
	switch {
	case w.one(3) && a != b:
		w.line("%s, %s = %s, %s", a, b, w.words(t), w.words(t))
	case w.one(2) || w.loops > 1 || w.indent > 2:
		w.line("%s = %s", a, w.words(t))
	default:
		vars, own, i, x := w.vars, w.own, w.name("i"), w.name("x")
		w.line("for %s, %s := range %s {", i, x, w.words(t))
		w.line("\t_ = %s", x)
		w.vars, w.own = w.vars.with(t, x), w.own.with(t, x)
		w.line("\t%s[%s] = %s", a, w.pick(i, "("+i+"+1)%4", i+"&1", i+"*3%4"), w.expr(t, 1))
		w.body()
		w.vars, w.own = vars, own
	}
}

// rows writes functions with an array as a parameter.
func (w *writer) rows(t int) {
	name := typeNames[t]
	w.line("func pick%d(a [4]%s, i uint32) %[2]s { return a[i&3] - a[0] }\n", t, name)
	w.line("func change%d(a [4]%s, i uint32) %[2]s {\n\ta[i&3] = %[2]s(i)\n\treturn a[(i+1)&3] ^ pick%[1]d(a, i)\n}\n", t, name)
	w.vars, w.own, w.arrays, w.result = names{{"n"}}, names{}, names{}.with(t, "r"), t
	w.line("func row%d(n int32, r [4]%s) %[2]s {", t, name)
	w.indent++
	w.line("if n <= 0 {")
	if w.one(2) {
		w.line("\tr[n&3]++")
	}
	w.line("\treturn r[-n&3]\n\t}")
	w.statements(1 + w.IntN(2))
	w.digest(t)
	w.indent--
	w.line("}\n")
}

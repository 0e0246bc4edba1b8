package compile_test

import (
	"fmt"
)

// unused writes a call whose result is not used.
func (w *writer) unused() {
	if w.df && w.one(2) {
		w.line("note(n-1, %s)", w.value(unsigned))
		return
	}
	w.line("%s%s", w.pick("", "_ = "), w.call(w.IntN(kinds), 1))
}

// set changes a word of the array of package df.
func (w *writer) set() {
	w.line("spread.Set(%s, %s & 1, %s)", w.place(), w.expr(signed, 1), w.value(unsigned))
}

// tree writes a parallel loop.
func (w *writer) tree() {
	t := w.IntN(2)
	if len(w.own[t]) == 0 {
		return
	}
	own, sum, i := w.own, w.pick(w.own[t]...), w.name("i")
	vars, arrays := w.vars, w.arrays
	w.line("%s += df.Sum(%s & 1, n+2, func(%s int32) %s {", sum, w.expr(signed, 1), i, typeNames[t])
	w.vars, w.own, w.arrays = w.vars.with(signed, i), names{}, names{}
	w.loops += 2
	breaks, result := w.breaks, w.result
	w.breaks, w.result = 0, t
	w.inner(w.IntN(3), func() {
		w.leave("return " + w.expr(t, 1))
		w.line("return %s", w.value(t))
	})
	w.loops -= 2
	w.breaks, w.result = breaks, result
	w.line("})")
	w.vars, w.own, w.arrays = vars, own, arrays
}

// stream starts a sender and receives all that it sends.
func (w *writer) stream() {
	c := w.name("c")
	w.sends = true
	w.line("%s := make(chan uint32)", c)
	w.line("go g%d(n-1, %s, %s, %s)", w.IntN(2), w.expr(signed, 1), w.expr(unsigned, 1), c)
	if w.one(2) {
		w.line("%s, %s = <-%s", w.target(unsigned), w.target(truth), c)
	}
	if x, ok := w.name("v"), w.name("v"); w.one(2) {
		w.line("%s", w.pick(fmt.Sprintf("var %s, %s = <-%s", x, ok, c), fmt.Sprintf("%s, %s := <-%s", x, ok, c)))
		w.line("_, _ = %s, %s", x, ok)
		w.declare(unsigned, x, true)
		w.declare(truth, ok, true)
	}
	if w.one(2) {
		w.line("if x, ok := <-%s; ok {\n\t\t%s = x\n\t}", c, w.target(unsigned))
	}
	if w.one(2) {
		w.line("%s, %s = <-%s*3, <-%[3]s", w.target(unsigned), w.target(unsigned), c)
	}
	vars := w.vars
	w.line("for x := range %s {", c)
	w.vars = w.vars.with(unsigned, "x")
	w.line("\t%s = x", w.target(unsigned))
	w.body()
	w.vars = vars
	if w.one(3) {
		w.line("for range %s {\n\t}", c)
		w.line("%s = <-%s", w.target(unsigned), c)
	} else {
		w.loops++ // no call can be waited for where the target is found in every iteration
		w.line("for %s = range %s {\n\t}", w.target(unsigned), c)
		w.loops--
	}
}

// program writes four functions that call each other, the entry, and what they use.
func (w *writer) program() string {
	w.df = w.one(2) && !w.alone
	w.line("package main\n")
	if w.df {
		w.line("import \"emsim/df\"\n\nvar spread df.Array[uint32]\n")
	}
	w.line("type bits uint32\n\nconst width = 31\n\nconst least int32 = -1 << width\n")
	w.line("var table0 [8]int32\nvar table1 [8]uint32\n")
	w.line("var grid0 = [2][4]int32{{1, -2}, {3: 7, 0: 9}}\nvar grid1 = [...][4]uint32{1: {5, 6, 7, 1 << 31}}\n")
	w.line("func init() {\n\tvar last uint32\n\tfor i := uint32(0); i < 8; {\n\t\tlast, i, table0[i], table1[last] = i, i+1, int32(i*2654435761) >> 3, i * i * 40503\n\t}\n}\n")
	everywhere := ""
	if kinds := []string{"divide", "index", "shift", "called"}; w.one(3) && w.crowd == nil {
		everywhere = w.pick(kinds...)
	}
	w.risk, w.result = everywhere, none
	for t, name := range typeNames {
		w.line("func same%d(a %s) %[2]s { return a }\n", t, name)
		w.vars, w.own = names{{"a"}, {"b"}, {"c"}, {"d"}}, names{{"a"}, {"b"}, {"c"}, {"d"}}
		w.arrays = names{}
		w.line("func short%d(a int32, b uint32, c float32, d bool) %s {", t, name)
		w.indent++
		for range w.IntN(3) {
			w.line("if %s {\n\t\treturn %s\n\t}", w.cond(1), w.expr(t, 1))
			w.tuple()
		}
		w.line("return %s", w.expr(t, 2))
		w.indent--
		w.line("}\n")
	}
	w.line("%s%s", structures, shapes)
	w.funcs = kinds
	if w.crowd != nil {
		w.crowdFuncs()
	}
	for t := range kinds {
		w.function(t)
	}
	w.pairs()
	for t := range unsigned + 1 {
		w.rows(t)
	}
	w.entry(everywhere)
	if w.df {
		w.line("func note(n int32, b uint32) {\n\tif n <= 0 {\n\t\treturn\n\t}\n\tspread.Set(n&3, 0, b)\n\tnote(n-2, b^9)\n}\n")
	}
	w.risk = ""
	if w.sends {
		w.senders()
	}
	return w.b.String()
}

// function writes a function that calls itself and others.
func (w *writer) function(t int) {
	w.vars, w.own, w.arrays = names{{"n", "a"}, {"b"}}, names{{"a"}, {"b"}}, names{}
	w.result = t
	w.line("func f%d(n, a int32, b uint32) %s {", t, typeNames[t])
	w.indent++
	w.line("if n <= 0 {\n\t\treturn %s\n\t}", w.expr(t, 2))
	w.scope = map[string]int{}
	for range w.IntN(3) {
		w.array()
	}
	if w.crowd != nil && w.one(3) {
		w.crowded()
	}
	w.statements(1 + w.IntN(2))
	w.digest(t)
	w.indent--
	w.line("}\n")
}

// digest returns a word that depends on all variables that may be assigned to, and on all arrays.
func (w *writer) digest(t int) {
	sum := w.name("sum")
	w.line("%s := %s", sum, w.value(unsigned))
	mix := [kinds]string{"%s = %[1]s*31 ^ uint32(%s)", "%s = %[1]s*31 + %s", "if %[2]s < 0.5 {\n\t\t%[1]s += 9\n\t}", "if %[2]s {\n\t\t%[1]s ^= 1 << 20\n\t}"}
	for k := range kinds {
		for _, v := range w.own[k] {
			w.line(mix[k], sum, v)
		}
		for _, array := range w.arrays[k] {
			w.line("for i := range int32(4) {\n\t\t"+mix[k]+"\n\t}", sum, array+"[i]")
		}
	}
	w.line("return "+[kinds]string{"int32(%s)", "%s", "float32(int32(%s>>8))", "%s&4 != 0"}[t], sum)
}

// statements writes the statements of a function's outermost block, whose declarations are known to its end.
func (w *writer) statements(n int) {
	w.scope = map[string]int{}
	if w.one(3) {
		w.point()
	}
	for range n {
		w.stmt()
	}
}

// entry writes the function that the host calls. If nothing else may panic, each of its statements may, in a
// way of its own: Go's order is known between statements.
func (w *writer) entry(everywhere string) {
	t := w.IntN(kinds)
	w.vars, w.own, w.arrays = names{{"n", "a"}, {"b"}}, names{{"a"}, {"b"}}, names{}
	w.line("//emsim:arg n 0 10\n//emsim:arg a -1000000 1000000\n//emsim:arg b 0 4294967295\nfunc entry(n, a int32, b uint32) %s {", typeNames[t])
	w.indent++
	if w.result = t; t == float { // the bits of NaNs may differ
		w.result = none
	}
	if w.df {
		w.vars = names{{"n", "a", "i", "k"}, {"b"}}
		w.line("spread.Fill(4, 2, func(i, k int32) uint32 { return %s })", w.expr(unsigned, 2))
		w.vars = names{{"n", "a"}, {"b"}}
	}
	for _, k := range w.Perm(kinds)[:2] {
		v := w.name("v")
		w.line("%s := f%d(n, a, b)", v, k)
		w.own, w.vars = w.own.with(k, v), w.vars.with(k, v)
	}
	if w.crowd != nil {
		w.entryCrowd()
	}
	risky := everywhere == "" && w.one(2)
	w.scope = map[string]int{}
	for range 1 + w.IntN(3) {
		if risky {
			w.risk = w.pick("divide", "index", "shift", "called", "", "", "")
		}
		w.stmt()
	}
	w.risk = everywhere
	if w.df {
		w.line("%s := df.Sum(%s, 4, func(i int32) uint32 { return spread.Get(i, 0)*31 ^ spread.Get(i, 1) })", w.name("v"), w.pick("0", "1", "n&3"))
		w.own = w.own.with(unsigned, fmt.Sprint("v", w.counts))
	}
	w.digest(t)
	w.indent--
	w.line("}\n")
}

// senders writes two functions that send; each starts one of them.
func (w *writer) senders() {
	w.line("%s", shapeSender)
	for g := range 2 {
		w.vars, w.own, w.arrays = names{{"n", "a"}, {"b"}}, names{{"a"}, {"b"}}, names{}
		w.line("func g%d(n, a int32, b uint32, out chan<- uint32) {", g)
		w.indent++
		w.line("defer close(out)")
		w.line("if n <= 0 {")
		w.indent++
		for range w.IntN(3) {
			w.line("out <- %s", w.expr(unsigned, 1))
		}
		w.line("return")
		w.indent--
		w.line("}")
		w.line("in := make(chan uint32)")
		w.line("go g%d(n-%d, %s, %s, in)", w.IntN(2), 1+w.IntN(2), w.expr(signed, 1), w.expr(unsigned, 1))
		w.line("for x := range in {\n\t\tb ^= x\n\t\tif %s {\n\t\t\tout <- x - b\n\t\t}\n\t}", w.cond(1))
		w.line("for i := int32(0); i < %d; i++ {\n\t\tout <- %s + uint32(i)\n\t}", w.IntN(4), w.expr(unsigned, 1))
		w.indent--
		w.line("}\n")
	}
}

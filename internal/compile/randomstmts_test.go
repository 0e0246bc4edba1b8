package compile_test

import (
	"fmt"
	"slices"
	"strings"
)

// inner writes the statements of a block, whose names may hide names outside.
func (w *writer) inner(n int, more ...func()) {
	vars, own, arrays, scope := w.vars, w.own, w.arrays, w.scope
	w.scope = map[string]int{}
	w.indent++
	for range n {
		w.stmt()
	}
	for _, f := range more {
		f()
	}
	w.indent--
	w.vars, w.own, w.arrays, w.scope = vars, own, arrays, scope
}

// leave writes a conditional end of a loop, an iteration or a function.
func (w *writer) leave(how string) {
	w.line("if %s {\n%s\t%s\n%[2]s}", w.cond(1), strings.Repeat("\t", w.indent), how)
}

// declare makes a declared name known. If it is mine, it may be assigned to.
func (w *writer) declare(t int, name string, mine bool) {
	w.vars, w.own, w.arrays = w.vars.without(name).with(t, name), w.own.without(name), w.arrays.without(name)
	if mine {
		w.own = w.own.with(t, name)
	}
	w.scope[name] = t
}

// fresh returns a name for a new variable: now and then, one that hides another.
func (w *writer) fresh() string {
	outer := slices.Concat(w.own[:]...)
	outer = slices.DeleteFunc(outer, func(s string) bool { _, here := w.scope[s]; return here || strings.Contains(s, ".") })
	if w.indent > 1 && len(outer) > 0 && w.one(3) {
		return w.pick(outer...)
	}
	return w.name("v")
}

func (w *writer) stmt() {
	forms := []func(){w.point, w.point, w.point, w.shape, w.shape, w.define, w.define, w.define, w.assign, w.assign, w.assign, w.tuple, w.tuple, w.tuple, w.change, w.change, w.array, w.array, w.branches}
	if w.indent < 3 {
		forms = append(forms, w.ifs, w.ifs, w.switches, w.block)
		if w.loops < 2 {
			forms = append(forms, w.counted, w.ranged, w.endless, w.nested)
		}
	}
	if w.funcs > 0 && w.loops == 0 {
		forms = append(forms, w.sum, w.sum, w.unused, w.results, w.results)
		if w.df {
			forms = append(forms, w.tree, w.set, w.set)
		}
		if w.indent == 1 && !w.alone {
			forms = append(forms, w.stream, w.stream, w.shapeStream)
		}
	}
	forms[w.IntN(len(forms))]()
}

// define declares one or two variables.
func (w *writer) define() {
	t, name := w.IntN(kinds), w.fresh()
	switch w.IntN(6) {
	case 0:
		w.line("var %s %s", name, typeNames[t])
	case 1:
		w.line("var %s %s = %s", name, typeNames[t], w.value(t))
	case 2:
		t2, name2 := w.IntN(kinds), w.name("v")
		w.line("%s, %s := %s, %s", name, name2, w.value(t), w.value(t2))
		w.line("_ = %s", name2)
		w.declare(t2, name2, true)
	case 3:
		other := w.here() // other gets a value, and name begins
		t2, known := w.scope[other]
		if !known {
			return
		}
		name = w.name("v")
		w.line("%s, %s := %s, %s", other, name, w.value(t2), w.value(t))
	default:
		w.line("%s := %s", name, w.value(t))
	}
	w.line("_ = %s", name)
	w.declare(t, name, true)
}

// here returns a variable of the innermost block that may be assigned to, or "".
func (w *writer) here() string {
	for _, name := range slices.Concat(w.own[:]...) {
		if _, ok := w.scope[name]; ok {
			return name
		}
	}
	return ""
}

// target returns something of a type that can be assigned to.
func (w *writer) target(t int) string {
	if len(w.arrays[t]) > 0 && w.one(2) {
		array := w.pick(w.arrays[t]...)
		if w.funcs > 0 && w.loops == 0 && w.one(4) {
			return fmt.Sprintf("%s[%s&3]", array, w.call(w.IntN(2), 0))
		}
		return w.element(array, 3, 1)
	}
	if len(w.own[t]) > 0 {
		return w.pick(w.own[t]...)
	}
	return "_"
}

func (w *writer) assign() {
	t := w.IntN(kinds)
	w.line("%s = %s", w.target(t), w.value(t))
}

// tuple assigns to several targets. Often the values are other targets.
func (w *writer) tuple() {
	var targets, values []string
	var types []int
	for range 2 + w.IntN(2) {
		t := w.IntN(kinds)
		if len(w.own[t]) == 0 && len(w.arrays[t]) == 0 {
			t = w.IntN(2)
		}
		types, targets = append(types, t), append(targets, w.target(t))
	}
	for _, t := range types {
		i := w.IntN(len(targets))
		if types[i] == t && targets[i] != "_" && !w.one(3) {
			values = append(values, targets[i])
			continue
		}
		values = append(values, w.value(t))
	}
	w.line("%s = %s", strings.Join(targets, ", "), strings.Join(values, ", "))
}

// change writes op=, ++ or --.
func (w *writer) change() {
	t := w.IntN(truth)
	x := w.target(t)
	switch {
	case x == "_":
	case w.one(3):
		w.line("%s%s", x, w.pick("++", "--"))
	case t == float:
		w.line("%s %s %s", x, w.pick("+=", "-=", "/="), w.value(t))
	case w.one(4):
		w.line("%s %s %s", x, w.pick("<<=", ">>="), w.count(1))
	case w.one(4):
		w.line("%s %s %s", x, w.pick("/=", "%="), w.divisor(t, 1))
	default:
		w.line("%s %s %s", x, w.pick("+=", "-=", "*=", "&=", "|=", "^=", "&^="), w.value(t))
	}
}

// branches writes a statement that may leave the loop, its iteration, the function or the program.
func (w *writer) branches() {
	switch {
	case w.risk == "called" && w.one(2):
		w.leave("panic(\"it called panic\")")
	case w.result != none && w.one(6):
		w.leave("return " + w.value(w.result))
	case w.breaks > 0:
		w.leave(w.pick("break", "continue"))
	}
}

func (w *writer) block() {
	w.line("{")
	w.inner(2)
	w.line("}")
}

func (w *writer) ifs() {
	vars, own, arrays, scope := w.vars, w.own, w.arrays, w.scope
	if w.one(3) {
		t, name := w.IntN(kinds), w.name("v")
		w.line("if %s := %s; %s == %[1]s {", name, w.value(t), w.expr(t, 1))
		w.scope = map[string]int{}
		w.declare(t, name, true)
	} else {
		w.line("if %s {", w.value(truth))
	}
	w.inner(1 + w.IntN(2))
	if w.one(3) {
		w.line("} else if %s {", w.value(truth))
		w.inner(1)
	}
	if w.one(2) {
		w.line("} else {")
		w.inner(1)
	}
	w.line("}")
	w.vars, w.own, w.arrays, w.scope = vars, own, arrays, scope
}

func (w *writer) switches() {
	vars, t := w.vars, truth
	switch w.IntN(3) {
	case 0:
		w.line("switch {")
	case 1:
		t = w.IntN(4)
		w.line("switch %s {", w.value(t))
	default:
		name := w.name("v")
		w.line("switch %s := %s; {", name, w.value(signed))
		w.line("case %s > 5:", name)
		w.vars = w.vars.with(signed, name)
		w.inner(1)
	}
	last := w.IntN(2) // the default may stand before a case
	for i := range 2 {
		if i == last {
			w.line("default:")
		} else {
			w.line("case %s, %s:", w.value(t), w.expr(t, 1))
		}
		w.inner(1, func() {
			if w.one(3) {
				w.leave("break")
				w.stmt()
			}
		})
	}
	w.line("}")
	w.vars = vars
}

// body writes the statements of a loop and its end.
func (w *writer) body() {
	w.loops++
	w.breaks++
	w.inner(1 + w.IntN(2))
	w.breaks--
	w.loops--
	w.line("}")
}

// counted writes a loop with three clauses.
func (w *writer) counted() {
	vars, own := w.vars, w.own
	i, j := w.name("i"), w.name("j")
	t := w.IntN(2)
	inside := w.vars.with(t, i)
	switch w.IntN(4) {
	case 0:
		w.line("for %s, %s := int32(0), n; %[1]s < 4 && %[2]s > -2; %[1]s, %[2]s = %[1]s+1, %[2]s-%[1]s {", i, j)
		inside = vars.with(signed, i).with(signed, j)
	case 1:
		w.line("for %s := %s(%s & 3); %[1]s <= %[4]d; %[1]s++ {", i, typeNames[t], w.expr(t, 1), 1+w.IntN(6))
	case 2:
		from := w.expr(t, 1)
		w.vars = inside
		w.line("for %s := %s&3; %[1]s < %[3]s&7; %[1]s++ {", i, from, w.expr(t, 1))
	default:
		w.line("for %s := %s(%d); %[1]s > 0; %[1]s-- {", i, typeNames[t], 1+w.IntN(4))
	}
	w.vars = inside
	w.body()
	w.vars, w.own = vars, own
}

// ranged writes a loop over a number, whose variable may change in an iteration.
func (w *writer) ranged() {
	vars, own := w.vars, w.own
	t, i := w.IntN(2), w.name("i")
	n := fmt.Sprintf("(%s & 3)", w.expr(t, 1))
	if w.one(3) {
		w.line("for range %s {", w.pick(n, "3"))
	} else {
		w.line("for %s := range %s {\n%s\t_ = %[1]s", i, n, strings.Repeat("\t", w.indent))
		if w.vars = w.vars.with(t, i); w.one(2) {
			w.own = w.own.with(t, i)
		}
	}
	w.body()
	w.vars, w.own = vars, own
}

// endless writes a loop that a statement inside ends.
func (w *writer) endless() {
	k := w.name("k")
	w.line("var %s int32", k)
	w.line("for %s {", w.pick("", w.cond(1)))
	w.line("\tif %s++; %[1]s > %d {\n%s\t\tbreak\n%[3]s\t}", k, 1+w.IntN(4), strings.Repeat("\t", w.indent))
	vars := w.vars
	w.vars = w.vars.with(signed, k)
	w.body()
	w.vars = vars
}

// nested writes two loops. A statement inside leaves the outer one or its iteration.
func (w *writer) nested() {
	vars := w.vars
	label, i, j := w.name("loop"), w.name("i"), w.name("j")
	w.line("%s:\n%sfor %s := range int32(%d) {", label, strings.Repeat("\t", w.indent), i, 1+w.IntN(3))
	w.line("\t_ = %s", i)
	w.line("\tfor %s := int32(0); %[1]s < 3; %[1]s++ {", j)
	w.vars = w.vars.with(signed, i).with(signed, j)
	w.loops += 2
	w.breaks++
	w.indent++
	w.inner(1, func() { w.leave(w.pick("break ", "continue ") + label) }, w.stmt)
	w.indent--
	w.breaks--
	w.loops -= 2
	w.line("\t}\n%s}", strings.Repeat("\t", w.indent))
	w.vars = vars
}

// sum writes a loop that adds up calls, perhaps not all of them.
func (w *writer) sum() {
	t := w.IntN(2)
	if len(w.own[t]) == 0 || w.plain {
		return
	}
	vars, own, i, sums := w.vars, w.own, w.name("i"), []string{w.pick(w.own[t]...), w.pick(w.own[t]...)}
	w.line(w.pick("for %s := int32(0); %[1]s < %d; %[1]s++ {", "for %s := range int32(%d) {"), i, 1+w.IntN(5))
	w.line("\t_ = %s", i)
	w.vars = w.vars.with(signed, i)
	if !w.one(3) { // the calls can be in progress together
		for _, sum := range sums {
			w.own = w.own.without(sum)
			w.vars = w.vars.without(sum)
		}
	}
	w.loops++
	w.breaks++
	w.inner(w.IntN(3), func() {
		if w.one(2) {
			w.change()
			w.leave(w.pick("break", "continue", "continue"))
		}
		for range 1 + w.IntN(2) {
			if sum := w.pick(sums...); slices.Contains(w.own[t], sum) || !slices.Contains(slices.Concat(w.own[:]...), sum) {
				w.add(t, sum)
			}
		}
		if w.one(4) {
			w.change()
		}
	})
	w.breaks--
	w.loops--
	w.line("}")
	w.vars, w.own = vars, own
}

// add adds a call to a sum.
func (w *writer) add(t int, sum string) {
	call, op := w.call(t, 0), w.pick("+", "^", "|", "&", "*", "-")
	if w.lazy && w.one(2) { // the iteration becomes a function
		switch w.IntN(3) {
		case 0:
			w.line("if %s %s %s > %s {", w.cond(1), w.pick("&&", "||"), call, w.expr(t, 1))
			w.line("\t%s %s= %s", sum, op, w.expr(t, 1))
			w.line("}")
		case 1:
			w.line("%s %s= %s * %s", sum, op, w.expr(t, 1), call)
		default:
			w.line("%[1]s = %[2]s(%[1]s, %[3]s ^ %[4]s)", sum, w.pick("min", "max"), w.call(t, 0), call)
		}
		return
	}
	switch w.IntN(8) {
	case 0:
		w.line("if %s {", w.cond(1))
		w.line("\t%s %s= %s", sum, op, call)
		if w.one(2) {
			w.line("} else {")
			w.line("\t%s %s= %s", sum, op, w.call(t, 0))
		}
		w.line("}")
	case 1:
		y := w.name("y")
		w.line("%s := %s", y, call)
		w.line("%s %s= %s", sum, op, y)
	case 2:
		w.line(w.pick("%s = %[1]s %s %[3]s", "%s = %[3]s %[2]s %[1]s", "%s = %[1]s %[2]s 3 %[2]s %[3]s"), sum, op, call)
	case 3:
		w.line(w.pick("%s = %s(%[1]s, %[3]s)", "%s = %s(%[3]s, 9, %[1]s)"), sum, w.pick("min", "max"), call)
	case 4, 5:
		w.more(t, sum, op, call)
	default:
		w.line("%s %s= %s", sum, op, call)
	}
}

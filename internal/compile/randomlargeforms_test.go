package compile_test

import (
	"fmt"
	"strings"
)

// manyCalls writes many calls in one expression or in one assignment.
func (w *writer) manyCalls() {
	t, n := w.IntN(kinds), []int{2, 4, 7, 10, 14, 20, 30}[w.IntN(7)]
	ops := []string{" + ", " ^ ", " - ", " * "}
	switch t {
	case float:
		ops = []string{" + ", " - "}
	case truth:
		ops = []string{" == ", " != "}
	}
	if w.one(4) {
		var list, calls []string
		for range min(n, 10) {
			v := w.name("v")
			list, calls = append(list, v), append(calls, w.work(t))
		}
		w.line("%s := %s", strings.Join(list, ", "), strings.Join(calls, ", "))
		for _, v := range list {
			w.line("_ = %s", v)
			w.declare(t, v, true)
		}
		w.drew("calls_of_an_assignment")
		return
	}
	text := w.work(t)
	for range n - 1 {
		text = "(" + text + w.pick(ops...) + w.work(t) + ")"
	}
	w.line("%s = %s", w.target(t), text)
	w.drew(fmt.Sprint("calls_together_", n/8*8))
}

// floats writes an expression of floats in Go's order, with calls in it.
func (w *writer) floats() {
	text := w.work(float)
	for range 3 + w.IntN(8) {
		text = fmt.Sprintf(w.pick("(%s + %s)", "(%[2]s - %[1]s)", "float32(%s * %s)", "max(%s, %s)", "(%s / %s)"), text, w.pick(w.expr(float, 1), w.work(float)))
	}
	w.line("%s = %s", w.target(float), text)
	w.drew("float_sum")
}

// loopOf writes a loop of any form that adds up calls, to one sum or several.
func (w *writer) loopOf() {
	vars, own, i := w.vars, w.own, w.name("i")
	var sums []string
	t := w.IntN(truth)
	for range 1 + w.IntN(3) {
		s := w.name("s")
		w.line("%s := %s", s, w.expr(t, 1))
		sums = append(sums, s)
	}
	heads := []string{"for %s := int32(0); %[1]s < %d; %[1]s++ {", "for %s := range int32(%d) {", "for range %[2]d {", "for %s := int32(%d); %[1]s > 0; %[1]s-- {", "for %s < %d {", "for {"}
	form := w.IntN(len(heads))
	w.drew(fmt.Sprint("head_", form))
	if form != 2 {
		w.vars = w.vars.with(signed, i)
	}
	if form > 3 {
		w.line("%s := int32(0)", i)
	}
	w.line("%s", strings.Split(fmt.Sprintf(heads[form]+"\x00", i, 2+w.IntN(4)), "\x00")[0])
	w.indent++
	if form > 3 {
		w.line("if %s++; %[1]s > 5 {\n%s\tbreak\n%[2]s}", i, w.tabs())
	} else if form != 2 {
		w.line("_ = %s", i)
	}
	w.loops++
	if w.one(3) {
		w.leave(w.pick("continue", "continue", "break"))
		w.drew("turn_that_is_left")
	}
	for _, s := range sums {
		if t == float {
			w.line("%s %s= %s", s, w.pick("+", "-"), w.work(t))
			w.drew("floats_added")
		} else {
			w.adds(t, s)
		}
	}
	w.loops--
	w.indent--
	w.line("}")
	w.vars, w.own = vars, own
	for _, s := range sums {
		w.declare(t, s, true)
	}
	w.drew(fmt.Sprint("sums_", len(sums)))
}

// adds adds a call to a sum, in one of several ways.
func (w *writer) adds(t int, s string) {
	call, op := w.work(t), w.pick("+", "^", "|", "&", "*", "-")
	form := w.IntN(7)
	w.drew(fmt.Sprint("added_", form))
	switch form {
	case 0:
		w.line("if %s {\n%s\t%s %s= %s\n%[2]s}", w.cond(1), w.tabs(), s, op, call)
	case 1:
		w.line("if %s {\n%s\t%s %s= %s\n%[2]s} else {\n%[2]s\t%[3]s %[6]s= %[7]s\n%[2]s}", w.cond(1), w.tabs(), s, op, call, w.pick(op, "+"), w.work(t))
	case 2:
		w.line("%s = %s(%[1]s, %[3]s)", s, w.pick("min", "max"), call)
	case 3:
		y := w.name("y")
		w.line("%s := %s\n%s%s %s= %[1]s", y, call, w.tabs(), s, op)
	case 4:
		w.line("%s = %[1]s %s %s", s, op, call)
	case 5:
		w.line("%s = %s %s %[1]s", s, call, op)
	default:
		w.line("%s %s= %s", s, op, call)
	}
}

// many assigns the results of a function with many parameters to new variables.
func (w *writer) many() {
	args := []string{fmt.Sprintf("n-%d", 1+w.IntN(3))}
	for _, k := range w.crowd.params {
		args = append(args, w.valueOf(k))
	}
	var list []string
	for range w.crowd.results {
		list = append(list, w.name("v"))
	}
	w.line("%s := many(%s)", strings.Join(list, ", "), strings.Join(args, ", "))
	for i, v := range list {
		w.line("_ = %s", v)
		w.know(v, w.crowd.results[i])
	}
	w.drew(fmt.Sprint("words_handed_", wordsOf(w.crowd.params)/16*16))
}

// manyFunc writes the function many, with the drawn parameters and results.
func (w *writer) manyFunc() {
	w.vars, w.own, w.arrays, w.result = names{{"n"}}, names{}, names{}, none
	var params, results, base, next, last []string
	for _, k := range w.crowd.params {
		v := w.name("a")
		params = append(params, v+" "+k.name)
		w.know(v, k)
		w.drew("parameter_" + k.name)
	}
	named := w.one(2)
	for _, k := range w.crowd.results {
		v := w.name("r")
		results = append(results, map[bool]string{true: v + " "}[named]+k.name)
		base = append(base, w.valueOf(k))
		w.drew("result_" + k.name)
		next = append(next, w.name("x"))
	}
	w.line("func many(n int32, %s) (%s) {", strings.Join(params, ", "), strings.Join(results, ", "))
	w.indent++
	w.line("if n <= 0 {\n\t\treturn %s\n\t}", strings.Join(base, ", "))
	args := []string{fmt.Sprintf("n-%d", 1+w.IntN(2))}
	for _, k := range w.crowd.params {
		args = append(args, w.valueOf(k))
	}
	w.statements(w.IntN(2))
	w.line("%s := many(%s)", strings.Join(next, ", "), strings.Join(args, ", "))
	for i, k := range w.crowd.results {
		w.line("_ = %s", next[i])
		w.know(next[i], k)
	}
	for i, k := range w.crowd.results {
		last = append(last, w.pick(next[i], w.valueOf(k)))
	}
	w.line("return %s", strings.Join(last, ", "))
	w.indent--
	w.line("}\n")
}

// sumOf writes a parallel loop that captures many variables, or whose iterations wait for calls, for other
// loops, or for streams of their own.
func (w *writer) sumOf() {
	t, s, i := w.IntN(truth), w.name("s"), w.name("i")
	vars, own, arrays, result, breaks := w.vars, w.own, w.arrays, w.result, w.breaks
	w.line("%s := df.Sum(%s & 1, n+3, func(%s int32) %s {", s, w.expr(signed, 1), i, typeNames[t])
	w.vars, w.own, w.arrays, w.result, w.breaks = w.vars.with(signed, i), names{}, names{}, t, 0
	w.indent++
	w.loops += 2
	w.scope = map[string]int{}
	form := w.pick("calls", "words", "loop", "stream", "items")
	switch form {
	case "calls":
		w.line("return %s + %s", w.work(t), w.work(t))
	case "words":
		w.line("x := %s(%s)", typeNames[t], w.expr(t, 1))
		for k := range kinds {
			for _, v := range vars[k][:min(len(vars[k]), 10)] {
				w.line([kinds]string{"x += %s(int32(%s))", "x -= %s(int32(%s&0xffff))", "if %[2]s > 0.5 {\n\t\t\tx *= 3\n\t\t}", "if %[2]s {\n\t\t\tx += 5\n\t\t}"}[k], typeNames[t], v)
			}
		}
		w.line("return x")
	case "loop":
		w.line("return df.Sum(%s, 4, func(j int32) %s {\n\t\t\treturn df.Sum(j, %[1]s+2, func(int32) %[2]s { return %s })\n\t\t}) - %s", i, typeNames[t], w.work(t), w.expr(t, 1))
	case "stream":
		w.sends = true
		w.line("c := make(chan uint32)\n\t\tx := %s(%s)", typeNames[t], w.expr(t, 1))
		w.line("go g%d(%s&1, %s, %s, c)", w.IntN(2), i, w.expr(signed, 1), w.expr(unsigned, 1))
		w.line("for y := range c {\n\t\t\tx += %s(int32(y)) %s %s\n\t\t}\n\t\treturn x", typeNames[t], w.pick("+", "-"), w.work(t))
	default:
		w.sends = true
		w.line("c := make(chan shape)\n\t\tx := %s(%s)", typeNames[t], w.expr(t, 1))
		w.line("go shapes(%s, c)\n\t\tfirst := <-c", i)
		w.line("for y := range c {\n\t\t\tx += %s(int32(y.n) + first.at[y.n&1].x)\n\t\t\tfirst.at = y.at\n\t\t}\n\t\treturn x", typeNames[t])
	}
	w.indent--
	w.loops -= 2
	w.line("})")
	w.vars, w.own, w.arrays, w.result, w.breaks = vars, own, arrays, result, breaks
	w.scope = map[string]int{}
	w.declare(t, s, true)
	w.drew("parallel_" + typeNames[t])
	w.drew("turns_with_" + form)
}

// gets reads words of other PEs together.
func (w *writer) gets() {
	text := "spread.Get(n&3, 0)"
	for range 3 + w.IntN(14) {
		text = fmt.Sprintf("(%s %s spread.Get(%s, %s & 1))", text, w.pick("+", "^", "*"), w.place(), w.expr(signed, 1))
	}
	w.line("%s = %s", w.target(unsigned), text)
	w.drew("reads_together")
}

// shapesTogether writes calls with structures that are in progress together.
func (w *writer) shapesTogether() {
	a, b, c := w.name("s"), w.name("s"), w.name("r")
	w.line("%s, %s, %s := unit.bent(%s), unit, rest([4]int32{n}, n-1)", a, b, c, w.expr(unsigned, 1))
	w.line("%s.row, %s.row = rest(%[1]s.row, n-1), rest(%[2]s.row, %s&3)", a, b, w.expr(signed, 1))
	w.line("%s, %s[1] = grown(%[1]s, n-%[3]d)", a, c, 1+w.IntN(2))
	w.line("if %s == %s {\n\t\t%[1]s.at[n&1], %[2]s.n = corners[1], 8\n\t}", a, b)
	w.know(a, kindOf{"shape", 13})
	w.know(b, kindOf{"shape", 13})
	w.arrays = w.arrays.with(signed, c)
	w.drew("structures_together")
}

// pictures receives items of several streams together.
func (w *writer) pictures() {
	n := 2 + w.IntN(4)
	var list []string
	w.sends = true
	for range n {
		c := w.name("c")
		w.line("%s := make(chan shape)\n\tgo shapes(%s, %[1]s)", c, w.expr(signed, 1))
		list = append(list, c)
	}
	x, y, s := w.name("x"), w.name("y"), w.name("s")
	w.line("%s, %s := <-%s, <-%s", x, y, list[0], list[1])
	w.line("%s := %s.n ^ %s.n*3", s, x, y)
	for _, c := range list {
		w.line("for x := range %s {\n\t\t%s = %[2]s*7 + x.n\n\t}", c, s)
	}
	w.know(x, kindOf{"shape", 13})
	w.know(y, kindOf{"shape", 13})
	w.know(s, kindOf{"uint32", 1})
	w.drew("streams_together")
}

// crowdFuncs draws the parameters and results of many, and writes the functions that large functions call.
func (w *writer) crowdFuncs() {
	for t, name := range typeNames {
		w.line("func slow%d(n int32, a %s) %[2]s {\n\tfor range n & 3 {\n\t\t%[3]s\n\t}\n\treturn a\n}\n", t, name,
			[kinds]string{"a = a*5 + n", "a = a*3 ^ uint32(n)", "a = float32(a*0.5) + float32(n)", "a = !a"}[t])
	}
	w.crowd.params = append(w.typesOf([]int{4, 10, 20, 30, 40, mostHanded}[w.IntN(6)]), kindsOf[w.IntN(truth+1)])
	w.crowd.results = append(w.typesOf([]int{1, 4, 8, 14}[w.IntN(4)]), kindsOf[w.IntN(truth+1)])
	if wordsOf(w.crowd.params)+wordsOf(w.crowd.results) > mostHanded {
		w.crowd.limit = "or give it fewer parameters"
		w.drew("refused")
	}
	w.manyFunc()
}

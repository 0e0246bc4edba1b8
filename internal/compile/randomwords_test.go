package compile_test

import (
	"fmt"
	"slices"
	"strings"
)

// results assigns the results of a call to variables.
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

// pairs writes two functions with two results: one whose results have names, and a short one.
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

// point declares, copies, compares or changes a structure.
func (w *writer) point() {
	known := slices.DeleteFunc(slices.Clone(w.points), func(p string) bool {
		return !slices.Contains(w.own[signed], p+".x") || !slices.Contains(w.own[float], p+".in.w")
	})
	if len(known) == 0 || len(known) == 1 && w.one(3) {
		p := w.name("p")
		w.line(w.pick("%s := %s", "var %s = %s", "var %s point = %s"), p, w.structure(nil))
		w.line("_ = %s", p)
		w.points = append(w.points, p)
		w.vars = w.vars.with(signed, p+".x").with(unsigned, p+".y").with(float, p+".in.w").with(truth, p+".in.ok")
		w.own = w.own.with(signed, p+".x").with(unsigned, p+".y").with(float, p+".in.w").with(truth, p+".in.ok")
		return
	}
	p, q := w.pick(known...), w.pick(known...)
	switch w.IntN(7) {
	case 0:
		w.line("%s, %s = %s, %s", p, w.pick(q+".y", "_"), w.structure(known), w.expr(unsigned, 1))
	case 1:
		w.line("if %s %s %s {\n%s\t%s.in = %s.in\n%[4]s}", p, w.pick("==", "!="), w.structure(known), w.tabs(), p, q)
	case 2:
		w.line("%s.in, %s.x = small{%s, %s.in.ok}, %s", p, q, w.expr(float, 1), p, w.expr(signed, 1))
	case 3:
		w.line("switch %s {\n%scase %s, %s:\n%[2]s\t%[1]s.x++\n%[2]s}", p, w.tabs(), q, w.structure(known))
	case 4:
		if w.funcs > 0 && w.loops == 0 {
			w.line("%s = %s.far(n-%d, %s).swapped()", p, w.structure(known), 1+w.IntN(2), w.expr(unsigned, 1))
		}
	default:
		w.line("%s = %s", p, w.structure(known))
	}
}

func (w *writer) tabs() string { return strings.Repeat("\t", w.indent) }

// structure returns an expression of type point.
func (w *writer) structure(known []string) string {
	if len(known) > 0 && w.one(2) {
		p := w.pick(known...)
		if w.funcs > 0 && w.one(2) {
			return w.pick(p+".swapped()", "point.swapped("+p+")", "point(moved("+p+"))")
		}
		return p
	}
	return w.pick(
		fmt.Sprintf("(point{%s, %s, small{%s, %s}})", w.expr(signed, 1), w.expr(unsigned, 1), w.expr(float, 1), w.expr(truth, 1)),
		fmt.Sprintf("(point{y: %s, in: small{ok: %s}})", w.expr(unsigned, 1), w.expr(truth, 1)),
	)
}

const structures = `type small struct {
	w  float32
	ok bool
}

type point struct {
	x  int32
	y  uint32
	in small
}

func (p point) swapped() point {
	p.x, p.y = int32(p.y), uint32(p.x)
	return p
}

func moved(p point) (q struct {
	x  int32
	y  uint32
	in small
}) {
	if p.in.ok {
		q.in.w = p.in.w
	}
	q.x = p.x + 1
	return
}

func (p point) far(n int32, b uint32) point {
	if n <= 0 || p.y == b {
		return p
	}
	q := p.swapped().far(n-2, b)
	if q.in.ok {
		return q
	}
	p.x += q.x
	p.in.w = q.in.w
	return p.far(n-1, b^q.y)
}
`

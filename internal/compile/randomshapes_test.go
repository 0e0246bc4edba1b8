package compile_test

import (
	"fmt"
	"slices"
)

// shape declares a structure with arrays, or an array of structures, whose parts are variables from then on. Or
// it changes such a structure.
func (w *writer) shape() {
	if w.plain {
		w.define()
		return
	}
	known := slices.DeleteFunc(slices.Clone(w.shapes), func(s string) bool { return !slices.Contains(w.own[unsigned], s+".n") })
	if len(known) > 0 && !w.one(4) {
		w.shapeWhole(w.pick(known...), known)
		return
	}
	s := w.name("s")
	switch w.IntN(3) {
	case 0:
		w.line("var %s [2]point", s)
		w.line("%s[%d] = %s", s, w.IntN(2), w.structure(nil))
		w.partsOf(s)
		return
	case 1:
		w.line("%s := shape{at: [2]point{1: %s}, n: %s}", s, w.structure(nil), w.expr(unsigned, 1))
	default:
		w.line("%s := unit.bent(%s)", s, w.expr(unsigned, 1))
	}
	w.line("_ = %s", s)
	w.shapes = append(w.shapes, s)
	w.vars, w.own = w.vars.with(unsigned, s+".n"), w.own.with(unsigned, s+".n")
	w.arrays = w.arrays.with(signed, s+".row")
	w.partsOf(s + ".at")
}

// partsOf makes the words of an array of two points known.
func (w *writer) partsOf(array string) {
	for i := range 2 {
		p := fmt.Sprintf("%s[%d]", array, i)
		w.points = append(w.points, p)
		for t, field := range []string{".x", ".y", ".in.w", ".in.ok"} {
			w.vars, w.own = w.vars.with(t, p+field), w.own.with(t, p+field)
		}
	}
}

// shapeWhole assigns to a whole structure, compares it, or ranges over its parts.
func (w *writer) shapeWhole(s string, known []string) {
	other := w.pick(append(known, "unit", fmt.Sprintf("unit.bent(%s)", w.expr(unsigned, 1)))...)
	switch w.IntN(6) {
	case 0:
		w.line("if %s %s %s {\n%s\t%s.n++\n%[4]s}", s, w.pick("==", "!="), other, w.tabs(), s)
	case 1:
		w.line("for i, p := range %s.at {\n%s\tp.x += int32(i) + %s.row[(i+2)%%4]\n%[2]s\t%[1]s.at[(i+1)&1], %[1]s.row[i] = p, step\n%[2]s}", s, w.tabs(), s)
	case 2:
		if w.funcs > 0 && w.loops == 0 {
			w.line("%s.row = rest(%s.row, n-%d)", s, s, 1+w.IntN(3))
		}
	case 3:
		if w.funcs > 0 && w.loops == 0 {
			w.line("%s, %s = grown(%s, n-%d)", s, w.target(signed), s, 1+w.IntN(3))
		}
	case 4:
		w.line("%s.at[%s&1].in = corners[%s%%3].in", s, w.expr(unsigned, 1), w.expr(unsigned, 1))
	default:
		w.line("%s = %s", s, other)
	}
}

// shapeStream receives a stream of items with several words.
func (w *writer) shapeStream() {
	c, s := w.name("c"), w.name("s")
	w.sends = true
	w.line("%s := make(chan shape)\n\tgo shapes(%s, %[1]s)", c, w.expr(signed, 1))
	w.line("%s, %s := <-%s", s, s+"ok", c)
	w.line("for x := range %s {\n\t\tif %sok {\n\t\t\t%[2]s.at[x.n&1], %[2]s.n = x.at[1], %[2]s.n*3+x.n\n\t\t}\n\t}", c, s)
	w.line("%s = %s.n", w.target(unsigned), s)
}

const shapes = `
type shape struct {
	at  [2]point
	row [4]int32
	n   uint32
}

var corners = [3]point{{1, 2, small{0.5, true}}, 2: {y: 7}}

var step int32 = 3

var unit shape

func init() {
	unit.at[1] = corners[2]
	unit.row[3], unit.n = step, 9
	step++
}

func (s shape) bent(i uint32) shape {
	s.at[0], s.at[1] = s.at[i&1], s.at[0].swapped()
	s.row[i&3] += int32(i)
	s.n++
	return s
}

func rest(a [4]int32, n int32) [4]int32 {
	if n <= 0 {
		return [4]int32{3: a[0], 1: a[2]}
	}
	a[n&3] ^= n
	b := rest(a, n-2)
	b[0] += a[1]
	return b
}

func grown(s shape, n int32) (t shape, k int32) {
	if n <= 0 {
		t.at[1], k = s.at[0], s.row[-n&3]
		return
	}
	t, k = grown(s.bent(uint32(n)), n-1)
	t.row = rest(t.row, k&1)
	t.n ^= s.n
	return t, k + 1
}
`

const shapeSender = `func shapes(n int32, c chan<- shape) {
	defer close(c)
	s := unit
	for i := range n & 3 {
		c <- s.bent(uint32(i))
		s.at[i&1].x = n
	}
	c <- s
}
`

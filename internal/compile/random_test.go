package compile_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"emsim/asm"
	"emsim/emcr"
	"emsim/internal/compile"
	"emsim/internal/compile/panics"
)

// panicOf is what a program panicked with.
func panicOf(o *asm.Object, err error) (string, bool) {
	var fault *emcr.Fault
	if !errors.As(err, &fault) {
		return "", false
	}
	return panics.Text(o.NameAt(fault.PC))
}

// writer writes a random program of the subset that always ends.
type writer struct {
	*rand.Rand
	b      strings.Builder
	vars   [2][]string // that may be read, by type: int32, uint32
	own    [2][]string // that may be assigned to
	funcs  int         // functions that calls may name
	names  int
	indent int
	loops  int
	array  bool // there is a local array
	df     bool // the program uses package df
}

var typeNames = [2]string{"int32", "uint32"}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "%s%s\n", strings.Repeat("\t", w.indent), fmt.Sprintf(format, args...))
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// expr is an expression of a type (0: int32, 1: uint32) without calls.
func (w *writer) expr(t, depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		if v := w.vars[t]; len(v) > 0 && w.IntN(4) > 0 {
			return w.pick(v...)
		}
		return fmt.Sprintf("same%d(%s)", t, w.literal(t))
	}
	switch w.IntN(13) {
	case 8:
		return fmt.Sprintf("(%s %s %s)", w.expr(t, depth-1), w.pick("+", "-", "*", "&", "|", "^", "&^"), w.literal(t))
	case 0:
		return fmt.Sprintf("(%s %s %s)", w.expr(t, depth-1), w.pick("<<", ">>"), w.pick(fmt.Sprintf("(%s & 63)", w.expr(1, depth-1)), "3", "31", "32", w.expr(1, depth-1)))
	case 1:
		return fmt.Sprintf("(%s %s (%s | 1))", w.expr(t, depth-1), w.pick("/", "%"), w.expr(t, depth-1))
	case 2:
		return fmt.Sprintf("(%s %s %s)", w.expr(t, depth-1), w.pick("/", "%"), w.pick("1", "2", "8", "10", "7"))
	case 3:
		return fmt.Sprintf("%s(%s)", typeNames[t], w.expr(1-t, depth-1))
	case 4:
		return fmt.Sprintf("%s(%s, %s)", w.pick("min", "max"), w.expr(t, depth-1), w.expr(t, depth-1))
	case 5:
		return fmt.Sprintf("table%d[%s & 7]", t, w.expr(w.IntN(2), depth-1))
	case 6:
		return fmt.Sprintf("(%s%s)", w.pick("-", "^"), w.expr(t, depth-1))
	case 9:
		if w.array && t == 1 {
			return fmt.Sprintf("array[%s & 3]", w.expr(w.IntN(2), depth-1))
		}
	case 7:
		return fmt.Sprintf("short%d(%s, %s)", t, w.expr(0, depth-1), w.expr(1, depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", w.expr(t, depth-1), w.pick("+", "-", "*", "&", "|", "^", "&^"), w.expr(t, depth-1))
}

// literal is a constant.
func (w *writer) literal(t int) string {
	n := w.pick("0", "1", "2", "3", "7", "8", "31", "100", "262143", "262144", "65535", "2147483647")
	if t == 0 {
		return w.pick(n, "-1", "-5", "-262145", "-2147483648")
	}
	return w.pick(n, "4294967295", "2147483648")
}

func (w *writer) cond(depth int) string {
	switch w.IntN(6) {
	case 0:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", w.cond(depth-1), w.pick("&&", "||"), w.cond(depth-1))
		}
	case 1:
		if depth > 0 {
			return "!" + w.cond(depth-1)
		}
	}
	t := w.IntN(2)
	return fmt.Sprintf("(%s %s %s)", w.expr(t, depth), w.pick("<", "<=", ">", ">=", "==", "!="), w.expr(t, depth))
}

// call is a call whose depth is less than n's value.
func (w *writer) call() (text string, t int) {
	f := w.IntN(w.funcs)
	return fmt.Sprintf("f%d(n-%d, %s, %s)", f, 1+w.IntN(3), w.expr(0, 1), w.expr(1, 1)), f % 2
}

func (w *writer) value(t int) string {
	if w.df && t == 1 && w.loops == 0 && w.IntN(5) == 0 {
		return fmt.Sprintf("spread.Get(%s & 3, %s & 1) + %s", w.expr(0, 1), w.expr(0, 1), w.expr(1, 1))
	}
	if w.IntN(2) == 0 && w.loops == 0 {
		c, ct := w.call()
		if ct != t {
			c = typeNames[t] + "(" + c + ")"
		}
		if w.IntN(2) == 0 {
			return c
		}
		return fmt.Sprintf("%s %s %s", c, w.pick("+", "^", "-"), w.expr(t, 1))
	}
	return w.expr(t, 2)
}

func (w *writer) stmts(n int) {
	vars, own := w.vars, w.own
	for range n {
		w.stmt()
	}
	if w.indent > 1 {
		w.vars, w.own = vars, own
	}
}

func (w *writer) stmt() {
	t := w.IntN(2)
	switch k := w.IntN(12); {
	case k == 10 && w.df && w.loops == 0:
		w.line("spread.Set(%s & 3, %s & 1, %s)", w.expr(0, 1), w.expr(0, 1), w.value(1))
	case k == 11 && w.df && w.loops == 0 && len(w.own[1]) > 0:
		own, vars, array := w.pick(w.own[1]...), w.vars, w.array
		w.array = false
		w.vars[0] = append(w.vars[0][:len(w.vars[0]):len(w.vars[0])], "i")
		w.line("%s += df.Sum(0, n+2, func(i int32) uint32 { return %s ^ spread.Get(i & 3, %s & 1) })", own, w.expr(1, 2), w.expr(0, 1))
		w.vars, w.array = vars, array
	case k == 8 && w.array:
		w.line("array[%s & 3] %s %s", w.expr(w.IntN(2), 1), w.pick("=", "+=", "^="), w.value(1))
	case k == 9 && w.indent == 1 && len(w.own[1]) > 0:
		w.stream()
	case k < 3 || len(w.own[t]) == 0:
		v := fmt.Sprintf("v%d", w.names)
		w.names++
		w.line("%s := %s", v, w.value(t))
		w.line("_ = %s", v)
		w.vars[t] = append(w.vars[t][:len(w.vars[t]):len(w.vars[t])], v)
		w.own[t] = append(w.own[t][:len(w.own[t]):len(w.own[t])], v)
	case k < 5:
		w.line("%s %s %s", w.pick(w.own[t]...), w.pick("=", "+=", "^=", "-="), w.value(t))
	case k == 5 && w.indent < 3:
		w.line("if %s {", w.cond(1))
		w.inner(1 + w.IntN(2))
		if w.IntN(2) == 0 {
			w.line("} else {")
			w.inner(1)
		}
		w.line("}")
	case k == 6 && w.indent < 3:
		i := fmt.Sprintf("i%d", w.names)
		w.names++
		w.line("for %s := int32(0); %s < %d; %s++ {", i, i, 1+w.IntN(4), i)
		w.vars[0] = append(w.vars[0][:len(w.vars[0]):len(w.vars[0])], i)
		if w.IntN(2) == 0 {
			w.indent++
			c, ct := w.call()
			if len(w.own[ct]) > 0 && w.loops == 0 {
				w.line("%s += %s", w.pick(w.own[ct]...), c)
			}
			w.indent--
		} else {
			w.loops++
			w.inner(2)
			w.loops--
		}
		w.vars[0] = w.vars[0][:len(w.vars[0])-1]
		w.line("}")
	default:
		w.line("%s = %s", w.pick(w.own[t]...), w.expr(t, 2))
	}
}

func (w *writer) inner(n int) {
	w.indent++
	w.stmts(n)
	w.indent--
}

// program writes three functions that call each other.
func (w *writer) program() string {
	w.funcs = 3
	w.line("package main\n")
	if w.df {
		w.line("import \"emsim/df\"\n\nvar spread df.Array[uint32]\n")
	}
	w.line("var table0 [8]int32\nvar table1 [8]uint32\n")
	w.line("func init() {\n\tfor i := uint32(0); i < 8; i++ {\n\t\ttable0[i] = int32(i*2654435761) >> 3\n\t\ttable1[i] = i * i * 40503\n\t}\n}\n")
	for t := range 2 {
		w.vars = [2][]string{{"a"}, {"b"}}
		w.line("func same%d(a %s) %[2]s { return a }\n", t, typeNames[t])
		w.line("func short%d(a int32, b uint32) %s {\n\tif %s {\n\t\treturn %s\n\t}\n\treturn %s\n}\n", t, typeNames[t], "a > 5", typeNames[t]+"(a)", typeNames[t]+"(b)")
	}
	for f := range w.funcs {
		const args = "//emsim:arg n 0 10\n//emsim:arg a -1000000 1000000\n//emsim:arg b 0 4294967295"
		if f == 0 && w.df {
			w.vars = [2][]string{{"n", "a", "i", "k"}, {"b"}}
			w.line(args+"\nfunc entry(n, a int32, b uint32) int32 {\n\tspread.Fill(4, 2, func(i, k int32) uint32 { return %s })\n\treturn f0(n, a, b) + int32(spread.Get(1, 1))\n}\n", w.expr(1, 2))
		} else if f == 0 {
			w.line(args)
		}
		w.vars, w.own, w.array = [2][]string{{"n", "a"}, {"b"}}, [2][]string{{"a"}, {"b"}}, false
		w.line("func f%d(n, a int32, b uint32) %s {", f, typeNames[f%2])
		w.indent++
		w.line("if n <= 0 {\n\t\treturn %s\n\t}", w.expr(f%2, 2))
		if w.array = w.IntN(3) == 0; w.array {
			w.line("var array [4]uint32\n\tarray[n&1] = b")
		}
		w.stmts(2 + w.IntN(4))
		w.line("return %s", w.value(f%2))
		w.indent--
		w.line("}\n")
	}
	w.senders()
	return w.b.String()
}

// stream starts a sender and takes all that it sends.
func (w *writer) stream() {
	c := fmt.Sprintf("c%d", w.names)
	w.names++
	w.line("%s := make(chan uint32)", c)
	w.line("go g%d(n-1, %s, %s, %s)", w.IntN(2), w.expr(0, 1), w.expr(1, 1), c)
	own := w.pick(w.own[1]...)
	if w.IntN(2) == 0 {
		w.line("%s += <-%s", own, c)
	}
	if w.IntN(2) == 0 {
		w.line("if x, ok := <-%s; ok {\n\t\t%s ^= x\n\t}", c, own)
	}
	if w.IntN(2) == 0 {
		w.line("%s -= <-%s*3 + <-%[2]s", own, c)
	}
	w.line("for x := range %s {", c)
	w.indent++
	w.line("%s += x ^ %s", own, w.expr(1, 1))
	if call, t := w.call(); w.IntN(3) == 0 {
		w.line("%s += uint32(%s)", own, call)
		_ = t
	}
	w.indent--
	w.line("}")
}

// senders writes two functions that send; each starts another one.
func (w *writer) senders() {
	for g := range 2 {
		w.vars, w.own, w.array = [2][]string{{"n", "a"}, {"b"}}, [2][]string{{"a"}, {"b"}}, false
		w.line("func g%d(n, a int32, b uint32, out chan<- uint32) {", g)
		w.indent++
		w.line("defer close(out)")
		w.line("if n <= 0 {")
		w.indent++
		for range w.IntN(3) {
			w.line("out <- %s", w.expr(1, 1))
		}
		w.line("return")
		w.indent--
		w.line("}")
		w.line("in := make(chan uint32)")
		w.line("go g%d(n-%d, %s, %s, in)", w.IntN(2), 1+w.IntN(2), w.expr(0, 1), w.expr(1, 1))
		w.line("for x := range in {\n\t\tb ^= x\n\t\tif %s {\n\t\t\tout <- x - b\n\t\t}\n\t}", w.cond(1))
		w.line("for i := int32(0); i < %d; i++ {\n\t\tout <- %s + uint32(i)\n\t}", w.IntN(4), w.expr(1, 1))
		w.indent--
		w.line("}\n")
	}
}

func TestRandomPrograms(t *testing.T) {
	var runs []goRun
	for seed := range uint64(randomPrograms) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 21))}
		w.df = w.IntN(2) == 0
		runs = append(runs, goRun{w.program(), []int64{3, 5, 7}})
	}
	sameAsGo(t, runs, func(i int) []compile.Options { return everyWay[i%4:][:1] })
}

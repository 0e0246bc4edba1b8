package compile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// chainWriter writes random programs whose functions hand the receiving ends of channels on.
type chainWriter struct {
	*rand.Rand
	strings.Builder
	ends []chainEnd // of the variables that are channels with a receiving end
	vars int
}

// chainEnd is such a variable.
type chainEnd struct {
	name    string
	endless bool // what comes from it has no end
}

// chainStages has the functions that send: the ones that receive hand the end on, or receive to its end.
const chainStages = `package main

func count(n, a int32, out chan<- int32) {
	for i := range n & 15 {
		out <- a + i*3
	}
	close(out)
}

func endless(n, a int32, out chan<- int32) {
	for i := a; ; i += n | 1 {
		out <- i
	}
}

func apply(k int32, in <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range in {
		if x%(k&7+2) != 1 {
			out <- x*k + 1
		}
	}
}

func sift(k int32, in <-chan int32, out chan<- int32) {
	i := int32(0)
	for x := range in {
		if i++; x&3 != k&3 || i%3 == 0 { // something comes out in any case
			out <- x ^ k
		}
	}
}

func head(k int32, in <-chan int32, out chan<- int32) {
	defer close(out)
	for range k & 3 {
		x, ok := <-in
		if !ok {
			return
		}
		out <- -x
	}
	if k&4 != 0 {
		return
	}
	rest := make(chan int32)
	go apply(k, in, rest)
	for x := range rest {
		out <- x
	}
}

func grow(k int32, in <-chan int32, out chan<- int32) {
	for i := range k & 7 {
		next := make(chan int32)
		if <-in&1 == 0 {
			go head(i+k, in, next)
		} else {
			go apply(i, in, next)
		}
		in = next
	}
	for x := range in {
		out <- x
	}
	close(out)
}

func some(k int32, in <-chan int32) int32 {
	s := int32(0)
	for range k & 7 {
		s = s*7 + <-in
	}
	return s
}

func most(k int32, in <-chan int32) int32 {
	if x := <-in; x&1 == 1 {
		return x - some(k+1, in)
	}
	return some(k, in)
}

func total(k int32, in <-chan int32) int32 {
	for x := range in {
		k = k*5 + x
	}
	return k
}

`

// pick returns one of several texts.
func (w *chainWriter) pick(list ...string) string { return list[w.IntN(len(list))] }

// number returns a random expression.
func (w *chainWriter) number() string {
	return w.pick("n", "s", "s&31", "n+s", fmt.Sprint(w.IntN(40)), fmt.Sprintf("n*%d", w.IntN(9)))
}

// name returns a new name.
func (w *chainWriter) name() string {
	w.vars++
	return fmt.Sprint("c", w.vars)
}

// channel writes a new channel with its sender.
func (w *chainWriter) channel() chainEnd {
	e := chainEnd{w.name(), w.IntN(3) == 0}
	fmt.Fprintf(w, "%s := make(chan int32)\ngo %s(%s, %s, %[1]s)\n", e.name, map[bool]string{false: "count", true: "endless"}[e.endless], w.number(), w.number())
	return e
}

// stage writes a stage that receives from a channel, whose variable then is what the stage sends.
func (w *chainWriter) stage(e chainEnd) {
	next, f := w.name(), w.pick("apply", "head", "grow")
	if e.endless { // nothing else waits for the end, or has one
		f = "sift"
	}
	fmt.Fprintf(w, "%s := make(chan int32)\ngo %s(%s, %s, %[1]s)\n%[4]s = %[1]s\n", next, f, w.number(), e.name)
}

// last writes a call that takes the end of a channel.
func (w *chainWriter) last(e chainEnd) {
	f := w.pick("some", "most", "total")
	if e.endless {
		f = w.pick("some", "most")
	}
	fmt.Fprintf(w, "s = s*3 + %s(%s, %s)\n", f, w.number(), e.name)
}

// inLoop writes statements that loops and branches repeat or leave out.
func (w *chainWriter) inLoop(e chainEnd) {
	switch w.IntN(4) {
	case 0:
		w.stage(e)
	case 1:
		d := w.channel()
		fmt.Fprintf(w, "s ^= <-%s\n", d.name)
		if w.IntN(2) == 0 {
			fmt.Fprintf(w, "if s&3 == 1 {\ncontinue\n}\n")
		}
		w.last(d)
	case 2:
		fmt.Fprintf(w, "if s&%d == 0 {\n", w.IntN(4))
		w.stage(e)
		fmt.Fprintf(w, "} else {\ns += <-%s\n}\n", e.name)
	case 3:
		fmt.Fprintf(w, "if s&7 == 2 {\nbreak\n}\nx, ok := <-%s\nif ok {\ns -= x\n}\n", e.name)
	}
}

// statement writes a statement of the entry.
func (w *chainWriter) statement() {
	if len(w.ends) == 0 || w.IntN(4) == 0 {
		w.ends = append(w.ends, w.channel())
		return
	}
	i := w.IntN(len(w.ends))
	e := w.ends[i]
	switch w.IntN(8) {
	case 0:
		w.stage(e)
	case 1:
		fmt.Fprintf(w, "s = s*31 + <-%s\n", e.name)
	case 2:
		fmt.Fprintf(w, "for range %s & 7 {\n", w.number())
		w.inLoop(e)
		fmt.Fprintf(w, "}\n")
	case 3:
		k := w.IntN(len(w.ends))
		if k == i {
			break
		}
		d := w.ends[k]
		fmt.Fprintf(w, "%s, %s = %[2]s, %[1]s\n", e.name, d.name)
		w.ends[i].endless, w.ends[k].endless = d.endless, e.endless
	case 4:
		w.last(e)
		w.ends = slices.Delete(w.ends, i, i+1)
	case 5:
		fmt.Fprintf(w, "if s&%d == 0 {\n", w.IntN(4))
		w.last(e)
		fmt.Fprintf(w, "}\n")
		w.ends = slices.Delete(w.ends, i, i+1)
	case 6:
		fmt.Fprintf(w, "{\nleft := %d\nfor x := range %s {\ns = s*9 ^ x\nleft--\nif left < 0 || s&%d == 0 {\nbreak\n}\n}\n}\n", w.IntN(9), e.name, w.IntN(4))
	case 7:
		name := w.name()
		fmt.Fprintf(w, "%s := %s\n", name, e.name)
		w.ends[i].name = name
	}
}

// program writes a program.
func (w *chainWriter) program() string {
	w.WriteString(chainStages + "//emsim:arg n 0 99\nfunc f(n int32) int32 {\ns := n\n")
	for range 4 + w.IntN(12) {
		w.statement()
	}
	for _, e := range w.ends {
		fmt.Fprintf(w, "s ^= <-%s\n", e.name)
	}
	w.WriteString("return s\n}\n")
	return w.String()
}

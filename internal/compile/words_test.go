package compile_test

import (
	"testing"
)

// byEveryWay compares programs, however they are compiled, with what Go makes of them.
func byEveryWay(t *testing.T, runs [][]int64, texts ...string) {
	t.Helper()
	var list []goProgram
	for _, text := range texts {
		p := goProgram{src: complete(text), runs: runs}
		for _, opt := range everyWay {
			p.objects = append(p.objects, assemble(t, "p.go", p.src, opt, nil))
		}
		list = append(list, p)
	}
	sameAsGo(t, list)
}

var smallRuns = [][]int64{{0}, {1}, {2}, {7}, {9}}

// Several results: in recursion, of calls under way together, handed on, given up, with
// names, in loops of package df, and at guards that give some results before.
func TestResults(t *testing.T) {
	byEveryWay(t, smallRuns, `
func f(n int32) int32 {
	a, b := g(n, 2)
	c, d := g(a&7, b&1023)
	_, e := swap(g(d&3, n))
	g(n, n)
	var x, y = swap(c, d)
	var p, q int32 = g(2, x)
	s, z := int32(0), int32(0)
	for i := range n & 3 {
		var w int32
		w, z = g(i, s&255)
		s += w*7 ^ z
	}
	s ^= sum(minMax(sum3(n, h(n))))
	if lo, hi := minMax(n, x); lo < hi {
		s -= lo
	}
	return a*3 + b*5 + c*7 + d*11 + e*13 - x*17 + y*19 + s + z + p - q
}

func swap(a, b int32) (int32, int32) { return b, a }

func minMax(a, b int32) (lo, hi int32) {
	if lo, hi = a, b; lo > hi {
		lo, hi = hi, lo
	}
	return
}

func sum(a, b int32) (_ int32) { return a - b }

func sum3(n, a int32) (s int32, p int32) {
	p = a * n
	return s + n, p
}

func h(n int32) int32 {
	a, _, c := turns(n, 5, 7)
	return a + c
}

func turns(n, a, b int32) (x, y, z int32) {
	if n < 1 {
		return x + a, a, b
	}
	x = 9
	for b > 100 {
		b -= a
	}
	return turns(n-1, b, a+b)
}

func g(n, k int32) (lo, hi int32) {
	if n < 2 {
		lo = n + k
		return
	}
	if hi = k; k > 1000 {
		return n, 5
	}
	lo, hi = g(n-1, k)
	p, q := g(n-2, k+1)
	lo += p * q & 1023
	hi += p ^ q ^ n
	return
}
`, `
func f(n int32) int32 {
	up, down := df.Sum(0, n, func(i int32) (s int32) {
		a, b := g(i, i+n)
		if s = a; i == 3 {
			return
		}
		return b
	}), uint32(3)
	x, ok, y := parts(uint32(n), 0.5)
	for ok {
		down += x
		x, ok, y = parts(x, y)
	}
	c := make(chan uint32)
	go send(n, c)
	for v := range c {
		a, _ := g(int32(v), n)
		up ^= a
	}
	if y > 3.5 {
		return up
	}
	return up + int32(down)
}

func g(a, b int32) (int32, int32) {
	for a > 10 {
		a -= b | 1
	}
	return a*b, a - b
}

func send(n int32, c chan<- uint32) {
	defer close(c)
	for n > 0 {
		n, _ = g(n-1, 1)
		c <- uint32(n & 15)
	}
}

func parts(n uint32, y float32) (half uint32, more bool, z float32) {
	half = n / 2
	more, z = half > 0, y+1
	return
}
`)
}

package compile_test

import (
	"testing"

	"emsim/internal/compile"
)

var everyWay = []compile.Options{{}, {Guards: compile.Callee}, {Blocks: compile.Medium}, {Blocks: compile.Finest}}

// Programs that the compiler once got wrong answer as Go does. Every text is the body of f, and what else it
// needs.
func TestOnceWrong(t *testing.T) { programsOf(t, onceWrong) }

// formsHead is the text before the body of f.
const formsHead = `package main

import "emsim/df"

var table = [8]int32{5, 3, 7, 1, 6, 2, 4, 0}

var m df.Array[int32]

func digits(a, b, c, d int32) int32 { return a + b*10 + c*100 + d*1000 }

func slow(n int32) int32 {
	for range n & 1 {
		n += 2
	}
	return n
}

func send(n int32, c chan<- int32) {
	defer close(c)
	for i := range n {
		c <- i + 1
	}
}

//emsim:arg n -1000 1000
func f(n int32) int32 {
`

func programsOf(t *testing.T, texts []string) {
	t.Helper()
	var programs []goProgram
	for _, text := range texts {
		p := goProgram{src: formsHead + text, runs: [][]int64{{0}, {1}, {3}, {7}}}
		for _, opt := range everyWay {
			p.objects = append(p.objects, assemble(t, "p.go", p.src, opt, nil))
		}
		programs = append(programs, p)
	}
	sameAsGo(t, programs)
}

var onceWrong = append([]string{`
	var a [4]int32
	i := int32(1)
	i, a[i] = 3, n
	return digits(a[0], a[1], a[2], a[3]) + i
}
`, `
	var a [4]int32
	a[0], a[1], a[2] = 2, 1, 3
	a[0], a[a[0]] = a[a[0]], a[0]
	return digits(a[0], a[1], a[2], a[3])
}
`, `
	var a [8]int32
	for i := int32(0); i < 8; i++ {
		a[i] = table[i] + n
	}
	for i := int32(1); i < 8; i++ {
		x, j := a[i], i
		for j > 0 && a[j-1] > x {
			j, a[j] = j-1, a[j-1]
		}
		a[j] = x
	}
	return digits(a[0], a[2], a[4], a[7])
}
`, `
	var a [4]int32
	c := make(chan int32)
	go send(n, c)
	i := int32(2)
	var ok [4]bool
	i, ok[i] = <-c
	if ok[2] {
		a[3]++
	}
	a[slow(0)], ok[a[slow(0)]] = <-c
	if ok[0] {
		a[2]++
	}
	for range c {
	}
	return digits(a[0], a[1], a[2], a[3]) + i
}
`, `
	c := make(chan int32)
	go send(n, c)
	var x, ok = <-c
	for y := range c {
		x += y
	}
	if ok {
		return x + 100
	}
	return x
}
`, `
	s, x := int32(0), int32(0)
	for i := int32(0); i < 9; i++ {
		x += i
		if x > n {
			x *= 3
			break
		}
		s += slow(i)
	}
	return s + x*100
}
`, `
	x := n
	return x / (x << 32)
}
`, `
	x := n
	return x % (x % 1)
}
`, `
	var a [7]int32
	for i := range int32(7) {
		a[i] = 7
	}
	s := int32(0)
	for i := int32(0); i < a[i]&7; i++ {
		s += a[i]
	}
	return s
}
`, `
	s := int32(0)
	for i := int32(2147483646); i <= 2147483647; i++ {
		s += i/2 + 1
		if i < 0 {
			break
		}
	}
	return s
}
`, `
	x := slow(n) + again(n)
	y := df.Sum(n&1, n, func(i int32) int32 { return i * n })
	return x*10 + y
}

func again(n int32) int32 {
	if n <= 0 {
		return n
	}
	return again(n-3) + 2
}
`, `
	panic(1 / (n & 1))
}
`, `
	return g(n+1, n*77, 238125179)
}

func g(n, a int32, b uint32) int32 {
	v := f2(n, a, b)
	w := f1(n, a, b)
	a, a, b = a, int32(f1(n-2, a, b))-f0(n-2, a, w), f1(n-1, a, b<<3)^w
	var array [4]bool
	array[3] = n > 5
	v = (v - 1) - f2(n-3, a, b)
	return int32(b) + a
}

func f0(n, a int32, b uint32) int32 {
	if n < 9 {
		return a
	}
	return f0(n-9, a, b) + 1
}

func f1(n, a int32, b uint32) uint32 {
	if n <= 0 {
		return b
	}
	_ = f2(n-3, a, b)
	return b
}

func f2(n, a int32, b uint32) float32 {
	for b > 1<<20 {
		b >>= 1
	}
	return float32(int32(b))
}
`, `
	s := int32(0)
	for range n & 7 {
		x := below(n) ^ below(n+1)
		_ = x
		s++
	}
	return s
}

func below(n int32) int32 {
	if n <= 0 {
		return n
	}
	return below(n-3) + 2
}
`, `
	s, t, m := n, int32(1), n
	for k := range n & 15 {
		x := slow(k)
		if x&1 == 0 {
			continue
		}
		s += x
		t++
	}
	for k := range n & 7 {
		twice := 2 * n
		if k&3 == 1 {
			continue
		}
		m = max(m, twice-slow(k), k)
		if x := slow(k) + twice; x < s {
			s = x
		}
		t -= 3 - slow(k) - (k - slow(n))
	}
	for k := range n & 7 {
		y := slow(k)
		switch {
		case y > 5:
			t += y
			continue
		case y > 3:
			s--
		}
		m ^= y
	}
	return digits(s, t, m, 0)
}
`}, onceWrongArrays...)

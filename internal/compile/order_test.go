package compile_test

import (
	"testing"

	"emsim/internal/compile"
)

var everyWay = []compile.Options{{}, {Guards: compile.Callee}, {Blocks: compile.Medium}, {Blocks: compile.Finest}}

// What the compiler once got wrong. Every text is the body of f, and what else it needs.
func TestOnceWrong(t *testing.T) { programsOf(t, onceWrong) }

// formsHead is what stands before the body of f.
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

var onceWrong = []string{`
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
`, `
	var a [4]int32
	a[0] = slow(n)
	a[1] = a[0] + 1
	x, y := slow(a[1]), slow(n+1)
	a[2], a[x&3] = x, y
	a[3] += slow(a[2]) - slow(a[y&3])
	b := a
	b[n&3]++
	if a == b {
		return 1
	}
	a[0], a[1], a[2], a[3] = a[1], a[0], slow(a[3]), a[2]
	return digits(a[0], a[1], a[2]&7, a[3]&7) + digits(b[0], b[1], b[2]&7, b[3]&7)
}
`, `
	var a [4]int32
	s, m, t := int32(0), int32(0), int32(0)
	for k := range n & 7 {
		a[k&3] += k
		s += sumOf(a, a[(k+1)&3]&3)
		a[k&1]++
		if x := slow(a[k&3]); x > m {
			m = x
		}
	}
	c := a
	for k := range n & 7 {
		x := slow(k)
		t += x*c[x&3] - c[1]
	}
	for k := range n & 7 {
		own := [4]int32{k, n, 3}
		own[k&3] = slow(k)
		t += k * slow(own[2])
		s ^= own[1]
	}
	for k := range n & 7 {
		own := [3]int32{k, n, 3}
		t += own[k%3] * slow(own[k&1])
	}
	return digits(s, m, t, a[0]) + turned(n&7, a, c)
}

func sumOf(a [4]int32, k int32) int32 {
	if k > 2 {
		return a[3]
	}
	for i := range k {
		a[i+1] += a[i]
	}
	return a[k] + slow(a[0])
}

func turned(n int32, a, b [4]int32) int32 {
	if n > 3 {
		a[0]++
	}
	for range n {
		a[1] += b[2]
	}
	if n == 0 {
		return digits(a[0], a[1], b[0], b[1])
	}
	return turned(n-1, b, a)
}
`, `
	p := half(n)
	q := half(p.w[1])
	p.w, q.w = q.w, p.w
	var both [2]pair
	both[n&1], both[(n+1)&1] = p, half(q.w[0])
	both[0].w[1]++
	s := int32(0)
	for i, x := range both {
		for j, y := range x.w {
			s = s*7 + y*int32(i+1) - int32(j)
		}
	}
	if both[0] != both[1] && both[0].w != [2]int32{1, 2} {
		s++
	}
	return s + half(3).w[n&1]
}

type pair struct {
	low int32
	w   [2]int32
}

func half(n int32) pair {
	if n&1 == 0 {
		return pair{w: [2]int32{n, slow(n)}}
	}
	x := pair{low: slow(n)}
	x.w[n&1] = n / 2
	return x
}
`, `
	m.Fill(1, 2, func(i, k int32) int32 { return k })
	s := int32(0)
	if (n > 2 && changed(n)) == (m.Get(0, 0) > 3) {
		s = 1
	}
	for k := range n & 7 {
		m.Set(0, k&1, m.Get(0, 0)+k)
		s = s*3 + m.Get(0, k&1) + slow(k)
	}
	a := [4]int32{s, n, 1}
	for k := range n & 7 {
		s += m.Get(0, k&1) - m.Get(0, a[k&3]&1)
		a[k&3]++
	}
	return s + m.Get(0, 1) + df.Sum(0, n&7, func(i int32) int32 {
		t := a[i&3]
		for k := range i {
			t += k * slow(a[k&1]&7)
		}
		return t
	})
}

func changed(n int32) bool {
	if n < 1 {
		return true
	}
	m.Set(0, 0, n+m.Get(0, 0))
	return changed(n - 1)
}
`, `
	c := make(chan int32)
	go send(n&7, c)
	s, t := int32(0), n
	var a [3]int32
	for x := range c {
		for k := range x {
			if k&3 == 2 {
				continue
			}
			s += k * slow(k)
			t = max(t, slow(k+x))
			a[k%3]++
		}
		for t < 9 {
			t += slow(a[0]&7) + 1
			if t == 7 {
				return t
			}
		}
	}
	for i, x := range a {
		s += x * slow(int32(i))
	}
	return digits(s, t, a[1], a[2])
}
`}

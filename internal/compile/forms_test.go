package compile_test

import "testing"

// Programs with forms that random programs rarely or never have answer as Go does.
func TestRareForms(t *testing.T) { programsOf(t, rareForms) }

var rareForms = []string{`
	m := n &^ 1
	if m < 2 || m > 900 {
		return digits(n, m, 1, 2)
	}
	return f(n - 2)
}
`, `
	return turns(n&15, n, 1)
}

func turns(n, a, b int32) int32 {
	a += n & 3
	if n < 1 {
		return digits(a, b, n, 0)
	}
	return turns(n-1, b, a)
}
`, `
	return turns(n&15, f0(n))
}

func f0(n int32) int32 {
	if n < 2 {
		return 1
	}
	return f0(n>>1) + f0(n>>2)
}

func turns(n, a int32) int32 {
	half := n / 2
	if half < 1 {
		return a
	}
	return turns(n-1, turns(half, a)+f0(half))
}
`, `
	if true {
		n++
	}
	if 2 < 1 {
		n += 100
	}
	const on = true
	for on {
		if n++; n > 20 || !on {
			break
		}
	}
	return n
}
`, `
	;
	{
	}
	for false {
		n++
	}
	return n + late[n&7] + signs[n&3]
	n += 3
	return n + slow(n)
}

var late = [...]int32{3: 7, 8, 1: 5, 7: 9}

var signs = [4]int32{'\x02': -1, 0: +3}
`, `
	_ = slow(n)
	_, x := n*2, slow(n+1)
	var _ = slow(x)
	var _ [3]int32
	var none [0]int32
	for i := range int32(len(none)) {
		x += i
	}
	return x
}
`, `
	var many, few [8]int32
	i, u := n&7, uint32(n)
	few[uint32(1)<<(u%3)] = 4
	many[n&7], many[(n&3)*(n&1)], few[(n&7)/2] = 1, 2, 3
	many[u>>29] += 5
	many[u%8] += 6
	many[(n&3)+(n&3)] += 7
	many[min(u, 7)] += 8
	few[max(i, 5)&7] += 9
	few[1+2*3] += 10
	return digits(many[0], many[i], few[i], few[0]) + few[7]
}
`, `
	x := int32('a')
	if n&1 == 1 || 3 == n {
		x = 'b' - n
	}
	if 0x1p2 < float32(n) && 2.5 > float32(x)*0.5 {
		x++
	}
	return x
}
`, `
	x := df.Sum(0, n&7, func(i int32) int32 {
		return df.Sum[int32](0, i, func(k int32) int32 {
			var a [2]int32
			a[k&1] = i + n
			return a[0] - a[1]
		})
	})
	return x + df.Sum(3, 3, func(i int32) int32 { return i }) + df.Sum(5, n&3, func(i int32) int32 { i += 2; return i * n })
}
`, `
	c := make(chan int32)
	go send(n&7, c)
	return last(c)
}

func last(c <-chan int32) int32 {
	x, open := <-c
	if !open {
		return -5
	}
	for y := range c {
		x = x*2 + y
	}
	return x
}
`, `
	c := make(chan int32)
	go nothing(c)
	d := make(chan int32)
	go through(n&7, d)
	for range c {
		n += 100
	}
	<-d
	x := <-d
	return x + <-d*10
}

func nothing(c chan<- int32) { close(c) }

func through(n int32, to chan<- int32) {
	defer close(to)
	from := make(chan int32)
	go send(n, from)
	for x := range from {
		to <- x * x
	}
	to <- slow(n)
}
`, `
	b7, join2, got1 := n+1, n+2, n+3
	for step3 := range n & 3 {
		b7 += step3 * count4(join2)
	}
	return digits(b7, join2, got1, count4(n))
}

func count4(want_1 int32) int32 {
	panic_x, args5 := want_1&3, want_1&4
	for panic_x > 0 {
		panic_x--
		args5 += want_1
	}
	return args5
}
`, `
	größe, größe_1, ugröße := n, n+1, n+2
	längs := über(größe) + über_0(größe_1)
	return längs*10 + ugröße
}

func über(n int32) int32 {
	if n < 3 {
		return n
	}
	return über(n>>1) - über_0(n>>2)
}

func über_0(n int32) int32 {
	if n < 3 {
		return 2 * n
	}
	return über_0(n>>1) + über(n>>2)
}
`, `
	return work(n) - work(n+1) + two(n)*three(n)
}

func work(n int32) int32 { return n*n + 1 }

func two(n int32) (int32) { return (work((n))) }

//emsim:at own
func three(n int32) int32 {
	for n > 5 {
		n -= 3
	}
	return n
}
`, `
	x := uint32(1)
	for i := uint32(0); i < 5; i += 2 {
		x = x*3 + i
	}
	for i, k := int32(9), int32(1); i > k; i, k = i-k, k+1 {
		x += uint32(i)
	}
	for i := range uint32(3) {
		x ^= i << 4
	}
	switch {
	case n > 100:
		x++
	case n > 2, n == 0:
		switch y := n + 1; {
		case y > 4:
			x += 7
		default:
			x += 8
		}
	}
outer:
	for i := range n & 7 {
		for k := range i {
			switch {
			case k == 3:
				continue outer
			case i == 6:
				break outer
			}
			x += uint32(k)
		}
	}
	return int32(x)
}
`, `
	s, t, z := n, int32(1), n
	for k := range int32(5) {
		s = slow(k) - s
	}
	for k := range int32(5) {
		s += slow(k)
		s *= slow(n - k)
	}
	for k := range int32(5) {
		y := slow(k)
		s += y
		t ^= y
	}
	for k := range int32(5) {
		y := slow(z)
		z += k
		s -= y
	}
	for k := range int32(5) {
		t += slow(k)
		t ^= k
	}
	return digits(s, t, z, 0)
}
`}

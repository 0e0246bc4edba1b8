package compile_test

// onceWrongArrays has more such programs, with arrays of an instance, arrays of package df, and tables.
var onceWrongArrays = []string{`
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
`, `
	s := int32(0)
	for k := range n & 3 {
		s += slow(k) + table[k<<27]
	}
	return up(table[n<<26]) + s
}

func up(n int32) int32 {
	if n > 0 {
		return n
	}
	return up(n) + 1
}
`}

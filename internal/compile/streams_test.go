package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// Channels give what Go's give: also behind the end, also if the receiver leaves
// early, and when a result of the sender is wanted by nobody.
func TestStreams(t *testing.T) {
	const two = "\nfunc g(n int32, c chan<- int32) {\n\tc <- n\n\tc <- n * 3\n\tclose(c)\n}\n"
	answers(t, entry+"func f(n int32) int32 {\n\tc := make(chan int32)\n\tgo g(n, c)\n\treturn <-c - <-c\n}\n"+two, func(n int32) uint32 { return uint32(-2 * n) }, 5, -1)
	answers(t, entry+"func f(n int32) int32 {\n\tc := make(chan int32)\n\tgo g(n, c)\n\tx, y := <-c, <-c\n\t<-c\n\tz, ok := <-c\n\tif ok {\n\t\treturn 0\n\t}\n\treturn x*100 + y + z + <-c\n}\n"+two, func(n int32) uint32 { return uint32(103 * n) }, 5)
	answers(t, entry+"func f(n int32) int32 {\n\tc, d := make(chan int32), make(chan int32)\n\tgo g(n, c)\n\tgo g(n+1, d)\n\tx, y := <-c, <-d\n\tz, w := <-c, <-d\n\tv := <-c + <-d\n\treturn x - y*5 + z*7 - w*11 + v\n}\n"+two, func(n int32) uint32 {
		return uint32(n - (n+1)*5 + n*21 - (n+1)*33)
	}, 5)
	answers(t, entry+`func f(n int32) int32 {
	c, d := make(chan int32), make(chan int32)
	go g(n, c)
	go twice(c, d)
	return last(d, n)
}

func twice(in <-chan int32, out chan<- int32) int32 {
	defer close(out)
	for x := range in {
		out <- 2 * x
	}
	return 7
}

func last(in <-chan int32, x int32) int32 {
	for y := range in {
		x -= y
		if x < -50 {
			break
		}
	}
	return x
}
`+two, func(n int32) uint32 {
		x := n - 2*n
		if x >= -50 {
			x -= 6 * n
		}
		return uint32(x)
	}, 5, 60, -1)
}

// The turns of a parallel loop receive from senders of their own, also where one
// instance runs several turns.
func TestStreamsInLoops(t *testing.T) {
	answers(t, "\nvar m df.Array[int32]\n"+entry+`func f(n int32) int32 {
	m.Fill(7, 4, func(i, k int32) int32 { return i*k + n })
	return df.Sum(0, n, func(i int32) int32 {
		row := m.Stream(i % 7)
		c := make(chan int32)
		go g(i, n, c)
		if i == 5 {
			return i
		}
		s := <-c * <-row
		for x := range c {
			s += x ^ <-row
		}
		return s
	})
}

func g(i, n int32, c chan<- int32) {
	for k := range i & 3 {
		c <- k * n
		if k == 1 {
			c <- i
		}
	}
	close(c)
}
`, func(n int32) uint32 {
		s := int32(0)
		for i := range n {
			if i == 5 {
				s += i
				continue
			}
			var items []int32
			for k := range i & 3 {
				items = append(items, k*n)
				if k == 1 {
					items = append(items, i)
				}
			}
			row := func(k int) int32 {
				if k > 3 {
					return 0
				}
				return i%7*int32(k) + n
			}
			for k, x := range items {
				if k == 0 {
					s += x * row(0)
				} else {
					s += x ^ row(k)
				}
			}
		}
		return uint32(s)
	}, 12)
}

// A function can send to another one and hear from it: the two run side by side.
func TestStreamsThereAndBack(t *testing.T) {
	answers(t, entry+`func f(n int32) int32 {
	there, back := make(chan int32), make(chan int32)
	go g(there, back)
	sum := int32(0)
	for i := range int32(5) {
		if i == n {
			continue
		}
		there <- i + n
		sum = sum*3 + <-back
	}
	close(there)
	return sum + <-back
}

func g(in <-chan int32, out chan<- int32) {
	defer close(out)
	n := int32(0)
	for x := range in {
		n++
		out <- x * n
	}
	out <- n
}
`, func(n int32) uint32 {
		sum, k := int32(0), int32(0)
		for i := range int32(5) {
			if i != n {
				k++
				sum = sum*3 + (i+n)*k
			}
		}
		return uint32(sum + k)
	}, 0, 9, 3)
}

// Arrays inside of functions begin with zeros, in helpers too, and their bounds
// are checked.
func TestLocalArrays(t *testing.T) {
	const text = entry + `func f(n int32) int32 {
	var a [5]int32
	s := int32(0)
	for i := range int32(12) {
		a[i%5] += i * n
		var fresh [3]int32
		fresh[i%3]++
		s += fresh[0] + fresh[1]*2 + h(i, n)
	}
	a[2] = g(n)
	return s*1000 + a[0] + a[1]*3 + a[2]*5 + a[4]
}

func g(n int32) int32 {
	if n < 1 {
		return 1
	}
	return g(n-9) + g(n-8)
}

func h(i, n int32) int32 {
	var t [2]int32
	t[i&1] = n
	return t[0] - t[1]
}
`
	var g func(n int32) int32
	g = func(n int32) int32 {
		if n < 1 {
			return 1
		}
		return g(n-9) + g(n-8)
	}
	answers(t, text, func(n int32) uint32 {
		var a [5]int32
		s := int32(0)
		for i := range int32(12) {
			a[i%5] += i * n
			s += []int32{1, 2, 0}[i%3] + []int32{n, -n}[i&1]
		}
		return uint32(s*1000 + a[0] + a[1]*3 + g(n)*5 + a[4])
	}, 0, 20, -3)
	o := assemble(t, "p.go", "package main\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\tvar a [4]int32\n\treturn a[n-1]\n}\n", compile.Options{}, nil)
	for _, n := range []uint64{0, 5} {
		_, err := onMachine(t, o, 4, n)
		text, ok := panicOf(o, err)
		require.True(t, ok, "%v", err)
		require.Contains(t, text, "index out of range")
	}
}

// Words of an array that lies on all PEs are read and written where they are.
// What changes them is done before what follows it in the text.
func TestSpreadArrays(t *testing.T) {
	answers(t, "\nvar m, q df.Array[int32]\n"+entry+`func f(n int32) int32 {
	m.Fill(30, 3, func(i, k int32) int32 { return i*10 + k + n })
	q.Fill(0, 7, func(i, k int32) int32 { return 1 })
	q.Fill(2, 20, func(i, k int32) int32 { return i - k })
	s := m.Get(29, 2) - m.Get(13, 0)*3 + q.Get(1, 19)
	return after(s)
}

func after(s int32) int32 {
	df.Sum(0, 30, func(i int32) int32 {
		m.Set(i, 1, m.Get(29-i, 2)*2)
		return 0
	})
	s += put(4) - m.Get(4, 0) + put(5)*m.Get(4, 0)
	words := m.Stream(4)
	for w := range words {
		s = s*5 + w
	}
	return s + df.Sum(0, 30, func(i int32) int32 { return m.Get(i, 1) * i })
}

func put(x int32) int32 {
	m.Set(4, 0, x)
	return x
}
`, func(n int32) uint32 {
		v := func(i, k int32) int32 { return i*10 + k + n }
		s := v(29, 2) - v(13, 0)*3 + 1 - 19
		s += 5 * 5
		s = ((s*5+5)*5+v(25, 2)*2)*5 + v(4, 2)
		for i := range int32(30) {
			s += v(29-i, 2) * 2 * i
		}
		return uint32(s)
	}, 3)
	for _, c := range []struct{ expr, says string }{
		{"m.Get(4, 0)", "index out of range"}, {"m.Get(0, n)", "index out of range"}, {"m.Get(-1, 0)", "index out of range"},
	} {
		o := assemble(t, "p.go", "package main\nimport \"emsim/df\"\nvar m df.Array[int32]\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\tm.Fill(4, 5, func(i, k int32) int32 { return 1 })\n\treturn "+c.expr+"\n}\n", compile.Options{}, nil)
		_, err := onMachine(t, o, 12, 5)
		text, ok := panicOf(o, err)
		require.True(t, ok, "%v", err)
		require.Contains(t, text, c.says)
	}
}

// What a sender has done to an array before it sends is seen behind the receive.
func TestStreamsOrderArrays(t *testing.T) {
	answers(t, "\nvar m df.Array[int32]\n"+entry+`func f(n int32) int32 {
	m.Fill(13, 1, func(i, k int32) int32 { return 1 })
	c, d := make(chan int32), make(chan int32)
	go g(n, c, d)
	x := <-c
	y := m.Get(7, 0)
	x += <-c // until then the sender waits
	return x + y*10 + (<-d+m.Get(7, 0))*100
}

func g(n int32, c, d chan<- int32) {
	defer close(c)
	defer close(d)
	for range n {
		n += n & 3
	}
	m.Set(7, 0, n)
	c <- n
	c <- 0
	for i := range int32(50) {
		n += i & 1
	}
	m.Set(7, 0, -n)
	d <- n
}
`, func(n int32) uint32 {
		for range n {
			n += n & 3
		}
		return uint32(n + n*10 + (n+25-n-25)*100)
	}, 40)
}

// An array as the entry's result: its words go to the host in order.
func TestArrayResult(t *testing.T) {
	const text = "package main\nimport \"emsim/df\"\nvar m df.Array[uint32]\n//emsim:arg n 0 40\nfunc f(n uint32) df.Array[uint32] {\n\tm.Fill(int32(n), 3, func(i, k int32) uint32 { return uint32(i*10 + k) })\n\tif n > 2 {\n\t\tm.Set(1, 1, 99)\n\t}\n\treturn m\n}\n"
	o := assemble(t, "p.go", text, compile.Options{}, nil)
	for _, n := range []uint64{1, 30} {
		var want []uint64
		for i := range n {
			for k := range uint64(3) {
				want = append(want, i*10+k)
			}
		}
		if n > 2 {
			want[4] = 99
		}
		r, err := onMachine(t, o, 12, n)
		require.NoError(t, err)
		require.Equal(t, want, r.Words)
	}
}

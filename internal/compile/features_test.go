package compile_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/df"
	"emsim/internal/compile"
)

// answers compiles a program in two ways, runs it on the machine and on the interpreter without clocks, and
// requires the answers of want.
func answers(t *testing.T, text string, want func(n int32) uint32, args ...int32) {
	t.Helper()
	for _, opt := range []compile.Options{{}, {Guards: compile.Callee, Blocks: compile.Finest}} {
		o := assemble(t, "p.go", "package main\n\nimport \"emsim/df\"\n"+text, opt, nil)
		for _, n := range args {
			r, err := onMachine(t, o, 12, word(int64(n)))
			require.NoError(t, err, text)
			require.Equal(t, []uint64{uint64(want(n))}, r.Words, "%d %+v %s", n, opt, text)
			u, err := onReference(t, o, word(int64(n)))
			require.NoError(t, err, text)
			require.Equal(t, r.Words, u.Words, text)
		}
	}
}

const entry = "\n//emsim:arg n -100 100\n"

// Floats are added, multiplied and compared as in Go, including NaN and -0.
func TestFloats(t *testing.T) {
	answers(t, entry+"func f(n int32) float32 {\n\tx := float32(n) * 0.3\n\treturn -x*x - 1.5 + x\n}\n", func(n int32) uint32 {
		x := float32(n) * 0.3
		y := float32(-x * x)
		return math.Float32bits(y - 1.5 + x)
	}, 0, 7, -9)
	for i, op := range []string{"<", "<=", ">", ">=", "==", "!="} {
		text := entry + fmt.Sprintf(`func f(n int32) uint32 {
	big := float32(n) * 1e38
	inf := big * 1e38
	values := uint32(0)
	if inf-inf %[1]s big {
		values |= 1
	}
	if big %[1]s inf-inf {
		values |= 2
	}
	if big %[1]s big {
		values |= 4
	}
	if float32(n) %[1]s float32(5) {
		values |= 8
	}
	zero := float32(n-n)
	if zero %[1]s -zero {
		values |= 16
	}
	return values
}
`, op)
		answers(t, text, func(n int32) uint32 {
			less := func(a, b float32) bool {
				return []bool{a < b, a <= b, a > b, a >= b, a == b, a != b}[i]
			}
			big := float32(n) * 1e38
			inf := big * 1e38
			var zero float32
			v := uint32(0)
			for k, ok := range []bool{less(inf-inf, big), less(big, inf-inf), less(big, big), less(float32(n), 5), less(zero, -zero)} {
				if ok {
					v |= 1 << k
				}
			}
			return v
		}, 1, 5, -1)
	}
}

// A parallel loop gives what package df gives, also if its iterations make calls or its range is empty.
func TestParallelLoops(t *testing.T) {
	answers(t, entry+"func f(n int32) float32 {\n\tscale := float32(n)\n\treturn df.Sum(-3, n, func(i int32) float32 { return float32(i) * scale * 0.5 })\n}\n", func(n int32) uint32 {
		return math.Float32bits(df.Sum(-3, n, func(i int32) float32 { return float32(i) * float32(n) * 0.5 }))
	}, -3, -10, 9)
	const calls = `func f(n int32) int32 {
	return df.Sum(0, n, func(i int32) int32 {
		if i%3 == 0 {
			return 7
		}
		return g(i) + df.Sum(0, i, func(j int32) int32 { return i * j })
	}) - g(n)
}

func g(n int32) int32 {
	if n < 2 {
		return n
	}
	a, s := n, int32(0)
	for i := int32(0); i < 3; i++ {
		a = g(n-2) + i
		s += a
	}
	return s
}
`
	var g func(n int32) int32
	g = func(n int32) int32 {
		if n < 2 {
			return n
		}
		s := int32(0)
		for i := range int32(3) {
			s += g(n-2) + i
		}
		return s
	}
	answers(t, entry+calls, func(n int32) uint32 {
		s := int32(0)
		for i := range max(n, 0) {
			if i%3 == 0 {
				s += 7
				continue
			}
			s += g(i) + i*(i*(i-1)/2)
		}
		return uint32(s - g(n))
	}, -1, 0, 1, 7)
}

// A loop that adds up calls which change an array makes them one after another.
func TestLoopOfWriters(t *testing.T) {
	answers(t, "\nvar m df.Array[int32]\n"+entry+`func f(n int32) int32 {
	m.Fill(3, 1, func(p, k int32) int32 { return 1 })
	s := int32(0)
	for i := int32(0); i < n; i++ {
		s += step(i)
	}
	return s*1000 + m.Get(2, 0)
}

func step(i int32) int32 {
	m.Set(2, 0, m.Get(2, 0)*3+i)
	return m.Get(2, 0) ^ i
}
`, func(n int32) uint32 {
		m, s := int32(1), int32(0)
		for i := range n {
			m = m*3 + i
			s += m ^ i
		}
		return uint32(s*1000 + m)
	}, 1, 7)
}

// An index that a loop keeps inside the table is not tested. With one more iteration, it is.
func TestLoopsBoundIndexes(t *testing.T) {
	for most, tested := range map[string]bool{"i < 8": false, "i <= 7": false, "i < 9": true, "i <= 8": true} {
		text, err := compile.Compile("p.go", []byte("package main\n\nvar table [8]int32\n"+entry+`func f(n int32) int32 {
	for i := int32(0); `+most+`; i++ {
		n += table[i]
	}
	return n
}
`), compile.Options{})
		require.NoError(t, err)
		require.Equal(t, tested, strings.Contains(text, "panic_index"), most)
	}
}

// Quotients and remainders by constants, which multiplications compute, are Go's, next to multiples and at the
// ends.
func TestDivideByConstants(t *testing.T) {
	divisors := []uint32{3, 5, 6, 7, 10, 23, 641, 65521, 1<<30 + 1, 1<<31 - 1}
	var b strings.Builder
	for _, d := range divisors {
		for _, x := range []string{"uint32(n) * 0x9e3779b1", "uint32(n)", "1<<31 + uint32(n)", fmt.Sprint(math.MaxUint32/d*d) + " + uint32(n)"} {
			fmt.Fprintf(&b, "\tx = %s\n\ts = int32(x)\n\th = ((((h*31+x/%[2]d)*31+x%%%[2]d)*31+uint32(s/%[2]d))*31 + uint32(s%%%[2]d)) * 31\n\tif s > 0 {\n\t\tfor i := range n & 3 {\n\t\t\th += uint32(i %% 3)\n\t\t}\n\t}\n", x, d)
		}
	}
	answers(t, entry+"func f(n int32) uint32 {\n\tvar x, h uint32\n\tvar s int32\n"+b.String()+"\treturn h\n}\n", func(n int32) (h uint32) {
		for _, d := range divisors {
			for _, x := range []uint32{uint32(n) * 0x9e3779b1, uint32(n), 1<<31 + uint32(n), math.MaxUint32/d*d + uint32(n)} {
				s := int32(x)
				h = ((((h*31+x/d)*31+x%d)*31+uint32(s/int32(d)))*31 + uint32(s%int32(d))) * 31
				if s > 0 {
					for i := range n & 3 {
						h += uint32(i % 3)
					}
				}
			}
		}
		return h
	}, 0, 1, -1, 2, 7, -100, 99)
}

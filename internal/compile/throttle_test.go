package compile_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// throttledHead begins the programs below, with the functions that they call.
const throttledHead = `package main

import "emsim/df"

func pes() int32 { return df.PEs() }

func prime(n int32) int32 {
	for d := int32(2); d*d <= n; d++ {
		if n%d == 0 {
			return 0
		}
	}
	return 1
}

func collatz(n int32) int32 {
	steps := int32(0)
	for x := uint32(n); x != 1; steps++ {
		if x&1 == 0 {
			x /= 2
		} else {
			x = 3*x + 1
		}
	}
	return steps
}

func part(n int32) float32 {
	x := float32(0)
	for i := range n & 3 {
		x += float32(i+n) * 0.25
	}
	return x
}

func place(n, columns, left, right int32) int32 {
	all := int32(1)<<n - 1
	if columns == all {
		return 1
	}
	ways := int32(0)
	for free := all &^ (columns | left | right); free != 0; free &= free - 1 {
		bit := free & -free
		ways += place(n, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return ways
}

func fib(n int32) int32 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func up(n, depth int32) float32 {
	if depth == 0 {
		return float32(n)
	}
	a := up(2*n, depth-1)
	b := up(2*n+1, depth-1)
	return (a + b) * 0.4
}

//emsim:at own
func near(n int32) int32 {
	if n < 1 {
		return 1
	}
	return near(n-1) ^ near(n-2) - 7
}

//emsim:at own
func nearest(n int32) int32 {
	s := int32(1)
	for i := range n {
		s += nearest(i)
	}
	return s
}

//emsim:at own
func both(n int32) int32 {
	s, t := int32(1), int32(2)
	for i := range n {
		s += both(i)
		t ^= both(i - 1)
	}
	return s ^ t
}

func produce(x uint32, n int32, items chan<- uint32) {
	defer close(items)
	for range n {
		x = (25173*x + 13849) & 0xffff
		items <- x
	}
}

//emsim:arg n 1 100000
`

// throttled has programs that begin more calls than a PE has segments for.
var throttled = map[string]string{
	"sieve":   "func f(n int32) int32 { return df.Sum(2, n+1, func(i int32) int32 { return prime(i) }) }",
	"collatz": "func f(n int32) int32 { return df.Sum(1, n+1, func(i int32) int32 { return collatz(i) }) }",
	"floats":  "func f(n int32) float32 { return df.Sum(0, n, func(i int32) float32 { return part(i) }) }",
	"chains":  "func f(n int32) int32 {\n\ts := int32(0)\n\tfor i := range n {\n\t\ts += prime(i)\n\t}\n\treturn s\n}",
	"several": "func f(n int32) int32 {\n\ts, t := int32(0), int32(0)\n\tfor i := range n {\n\t\ts += prime(i)\n\t\tif i > 0 {\n\t\t\tt = max(t, collatz(i))\n\t\t}\n\t}\n\treturn s ^ t\n}",
	"queens":  "func f(n int32) int32 { return place(n, 0, 0, 0) }",
	"rows":    "func f(n int32) int32 {\n\treturn df.Sum(0, n, func(i int32) int32 { return place(n, 1<<i, 2<<i, 1<<i>>1) })\n}",
	"fib":     "func f(n int32) int32 { return fib(n) }",
	"up":      "func f(n int32) float32 { return up(1, n) }",
	"own":     "func f(n int32) int32 { return near(n) }",
	"owns":    "func f(n int32) int32 { return nearest(n) }",
	"own two": "func f(n int32) int32 { return both(n) }",
	"streams": "func f(n int32) uint32 {\n\treturn df.Sum(0, n, func(i int32) uint32 {\n\t\titems := make(chan uint32)\n\t\tgo produce(uint32(i), 3, items)\n\t\ts := uint32(0)\n\t\tfor x := range items {\n\t\t\ts += x ^ x>>4\n\t\t}\n\t\treturn s\n\t})\n}",
	"pieces":  "func f(n int32) int32 {\n\tm.Fill(20, 5, func(i, k int32) int32 { return i ^ k })\n\treturn walk(n)\n}\n\nvar m df.Array[int32]\n\nfunc walk(n int32) int32 {\n\tif n < 1 {\n\t\treturn 1\n\t}\n\treturn df.Sum(n, 12, func(i int32) int32 { return m.Get(i, 2) }) + walk(n-1) + walk(n-1) + walk(n-1)\n}",
	"within":  "func f(n int32) int32 {\n\treturn df.Sum(0, n, func(i int32) int32 {\n\t\treturn df.Sum(i, n, func(j int32) int32 { return fib(j&7) ^ i })\n\t})\n}",
}

// throttledRun is a run of a throttled program.
type throttledRun struct {
	name          string
	n             int64
	pes, segments int
}

// testThrottled requires Go's answers of runs.
func testThrottled(t *testing.T, runs []throttledRun) {
	var list []goProgram
	for _, x := range runs {
		list = append(list, goProgram{src: throttledHead + throttled[x.name], runs: [][]int64{{x.n}}})
	}
	for i, want := range byGo(t, list) {
		x := runs[i]
		t.Run(fmt.Sprintf("%s %d on %d", x.name, x.n, x.pes), func(t *testing.T) {
			o := assemble(t, "p.go", list[i].src, compile.Options{}, nil)
			r, err := onSmall(t, o, x.pes, x.segments, uint64(x.n))
			require.NoError(t, err)
			require.Equal(t, []uint64{want.word}, r.Words)
		})
	}
}

// Loops and recursions that need more segments than there are still answer as Go does, also on machines with
// too few for calls to other PEs.
func TestFewSegments(t *testing.T) {
	var runs []throttledRun
	for name := range throttled {
		n := map[string]int64{"queens": 6, "rows": 6, "fib": 15, "up": 8, "within": 24, "own": 12, "owns": 9, "own two": 6, "pieces": 5}[name]
		for _, segments := range []int{24, 90} {
			if name == "streams" && segments < 90 { // both ends of a stream exist at the same time
				continue
			}
			runs = append(runs, throttledRun{name, cmp.Or(n, 300), 4, segments})
		}
		runs = append(runs, throttledRun{name, cmp.Or(n, 900), 12, 80})
	}
	testThrottled(t, runs)
}

// Streams that sums of floats and recursions open are not bounded: they have to fit the memory. A
// loop that adds up ends calls as fast as it begins them.
func TestOpenStreamsNeedTheirSegments(t *testing.T) {
	const streams = `func f(n int32) float32 { return df.Sum(0, n, func(i int32) float32 { return float32(taken(i)) }) }

func taken(i int32) int32 {
	items := make(chan uint32)
	go produce(uint32(i), 3, items)
	s := int32(0)
	for x := range items {
		s += int32(x & 7)
	}
	return s
}
`
	loop := strings.Replace(streams, "float32 { return df.Sum(0, n, func(i int32) float32 { return float32(taken(i)) }) }", "int32 {\n\ts := int32(0)\n\tfor i := range n {\n\t\ts += taken(i)\n\t}\n\treturn s\n}", 1)
	deep := strings.Replace(streams, "float32 { return df.Sum(0, n, func(i int32) float32 { return float32(taken(i)) }) }", "int32 { return down(n) }\n\nfunc down(n int32) int32 {\n\tif n < 2 {\n\t\treturn taken(n)\n\t}\n\treturn down(n/2) ^ down(n-n/2)\n}", 1)
	for _, x := range []struct {
		text      string
		fits, not uint64 // iterations, or calls at the leaves
	}{{streams, 800, 1600}, {deep, 800, 1200}, {loop, 12800, 0}} {
		o := assemble(t, "p.go", throttledHead+x.text, compile.Options{}, nil)
		_, err := onSmall(t, o, 4, 896, x.fits)
		require.NoError(t, err)
		if x.not > 0 {
			_, err = onSmall(t, o, 4, 896, x.not)
			require.ErrorContains(t, err, "no operand segment is free (896 in use)")
		}
	}
}

// The same holds for the prototype's memory.
func TestThrottle(t *testing.T) {
	testThrottled(t, []throttledRun{{"collatz", 3000, 4, 896}, {"sieve", 4000, 4, 896}, {"fib", 20, 4, 896}})
}

// onSmall does what onMachine does, with the given number of segments.
func onSmall(t *testing.T, o *asm.Object, pes, segments int, args ...uint64) (em4.Result, error) {
	t.Helper()
	p, err := programs.Load(o)
	require.NoError(t, err)
	c := machinefile.ForSize(pes)
	c.Segments = segments
	m, err := em4.New(c, p, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(t.Context(), 10_000_000))
	r, err := m.Run(t.Context(), args, em4.RunOptions{MaxClocks: 50_000_000})
	if err == nil {
		require.Empty(t, m.HalfMatched(1))
		for i := range pes {
			require.Zero(t, m.PE(i).SegmentsInUse())
		}
	}
	return r, err
}

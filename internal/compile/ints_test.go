package compile_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
)

// intPrograms use int and uint in every place where a type may stand.
var intPrograms = []goProgram{
	{src: `package main

type pair struct{ a, b int }

func (p pair) swapped() pair { return pair{p.b, p.a} }

var table = [5]int{3, -1, 1 << 30, 7, -1 << 31}

const big = 1<<31 - 1

func mix(h, x int) int {
	if x == 0 {
		return h
	}
	return mix(h*31+x, x/2) - mix(h>>1, x/3)
}

//emsim:arg n -2147483648 2147483647
func f(n int) int {
	p := pair{n, big}
	for i := range 5 {
		p.a += table[i] * i
		p = p.swapped()
	}
	for i := range table {
		p.b ^= table[len(table)-1-i]
	}
	var list [4]int
	for i := 0; i < len(list); i++ {
		list[i&3] = p.a%(i+7) + n>>i
	}
	for _, x := range list {
		p.a = p.a*16777619 + x
	}
	return mix(p.a&0xff, p.b&31) + min(p.a, p.b) - max(n, 5)
}
`, runs: [][]int64{{0}, {7}, {-9}, {1<<31 - 1}, {-1 << 31}}},
	{src: `package main

func slow(u uint) uint {
	for u > 100 {
		u = u/3 + u&7
	}
	return u
}

func count(n int, to chan<- int) {
	defer close(to)
	for i := range n {
		to <- i * i
	}
}

//emsim:arg u 0 4294967295
func f(u uint) uint {
	s := 0
	squares := make(chan int)
	go count(int(u&7), squares)
	for x := range squares {
		s = s*10 + x
	}
	v := -u
	w := uint(s) << (u & 63)
	switch {
	case v > u:
		w += slow(u * 2654435761)
	case int(u) < 0:
		w -= slow(v)
	}
	x := int32(s)
	w ^= uint(uint32(x)) + uint(int(x)>>1)
	if float32(s) > 0.5 {
		w++
	}
	return w%1000003 + u/7
}
`, runs: [][]int64{{0}, {5}, {1 << 31}, {1<<32 - 1}, {77777}}},
	{src: `package main

//emsim:arg n -100 100
func f(n int) int {
	a := [3]int{1, 2, 3}
	return a[n] / (n + 7) << (2 - n)
}
`, runs: [][]int64{{0}, {1}, {2}, {3}, {-1}, {-100}}},
	{src: `package main

//emsim:arg n -100 100
func f(n int) bool { return 1<<(n-5) > n/7 }
`, runs: [][]int64{{5}, {4}, {50}}},
}

// An int has 32 bits, as in programs that Go builds for 386.
func TestInts(t *testing.T) {
	var list []goProgram
	for _, p := range intPrograms {
		for _, way := range []compile.Options{{}, {Guards: compile.Callee, Blocks: compile.Finest}} {
			p.objects = append(p.objects, assemble(t, "p.go", p.src, way, nil))
		}
		list = append(list, p)
	}
	sameAsGo(t, list, "GOARCH=386", "GODEBUG=asyncpreemptoff=1") // emulators of a 386 mistake its signals
}

// With int and uint, random programs answer as Go does with int32 and uint32.
func TestRandomInts(t *testing.T) {
	var list []goProgram
	for seed := uint64(0); len(list) < 16; seed++ {
		src, runs := randomProgram(seed)
		if strings.Contains(src, "df.") { // its functions have int32
			continue
		}
		plain := regexp.MustCompile(`\b(u?int)32\b`).ReplaceAllString(src, "$1")
		way := everyWay[len(list)%len(everyWay)]
		list = append(list, goProgram{src: src, runs: runs, objects: []*asm.Object{assemble(t, "p.go", plain, way, nil)}})
	}
	sameAsGo(t, list)
}

// hash computes the example of the page, which wraps for large n.
func hash[T int32 | int64](n int) T {
	h := T(1)
	for i := range n {
		h = h*31 + T(i)
	}
	return h
}

// The page shows by an example where an int of 64 bits would have another value.
func TestIntsInPage(t *testing.T) {
	o := assemble(t, "p.go", "package main\n\n//emsim:arg n 0 1000\nfunc f(n int) int {\n\th := 1\n\tfor i := range n {\n\t\th = h*31 + i\n\t}\n\treturn h\n}\n", compile.Options{}, nil)
	page := "| `n` | here, and `GOARCH=386 go run` | `go run` on a machine with words of 64 bits |\n|--:|--:|--:|\n"
	for _, n := range []int{5, 9} {
		r, err := onMachine(t, o, 12, uint64(n))
		require.NoError(t, err)
		require.Equal(t, []uint64{word(int64(hash[int32](n)))}, r.Words)
		page += fmt.Sprintf("| %d | %d | %d |\n", n, hash[int32](n), hash[int64](n))
	}
	inPage(t, "ints", page)
}

// Variables of the package are initialized by other variables and functions, in Go's order.
func TestComputedVariables(t *testing.T) {
	list := []goProgram{{src: `package main

type point struct{ x, y int32 }

func (p point) plus(q point) point { return point{p.x + q.x, p.y + q.y} }

var (
	last   = first[2] + both.y
	first  = [3]int32{seed, seed * seed, next(seed)}
	both   = point{x: 1}.plus(point{seed, last2})
	copied = first
	rows   = [2][2]int32{{seed, 1}, {0, next(3)}}
	q, r   = divided(last, seed)
	seed   = int32(5)
	last2  = next(next(seed))
)

func next(n int32) int32 { return n*3 + 1 }

func divided(a, b int32) (int32, int32) { return a / b, a % b }

func init() { first[0] += last }

//emsim:arg n 0 9
func f(n int32) int32 {
	s := last + first[0]*3 + first[1]*5 + both.x*7 + both.y*11 + q*13 + r*17
	for i, x := range copied {
		s = s*31 + x + rows[i&1][n&1]
	}
	return s
}
`, runs: [][]int64{{0}, {1}}}}

	for _, way := range everyWay {
		list[0].objects = append(list[0].objects, assemble(t, "p.go", list[0].src, way, nil))
	}
	sameAsGo(t, list)
}

// Declarations that neither the entry nor init reaches may use forms without a translation.
func TestUnreached(t *testing.T) {
	src := `package main

import (
	"fmt"
	"strings"
	"sync"
)

type list struct {
	sync.Mutex
	words []string
}

func (l *list) add(s string) { l.words = append(l.words, strings.ToUpper(s)) }

var names = map[string]int{"a": 1}

var lock sync.Mutex

type number int32

func (n number) String() string { return fmt.Sprint("number ", int32(n)) }

func (n number) twice() number { return 2 * n }

func helper(n int32) []int32 {
	defer lock.Unlock()
	lock.Lock()
	big := 1 << 40
	return []int32{f(n), int32(big >> 40)}
}

func generic[T any](x T) T { return x }

//emsim:arg n 0 9
func f(n int32) int32 { return int32(number(n).twice()) + offset }

const offset = 3

func main() { fmt.Println(generic(helper(3)), names, &list{}) }
`
	o := assemble(t, "p.go", src, compile.Options{}, nil)
	r, err := onMachine(t, o, 4, 7)
	require.NoError(t, err)
	require.Equal(t, []uint64{17}, r.Words)
	_, err = compile.Compile("p.go", []byte(strings.Replace(src, "+ offset", "+ helper(n)[0]", 1)), compile.Options{})
	require.ErrorContains(t, err, "p.go:18:10: the package sync cannot be used here")
}

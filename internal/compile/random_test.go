package compile_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// The types of values. names has a list for each.
const (
	signed = iota
	unsigned
	float
	truth
	kinds
	none = -1
)

var typeNames = [kinds]string{"int32", "uint32", "float32", "bool"}

// names are variables by type.
type names [kinds][]string

// with returns a copy with one name more.
func (n names) with(t int, name string) names {
	n[t] = append(slices.Clip(n[t]), name)
	return n
}

// without returns a copy without a name that another one hides.
func (n names) without(name string) names {
	for t := range n {
		n[t] = slices.DeleteFunc(slices.Clone(n[t]), func(s string) bool { return s == name })
	}
	return n
}

// writer writes a random program of the subset that always ends.
type writer struct {
	*rand.Rand
	b      strings.Builder
	vars   names          // that may be read
	own    names          // that may be assigned to
	arrays names          // local ones, of four words
	shapes []string       // variables of type shape
	points []string       // variables of type point, whose fields are in vars and own
	scope  map[string]int // the innermost block's declarations, with their types
	counts int            // names so far
	indent int
	loops  int    // around the statement
	breaks int    // how many of these break and continue can leave
	funcs  int    // how many functions calls may name; 0 in helpers
	result int    // the type that the function returns, or none
	risk   string // the panic that the program, or the statement, may have
	df     bool   // it uses arrays and loops of package df
	sends  bool   // it uses channels
	alone  bool   // it uses neither df nor channels
	lazy   bool   // calls may stand to the right of && and ||
	plain  bool   // all values are words, and loops make no calls that need instances
	crowd  *crowd // functions that need more than a segment, or nil
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "%s%s\n", strings.Repeat("\t", w.indent), fmt.Sprintf(format, args...))
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// one returns true once in n times, on average.
func (w *writer) one(n int) bool { return w.IntN(n) == 0 }

func (w *writer) name(prefix string) string {
	w.counts++
	return fmt.Sprint(prefix, w.counts)
}

// expr returns an expression of a type, without calls that need an instance.
func (w *writer) expr(t, depth int) string {
	if depth == 0 || w.one(5) {
		if v := w.vars[t]; len(v) > 0 && !w.one(4) {
			return w.pick(v...)
		}
		return fmt.Sprintf("same%d(%s)", t, w.literal(t))
	}
	if w.one(9) && len(w.arrays[t]) > 0 {
		return w.element(w.pick(w.arrays[t]...), 3, depth-1)
	}
	if w.one(9) && w.funcs > 0 {
		return fmt.Sprintf("short%d(%s, %s, %s, %s)", t, w.expr(signed, depth-1), w.expr(unsigned, depth-1), w.expr(float, depth-1), w.expr(truth, depth-1))
	}
	switch t {
	case truth:
		return w.cond(depth)
	case float:
		return w.floating(depth)
	}
	return w.whole(t, depth)
}

// element returns a word of an array. The last index is of the form 2^n - 1.
func (w *writer) element(array string, last, depth int) string {
	if w.risk == "index" && w.one(2) {
		last = 2*last + 1
	}
	if w.one(6) {
		return fmt.Sprintf("%s[%d]", array, w.IntN(min(last, 3)+1))
	}
	return fmt.Sprintf("%s[%s&%d]", array, w.expr(w.IntN(2), depth), last)
}

// literal returns a constant.
func (w *writer) literal(t int) string {
	n := w.pick("0", "1", "2", "3", "7", "8", "31", "100", "262143", "262144", "65535", "'a'", "width", "(1<<31 - 1)")
	switch t {
	case signed:
		return w.pick(n, "-1", "-5", "-262145", "(-7 / 2)", "(-7 % 3)", "least", "int32(^width)")
	case unsigned:
		return w.pick(n, "(1<<32 - 1)", "^uint32(5)", "uint32(1<<31)", "2147483649")
	case float:
		return w.pick("0.1", "-2.5", "1e38", "-1e38", "1e-44", "16777217", "0")
	}
	return w.pick("true", "false", "(width > 31)", "!false")
}

// floating returns a product, a sum or another expression of type float32. Products are rounded explicitly,
// because Go may leave that out before a sum on some processors.
func (w *writer) floating(depth int) string {
	switch w.IntN(6) {
	case 0:
		return fmt.Sprintf("float32(%s * %s)", w.expr(float, depth-1), w.expr(float, depth-1))
	case 1:
		return fmt.Sprintf("float32(%s)", w.expr(signed, depth-1))
	case 2:
		return fmt.Sprintf("(-%s)", w.expr(float, depth-1))
	case 3:
		return fmt.Sprintf("(%s / %s)", w.expr(float, depth-1), w.pick("8", "0.1", "3", w.expr(float, depth-1)))
	case 4:
		return fmt.Sprintf("%s(%s, %s)", w.pick("min", "max"), w.expr(float, depth-1), w.expr(float, depth-1))
	}
	return fmt.Sprintf("(%s %s %s)", w.expr(float, depth-1), w.pick("+", "-"), w.expr(float, depth-1))
}

func (w *writer) whole(t, depth int) string {
	a := w.expr(t, depth-1)
	switch w.IntN(13) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("<<", ">>"), w.count(depth-1))
	case 1:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("/", "%"), w.divisor(t, depth-1))
	case 2:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("/", "%"), w.pick("1", "2", "8", "10", "7", "width", []string{"-1", "(1<<31)"}[t], []string{"least", "(1<<32-1)"}[t]))
	case 3:
		return fmt.Sprintf("%s(%s)", typeNames[t], w.pick(w.expr(1-t, depth-1), fmt.Sprintf("bits(%s)>>%s", a, w.count(depth-1))))
	case 4:
		return fmt.Sprintf("%s(%s, %s)", w.pick("min", "max"), a, w.pick(w.expr(t, depth-1), w.literal(t), w.literal(t)+", "+w.expr(t, depth-1)))
	case 5:
		if w.one(3) {
			return w.element(fmt.Sprintf("grid%d[%s&1]", t, w.expr(w.IntN(2), depth-1)), 3, depth-1)
		}
		return w.element(fmt.Sprint("table", t), 7, depth-1)
	case 9:
		if w.funcs > 0 && !w.plain {
			return fmt.Sprintf("%s%d(%s, %s)", w.pick("pick", "change"), t, w.words(t), w.expr(unsigned, depth-1))
		}
	case 6:
		return fmt.Sprintf("(%s%s)", w.pick("-", "^", "+"), a)
	case 7:
		return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-", "*", "&", "|", "^", "&^"), w.literal(t))
	case 8:
		if w.df && t == signed {
			return fmt.Sprintf("(%s - df.PEs())", a)
		}
	}
	return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-", "*", "&", "|", "^", "&^"), w.expr(t, depth-1))
}

// divisor returns a divisor that is not 0, unless divisions may panic.
func (w *writer) divisor(t, depth int) string {
	if w.risk == "divide" && w.one(2) {
		return w.pick(w.expr(t, depth), fmt.Sprintf("(%s&3)", w.expr(t, depth)), fmt.Sprintf("(%s>>(%s&63))", w.expr(t, depth), w.expr(unsigned, depth)))
	}
	return fmt.Sprintf("(%s | 1)", w.expr(t, depth))
}

// count returns a shift count that is not negative, unless shifts may panic.
func (w *writer) count(depth int) string {
	if w.risk == "shift" && w.one(2) {
		return w.pick(w.expr(signed, depth), fmt.Sprintf("(%s&63 - 3)", w.expr(signed, depth)))
	}
	return w.pick(fmt.Sprintf("(%s & 63)", w.expr(w.IntN(2), depth)), "3", "31", "32", "40", w.expr(unsigned, depth))
}

func (w *writer) cond(depth int) string {
	if depth > 0 {
		switch w.IntN(6) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", w.cond(depth-1), w.pick("&&", "||"), w.cond(depth-1))
		case 2:
			return "!" + w.cond(depth-1)
		case 3:
			return fmt.Sprintf("(%s %s %s)", w.expr(truth, depth-1), w.pick("==", "!="), w.expr(truth, depth-1))
		}
	}
	if t := w.IntN(kinds); w.one(6) && len(w.arrays[t]) > 0 {
		return fmt.Sprintf("(%s %s %s)", w.pick(w.arrays[t]...), w.pick("==", "!="), w.words(t))
	}
	t := w.IntN(truth)
	return fmt.Sprintf("(%s %s %s)", w.expr(t, depth), w.pick("<", "<=", ">", ">=", "==", "!="), w.pick(w.expr(t, depth), w.literal(t)))
}

// call returns a call of a function with a result of type t. Its first argument is less than n.
func (w *writer) call(t, depth int) string {
	less := 1 + w.IntN(3)
	if w.loops > 0 {
		less = 3
	}
	if t < float && !w.plain && w.one(5) {
		return fmt.Sprintf("row%d(n-%d, %s)", t, less, w.words(t))
	}
	args := [2]string{}
	for i := range args {
		if args[i] = w.expr(i, 1); depth > 0 && w.loops == 0 && w.one(6) {
			args[i] = w.call(i, depth-1)
		}
	}
	return fmt.Sprintf("f%d(n-%d, %s, %s)", t, less, args[0], args[1])
}

// value returns an expression, perhaps with calls that need an instance.
func (w *writer) value(t int) string {
	if w.funcs == 0 || w.one(2) || w.loops > 0 && (w.plain || !w.one(5)) {
		return w.expr(t, 2)
	}
	if w.df && t == unsigned && w.one(3) {
		return fmt.Sprintf("spread.Get(%s, %s) + %s", w.place(), w.expr(signed, 1)+" & 1", w.expr(unsigned, 1))
	}
	c := w.call(t, 1)
	switch {
	case w.one(3):
		return c
	case t == truth && w.lazy:
		return fmt.Sprintf("(%s %s %s)", w.cond(1), w.pick("&&", "||"), w.pick(c, fmt.Sprintf("(%s %s %s)", w.call(signed, 1), w.pick("<", ">"), w.expr(signed, 1))))
	case t == truth:
		return fmt.Sprintf("(%s %s %s)", c, w.pick("&&", "||", "==", "!="), w.cond(1))
	case t == float:
		return fmt.Sprintf("%s %s %s", w.expr(t, 1), w.pick("+", "-"), c)
	case w.one(3):
		return fmt.Sprintf("%s(%s) %s %s", typeNames[t], w.call(1-t, 0), w.pick("+", "^", "-"), w.call(t, 0))
	}
	return fmt.Sprintf("%s %s %s", c, w.pick("+", "^", "-", "&^"), w.expr(t, 1))
}

// place returns the number of a piece of the array of package df.
func (w *writer) place() string {
	if w.risk == "index" && w.one(3) {
		return w.expr(signed, 1) + " & 7"
	}
	return w.expr(signed, 1) + " & 3"
}

// randomProgram returns a program and the arguments of two runs.
func randomProgram(seed uint64) (src string, runs [][]int64) {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 22))}
	src = w.program()
	for range 2 {
		runs = append(runs, []int64{1 + w.Int64N(3), w.Int64N(2000) - 1000, w.Int64N(1 << 32)})
	}
	return src, runs
}

// A tally counts what random programs have.
type tally struct {
	sync.Mutex
	sizes   map[int]int // functions, by the segments of their instances
	refused int
}

// program compiles the random program of number n; those from randomPrograms on have large functions. It
// returns false if the program is refused, as it should be.
func (d *tally) program(t *testing.T, n int, large []uint64) (p goProgram, ok bool) {
	seed, limit, isLarge := uint64(n), "", n >= randomPrograms
	if isLarge {
		seed = large[n-randomPrograms]
		p.src, p.runs, limit, _ = largeProgram(seed)
	} else {
		p.src, p.runs = randomProgram(seed)
	}
	text, err := compile.Compile("p.go", []byte(p.src), everyWay[seed%uint64(len(everyWay))])
	d.Lock()
	defer d.Unlock()
	if limit != "" {
		require.ErrorContains(t, err, limit, "large seed %d\n%s", seed, p.src)
		d.refused++
		return p, false
	}
	require.NoError(t, err, "seed %d of %d\n%s", seed, n, p.src)
	if isLarge {
		countSegments(text, d.sizes)
	}
	p.text = text
	return p, true
}

// Random programs answer or panic as Go's do, on the machine and on the interpreter whose packets overtake each
// other. Each program is compiled in one of the ways.
func TestRandomPrograms(t *testing.T) {
	const together = 100 // programs in one binary
	d, large := &tally{sizes: map[int]int{}}, largeSeeds()
	all := randomPrograms + len(large)
	t.Run("programs", func(t *testing.T) {
		for first := 0; first < all; first += together {
			t.Run(strconv.Itoa(first), func(t *testing.T) {
				t.Parallel()
				var list []goProgram
				for n := first; n < min(first+together, all); n++ {
					if p, ok := d.program(t, n, large); ok {
						list = append(list, p)
					}
				}
				sameAsGo(t, list)
			})
		}
	})
	for segments := range 3 {
		require.NotZero(t, d.sizes[segments+1], "functions whose instances have %d segments", segments+1)
	}
	require.Equal(t, len(large) > 2, d.refused > 0)
}

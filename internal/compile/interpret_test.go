package compile_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/internal/compile/ir"
)

// An interpreter runs the intermediate representation of a program. Its answers depend on how that is built,
// and not on later passes.
type interpreter struct {
	words map[*ir.Memory][]uint32 // of tables
	hits  map[int]int             // how many statements have begun on a line
	steps int                     // instructions so far

	running sync.Mutex // of the one goroutine that runs
	streams []*stream
}

// mostInterpreted bounds the instructions of a run: a form that has been built wrong might never end.
const mostInterpreted = 10_000_000

// frame is a call of a function.
type frame struct {
	*interpreter
	values map[*ir.Value]uint32
	f      *ir.Func
	arrays map[*ir.Memory][]uint32
	sends  map[*ir.Channel]*stream
}

// interpret runs a program. It returns the entry's word, or what the program panics with, and the hits of
// lines.
func interpret(p *ir.Program, args []int64) (answer goAnswer, hits map[int]int) {
	x := &interpreter{words: map[*ir.Memory][]uint32{}, hits: map[int]int{}}
	defer func() {
		if says, ok := recover().(error); ok {
			answer, hits = goAnswer{panics: says.Error()}, x.hits
		}
	}()
	for _, t := range p.Tables {
		x.words[t] = make([]uint32, t.Words)
		for i, w := range t.Init {
			x.words[t][i] = uint32(w)
		}
	}
	for _, f := range p.Inits {
		x.call(f, nil)
	}
	clear(x.hits) // the debugger does not see them
	x.running.Lock()
	defer x.running.Unlock()
	var words []uint32
	for _, a := range args {
		words = append(words, uint32(a))
	}
	return goAnswer{word: uint64(x.call(p.Entry, words)[0])}, x.hits
}

// whole reports whether a program does nothing that package df has.
func whole(p *ir.Program) bool {
	whole := true
	for _, f := range p.Funcs {
		f.Body.Each(func(i *ir.Instr) {
			whole = whole && i.Op != ir.Output && (i.Callee == nil || i.Callee.Body != nil)
		})
	}
	return whole
}

func (x *interpreter) call(f *ir.Func, args []uint32) []uint32 { return x.newFrame(f, args).run() }

func (x *interpreter) newFrame(f *ir.Func, args []uint32) *frame {
	c := &frame{interpreter: x, f: f, values: map[*ir.Value]uint32{}, arrays: map[*ir.Memory][]uint32{}, sends: map[*ir.Channel]*stream{}}
	c.give(f.Params, args)
	for _, a := range f.Arrays {
		c.arrays[a] = make([]uint32, a.Words)
	}
	return c
}

func (c *frame) run() []uint32 {
	to, values := c.region(c.f.Body)
	if to != c.f.End {
		panic("it leaves a function by a label of its own")
	}
	return values
}

func (c *frame) give(to []*ir.Value, words []uint32) {
	for i, v := range to {
		c.values[v] = words[i]
	}
}

func (c *frame) word(v *ir.Value) uint32 {
	if v.Constant {
		return uint32(v.Word)
	}
	w, ok := c.values[v]
	if !ok {
		panic("no value: " + v.String())
	}
	return w
}

func (c *frame) all(list []*ir.Value) (words []uint32) {
	for _, v := range list {
		words = append(words, c.word(v))
	}
	return words
}

// region runs a region, and returns the label that it exits to, with the values.
func (c *frame) region(r *ir.Region) (to *ir.Label, values []uint32) {
	for _, n := range r.Nodes {
		_, end := ir.Parts(n)
		switch n := n.(type) {
		case *ir.Instr:
			c.instr(n)
			continue
		case *ir.If:
			way := n.No
			if c.word(n.Cond) != 0 {
				way = n.Yes
			}
			to, values = c.region(way)
		case *ir.Block:
			to, values = c.region(n.Body)
		case *ir.Loop:
			for to, values = n.Next, c.all(n.First); to == n.Next; to, values = c.region(n.Body) {
				c.give(n.Next.Params, values)
			}
		}
		if to != end {
			return to, values
		}
		c.give(end.Params, values)
	}
	return r.Exit.To, c.all(r.Exit.Values)
}

func (c *frame) instr(x *ir.Instr) {
	a := c.all(x.Args)
	if c.steps++; c.steps > mostInterpreted {
		panic("it runs for ever")
	}
	switch x.Op {
	case ir.Mark:
		c.hits[x.Line]++
	case ir.Call:
		c.give(x.Results, c.call(x.Callee, a))
	case ir.Panic:
		panic(errors.New(map[string]string{"": "it called panic", "send": "send on closed channel", "close": "close of closed channel"}[x.Panics]))
	case ir.Check:
		if a[0] >= a[1] {
			panic(errors.New("index out of range"))
		}
	case ir.Load, ir.Store:
		words := c.words[x.Memory]
		if !x.Memory.Table {
			words = c.arrays[x.Memory]
		}
		at := int64(int32(a[0])) + x.Offset
		if x.Op == ir.Store {
			words[at] = a[1]
		} else {
			c.values[x.Results[0]] = words[at]
		}
	case ir.Open, ir.Start, ir.Send, ir.Close, ir.Leave, ir.Receive, ir.Next, ir.Drop:
		c.stream(x, a)
	default:
		if len(a) == 0 { // the number of PEs
			a = []uint32{12}
		}
		c.values[x.Results[0]] = computed(x, a[0], a[len(a)-1])
	}
}

// computed returns the result of an operation, by Go's rules.
func computed(x *ir.Instr, a, b uint32) uint32 {
	if x.Op == ir.ToFloat {
		return math.Float32bits(float32(int32(a)))
	}
	switch t := x.Results[0].Type; {
	case x.Op == ir.Shl || x.Op == ir.Shr:
		if x.Args[1].Type == ir.Int32 && int32(b) < 0 {
			panic(errors.New("negative shift amount"))
		}
		switch {
		case x.Op == ir.Shl:
			return a << b
		case t == ir.Int32:
			return uint32(int32(a) >> b)
		}
		return a >> b
	case (x.Op == ir.Div || x.Op == ir.Rem) && t != ir.Float32 && b == 0:
		panic(errors.New("integer divide by zero"))
	}
	switch {
	case x.Op == ir.Not && x.Args[0].Type == ir.Bool:
		return 1 - a
	case len(x.Args) > 0 && x.Args[0].Type == ir.Float32:
		return ofFloats(x.Op, math.Float32frombits(a), math.Float32frombits(b))
	case len(x.Args) > 0 && x.Args[0].Type == ir.Int32:
		return ofWords(x.Op, int32(a), int32(b))
	}
	return ofWords(x.Op, a, b)
}

func truthOf(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func ofFloats(op ir.Op, a, b float32) uint32 {
	switch op {
	case ir.Less:
		return truthOf(a < b)
	case ir.LessEq:
		return truthOf(a <= b)
	case ir.Equal:
		return truthOf(a == b)
	case ir.NotEqual:
		return truthOf(a != b)
	case ir.Add:
		a += b
	case ir.Sub:
		a -= b
	case ir.Mul:
		a *= b
	case ir.Div:
		a /= b
	case ir.Neg:
		a = -a
	case ir.Min:
		a = min(a, b)
	case ir.Max:
		a = max(a, b)
	}
	return math.Float32bits(a)
}

func ofWords[T int32 | uint32](op ir.Op, a, b T) uint32 {
	switch op {
	case ir.Less:
		return truthOf(a < b)
	case ir.LessEq:
		return truthOf(a <= b)
	case ir.Equal:
		return truthOf(a == b)
	case ir.NotEqual:
		return truthOf(a != b)
	case ir.Add:
		a += b
	case ir.Sub:
		a -= b
	case ir.Mul:
		a *= b
	case ir.Div:
		a /= b
	case ir.Rem:
		a %= b
	case ir.And:
		a &= b
	case ir.Or:
		a |= b
	case ir.Xor:
		a ^= b
	case ir.AndNot:
		a &^= b
	case ir.Neg:
		a = -a
	case ir.Not:
		a = ^a
	case ir.Min:
		a = min(a, b)
	case ir.Max:
		a = max(a, b)
	}
	return uint32(a)
}

// The intermediate representation of a random program verifies, and answers or panics like Go. So does the
// program's code. Half of the programs have calls to the right of && and ||.
func TestIntermediateForm(t *testing.T) {
	const most = 300 // in one binary of the Go compiler
	var programs []goProgram
	var forms []*ir.Program
	for seed := range uint64(min(randomPrograms, most)) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 53)), alone: true, lazy: seed%2 == 1}
		p := goProgram{src: w.program()}
		for range 2 {
			p.runs = append(p.runs, []int64{1 + w.Int64N(3), w.Int64N(2000) - 1000, w.Int64N(1 << 32)})
		}
		way := everyWay[seed%uint64(len(everyWay))]
		form, err := compile.IR("p.go", []byte(p.src), way)
		require.NoError(t, err, "seed %d\n%s", seed, p.src)
		require.NoError(t, verify(form), p.src)
		p.objects = []*asm.Object{assemble(t, "p.go", p.src, way, nil)}
		programs, forms = append(programs, p), append(forms, form)
	}
	answers := byGo(t, programs)
	for i, p := range programs {
		for _, run := range p.runs {
			want := answers[0]
			answers = answers[1:]
			about := fmt.Sprintf("seed %d, %v\n%s", i, run, p.src)
			have, _ := interpret(forms[i], run)
			require.Equal(t, want.panics == "", have.panics == "", about)
			require.Contains(t, want.panics, have.panics, about)
			require.Equal(t, want.word, have.word, about)
			want.demand(t, p.objects[0], []uint64{word(run[0]), word(run[1]), word(run[2])}, about)
		}
	}
}

// Programs whose values are all words answer as Go does, in every way. Their code is made from the intermediate
// representation.
func TestCodeFromForms(t *testing.T) {
	const most = 300 // in one binary of the Go compiler
	var programs []goProgram
	for seed := range uint64(min(randomPrograms, most)) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 61)), alone: true, plain: true, lazy: seed%2 == 1}
		p := goProgram{src: w.program()}
		for range 2 {
			p.runs = append(p.runs, []int64{1 + w.Int64N(3), w.Int64N(2000) - 1000, w.Int64N(1 << 32)})
		}
		for _, way := range everyWay {
			p.objects = append(p.objects, assemble(t, "p.go", p.src, way, nil))
		}
		programs = append(programs, p)
	}
	sameAsGo(t, programs)
}

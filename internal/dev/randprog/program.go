package randprog

import (
	"fmt"

	"pgregory.net/rapid"
)

// Program is a random program as assembly text, with its properties.
type Program struct {
	Text     string
	Args     []uint64 // values for its arguments
	PairFIFO bool     // it relies on the order of packets from one PE to another
	Dynamic  bool     // it places calls by MLPE: calls and results are fixed, instructions and packets are not
	Ordered  bool     // the host's words arrive in a fixed order; otherwise only their set is fixed
	Calls    int      // maximum number of function instances
}

// String returns the program with its properties.
func (p *Program) String() string {
	return fmt.Sprintf("; args %d, relies on pair order %v, MLPE %v, host words ordered %v, at most %d calls\n%s",
		p.Args, p.PairFIFO, p.Dynamic, p.Ordered, p.Calls, p.Text)
}

// GoString makes rapid print a failing program as assembly.
func (p *Program) GoString() string { return "\n" + p.String() }

// Size limits a program.
type Size struct {
	Functions int // besides the root, 0..9
	Nodes     int // steps of a function's graph, 0..8
	Ops       int // operations of a block, 0..8
	Calls     int // function instances of a run; two runs must fit the 1024 operand segments of one PE
	Least     int // minimum number of functions, and of steps in each
}

// The sizes in use.
var (
	Small  = Size{Functions: 2, Nodes: 3, Ops: 2, Calls: 12}
	Medium = Size{Functions: 5, Nodes: 8, Ops: 5, Calls: 150}
	Large  = Size{Functions: 9, Nodes: 8, Ops: 8, Calls: 480, Least: 4}
)

// Gen returns a generator of programs.
func Gen(s Size) *rapid.Generator[*Program] {
	return rapid.Custom(func(t *rapid.T) *Program { return generate(t, s) })
}

// FromSeed returns the program of a seed. Equal seeds give equal programs.
func FromSeed(s Size, seed int) *Program { return Gen(s).Example(seed) }

// gen is the program being written.
type gen struct {
	p       Program
	size    Size
	tape    tape
	ops     []tape // of the current step
	fns     []*function
	labels  int
	special bool // values may depend on the PE that computes them; false if MLPE places instances
	puts    int  // number of variables for the root's put and fetch pairs
	tables  []int64
	init    bool // there is an init block
}

func generate(t *rapid.T, s Size) *Program {
	r := drawRecipe(t, s)
	g := &gen{size: s}
	g.useTape(r.head)
	g.p.Dynamic = g.chance(5)
	g.p.Ordered = g.chance(3)
	g.special = !g.p.Dynamic
	g.p.PairFIFO = g.chance(3)
	two := g.p.PairFIFO && g.coinToss()
	g.init = g.coinToss() || g.p.Dynamic
	for range g.intBetween(0, tableWords) {
		g.tables = append(g.tables, g.constant())
	}
	for i, f := range r.other {
		g.fns = append(g.fns, g.function(fmt.Sprintf("f%d", i), f, false))
	}
	root := g.function("root", r.root, true)
	g.fns = append(g.fns, root)
	g.p.Calls = root.cost[0]
	g.useTape(r.root.head)
	g.p.Args = []uint64{g.nextNumber() & 0xffffffff}
	if two {
		g.p.Args = append(g.p.Args, g.nextNumber()&0xffffffff)
	}
	body := g.render()
	g.p.Text = g.headText(two, body) + body
	return &g.p
}

func (g *gen) label(kind string) string {
	g.labels++
	return fmt.Sprintf("%s%d", kind, g.labels)
}

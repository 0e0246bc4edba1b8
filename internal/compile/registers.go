package compile

import (
	"fmt"
	"math/bits"
	"slices"
)

// The machine registers that variables can have: r1..r14.
const (
	firstReg = 1
	lastReg  = 14
)

// bit is the set of one machine register.
func bit(r int) uint16 { return 1 << r }

// colors gives every virtual register a machine register. What does not fit
// gets a word of the operand segment and is loaded and stored at every use.
func (u *unit) colors() map[reg]int {
	for {
		g := u.interference()
		color, spill := g.color()
		if spill == none {
			return color
		}
		u.spill(spill)
	}
}

// graph says which registers are alive at the same time.
type graph struct {
	n      int
	near   []map[reg]bool
	banned []uint16 // machine registers that it cannot have
	wish   []map[reg]bool
	want   []int        // a machine register that it would like, or 0
	weight []int        // uses
	short  map[reg]bool // made by a spill: cannot be spilled again
	used   set
}

func (u *unit) interference() *graph {
	n := u.regs
	g := &graph{n: n, near: make([]map[reg]bool, n), banned: make([]uint16, n), wish: make([]map[reg]bool, n), want: make([]int, n), weight: make([]int, n), used: newSet(n), short: u.short}
	for i := range g.near {
		g.near[i], g.wish[i] = map[reg]bool{}, map[reg]bool{}
	}
	_, out := u.live(false)
	for _, b := range u.blocks {
		live := out[b.id].copy()
		for _, a := range b.conds {
			if a.kind == isUse {
				live.add(a.reg)
				g.touch(a.reg)
			}
		}
		for i := len(b.code) - 1; i >= 0; i-- {
			g.instr(&b.code[i], live)
		}
		g.entry(b, live)
	}
	return g
}

func (g *graph) touch(r reg) {
	g.used.add(r)
	g.weight[r]++
}

func (g *graph) edge(a, b reg) {
	if a != b {
		g.near[a][b], g.near[b][a] = true, true
	}
}

func (g *graph) instr(x *instr, live set) {
	x.defs(live.drop)
	moved := none
	if x.name == "mov" && x.args[1].kind == isUse {
		moved = x.args[1].reg
		g.wish[x.args[0].reg][moved], g.wish[moved][x.args[0].reg] = true, true
	}
	x.defs(func(d reg) {
		g.touch(d)
		live.each(g.n, func(r reg) {
			if r != moved {
				g.edge(d, r)
			}
		})
		x.defs(func(e reg) { g.edge(d, e) })
		if x.macro {
			g.banned[d] |= x.spoil
			x.uses(func(r reg) { g.edge(d, r) })
		}
	})
	if x.spoil != 0 {
		live.each(g.n, func(r reg) { g.banned[r] |= x.spoil })
		x.uses(func(r reg) { g.banned[r] |= x.spoil })
	}
	x.uses(func(r reg) {
		g.touch(r)
		live.add(r)
	})
}

// entry makes the operands of a node wish for r1 and r2, where they come.
func (g *graph) entry(b *block, live set) {
	for i, r := range b.in {
		if r == none {
			continue
		}
		g.touch(r)
		g.want[r] = 1 + i
		live.each(g.n, func(o reg) { g.edge(r, o) })
		for _, o := range b.in {
			if o != none {
				g.edge(r, o)
			}
		}
	}
}

// color returns the machine registers, or a register to spill.
func (g *graph) color() (map[reg]int, reg) {
	k := lastReg - firstReg + 1
	var stack []reg
	degree := make([]int, g.n)
	in := make([]bool, g.n)
	var all []reg
	g.used.each(g.n, func(r reg) {
		all = append(all, r)
		in[r] = true
		degree[r] = len(g.near[r]) + bits.OnesCount16(g.banned[r])
	})
	for left := len(all); left > 0; left-- {
		best := none
		for _, r := range all {
			if !in[r] {
				continue
			}
			if degree[r] < k {
				best = r
				break
			}
			if best == none || g.weight[r]*degree[best] < g.weight[best]*degree[r] {
				best = r
			}
		}
		in[best] = false
		stack = append(stack, best)
		for o := range g.near[best] {
			degree[o]--
		}
	}
	color := map[reg]int{}
	for _, r := range slices.Backward(stack) {
		free := ^(uint16(1)<<firstReg - 1) & (uint16(1)<<(lastReg+1) - 1) &^ g.banned[r]
		for o := range g.near[r] {
			if c, ok := color[o]; ok {
				free &^= bit(c)
			}
		}
		if free == 0 {
			return nil, g.cheapest(r)
		}
		color[r] = g.pick(r, free, color)
	}
	return color, none
}

// cheapest is the neighbour (or r) whose loads and stores cost least.
func (g *graph) cheapest(r reg) reg {
	best := none
	for o := range reg(g.n) {
		if (o == r || g.near[r][o]) && !g.short[o] && (best == none || g.weight[o] < g.weight[best]) {
			best = o
		}
	}
	if best == none {
		panic(fmt.Sprintf("no register for %d", r))
	}
	return best
}

// pick takes the register that a move or a packet wants, or else the lowest free.
func (g *graph) pick(r reg, free uint16, color map[reg]int) int {
	if w := g.want[r]; w != 0 && free&bit(w) != 0 {
		return w
	}
	for o := range reg(g.n) {
		if !g.wish[r][o] {
			continue
		}
		if c, ok := color[o]; ok && free&bit(c) != 0 {
			return c
		}
		if w := g.want[o]; w != 0 && free&bit(w) != 0 {
			return w
		}
	}
	high := free &^ (bit(1) | bit(2))
	if high != 0 {
		return bits.TrailingZeros16(high)
	}
	return bits.TrailingZeros16(free)
}

// spill makes a register live in its word: a short-lived one per use.
func (u *unit) spill(r reg) {
	if u.home[r] == "" {
		u.home[r] = u.word(u.wordName(r))
	}
	for _, b := range u.blocks {
		var code []instr
		for i, x := range b.in {
			if x == r {
				t := u.spillReg(r)
				b.in[i] = t
				code = append(code, u.store(t, b.line))
			}
		}
		for _, x := range b.code {
			pre, post := u.spilled(&x, r)
			code = append(code, pre...)
			if x.name != "" {
				code = append(code, x)
			}
			code = append(code, post...)
		}
		t := none
		for i, a := range b.conds {
			if a.kind == isUse && a.reg == r {
				if t == none {
					t = u.spillReg(r)
					code = append(code, u.load(t, b.line))
				}
				b.conds[i] = use(t)
			}
		}
		b.code = code
	}
}

// spillReg is a new register that shares the word of r.
func (u *unit) spillReg(r reg) reg {
	t := u.newReg()
	u.home[t], u.names[t], u.short[t] = u.home[r], u.names[r], true
	return t
}

// spilled rewrites one instruction; a load or store of the register's own word
// disappears.
func (u *unit) spilled(x *instr, r reg) (pre, post []instr) {
	own := func(a arg) bool { return a.kind != isText && a.reg == r }
	if (x.name == "ld" || x.name == "st") && own(x.args[0]) && x.args[2].kind == isText && x.args[2].text() == u.place(r).text() {
		x.name = ""
		return nil, nil
	}
	t := none
	args := slices.Clone(x.args)
	for i, a := range args {
		if !own(a) {
			continue
		}
		if t == none {
			t = u.spillReg(r)
		}
		args[i].reg = t
		if a.kind == isUse && pre == nil {
			pre = []instr{u.load(t, x.line)}
		}
		if a.kind == isDef {
			post = []instr{u.store(t, x.line)}
		}
	}
	x.args = args
	return pre, post
}

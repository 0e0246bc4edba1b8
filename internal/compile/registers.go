package compile

import (
	"cmp"
	"math/bits"
	"slices"

	"emsim/internal/base/agenda"
	"emsim/isa"
)

// The machine registers that variables can have: r1..r14.
const (
	firstReg = 1
	lastReg  = 14
)

// colors returns a machine register for every virtual register. A register that gets none is spilled: it lives in a
// word of the operand segment, and every use loads or stores it there.
func (u *unit) colors() []int {
	most := mostLive
	for round := 0; ; round++ {
		if round == mostRounds {
			most = lastReg - firstReg
		}
		g := u.interference(most, false)
		if most = g.most; len(g.spills) > 0 {
			u.spill(func(r reg) bool { return g.spills[r] })
			continue
		}
		color, spill := g.color()
		if spill == none {
			return color
		}
		u.spill(func(r reg) bool { return r == spill })
	}
}

// mostRounds is how many rounds of spills a unit has with the limit mostLive, and mostLive is how many registers may be
// live together. Beyond either limit, every register is spilled that is live at a place with more than 13 live
// registers, one less than the machine has [chosen: by then a segment is full].
const (
	mostRounds = segmentWords
	mostLive   = 2*segmentWords + 2*(lastReg-firstReg+1)
)

// graph is the interference graph of a unit's registers.
type graph struct {
	u          *unit
	neighbours [][]reg  // neighbours, ascending
	banned     []uint16 // machine registers that it cannot have
	moves      [][]reg  // ascending: registers that moves copy to or from it
	preferred  []int    // the machine register that it prefers, or 0
	weight     []int    // what a spill costs: its loads and stores, weighted by how often they run
	used       []bool
	frequency  int   // how often the current block runs
	live       []reg // the live registers, while the graph is built backwards through a block
	place      []int // the index in live plus 1, or 0

	most   int          // number of registers that may be live together
	spills map[reg]bool // registers to spill, if too many are live; then there is no graph
}

// interference builds the interference graph. If more than most registers are live at some place, it only finds the
// registers to spill. Live ranges end at the end of a strongly connected block, or extend into the next ones if across
// is set.
func (u *unit) interference(most int, across bool) *graph {
	n := u.regs
	g := &graph{u: u, most: most, spills: map[reg]bool{}, neighbours: make([][]reg, n), banned: make([]uint16, n), moves: make([][]reg, n), preferred: make([]int, n), weight: make([]int, n), used: make([]bool, n), place: make([]int, n)}
	for r := range g.banned {
		g.banned[r] = u.banned
	}
	for r, only := range u.only {
		g.banned[r], g.preferred[r] = (1<<(lastReg+1)-1<<firstReg)&^(1<<only), only
	}
	k := u.crossing()
	_, out := u.liveness(&k, across)
	for _, b := range u.blocks {
		for len(g.live) > 0 {
			g.dropLive(g.live[len(g.live)-1])
		}
		u.meter.countSteps(len(out[b.id].at) + 1)
		g.frequency = b.frequency()
		k.eachRegister(out[b.id], func(_ int, r reg) { g.addLive(r) })
		each(isUse, b.conds, g.read)
		for i := len(b.code) - 1; i >= 0; i-- {
			if g.instr(&b.code[i]); len(g.live) > g.most {
				g.spillLive()
			}
		}
		g.entry(b)
	}
	for r := range g.neighbours {
		g.neighbours[r] = tidied(g.neighbours[r])
		g.moves[r] = tidied(g.moves[r])
	}
	return g
}

// tidied returns a list in order, without repetitions.
func tidied(list []reg) []reg {
	slices.Sort(list)
	return slices.Compact(list)
}

// weigh adds a use to the cost of spilling r. Loads and stores of r's own word add nothing, because a spill
// removes them.
func (g *graph) weigh(r reg, x *instr) {
	g.used[r] = true
	if x == nil || !g.u.movesHome(x, func(o reg) bool { return o == r }) {
		g.weight[r] += g.frequency
	}
}

func (g *graph) read(r reg) {
	g.weigh(r, nil)
	g.addLive(r)
}

func (g *graph) addLive(r reg) {
	if g.place[r] != 0 || g.spills[r] {
		return
	}
	g.live = append(g.live, r)
	g.place[r] = len(g.live)
}

// spillLive spills all live registers, except the short-lived ones that a spill has made. From then on, interference
// spills every register that is live at a place with more than 13 live registers.
func (g *graph) spillLive() {
	for _, r := range slices.Clone(g.live) {
		if !g.u.short[r] {
			g.spills[r] = true
			g.dropLive(r)
		}
	}
	g.most = lastReg - firstReg
}

func (g *graph) dropLive(r reg) {
	at := g.place[r]
	if at == 0 {
		return
	}
	last := g.live[len(g.live)-1]
	g.live[at-1], g.place[last] = last, at
	g.live, g.place[r] = g.live[:len(g.live)-1], 0
}

func (g *graph) addEdge(a, b reg) {
	if a != b && len(g.spills) == 0 {
		g.neighbours[a], g.neighbours[b] = append(g.neighbours[a], b), append(g.neighbours[b], a)
	}
}

// interfere adds edges between the register r and all live registers, except the register but.
func (g *graph) interfere(r, but reg) {
	g.u.meter.countSteps(len(g.live))
	for _, o := range g.live {
		if o != but {
			g.addEdge(r, o)
		}
	}
}

func (g *graph) instr(x *instr) {
	each(isDef, x.args, g.dropLive)
	moved := none
	if x.op == move && x.args[1].kind == isUse {
		moved = x.args[1].reg
		to := x.args[0].reg
		g.moves[to], g.moves[moved] = append(g.moves[to], moved), append(g.moves[moved], to)
	}
	each(isDef, x.args, func(d reg) {
		g.weigh(d, x)
		g.interfere(d, moved)
		each(isDef, x.args, func(e reg) { g.addEdge(d, e) })
	})
	each(isUse, x.args, func(r reg) {
		g.weigh(r, x)
		g.addLive(r)
	})
	if spoil := x.other().spoil; spoil != 0 {
		for _, r := range g.live {
			g.banned[r] |= spoil
		}
	}
}

// entry adds a node's operands to the graph. They are live together at the node's start, and prefer r1 and r2, where
// they arrive.
func (g *graph) entry(b *block) {
	for i, r := range b.in {
		if r == none {
			continue
		}
		g.weigh(r, nil)
		g.preferred[r] = 1 + i
		g.interfere(r, none)
		for _, o := range b.in {
			if o != none {
				g.addEdge(r, o)
			}
		}
	}
}

// color returns a machine register for each register, or else a register to spill.
func (g *graph) color() ([]int, reg) {
	color := make([]int, len(g.neighbours))
	for _, r := range slices.Backward(g.order()) {
		g.u.meter.countSteps(len(g.neighbours[r]) + 1)
		free := ^(uint16(1)<<firstReg - 1) & (uint16(1)<<(lastReg+1) - 1) &^ g.banned[r]
		for _, o := range g.neighbours[r] {
			if color[o] != 0 {
				free &^= 1 << color[o]
			}
		}
		if free == 0 {
			return nil, g.cheapest(r)
		}
		color[r] = g.pickRegister(r, free, color)
	}
	return color, none
}

// order returns the order in which registers are removed from the graph. The next register is the first that is certain
// to get a machine register, or else the one with the lowest cost per neighbour.
func (g *graph) order() []reg {
	const k = lastReg - firstReg + 1
	var stack, all []reg
	degree := make([]int, len(g.neighbours))
	in := make([]bool, len(g.neighbours))
	var easy agenda.Agenda[struct{}] // the registers that are certain to get one, ascending
	for r := range reg(len(g.neighbours)) {
		if g.used[r] {
			all = append(all, r)
			in[r] = true
			if degree[r] = len(g.neighbours[r]) + bits.OnesCount16(g.banned[r]); degree[r] < k {
				easy.Add(agenda.Item[struct{}]{At: int64(r)})
			}
		}
	}
	for range len(all) {
		var best reg
		if len(easy) > 0 {
			best = reg(easy.Next().At)
		} else {
			g.u.meter.countSteps(len(all))
			all = slices.DeleteFunc(all, func(r reg) bool { return !in[r] })
			best = slices.MinFunc(all, func(a, b reg) int { return g.weight[a]*degree[b] - g.weight[b]*degree[a] })
		}
		in[best] = false
		stack = append(stack, best)
		g.u.meter.countSteps(len(g.neighbours[best]) + 1)
		for _, o := range g.neighbours[best] {
			if degree[o]--; degree[o] == k-1 && in[o] {
				easy.Add(agenda.Item[struct{}]{At: int64(o)})
			}
		}
	}
	return stack
}

// cheapest returns r or a neighbour of r: the register with the lowest cost of a spill per neighbour. It leaves out the
// short-lived registers that a spill has made, because spilling them would not help.
func (g *graph) cheapest(r reg) reg {
	at, _ := slices.BinarySearch(g.neighbours[r], r)
	list := slices.Insert(slices.Clone(g.neighbours[r]), at, r)
	list = slices.DeleteFunc(list, func(o reg) bool { return g.u.short[o] })
	if len(list) == 0 {
		g.u.tooLarge() // all of them hold operands of one instruction
	}
	return slices.MinFunc(list, func(a, b reg) int {
		return g.weight[a]*len(g.neighbours[b]) - g.weight[b]*len(g.neighbours[a])
	})
}

// pickRegister returns the free machine register that r prefers because of a packet or a move, or else the lowest free
// one, with r1 and r2 last.
func (g *graph) pickRegister(r reg, free uint16, color []int) int {
	if w := g.preferred[r]; w != 0 && free>>w&1 != 0 {
		return w
	}
	for _, o := range g.moves[r] {
		if _, apart := slices.BinarySearch(g.neighbours[r], o); apart { // they interfere
			continue
		}
		if c := color[o]; c != 0 && free>>c&1 != 0 {
			return c
		}
		if w := g.preferred[o]; w != 0 && free>>w&1 != 0 {
			return w
		}
	}
	return bits.TrailingZeros16(cmp.Or(free&^(1<<1|1<<2), free))
}

// spill makes the chosen registers live in their words. Every use gets a short-lived register instead.
func (u *unit) spill(chosen func(r reg) bool) {
	for r := range reg(u.regs) {
		if chosen(r) {
			u.giveHome(r)
			u.kept = append(u.kept, r)
		}
	}
	for _, b := range u.blocks {
		u.meter.countSteps(len(b.code) + 1)
		var code []instr
		for i, x := range b.in {
			if x != none && chosen(x) {
				b.in[i] = u.spillReg(x)
				code = append(code, u.store(b.in[i], b.line))
			}
		}
		for _, x := range b.code {
			if u.movesHome(&x, chosen) {
				continue
			}
			args, before, after := u.replaceSpilled(x.args, chosen, x.line)
			x.args = args
			code = append(append(append(code, before...), x), after...)
		}
		conds, before, _ := u.replaceSpilled(b.conds, chosen, b.line)
		b.conds, b.code = conds, append(code, before...)
	}
}

// spillReg returns a new register that shares the word of r.
func (u *unit) spillReg(r reg) reg {
	t := u.newReg()
	u.home[t], u.names[t], u.short[t] = u.home[r], u.names[r], true
	return t
}

// movesHome reports whether an instruction loads or stores a chosen register's own word.
func (u *unit) movesHome(x *instr, chosen func(r reg) bool) bool {
	return (x.op == isa.LD || x.op == isa.ST) && x.args[0].isReg() && chosen(x.args[0].reg) &&
		x.args[2] == u.place(x.args[0].reg)
}

// replaceSpilled replaces each chosen register among operands with a new one, and returns the loads before the
// instruction and the stores after it.
func (u *unit) replaceSpilled(args []arg, chosen func(r reg) bool, line int) (with []arg, before, after []instr) {
	with = slices.Clone(args)
	for i, a := range args {
		if !a.isReg() || with[i].reg != a.reg || !chosen(a.reg) { // or already replaced
			continue
		}
		t := u.spillReg(a.reg)
		reads, writes := false, false
		for j, o := range args {
			if o.isReg() && o.reg == a.reg {
				with[j].reg = t
				reads, writes = reads || o.kind == isUse, writes || o.kind == isDef
			}
		}
		if reads {
			before = append(before, u.load(t, line))
		}
		if writes {
			after = append(after, u.store(t, line))
		}
	}
	return with, before, after
}

package randprog

import (
	"slices"

	"emsim/internal/base/lists"
	"emsim/isa"
)

// Values are in r1 .. r8. The other registers hold counts (r9, r10), addresses
// (r11 .. r14) and the frame.

// target returns a register for a new value.
func (g *gen) target(n *node) string {
	r := pickOne(g, "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8")
	n.recent = slices.DeleteFunc(n.recent, func(x string) bool { return x == r })
	n.recent = slices.Insert(n.recent, 0, r)
	return r
}

// source returns a register with a value, usually one of the last two, so that the result of an instruction affects the
// outcome.
func (g *gen) source(n *node) string {
	i := pickOne(g, 0, 0, 1, g.intBetween(0, 7))
	return n.recent[i%len(n.recent)]
}

// alu and branches list the operations of these classes.
var alu, branches = func() (list, br []isa.Op) {
	for i := range isa.Table {
		switch isa.Table[i].Class {
		case isa.ClassALU:
			list = append(list, isa.Op(i))
		case isa.ClassBranch:
			br = append(br, isa.Op(i))
		}
	}
	return list, br
}()

func (g *gen) branch() string { return isa.Table[pickOne(g, branches...)].Name }

const (
	tableWords = 8
	sums       = 3 // variables that are only added to
)

// sendAdd emits code that sends a register to a system block on the PE in r14. The code addresses the block directly or
// by a continuation.
func (g *gen) sendAdd(n *node, r string) {
	if g.coinToss() {
		n.addLine("cont.d", "r11, r14, add%d", g.intBetween(0, sums-1))
		n.addLine("send", "%s, r11, 0", r)
		return
	}
	n.addLine("send.d", "%s, r14, add%d", r, g.intBetween(0, sums-1))
}

// operation emits one operation of a block. Inside conditionals and loops (depth > 0) it emits nothing that a later
// node reads.
func (g *gen) operation(f *function, n *node, depth int) {
	kinds := []string{"alu", "alu", "table", "special", "sum", "add", "out"}
	if depth < 2 {
		kinds = append(kinds, "if", "loop")
	}
	if depth == 0 {
		kinds = append(kinds, "store", "structure")
		if slices.ContainsFunc(f.slots, func(s slot) bool { return n.seen[s.by] && s.by != n }) {
			kinds = append(kinds, "load", "load")
		}
	}
	switch pickOne(g, kinds...) {
	case "alu":
		g.aluOp(n)
	case "table":
		n.addLine("and", "r11, %s, %d", g.source(n), tableWords-1)
		from := map[bool]string{true: "mine", false: "table"}[g.special && g.coinToss()]
		n.addLine("ld", "%s, r11, %s", g.target(n), from)
	case "special":
		names := []string{"k", "seed", "gapos"}
		if g.special {
			if g.coinToss() {
				n.addLine("movpe", "%s, %s, %d", g.target(n), pickOne(g, isa.OrderNames[:]...), g.intBetween(-isa.MaxSteps, isa.MaxSteps))
				return
			}
			names = append(names, "ga", "ca", "pe")
		}
		n.addLine("rds", "%s, %s", g.target(n), pickOne(g, names...))
	case "sum":
		g.sumStep(n)
	case "add":
		r := g.source(n)
		g.place(n, r, true)
		g.sendAdd(n, r)
	case "out":
		if g.p.Ordered {
			g.aluOp(n)
			return
		}
		n.addLine("out", "%s", g.source(n))
	case "if":
		skip := g.label(".x")
		n.addLine(g.branch(), "%s, %s, %s", g.source(n), g.source(n), skip)
		g.inner(f, n, depth)
		if g.coinToss() {
			end := g.label(".x")
			n.addLine("jmp", "%s", end)
			n.addLabel(skip)
			g.inner(f, n, depth)
			skip = end
		}
		n.addLabel(skip)
		n.addLine("nop", "") // a branch target before the end of the block
	case "loop":
		count, again := []string{"r9", "r10"}[depth], g.label(".x")
		n.addLine("and", "%s, %s, 7", count, g.source(n))
		n.addLabel(again)
		g.inner(f, n, depth)
		n.addLine("sub", "%s, %s, 1", count, count)
		n.addLine("blt", "r0, %s, %s", count, again)
	case "store":
		if len(f.slots) < freeSlots {
			n.addLine("st", "%s, fp, %d", g.source(n), f.newSlot(n, 0))
		}
	case "load":
		g.loadSlot(f, n)
	case "structure":
		g.structure(f, n)
	}
}

func (g *gen) inner(f *function, n *node, depth int) {
	for range 1 + g.intBetween(0, 2) {
		g.operation(f, n, depth+1)
	}
}

func (g *gen) aluOp(n *node) {
	row := &isa.Table[pickOne(g, alu...)]
	a, b := g.source(n), g.source(n)
	if a == b && len(n.recent) > 1 && row.Operands != "da" {
		b = n.recent[1]
	}
	d := g.target(n)
	switch {
	case row.Operands == "da":
		n.addLine(row.Name, "%s, %s", d, a)
	case row.Operands == "das" && g.coinToss():
		n.addLine(row.Name, "%s, %s, %d", d, a, g.constant())
	default:
		n.addLine(row.Name, "%s, %s, %s", d, a, b)
	}
}

// sumStep emits code that changes a variable of the PE on which the block runs. It loads, changes and stores the
// variable within the block, so no other change can come in between.
func (g *gen) sumStep(n *node) {
	if !g.special {
		g.aluOp(n)
		return
	}
	v := g.intBetween(0, sums-1)
	n.addLine("ld", "r11, r0, sum%d", v)
	n.addLine(sumOp(v), "r11, r11, %s", g.source(n))
	n.addLine("st", "r11, r0, sum%d", v)
}

func sumOp(v int) string { return []string{"add", "xor"}[v%2] }

// structure emits code that allocates a structure, fills it, and stores its address in the frame.
func (g *gen) structure(f *function, n *node) {
	if len(f.slots) >= freeSlots {
		return
	}
	words := 1 + g.intBetween(0, 4)
	if g.coinToss() {
		n.addLine("getstr", "r12, %d", words)
	} else {
		n.addLine("mov", "r12, %d", words)
		n.addLine("getstr", "r12, r12")
	}
	for i := range words {
		n.addLine("st", "%s, r12, %d", g.source(n), i)
	}
	n.addLine("st", "r12, fp, %d", f.newSlot(n, words))
}

// loadSlot emits a load of a value that an earlier node stored in the frame or in a structure.
func (g *gen) loadSlot(f *function, n *node) {
	list := lists.Where(f.slots, func(s slot) bool { return n.seen[s.by] && s.by != n })
	if len(list) == 0 {
		return
	}
	s := pickOne(g, list...)
	if s.words == 0 {
		n.addLine("ld", "%s, fp, %d", g.target(n), s.at)
		return
	}
	n.addLine("ld", "r12, fp, %d", s.at)
	n.addLine("ld", "%s, r12, %d", g.target(n), g.intBetween(0, s.words-1))
}

package compile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/isa"
)

// The trial of a program runs its blocks before they become text: loads and stores
// are in place, machine registers are not. This is the form in which it runs them.

// trialOp is what an instruction does.
type trialOp uint8

const (
	doEval trialOp = iota
	doMove
	doLoadWord  // a word of the operand segment
	doStoreWord //
	doLoad      // a word of the PE: a table, a constant, an argument
	doStore     //
	doSend      // to a node
	doReturn    // to a continuation
	doCont
	doOneSide // the continuation of a node with one operand
	doSegment // an instance on the own PE
	doCall    // asks for one elsewhere
	doAsk     // asks a given PE for one
	doRelease
	doGetWords // of structure memory
	doFreeWords
	doRead // a special register
	doOut
	doPanic
)

// value is an operand: a register or a constant.
type value struct {
	reg reg
	imm uint64
}

// own as a value is the instance that runs.
var own = value{reg: -2}

// place is a node of a template, and a side of it.
type place struct {
	unit, node int
	side       uint8
}

// Sides of a node.
const (
	sideLeft uint8 = iota
	sideRight
	sideOne    // of a node with one operand
	sideBefore // the word before the node, where a channel's end comes
)

func sideNamed(s string) uint8 {
	switch s {
	case "l":
		return sideLeft
	case "r":
		return sideRight
	}
	return sideOne
}

// trialStep is an instruction.
type trialStep struct {
	op     trialOp
	eval   isa.Eval
	dst    reg
	a, b   value
	addr   uint64 // of a word
	at     place
	unit   int // of the instance that is asked for
	which  int // of a call: 1 or 2
	mlpe   bool
	clocks uint64
	spare  uint64 // of these, without the memory port

	special string // register
}

// trialBlock is a block.
type trialBlock struct {
	steps []trialStep
	cond  isa.Eval // nil: no branch
	a, b  value
	next  []int
	in    []reg
	line  int
	slow  uint64 // clocks of the branch
	enter uint64
	end   uint64
	way   [2]uint64 // and of the jumps
}

// trialUnit is a template or system code.
type trialUnit struct {
	unit    *unit
	f       *function // nil: system code
	blocks  []trialBlock
	words   int
	nodes   map[string]int
	entries []int // the blocks of the nodes
	ends    []int // and of the words before them
}

// trialCode is a whole program.
type trialCode struct {
	c      *compiler
	units  []trialUnit
	byName map[string]int
	words  map[string]int    // of operand segments
	labels map[string]uint64 // of the words of a PE
	memory []uint64

	private int  // words at its beginning that differ from PE to PE
	list    bool // the answer is an array
	regs    int
	err     error
}

// unplayable is a program with something in it that a trial cannot run.
func (t *trialCode) unplayable(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf("the coarse model of the machine cannot run this program, because "+format, args...)
	}
}

// newTrialCode makes the code of a program whose units are complete.
func newTrialCode(c *compiler) (*trialCode, error) {
	t := &trialCode{c: c, byName: map[string]int{}, words: map[string]int{}, labels: map[string]uint64{}}
	for _, a := range c.arrays {
		t.space(a.label, 1)
		t.space(a.label+".pieces", 1)
		t.space(a.label+".words", 1)
	}
	t.private = len(t.memory)
	if c.entry.result != nil {
		_, t.list = spreadElem(c.entry.result)
	}
	for _, u := range slices.Concat(c.units, c.roots) {
		c.unitText(u) // for the moves and jumps in it
		x := trialUnit{unit: u, nodes: map[string]int{}}
		for _, f := range c.order {
			if f.name == u.name && !u.system {
				x.f = f
			}
		}
		for _, w := range u.words {
			t.words[w] = x.words
			x.words += int(u.space(w))
			if u.system {
				t.space(w, int(u.space(w)))
			}
		}
		for i, b := range u.blocks {
			if b.node != nil {
				x.nodes[b.node.name] = len(x.entries)
				x.entries = append(x.entries, i)
				x.ends = append(x.ends, slices.Index(u.blocks, b.node.end))
			}
		}
		if c.failed() {
			t.unplayable("%s needs more than an operand segment", u.name)
		}
		t.regs = max(t.regs, u.regs)
		t.byName[u.name] = len(t.units)
		t.units = append(t.units, x)
	}
	for _, x := range c.tables {
		at := t.space(x.label, int(x.size))
		for i, w := range x.words {
			t.memory[at+uint64(i)] = uint64(uint32(w))
		}
	}
	for _, v := range c.pool {
		t.memory[t.space(c.consts[v], 1)] = uint64(v)
	}
	for _, a := range c.entry.args {
		t.space("go.arg_"+a.name, 1)
	}
	for i := range t.units {
		t.unit(i)
	}
	return t, t.err
}

// space reserves words of a PE.
func (t *trialCode) space(label string, n int) uint64 {
	at := uint64(len(t.memory))
	t.labels[label] = at
	t.memory = append(t.memory, make([]uint64, n)...)
	return at
}

func (t *trialCode) unit(i int) {
	x := &t.units[i]
	for _, b := range x.unit.blocks {
		k := trialBlock{in: b.in, line: b.line, enter: uint64(b.enter), end: uint64(b.end), way: [2]uint64{uint64(b.way[0]), uint64(b.way[1])}}
		for j := range b.code {
			if s, ok := t.step(i, &b.code[j]); ok {
				k.steps = append(k.steps, s)
			}
		}
		if b.branch != "" {
			op, _ := isa.Lookup(b.branch)
			row := &isa.Table[op]
			k.cond, k.slow = row.Eval, clocksOf(row)
			k.a, k.b = t.value(b.conds[0]), t.value(b.conds[1])
		}
		for _, n := range b.next {
			k.next = append(k.next, slices.Index(x.unit.blocks, n))
		}
		x.blocks = append(x.blocks, k)
	}
}

func clocksOf(row *isa.Row) uint64 { return 1 + uint64(row.Mem) + uint64(row.Extra) }

// value reads an operand.
func (t *trialCode) value(a arg) value {
	if a.kind != isText {
		return value{reg: a.reg}
	}
	s := a.text()
	if s == "fp" {
		return own
	}
	if s == "r0" {
		return value{reg: none}
	}
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		t.unplayable("an instruction computes with the address %s", s)
	}
	return value{reg: none, imm: uint64(uint32(v))}
}

// node finds a node by its displacement, @NAME.
func (t *trialCode) node(a arg, side string) place {
	name := strings.TrimPrefix(a.text(), "@")
	unit, _, _ := strings.Cut(name, ".")
	if i, ok := t.byName[unit]; ok {
		if b, ok := t.units[i].nodes[name]; ok {
			return place{unit: i, node: b, side: sideNamed(side)}
		}
	}
	t.unplayable("a packet goes to %s", name)
	return place{}
}

// address reads LABEL, LABEL + N or N; or @WORD and @WORD + N of an operand segment.
func (t *trialCode) address(a arg) uint64 {
	label, plus, _ := strings.Cut(a.text(), " + ")
	n, _ := strconv.ParseUint(plus, 10, 32)
	if name, ok := strings.CutPrefix(label, "@"); ok {
		if at, ok := t.words[name]; ok {
			return uint64(at) + n
		}
	}
	if n, err := strconv.ParseUint(label, 10, 32); err == nil {
		return n
	}
	at, ok := t.labels[label]
	if !ok {
		t.unplayable("it uses the word %s", label)
	}
	return at + n
}

// step translates an instruction; false leaves it out.
func (t *trialCode) step(unit int, x *instr) (trialStep, bool) {
	name, side, _ := strings.Cut(x.name, ".")
	if x.form != nil {
		side = x.form()
	}
	s := trialStep{clocks: uint64(x.words())}
	op, ok := isa.Lookup(name)
	if ok {
		s.clocks, s.spare = clocksOf(&isa.Table[op]), uint64(isa.Table[op].Extra)
	}
	a := x.args
	switch {
	case ok && isa.Table[op].Class == isa.ClassALU:
		s.op, s.eval, s.dst, s.a = doEval, isa.Table[op].Eval, a[0].reg, t.value(a[1])
		if len(a) > 2 {
			s.b = t.value(a[2])
		}
	case name == "mov":
		s.op, s.dst, s.a, s.clocks = doMove, a[0].reg, t.value(a[1]), 1
		if color := t.units[unit].unit.color; a[1].kind == isUse && color[a[0].reg] == color[a[1].reg] {
			s.clocks = 0
		}
	case name == "ld" || name == "st":
		t.memoryStep(&s, name, a)
	case name == "send" || name == "cont":
		t.packetStep(&s, name, side, a)
	case name == "getseg":
		s.op, s.dst, s.at = doSegment, a[0].reg, place{unit: t.byName[a[1].text()]}
	case name == "relseg":
		s.op = doRelease
	case name == "getstr":
		s.op, s.dst, s.a = doGetWords, a[0].reg, t.value(a[1])
	case name == "rds" && slices.Contains([]string{"k", "ga", "ca", "gapos"}, a[1].text()):
		s.op, s.dst, s.special = doRead, a[0].reg, a[1].text()
	case name == "out":
		s.op, s.a, s.clocks, s.spare = doOut, t.value(a[0]), sendClocks, sendSpare
	case name == "relstr" && a[0].kind == isText:
		s.op = doPanic
	case name == "relstr":
		s.op, s.a = doFreeWords, t.value(a[0])
	case name == "call_go" || name == "call_mlpe":
		s.op, s.mlpe, s.at, s.clocks = doCall, name == "call_mlpe", t.node(a[1], "1"), 0 // as the policy has it
		s.which, _ = strconv.Atoi(a[0].text())
		s.unit = t.newUnit(a[2])
	case name == "place_init" || name == "place_search":
		return s, false
	default:
		t.unplayable("it does not know the instruction %s of line %d", x.name, x.line)
	}
	return s, true
}

// newUnit is the template whose instances a system block makes.
func (t *trialCode) newUnit(a arg) int { return t.byName[strings.TrimPrefix(a.text(), "new.")] }

// packetStep translates what makes packets and continuations.
func (t *trialCode) packetStep(s *trialStep, name, side string, a []arg) {
	switch {
	case name == "cont" && side == "d":
		s.op, s.dst, s.a.reg, s.a.imm = doMove, a[0].reg, none, hostSide
		if a[2].text() != "answer" {
			s.a.imm = nowhere
		}
	case name == "cont" && a[2].text() == "0":
		s.op, s.dst, s.a = doOneSide, a[0].reg, t.value(a[1])
	case name == "cont":
		s.op, s.dst, s.a, s.at = doCont, a[0].reg, t.value(a[1]), t.node(a[2], side)
	case side == "d":
		s.op, s.a, s.b, s.unit, s.clocks, s.spare = doAsk, t.value(a[0]), t.value(a[1]), t.newUnit(a[2]), sendClocks, sendSpare
	case side != "":
		s.op, s.a, s.b, s.at, s.clocks, s.spare = doSend, t.value(a[0]), t.value(a[1]), t.node(a[2], side), sendClocks, sendSpare
	default:
		s.op, s.a, s.b, s.clocks, s.spare = doReturn, t.value(a[0]), t.value(a[1]), sendClocks, sendSpare
		if a[2].text() == "-1" {
			s.at.side = sideBefore
		}
	}
}

func (t *trialCode) memoryStep(s *trialStep, name string, a []arg) {
	word := strings.HasPrefix(a[2].text(), "@")
	s.addr, s.b = t.address(a[2]), t.value(a[1])
	switch {
	case name == "ld" && word:
		s.op, s.dst = doLoadWord, a[0].reg
	case name == "ld":
		s.op, s.dst = doLoad, a[0].reg
	case word:
		s.op, s.a = doStoreWord, t.value(a[0])
	default:
		s.op, s.a = doStore, t.value(a[0])
	}
}

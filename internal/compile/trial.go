package compile

import (
	"errors"

	"emsim/em4"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/omega"
)

// A trial runs a program's blocks on a coarse model of the machine, to compare
// policies: PEs take packets in order, one after the other, and the network carries
// them from bank to bank. A trial goes from packet to packet, not from clock to clock.

// width of the machine's words.
const width isa.Width = 32

// Costs that the coarse model cannot follow event by event. They choose a
// placement and are no part of the machine.
const (
	sendClocks   = 2 // of the EXU [derived: docs/TIMING.md]
	sendSpare    = 1 // of these, without the memory port [derived: docs/TIMING.md]
	injectClocks = 1 // [derived: the knob inject_clocks]
	arriveClocks = 2 // from the last switch to the FMU [derived: docs/TIMING.md]
	linkClocks   = 2 // of a link: the packet's words [derived]
	spillClocks  = 2 // of a packet that the buffer cannot hold; as many when it comes back [003 §4.2]
	newClocks    = 4 // getseg, send [derived: lib/call.s]

	// What a choice of lib/place.s takes [derived: its instructions].
	chooseNext   = 5 // ld, cont, send
	chooseTable  = 11
	chooseRandom = 16
	searchClocks = 6
	foundClocks  = 8 // what comes of the search
	nobodyClocks = 5

	packetWords = 2
	mostSteps   = 3_000_000 // of a trial [chosen]: an instruction is one,
	packetSteps = 15        // and a packet as many
)

// errSize is a trial with too much work in it.
var errSize = errors.New("too much work for a trial")

// Kinds of messages.
const (
	toNode   uint8 = iota
	request        // for an instance, whose segment goes to a continuation
	search         // of MLPE has come back
	reserve        // an instance for MLPE
	fill           // the prefetched instance
	hostGets       // the answer
	ignored        // a result that nobody waits for
	ready          // no packet: the PE has done its work
)

// instance is an operand segment.
type instance struct {
	unit   int
	pe     int32
	depth  int32
	words  []uint64
	have   uint64 // nodes with one operand
	wait   []uint64
	caller int32
}

// trialPE is a PE.
type trialPE struct {
	fifo    []int32 // packets that have come, from head on
	head    int
	mib     int     // how many of them lie in memory, the last ones
	stolen  uint64  // clocks of the memory port for these
	working bool    // it has taken a packet, and is not ready for the next one
	spare   uint64  // clocks of its last block in which the memory port was free
	out     []int32 // packets that wait for the network
	blocked bool    // for these
	done    int32   // the message that says that it has done its work
	busy    uint64
	live    int
	index   int
	random  uint32
	ready   []int32 // prefetched instances
	asked   bool
	own     []uint64   // its words that differ from those of other PEs
	parts   [][]uint64 // of its structure memory, nil: free
}

func (p *trialPE) waiting() int { return len(p.fifo) - p.head }

// trial is one run.
type trial struct {
	*trialCode
	machine em4.Config
	topo    omega.Topology
	policy  string
	mlpe    bool
	serves  int // the unit that MLPE serves
	routes  *routes

	pes   []trialPE
	links []uint64 // when they are free, and behind them the ports to the PEs
	banks []bank

	messages []message
	gone     []int32 // those that can be used again

	inst  []instance
	spare []int32
	queue queue
	regs  []uint64
	mem   []uint64
	left  int
	shake uint32 // 0, or a random number

	count   trialCounts
	answers []uint64
	done    bool
}

// trialCounts is what a trial has counted.
type trialCounts struct {
	Clocks    uint64 // until the answer is there
	Instances []int  // by unit
	Packets   int
	Links     int // that packets crossed
	Work      uint64
	Busiest   uint64 // work of the busiest PE
	Segments  int    // most at a time on a PE
	Depth     int32
	Blocks    int
}

// newTrial prepares a run.
func newTrial(code *trialCode, r *routes, policy string, withMLPE bool) *trial {
	t := &trial{
		trialCode: code, machine: r.machine, topo: r.topo, policy: policy, mlpe: withMLPE, serves: -1, routes: r,
		pes: make([]trialPE, r.machine.PEs), links: make([]uint64, 3*r.machine.PEs), banks: make([]bank, 2*r.machine.PEs*r.machine.Banks), regs: make([]uint64, code.regs), left: mostSteps,
	}
	t.mem = append(t.mem, code.memory...)
	t.count.Instances = make([]int, len(code.units))
	for i := range code.units {
		if f := code.units[i].f; f != nil && f.place == "mlpe" {
			t.serves = i
		}
	}
	for i := range t.pes {
		t.pes[i].random, t.pes[i].own = 1, make([]uint64, code.private)
		t.pes[i].done = t.keep(message{kind: ready, to: int32(i)})
	}
	return t
}

// run runs the program.
func (t *trial) run(args []int64) error {
	defer t.addUp()
	if err := t.system("init"); err != nil {
		return err
	}
	if t.mlpe && t.serves >= 0 {
		for i := range t.pes {
			p := &t.pes[i]
			id := t.instance(t.serves, t.routes.round[i][len(t.routes.round[i])-1]/2, -1) // all are idle: the last one
			p.ready, p.asked = append(p.ready, id), true
		}
	}
	for i := range t.pes {
		t.pes[i].busy = 0
	}
	t.left = mostSteps
	for i, a := range t.c.entry.args {
		t.mem[t.labels["go.arg_"+a.name]] = uint64(uint32(args[i]))
	}
	main := &t.units[t.byName["main"]]
	if in := main.blocks[0].in; len(in) > 0 {
		t.regs[in[0]] = uint64(uint32(args[len(args)-1]))
	}
	if err := t.system("main"); err != nil {
		return err
	}
	for !t.done {
		id, ok := t.queue.take()
		switch {
		case !ok && len(t.answers) == 0:
			return errors.New("it stops without an answer")
		case !ok:
			return nil
		}
		if err := t.step(id); err != nil {
			return err
		}
	}
	return nil
}

// system runs system code on PE 0.
func (t *trial) system(name string) error {
	x := &exec{trial: t, unit: t.byName[name], id: -1}
	return x.run(0)
}

// step does what is due at a time.
func (t *trial) step(id int32) error {
	m := &t.messages[id]
	p := &t.pes[m.to]
	switch {
	case m.moving:
		t.hop(id)
	case m.kind != ready:
		if p.mib > 0 || packetWords*p.waiting() >= t.machine.FIFOWords {
			p.mib++
			p.stolen += spillClocks
		}
		p.fifo = append(p.fifo, id)
		if !p.working {
			return t.take(p)
		}
	case len(p.out) > 0:
		p.blocked = true
	default:
		p.working = false
		if p.waiting() > 0 {
			return t.take(p)
		}
	}
	return nil
}

// take lets a PE work on its next packet.
func (t *trial) take(p *trialPE) error {
	if p.mib == p.waiting() { // all that the buffer can hold comes back
		n := min(p.mib, t.machine.FIFOWords/packetWords)
		p.mib -= n
		p.stolen += uint64(n) * spillClocks
	}
	id, now := p.fifo[p.head], t.queue.now
	m, start := t.messages[id], now+p.stolen
	t.gone = append(t.gone, id)
	if p.head++; p.head > 64 {
		p.fifo = append(p.fifo[:0], p.fifo[p.head:]...)
		p.head = 0
	}
	p.working, p.stolen = true, 0
	end, err := t.handle(&m, start)
	p.busy += end - now
	t.queue.put(end, p.done)
	return err
}

// matched is when a packet has found its node: matching goes on beside the block
// before, in the clocks in which that leaves the memory port free.
func (t *trial) matched(m *message, start, clocks uint64) uint64 {
	if p := &t.pes[m.to]; m.at < start {
		hidden := min(clocks, p.spare)
		p.spare -= hidden
		clocks -= hidden
	}
	return start + clocks
}

// handle does what a packet asks for and returns when the PE is free again.
func (t *trial) handle(m *message, start uint64) (uint64, error) {
	switch m.kind {
	case toNode:
		return t.match(m, start)
	case request:
		id, end := t.instance(m.unit, m.to, m.who), t.matched(m, start, 1)+newClocks
		t.answer(end-sendClocks, m.data, segmentOf(id), m.to, 0)
		return end, nil
	case search:
		if m.data == mlpe.MaxLoad { // nobody has room
			t.pes[m.to].asked = false
			return t.matched(m, start, 1) + nobodyClocks, nil
		}
		end := t.matched(m, start, 1) + foundClocks
		t.send(end-2*sendClocks, message{kind: reserve, to: m.who, from: m.to}, m.to) // st comes behind
		return end, nil
	case reserve:
		id, end := t.instance(t.serves, m.to, -1), t.matched(m, start, 1)+newClocks
		t.send(end-sendClocks, message{kind: fill, to: m.from, data: uint64(id)}, m.to)
		return end, nil
	case fill:
		p := &t.pes[m.to]
		p.ready = append(p.ready, int32(m.data))
		return start + 2, nil
	case ignored:
		return start + 2, nil
	default:
		t.answers, t.done, t.count.Clocks = append(t.answers, m.data), !t.list, start+2
		return start + 2, nil
	}
}

// addUp adds up the work.
func (t *trial) addUp() {
	for i := range t.pes {
		t.count.Work += t.pes[i].busy
		t.count.Busiest = max(t.count.Busiest, t.pes[i].busy)
	}
}

// match brings an operand to its node.
func (t *trial) match(m *message, start uint64) (uint64, error) {
	o := &t.inst[m.who]
	u := &t.units[m.node.unit]
	at := u.entries[m.node.node]
	if m.node.side == sideBefore {
		at = u.ends[m.node.node]
	}
	b := &u.blocks[at]
	operands := [2]uint64{m.data, m.data}
	clocks := uint64(1)
	if len(b.in) == 2 {
		clocks = 2
		bit := uint64(1) << m.node.node
		if o.have&bit == 0 {
			o.have |= bit
			o.wait[m.node.node] = m.data
			return t.matched(m, start, clocks), nil
		}
		o.have &^= bit
		operands = [2]uint64{o.wait[m.node.node], m.data}
		if m.node.side == sideLeft {
			operands = [2]uint64{m.data, o.wait[m.node.node]}
		}
	}
	for i, r := range b.in {
		if r != none {
			t.regs[r] = operands[i]
		}
	}
	x := &exec{trial: t, unit: m.node.unit, id: m.who, pe: m.to, at: t.matched(m, start, clocks) + 1}
	err := x.run(at)
	t.pes[m.to].spare = x.spare
	return x.at, err
}

// instance takes a segment.
func (t *trial) instance(unit int, pe, caller int32) int32 {
	var id int32
	if n := len(t.spare); n > 0 {
		id = t.spare[n-1]
		t.spare = t.spare[:n-1]
	} else {
		id = int32(len(t.inst))
		t.inst = append(t.inst, instance{})
	}
	o := &t.inst[id]
	u := &t.units[unit]
	words, wait := o.words, o.wait
	if cap(words) < u.words {
		words = make([]uint64, u.words)
	}
	if cap(wait) < len(u.entries) {
		wait = make([]uint64, len(u.entries))
	}
	*o = instance{unit: unit, pe: pe, words: words[:u.words], wait: wait[:len(u.entries)], caller: caller}
	if caller >= 0 {
		o.depth = t.inst[caller].depth + 1
	}
	p := &t.pes[pe]
	p.live++
	t.count.Segments = max(t.count.Segments, p.live)
	t.count.Depth = max(t.count.Depth, o.depth)
	t.count.Instances[unit]++
	return id
}

func (t *trial) release(id int32) {
	t.pes[t.inst[id].pe].live--
	t.spare = append(t.spare, id)
}

// load is what MLPE sees of a PE. A packet that waits behind a block has left the
// buffer.
func (t *trial) load(pe int32) uint8 {
	p := &t.pes[pe]
	fifo := p.waiting() - p.mib
	if p.working && fifo > 0 {
		fifo--
	}
	return mlpe.Load(packetWords*fifo, packetWords*p.mib, max(0, t.machine.Segments-p.live), t.machine.StructureWords)
}

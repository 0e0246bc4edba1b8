package compile

import (
	"errors"

	"emsim/em4"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/omega"
)

// A trial runs a program's blocks on a coarse model of the machine, to compare
// policies: PEs take packets in order, one after the other, and links carry them
// one after the other. There are no clocks: the trial goes from packet to packet.

// width of the machine's words.
const width isa.Width = 32

// Costs that the coarse model cannot follow event by event. They choose a
// placement and are no part of the machine.
const (
	sendClocks   = 2 // of the EXU [derived: docs/TIMING.md]
	injectClocks = 1 // [derived: the knob inject_clocks]
	arriveClocks = 2 // from the last switch to the FMU [derived: docs/TIMING.md]
	linkClocks   = 2 // of a link: the packet's words [derived]
	spillClocks  = 4 // of a packet that the buffer cannot hold [003 §4.2]
	newClocks    = 4 // getseg, send [derived: lib/call.s]

	// What a choice of lib/place.s takes [derived: its instructions].
	chooseNext   = 5 // ld, cont, send
	chooseTable  = 11
	chooseRandom = 16
	searchClocks = 6

	packetWords = 2
	mostSteps   = 3_000_000 // of a trial [chosen]: an instruction is one,
	packetSteps = 15        // and a packet as many
)

// errSize is a trial with too much work in it.
var errSize = errors.New("too much work for a trial")

// message is a packet of the trial.
type message struct {
	at   uint64
	seq  uint32
	kind uint8
	to   int32 // PE
	who  int32 // instance
	node place
	data uint64
	unit int     // of a request
	from int32   // PE
	path []int32 // links still to cross
}

// Kinds of messages.
const (
	toNode   uint8 = iota
	request        // for an instance, whose segment goes to a continuation
	search         // of MLPE has come back
	reserve        // an instance for MLPE
	fill           // the prefetched instance
	hostGets       // the answer
	ignored        // a result that nobody waits for
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
	free   uint64 // when it takes the next packet
	starts []uint64
	head   int
	busy   uint64
	live   int
	index  int
	random uint32
	ready  []int32 // prefetched instances
	asked  bool
	own    []uint64   // its words that differ from those of other PEs
	parts  [][]uint64 // of its structure memory, nil: free
}

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
	links []uint64
	inst  []instance
	spare []int32
	queue queue
	seq   uint32
	regs  []uint64
	mem   []uint64
	left  int

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
		pes: make([]trialPE, r.machine.PEs), links: make([]uint64, 2*r.machine.PEs), regs: make([]uint64, code.regs), left: mostSteps,
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
		t.pes[i].free, t.pes[i].busy = 0, 0
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
		m, ok := t.queue.take()
		switch {
		case !ok && len(t.answers) == 0:
			return errors.New("it stops without an answer")
		case !ok:
			return nil
		}
		if len(m.path) > 0 {
			t.hop(m)
			continue
		}
		if err := t.receive(&m); err != nil {
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

// receive lets a PE take a packet.
func (t *trial) receive(m *message) error {
	p := &t.pes[m.to]
	start := max(m.at, p.free)
	for p.head < len(p.starts) && p.starts[p.head] <= m.at {
		p.head++
	}
	if p.head > 64 {
		p.starts = append(p.starts[:0], p.starts[p.head:]...)
		p.head = 0
	}
	if waiting := len(p.starts) - p.head; packetWords*waiting >= t.machine.FIFOWords {
		start += spillClocks
		p.busy += spillClocks
	}
	p.starts = append(p.starts, start)
	end, err := t.handle(m, start)
	p.free = end
	p.busy += end - start
	return err
}

// handle does what a packet asks for and returns when the PE is free again.
func (t *trial) handle(m *message, start uint64) (uint64, error) {
	switch m.kind {
	case toNode:
		return t.match(m, start)
	case request:
		id := t.instance(m.unit, m.to, m.who)
		t.answer(start+1+newClocks, m.data, segmentOf(id), m.to, 0)
		return start + 1 + newClocks, nil
	case search:
		if m.data == mlpe.MaxLoad { // nobody has room
			t.pes[m.to].asked = false
			return start + 4, nil
		}
		t.send(start+5, message{kind: reserve, to: m.who, from: m.to}, m.to)
		return start + 5, nil
	case reserve:
		id := t.instance(t.serves, m.to, -1)
		t.send(start+1+newClocks, message{kind: fill, to: m.from, data: uint64(id)}, m.to)
		return start + 1 + newClocks, nil
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
			return start + clocks, nil
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
	x := &exec{trial: t, unit: m.node.unit, id: m.who, pe: m.to, at: start + clocks + 1}
	err := x.run(at)
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

// send puts a packet on its way, and returns how long the sender waits for its first link.
func (t *trial) send(now uint64, m message, from int32) uint64 {
	t.seq++
	m.seq = t.seq
	t.count.Packets++
	t.left -= packetSteps
	m.at, m.path = now+injectClocks, t.routes.path(from, m.to)
	if len(m.path) == 0 {
		m.at += arriveClocks
	}
	t.count.Links += len(m.path)
	t.queue.put(m) // a link is taken when it is time: the sender may be ahead of others
	if len(m.path) == 0 {
		return 0
	}
	return max(m.at, t.links[m.path[0]]) - m.at
}

// hop takes a packet over the next link of its path.
func (t *trial) hop(m message) {
	l := m.path[0]
	if q := l / 2; m.kind == search && q != m.to {
		if load := t.load(q, m.at); uint64(load) <= m.data {
			m.data, m.who = uint64(load), q
		}
	}
	leaves := max(m.at, t.links[l])
	t.links[l] = leaves + linkClocks
	m.path = m.path[1:]
	m.at = leaves + uint64(t.machine.HopClocks)
	if len(m.path) == 0 {
		m.at += arriveClocks
	}
	t.queue.put(m)
}

// load is what MLPE sees of a PE at a time.
func (t *trial) load(pe int32, now uint64) uint8 {
	p := &t.pes[pe]
	waiting := 0
	for i := p.head; i < len(p.starts); i++ {
		if p.starts[i] > now {
			waiting++
		}
	}
	words := packetWords * waiting
	return mlpe.Load(min(words, t.machine.FIFOWords), max(0, words-t.machine.FIFOWords), max(0, t.machine.Segments-p.live), t.machine.StructureWords)
}

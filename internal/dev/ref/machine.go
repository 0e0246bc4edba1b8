package ref

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"emsim/asm"
	"emsim/isa"
	"emsim/packet"
)

// Options describe the machine and its free choices.
type Options struct {
	PEs            int    // (k+1)·2^k
	Seed           uint64 // for the order of packets and every other free choice
	ProgramSeed    uint64 // value of the special register seed
	Unordered      bool   // packets from one PE to another may overtake each other
	Pick           Pick   // the rule for choosing the next packet
	Segments       int    // operand segments of a PE; 0 means 1024
	SegmentWords   int    // words of an operand segment, a power of two; 0 means 64
	StructureWords int    // structure memory of a PE; 0 means 65535
	Prefetch       int    // prefetch registers of a PE; 0 means 1
	Limit          uint64 // instructions of one run; 0 means 50 million
}

// Counts count the events of a run.
type Counts struct {
	Instructions uint64
	Blocks       uint64 // strongly connected blocks
	Calls        uint64 // operand segments that got their first operand
	Sent         uint64 // packets that instructions made, including those to the host
	MLPESent     uint64
	MLPECalls    uint64 // prefetched segments taken from the special register
}

// Operand is an operand that waits for its partner.
type Operand struct {
	PE           int
	Segment      uint32 // base address, which differs from the machine's
	Displacement uint32
	Have         packet.Match
	Data         uint64
}

// Result is the result of one run.
type Result struct {
	Counts
	Words   []uint64  // words received by the host, in order of arrival
	Waiting []Operand // operands left without a partner, by PE and address
}

// Machine is an EM-4 without clocks.
type Machine struct {
	Options
	k      int
	format packet.Format
	width  uint // bits of a register
	rng    *rand.Rand

	words []uint64            // the program's image, with which every PE begins
	code  map[uint32]isa.Inst // its instructions
	entry []uint32            // the addresses of the arguments, in order
	init  *uint32             // the init block, if any
	pe    []pe                // by index: group by group, member by member
	base  struct{ seg, str uint32 }

	bag    bag
	counts Counts
	host   []uint64
}

// pe is one processing element.
type pe struct {
	index  int
	at     packet.PE
	mem    map[uint32]uint64  // words that differ from the image or lie outside it
	wait   map[uint32]operand // operands that wait, by address
	live   map[uint32]bool    // operand segments in use, by base; true once an operand has arrived
	freed  []uint32           // released operand segments
	fresh  int                // number of operand segments ever used
	str    []extent           // allocated structures, ascending
	mlpe   []uint64           // special register mlpe: the oldest word first
	booted bool
}

// New loads a program into a machine.
func New(o *asm.Object, opt Options) (*Machine, error) {
	k := 1
	for (k+1)<<k < opt.PEs {
		k++
	}
	if (k+1)<<k != opt.PEs {
		return nil, fmt.Errorf("ref: no machine has %d PEs", opt.PEs)
	}
	def := func(p *int, v int) {
		*p = cmp.Or(*p, v)
	}
	def(&opt.Segments, 1024)
	def(&opt.Prefetch, 1)
	def(&opt.SegmentWords, 64)
	def(&opt.StructureWords, 65535)
	opt.Limit = cmp.Or(opt.Limit, 50_000_000)
	m := &Machine{
		Options: opt, k: k, format: packet.FormatFor(k), rng: rand.New(rand.NewPCG(opt.Seed, 0x5eed)),
		code: map[uint32]isa.Inst{}, pe: make([]pe, opt.PEs), init: o.Init,
	}
	m.width = uint(m.format.DataBits)
	m.bag = newBag(m.rng, opt)
	if err := m.loadObject(o); err != nil {
		return nil, err
	}
	for i := range m.pe {
		m.pe[i] = pe{
			index: i, at: packet.PE{GA: uint16(i / (k + 1)), CA: uint8(i % (k + 1))},
			mem: map[uint32]uint64{}, wait: map[uint32]operand{}, live: map[uint32]bool{},
		}
	}
	return m, nil
}

// loadObject loads the object. It places segments and structure memory after the program, in either order, with a gap
// that the seed chooses.
func (m *Machine) loadObject(o *asm.Object) error {
	for i := range o.Sections {
		s := &o.Sections[i]
		m.words = append(m.words, make([]uint64, int(s.End())-len(m.words))...)
		for j, w := range s.Words {
			addr := s.Start + uint32(j)
			m.words[addr] = w
			if s.Kind == asm.Code {
				in, err := isa.Decode(w)
				if err != nil {
					return fmt.Errorf("ref: code address %#x: %w", addr, err)
				}
				m.code[addr] = in
			}
		}
	}
	if o.PerPE != nil { // the loader fills the table
		m.words = append(m.words, make([]uint64, int(*o.PerPE)+len(m.pe)-len(m.words))...)
	}
	for _, a := range o.Args {
		m.entry = append(m.entry, a.Entry)
	}
	if o.Start != nil {
		m.entry = append(m.entry, *o.Start)
	}
	align := func(a int) int { return (a + m.SegmentWords - 1) &^ (m.SegmentWords - 1) }
	segments, structures := m.Segments*m.SegmentWords, m.StructureWords
	spare := 1<<packet.AddrBits - len(m.words) - segments - structures - 2*m.SegmentWords
	if spare < 0 {
		return fmt.Errorf("ref: a program of %d words, %d segments of %d words and %d words of structure memory do "+
			"not fit a PE's memory", len(m.words), m.Segments, m.SegmentWords, m.StructureWords)
	}
	at := len(m.words) + m.rng.IntN(spare+1)
	if m.rng.IntN(2) == 0 {
		m.base.seg = uint32(align(at))
		m.base.str = m.base.seg + uint32(segments)
	} else {
		m.base.str = uint32(at)
		m.base.seg = uint32(align(at + structures))
	}
	return nil
}

// Boot runs the program's init block once on every PE, and delivers all packets that follow. A PE runs its init block
// before it takes any packet.
func (m *Machine) Boot() error {
	if m.init == nil {
		return nil
	}
	m.clear()
	for _, i := range m.rng.Perm(len(m.pe)) {
		if err := m.bootPE(&m.pe[i]); err != nil {
			return err
		}
		for range m.rng.IntN(3) {
			if err := m.deliverOne(); err != nil {
				return err
			}
		}
	}
	return m.drain()
}

func (m *Machine) bootPE(p *pe) error {
	if p.booted || m.init == nil {
		return nil
	}
	p.booted = true
	return m.block(p, *m.init, 0, 0, m.continuation(p, 0))
}

// Run sends the arguments to the program and delivers packets until none is left. Memories keep their contents from
// earlier runs.
func (m *Machine) Run(args ...uint64) (Result, error) {
	if len(args) != len(m.entry) {
		return Result{}, fmt.Errorf("ref: %d arguments for a program that takes %d", len(args), len(m.entry))
	}
	m.clear()
	for i, a := range args {
		m.bag.putPacket(lane{from: fromHost, to: 0}, message{addr: m.entry[i], data: m.truncate(a), direct: true})
	}
	err := m.drain()
	return Result{Counts: m.counts, Words: m.host, Waiting: m.waiting()}, err
}

func (m *Machine) clear() { m.counts, m.host = Counts{}, nil }

func (m *Machine) drain() error {
	for !m.bag.empty() {
		if err := m.deliverOne(); err != nil {
			return err
		}
	}
	return nil
}

// deliverOne takes a packet from the bag and processes it.
func (m *Machine) deliverOne() error {
	if m.bag.empty() {
		return nil
	}
	to, msg := m.bag.takePacket()
	if to == toHost {
		m.host = append(m.host, msg.data)
		return nil
	}
	p := &m.pe[to]
	if err := m.bootPE(p); err != nil {
		return err
	}
	if msg.direct && msg.addr == packet.PrefetchAddr {
		m.prefetch(p, msg.data)
		return nil
	}
	if msg.direct {
		return m.block(p, msg.addr, msg.data, 0, m.continuation(p, 0))
	}
	return m.match(p, msg)
}

// Memory returns a word of a PE's memory, as a load instruction would.
func (m *Machine) Memory(pe int, addr uint32) uint64 { return m.readWord(&m.pe[pe], addr) }

// SegmentsInUse returns the number of a PE's allocated operand segments.
func (m *Machine) SegmentsInUse(pe int) int { return len(m.pe[pe].live) }

// StructureInUse returns the number of a PE's allocated words of structure memory.
func (m *Machine) StructureInUse(pe int) int {
	n := 0
	for _, e := range m.pe[pe].str {
		n += int(e.words)
	}
	return n
}

func (m *Machine) waiting() []Operand {
	var list []Operand
	for i := range m.pe {
		from := len(list)
		for addr, o := range m.pe[i].wait {
			base := m.segmentOf(addr)
			list = append(list, Operand{PE: i, Segment: base, Displacement: addr - base, Have: o.side, Data: o.data})
		}
		slices.SortFunc(list[from:], func(a, b Operand) int {
			return int(a.Segment+a.Displacement) - int(b.Segment+b.Displacement)
		})
	}
	return list
}

// Fault is the error of a program that broke a rule, or that needs a larger machine.
type Fault struct {
	What string // segment_overflow, structure_overflow, program_error, limit
	PE   packet.PE
	PC   uint32 // of the instruction, or the address of the packet
	Text string
}

// Error returns the description of the fault in one line.
func (f *Fault) Error() string { return fmt.Sprintf("ref: PE %v, %#x: %s", f.PE, f.PC, f.Text) }

// Kind returns the kind of the error, with the name that the machine uses for it.
func (f *Fault) Kind() string { return f.What }

// The kinds of faults, with the names that the machine uses.
const (
	segmentOverflow   = "segment_overflow"
	structureOverflow = "structure_overflow"
	programError      = "program_error"
	limitReached      = "limit"
)

func (p *pe) fault(kind string, at uint32, format string, args ...any) error {
	return &Fault{What: kind, PE: p.at, PC: at, Text: fmt.Sprintf(format, args...)}
}

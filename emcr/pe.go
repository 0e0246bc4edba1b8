package emcr

import (
	"fmt"

	"emsim/ibu"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// Config holds the parameters of a PE that are the same all over the machine.
type Config struct {
	K              int           // k of the network
	Format         packet.Format // field widths
	Seed           uint64        // for the special register
	IBU            ibu.Config
	InjectClocks   uint64      // from the clock of a send to the packet's first arbitration in the switch
	IBUFirst       bool        // the IBU takes the memory port from a running block; otherwise it waits while the EXU wants it
	IBUOwnMemory   bool        // remedy of 003 §4.2: the MIB lies in a memory of its own
	Search         packet.Kind // kind of the packets that the instruction mlpe makes
	Answers        bool        // packets that follow from an MLPE packet are of the kind Answer
	Prefetch       int         // prefetch registers, 1..MaxPrefetch
	OutPackets     int         // output packet buffer, the packet on the port counted; 0: the EXU holds the port
	SegmentBase    uint32
	SegmentWords   uint32 // words of an operand segment, a power of two
	Segments       int
	StructureBase  uint32
	StructureWords uint32
	MIBBase        uint32 // the words from here on belong to the IBU
}

// State is what a PE did in a clock; exclusive, the first that applies counts
// [003 §4.2, fig. 8].
type State uint8

// The states.
const (
	ExuFmu      State = iota // FMU or EXU advanced
	IbuOnly                  // the IBU used the memory port, FMU and EXU stood still
	NetworkWait              // the EXU holds a packet that the switch has not taken
	Idle
	States // how many
)

var stateNames = [States]string{"exu_fmu", "ibu_only", "network_wait", "idle"}

// String returns the state's name in statistics and traces.
func (s State) String() string {
	if s < States {
		return stateNames[s]
	}
	return fmt.Sprintf("state%d", uint8(s))
}

// Counters are the statistics of one PE.
type Counters struct {
	Clocks       [States]uint64 // clocks by state; a sleeping PE's idle clocks are added when it wakes
	IbuWaiting   uint64         // of the IbuOnly clocks, those in which the EXU held a packet that the switch had not taken
	Instructions uint64         // executed
	Blocks       uint64         // strongly connected blocks begun
	Calls        uint64         // function instances: operand segments that got their first operand here
	Sent         uint64         // packets made, those to the own PE and to the host included
	Consumed     uint64         // packets that the FMU took
	MLPESent     uint64         // MLPE packets made
	MLPECalls    uint64         // prefetched segments taken from the special register
}

// PE is one processing element. It is plain data but for its memory, its
// image and its pins.
type PE struct {
	Counters
	cfg   *Config
	image *Image
	pins  *packet.Pins
	at    packet.PE
	index uint32
	word  isa.Word

	ibu  ibu.IBU
	fmu  fmu
	exu  exu
	out  outBuffer
	mem  Memory
	seg  segments
	str  structure
	mlpe prefetched // special register
	seq  uint32     // packets made

	next  uint64 // the next clock to evaluate
	moved uint64 // the last clock in which a unit did anything
	fault *Fault

	watch    *trace.Recorder // nil when nobody watches
	operands int             // that wait in memory; kept only while somebody watches
}

// Init makes the PE empty, at its place in the machine.
func (p *PE) Init(c *Config, m *Image, pins *packet.Pins, at packet.PE, index uint32) {
	*p = PE{
		cfg: c, image: m, pins: pins, at: at, index: index, word: isa.Word(c.Format.DataBits),
		mem: Memory{image: m.data},
		seg: segments{base: c.SegmentBase, size: c.SegmentWords, total: c.Segments},
		str: structure{base: c.StructureBase, total: c.StructureWords, left: c.StructureWords},
	}
	p.mem.setOperands(c.SegmentBase, c.SegmentWords)
	p.ibu.Init(c.IBU)
	p.out.ring = make([]outgoing, max(0, c.OutPackets-1))
	p.setLoad()
}

// Clock advances all units of the PE by one clock and returns the state that
// the clock counts as. Before it, the switches have been arbitrated.
func (p *PE) Clock(t uint64) State {
	p.next = t + 1
	var w wires
	p.wires(&w, t)
	if p.watch != nil {
		return p.watched(&w, t)
	}
	return p.work(&w, t)
}

// work is a clock of all units on wires that have been made.
func (p *PE) work(w *wires, t uint64) State {
	ok := true
	if w.buffer || w.pop {
		ok = p.ibu.Clock(p.pins, t, w.memory.ibu, w.pop)
	}
	fmuMoved, exuMoved := false, false
	if acts(w.fmu) {
		fmuMoved = p.fmuClock(w, t)
	}
	if w.exu == trace.Run || w.exu == trace.WaitPort || p.out.count > 0 {
		exuMoved = p.exuClock(w, t)
	}
	return p.finish(w, t, ok, fmuMoved, exuMoved)
}

// ClockShuffled is Clock with the units in one of the six orders: the test
// that the order does not matter.
func (p *PE) ClockShuffled(t uint64, order int) State {
	p.next = t + 1
	var w wires
	p.wires(&w, t)
	ok, fmuMoved, exuMoved := true, false, false
	orders := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, unit := range orders[order%6] {
		switch unit {
		case 0:
			ok = p.ibu.Clock(p.pins, t, w.memory.ibu, w.pop)
		case 1:
			fmuMoved = p.fmuClock(&w, t)
		case 2:
			exuMoved = p.exuClock(&w, t)
		}
	}
	return p.finish(&w, t, ok, fmuMoved, exuMoved)
}

func (p *PE) finish(w *wires, t uint64, ok, fmuMoved, exuMoved bool) State {
	if !ok {
		p.fail(t, MIBOverflow, "the memory input buffer is full (%d words): more packets arrive than the PE works off; raise mib_words or spread the work", p.cfg.IBU.MIBWords)
	}
	if w.buffer || w.pop {
		p.setLoad()
	}
	s := Idle
	switch {
	case fmuMoved || exuMoved:
		s = ExuFmu
	case w.memory.ibu:
		s = IbuOnly
		if p.exu.waits() {
			p.IbuWaiting++
		}
	case p.exu.waits():
		s = NetworkWait
	}
	p.Clocks[s]++
	if s <= IbuOnly {
		p.moved = t
	}
	return s
}

// Asleep reports whether nothing in the PE can change until a packet comes.
func (p *PE) Asleep() bool {
	return p.exu.state == exuIdle && p.fmu.state == fmuIdle && p.ibu.Idle() && !p.pins.InFull && p.out.count == 0
}

// setLoad drives the load pin [003 fig. 3].
func (p *PE) setLoad() {
	p.pins.Load = mlpe.Load(p.ibu.FIFOWords(), p.ibu.MIBWords(), p.seg.total-p.seg.used, int(p.str.left))
}

// Fault returns what stopped the PE, or nil.
func (p *PE) Fault() *Fault { return p.fault }

// Boot starts a system block on the idle PE, as the loader does.
func (p *PE) Boot(entry uint32) {
	p.fmu = fmu{state: fmuReady, pc: entry, fp: p.cfg.Format.Payload(packet.Cont{PE: p.at})}
}

// SegmentsInUse returns the operand segments taken now, SegmentsPeak the most
// at once.
func (p *PE) SegmentsInUse() int { return p.seg.used }

// SegmentsPeak returns the most operand segments in use at once.
func (p *PE) SegmentsPeak() int { return p.seg.Peak }

// IBU returns the input buffer, to look at.
func (p *PE) IBU() *ibu.IBU { return &p.ibu }

// Memory returns the memory, to look at.
func (p *PE) Memory() *Memory { return &p.mem }

// ClearCounters zeroes the statistics and sets the peaks to what is now.
func (p *PE) ClearCounters() {
	p.Counters = Counters{}
	p.ibu.ClearCounters()
	p.seg.Peak = p.seg.used
}

// Holds counts the packets inside the PE that have been made and not consumed:
// those of the input buffer and of the output packet buffer behind the port.
func (p *PE) Holds() int {
	n := p.out.count
	p.ibu.Each(func(*packet.Packet) { n++ })
	return n
}

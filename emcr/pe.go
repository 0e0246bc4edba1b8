package emcr

import (
	"fmt"

	"emsim/ibu"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// Config holds the parameters that all PEs of a machine share.
type Config struct {
	K            int           // k of the network: k+1 members in each of 2^k groups
	Format       packet.Format // field widths
	Seed         uint64        // value of the special register seed
	IBU          ibu.Config
	InjectClocks uint64 // from the clock of a send to the packet's first arbitration in the switch

	// SpillInterrupts lets the IBU take the memory port from a running block; otherwise the IBU waits while a
	// running block requests the port.
	SpillInterrupts bool
	MatchClocks     int // clocks of memory access for an operand of a two-operand node, MinMatchClocks..MaxMatchClocks
	GetsegClocks    int // clocks of the instruction getseg, MinGetsegClocks..MaxGetsegClocks
	// IBUOwnMemory gives the MIB a memory of its own. "Separate the external memory that the IBU uses from the memory
	// that FMU and EXU use, so that both can be accessed at once" [remedy 003 §4.2].
	IBUOwnMemory bool

	// LoadCountsExecution lets the load count the two words of a packet that the FMU holds or whose block the EXU runs,
	// together with the words in the FIFO. Figure 3 lists only the buffers [variant; 003 fig. 3].
	LoadCountsExecution bool

	MLPEKind          packet.Kind // kind of the packets that the instruction mlpe makes
	MarkAnswers       bool        // packets that follow from an MLPE packet get the kind Answer
	PrefetchRegisters int         // 1..MaxPrefetch
	OutPackets        int         // capacity of the output packet buffer, the packet on the port included; 0: no buffer
	SegmentBase       uint32
	SegmentWords      uint32 // words of an operand segment, a power of two
	Segments          int
	StructureBase     uint32
	StructureWords    uint32
	MIBBase           uint32 // first address that belongs to the IBU
}

// Activity is what a PE did in a clock: the first of these that applies. The activities are the regions of figure 8:
// "FMU or EXU is working", "only the IBU is working", "waiting because a packet cannot be output to the network" [003
// §4.2, fig. 8].
type Activity uint8

// The activities.
const (
	ExuFmu      Activity = iota // FMU or EXU advanced
	IbuOnly                     // the IBU used the memory port, and neither FMU nor EXU advanced
	NetworkWait                 // the EXU holds a packet that the switch has not accepted, or cannot send its next one
	Idle                        // none of these
	Activities                  // number of activities
)

var activityNames = [Activities]string{"exu_fmu", "ibu_only", "network_wait", "idle"}

// String returns the activity's name in statistics and traces.
func (s Activity) String() string {
	if s < Activities {
		return activityNames[s]
	}
	return fmt.Sprintf("activity%d", uint8(s))
}

// Counters are the statistics of one PE.
type Counters struct {
	Clocks       [Activities]uint64 // clocks by activity
	IbuWaiting   uint64             // IbuOnly clocks in which the EXU also waited as in NetworkWait
	Instructions uint64             // executed
	Blocks       uint64             // strongly connected blocks begun
	Calls        uint64             // function instances: operand segments of this PE that got their first operand
	Sent         uint64             // packets made, including those to the PE itself and to the host
	Consumed     uint64             // packets that the FMU took, or that filled the prefetch register
	MLPESent     uint64             // MLPE packets made
	MLPECalls    uint64             // prefetched segments read from the special register mlpe
	RemoteCalls  uint64             // the Calls whose first operand was sent by another PE
	SentAway     uint64             // the packets Sent to other PEs, MLPE packets included
}

// PE is one processing element. Apart from its memory, its image and its pins it is plain data. The order of the
// fields, here and in the units, is chosen for the simulator: the fields that an event needs lie in few of the host's
// cache lines.
type PE struct {
	nextClock  uint64 // first clock that has not been simulated: lazy.go
	lastActive uint64 // last clock in which a unit did anything
	pins       *packet.Pins
	image      *Image
	cfg        *Config
	fault      *Fault
	watch      *trace.Recorder // nil if there is no observer
	leaps      bool            // Config.canLeap
	width      isa.Width

	ibu     ibu.IBU
	exu     exu
	fmu     fmu
	out     outBuffer
	address packet.PE
	index   uint32
	seq     uint32 // number of the last packet made
	seg     segments
	str     structure
	mem     Memory
	Counters
	prefetch prefetchRegisters // holds what the special register mlpe returns
	stepped  uint64            // clocks that were simulated one by one
	operands int               // operands waiting in memory; kept up to date only while watch is set
	_        [40]byte          // padding to whole cache lines
}

// Init resets the PE, and sets its address and its number in the machine.
func (p *PE) Init(c *Config, m *Image, pins *packet.Pins, at packet.PE, index uint32) {
	*p = PE{
		cfg: c, image: m, pins: pins, address: at, index: index, width: isa.Width(c.Format.DataBits),
		mem: Memory{image: m.data},
		seg: segments{base: c.SegmentBase, size: c.SegmentWords, total: c.Segments},
		str: structure{base: c.StructureBase, total: c.StructureWords, freeWords: c.StructureWords},
	}
	p.mem.setOperands(c.SegmentBase, c.SegmentWords)
	p.ibu.Init(c.IBU)
	p.leaps = c.canLeap()
	p.out.ring = make([]outgoing, max(0, c.OutPackets-1))
	p.setLoad()
}

// Step simulates clock t of all units and returns the activity of the clock. The switches have already arbitrated in
// this clock.
func (p *PE) Step(t uint64) Activity { return p.StepShuffled(t, 0) }

// StepShuffled works like Step, with the units in one of their six orders. Tests use it to show that the order does not
// matter. A watched PE ignores the order.
func (p *PE) StepShuffled(t uint64, order int) Activity {
	p.nextClock = t + 1
	var w wires
	p.driveWires(&w, t)
	if p.watch != nil {
		return p.stepWatched(&w, t)
	}
	return p.stepUnits(&w, t, order)
}

// orders are the orders in which the units of a PE can be stepped.
var orders = [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// stepUnits simulates a clock of all units, after the wires have been driven. It skips a unit that has nothing to do
// according to the wires.
func (p *PE) stepUnits(w *wires, t uint64, order int) Activity {
	ok, fmuMoved, exuMoved := true, false, false
	for _, unit := range orders[order%6] {
		switch {
		case unit == 0 && (w.ibuBusy || w.pop):
			ok = p.ibu.Step(p.pins, t, w.grant.ibu, w.pop)
		case unit == 1 && isActive(w.fmu):
			fmuMoved = p.stepFMU(w, t)
		case unit == 2 && (w.exu == trace.Run || w.exu == trace.WaitPort || p.out.count > 0):
			exuMoved = p.stepEXU(w, t)
		}
	}
	return p.finish(w, t, ok, fmuMoved, exuMoved)
}

// finish counts the clock and returns its activity. ok is false if the MIB has overflowed, which is a fault.
func (p *PE) finish(w *wires, t uint64, ok, fmuMoved, exuMoved bool) Activity {
	if !ok {
		p.fail(t, MIBOverflow, "the memory input buffer is full (%d words): packets arrive faster than the PE "+
			"processes them; raise mib_words or spread the work", p.cfg.IBU.MIBWords)
	}
	if w.fill {
		p.fillPrefetch()
	}
	if w.ibuBusy || w.pop || p.cfg.LoadCountsExecution {
		p.setLoad()
	}
	s := Idle
	switch {
	case fmuMoved || exuMoved:
		s = ExuFmu
	case w.grant.ibu:
		s = IbuOnly
		if p.exu.blocked() {
			p.IbuWaiting++
		}
	case p.exu.blocked():
		s = NetworkWait
	}
	p.Clocks[s]++
	p.stepped++
	if s <= IbuOnly {
		p.lastActive = t
	}
	return s
}

// Quiet reports whether nothing in the PE can change until a packet arrives.
func (p *PE) Quiet() bool {
	return p.exu.state == exuIdle && p.fmu.state == FMUIdle && p.ibu.Empty() && !p.pins.InFull && p.out.count == 0
}

// setLoad updates the load register at the clock edge. "The load value is computed automatically from the state of the
// processor, as figure 3 shows" [003 §4.1].
func (p *PE) setLoad() {
	words := p.ibu.FIFOWords()
	if p.cfg.LoadCountsExecution && (p.fmu.state != FMUIdle || p.exu.state != exuIdle) {
		words += ibu.PacketWords
	}
	p.pins.LoadQ = mlpe.Load(words, p.ibu.MIBWords(), p.seg.total-p.seg.used, int(p.str.freeWords))
}

// Fault returns the fault that stopped the PE, or nil.
func (p *PE) Fault() *Fault { return p.fault }

// Boot starts the system block at code address entry on an idle PE, as the
// loader does.
func (p *PE) Boot(entry uint32) {
	p.fmu = fmu{state: FMUReady, pc: entry, fp: p.cfg.Format.Payload(packet.Cont{PE: p.address})}
	p.setLoad()
}

// SegmentsInUse returns the number of operand segments in use now.
func (p *PE) SegmentsInUse() int { return p.seg.used }

// SegmentsPeak returns the largest number of operand segments in use at once.
func (p *PE) SegmentsPeak() int { return p.seg.Peak }

// IBU returns the input buffer, for inspection.
func (p *PE) IBU() *ibu.IBU { return &p.ibu }

// Memory returns the memory, for inspection.
func (p *PE) Memory() *Memory { return &p.mem }

// ClearCounters sets the statistics to zero, and the peaks to the present values.
func (p *PE) ClearCounters() {
	p.Counters = Counters{}
	p.ibu.ClearCounters()
	p.seg.Peak = p.seg.used
}

// PacketsHeld returns the number of packets inside the PE: in the input buffer, and in the output packet buffer except
// the packet on the port.
func (p *PE) PacketsHeld() int {
	n := p.out.count
	p.ibu.Each(func(*packet.Packet) { n++ })
	return n
}

package portrait

import (
	"slices"

	"emsim/emcr"
	"emsim/packet"
	"emsim/trace"
)

// Machine is the machine whose events are recorded.
type Machine interface {
	PE(i int) *emcr.PE
}

// Instance is a function instance. It exists from the first operand in its operand segment to the segment's release.
type Instance struct {
	PE       int
	Base     uint32 // of its operand segment
	Template uint32
	Born     uint64 // clock in which the FMU took the first operand
	First    packet.Packet
	Sender   uint32      // code address of the send that made the first operand
	Sent     bool        // Sender is known
	Parent   *Instance   // nil for the host or an unknown caller
	Children []*Instance // if the Family keeps children
	Ended    bool        // the segment has been released, or has a later instance
	Depth    int         // number of callers above it
}

// Origin is the origin of a packet: the instance whose block made it. For packets of system blocks it is the origin of
// the packet that started the block.
type Origin struct {
	From *Instance
	pc   uint32 // of the send
	sent bool
}

// Segment identifies an operand segment.
type Segment struct {
	PE   int
	Base uint32
}

// Family records the calls of function instances. The first operand in a segment creates an instance; its parent is the
// instance whose block made that operand's packet.
type Family struct {
	Roots   []*Instance           // if the Family keeps children
	Live    map[Segment]*Instance // the last instance in every segment
	Running []Origin              // by PE: the origin of the block that the EXU runs
	Flight  map[trace.ID]Origin   // of packets that are made but not yet taken

	machine Machine
	keep    bool
	calls   []uint64 // number of function instances by PE
	taken   []Origin // by PE: the origin of the packet that the FMU took last
}

// NewFamily returns a Family that records a machine's calls from now on. If keep is set, instances list their children,
// and all of them stay in memory.
func NewFamily(m Machine, pes int, keep bool) *Family {
	f := &Family{
		Live: map[Segment]*Instance{}, Running: make([]Origin, pes), Flight: map[trace.ID]Origin{},
		machine: m, keep: keep, calls: make([]uint64, pes), taken: make([]Origin, pes),
	}
	for i := range f.calls {
		f.calls[i] = m.PE(i).Calls
	}
	return f
}

// Event follows a packet from the block that made it to the block that it starts. It returns the instance that the
// event creates, or nil.
func (f *Family) Event(e *trace.Event) (born *Instance) {
	pe, id := int(e.PE), trace.IDOf(&e.Packet)
	switch e.Kind {
	case trace.Made:
		if !e.Packet.ToHost { // no PE takes a word to the host
			f.Flight[id] = Origin{f.Running[pe].From, e.PC, true}
		}
	case trace.Filled:
		delete(f.Flight, id)
	case trace.Taken:
		f.taken[pe] = f.Flight[id]
		delete(f.Flight, id)
		// The first operand turns a segment into an instance, which the PE counts.
		if calls := f.machine.PE(pe).Calls; calls != f.calls[pe] {
			f.calls[pe] = calls
			return f.birth(e)
		}
	case trace.Begun:
		f.Running[pe] = f.taken[pe]
		if !e.Packet.Direct {
			f.Running[pe] = Origin{From: f.instance(e)}
		}
	}
	return nil
}

// segment returns the operand segment of an event's packet and its template.
func (f *Family) segment(e *trace.Event) (Segment, uint32) {
	p := f.machine.PE(int(e.PE))
	base, _ := p.SegmentOf(e.Packet.Addr)
	return Segment{int(e.PE), base}, uint32(p.Memory().Read(base))
}

// instance returns the instance whose block begins. An instance from before the recording has no caller.
func (f *Family) instance(e *trace.Event) *Instance {
	at, template := f.segment(e)
	if f.Live[at] == nil {
		f.addInstance(&Instance{PE: at.PE, Base: at.Base, Template: template})
	}
	return f.Live[at]
}

// birth records a new instance.
func (f *Family) birth(e *trace.Event) *Instance {
	at, template := f.segment(e)
	from := f.taken[at.PE]
	x := &Instance{
		PE: at.PE, Base: at.Base, Template: template, Born: e.Clock, First: e.Packet,
		Sender: from.pc, Sent: from.sent, Parent: from.From,
	}
	if from.From != nil {
		x.Depth = from.From.Depth + 1
	}
	f.addInstance(x)
	return x
}

func (f *Family) addInstance(x *Instance) {
	at := Segment{x.PE, x.Base}
	if old := f.Live[at]; old != nil {
		old.Ended = true
	}
	f.Live[at] = x
	switch {
	case !f.keep:
	case x.Parent == nil:
		f.Roots = append(f.Roots, x)
	default:
		x.Parent.Children = append(x.Parent.Children, x)
	}
}

// MarkEnded marks the instances that have ended, because their segments have been released.
func (f *Family) MarkEnded() {
	for at, x := range f.Live {
		x.Ended = !f.machine.PE(at.PE).Instance(at.Base)
	}
}

// EachInTree calls see with an instance and all its direct and indirect callees, each after its caller. Calls can be
// arbitrarily deep, so EachInTree keeps its own stack.
func (x *Instance) EachInTree(see func(x *Instance)) {
	todo := []*Instance{x}
	for len(todo) > 0 {
		y := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, child := range slices.Backward(y.Children) {
			todo = append(todo, child)
		}
		see(y)
	}
}

package debug

import (
	"context"
	"slices"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/machine/run"
	"emsim/packet"
	"emsim/trace"
)

// instance is a function instance: an operand segment from its first operand
// to its release.
type instance struct {
	pe       int
	base     uint32 // of its operand segment
	template uint32
	born     uint64 // clock in which the FMU took the first operand
	first    packet.Packet
	sender   uint32    // code address of the send that made the first operand
	sent     bool      // sender is known
	parent   *instance // nil: the host, or unknown
	children []*instance
	ended    bool // its segment has a later instance
}

// origin is the sender of a packet: the instance whose block made it or, for
// packets of system blocks, the origin of the packet that started the block.
type origin struct {
	from *instance
	pc   uint32 // of the send
	sent bool
}

// place is an operand segment.
type place struct {
	pe   int
	base uint32
}

// family records who called whom up to a clock. It steps a second machine beside
// the debugger's, from the first snapshot on, and looks at every event. A
// segment's first operand makes it an instance; its parent is the instance in
// whose block that operand's packet was made.
type family struct {
	s       *run.Batch
	roots   []*instance
	live    map[place]*instance // the last instance of every segment
	flight  map[trace.ID]origin // packets made but not yet taken
	taken   []origin            // of the last packet that each FMU took
	running []origin            // of the block that each EXU runs
	calls   []uint64            // function instances of each PE so far
	events  []trace.Event       // of the clock that was stepped last

	begun  []begin          // all blocks, in the order of their clocks
	blocks []uint32         // where they begin
	block  map[uint32]int32 // their places in blocks
}

// grow brings the tree to the clock of the debugger.
func (d *Debugger) grow(ctx context.Context) (*family, error) {
	if d.tree != nil && d.tree.s.Clock() > d.clock() {
		d.tree = nil
	}
	return d.reach(ctx)
}

// reach brings the tree to the clock of the debugger, or beyond.
func (d *Debugger) reach(ctx context.Context) (*family, error) {
	to := d.clock()
	if d.tree == nil {
		s, err := d.hist.shots[0].fork(d.s)
		if err != nil {
			return nil, err
		}
		d.tree = newFamily(s)
	}
	f := d.tree
	for f.s.Clock() < to && !f.s.Current.Ended() {
		if err := ctx.Err(); err != nil {
			return nil, interrupt.Of(ctx, "during the search for callers; it continues from there next time")
		}
		// Whatever ends this run has ended the debugger's too.
		_ = f.s.Current.Advance(ctx, f.s.Current.Clock()+1)
		for i := range f.events {
			f.event(&f.events[i])
		}
		f.events = f.events[:0]
	}
	return f, nil
}

func newFamily(s *run.Batch) *family {
	f := &family{
		s: s, live: map[place]*instance{}, flight: map[trace.ID]origin{}, block: map[uint32]int32{},
		taken: make([]origin, s.Config().PEs), running: make([]origin, s.Config().PEs), calls: make([]uint64, s.Config().PEs),
	}
	for i := range s.Config().PEs {
		f.calls[i] = s.PE(i).Calls
	}
	s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		switch e.Kind {
		case trace.Made, trace.Taken, trace.Begun:
			f.events = append(f.events, *e)
		}
	}), s.Config().PEs, trace.All(s.Config().PEs)), 0, em4.ToEnd)
	return f
}

// event follows a packet from the block that made it to the block that it
// starts.
func (f *family) event(e *trace.Event) {
	pe := int(e.PE)
	switch e.Kind {
	case trace.Made:
		if e.Packet.ToHost {
			return // no PE takes it
		}
		f.flight[trace.IDOf(&e.Packet)] = origin{f.running[pe].from, e.PC, true}
	case trace.Taken:
		id := trace.IDOf(&e.Packet)
		f.taken[pe] = f.flight[id]
		delete(f.flight, id)
		// The first operand makes a segment an instance: the PE counts it.
		if calls := f.s.PE(pe).Calls; calls != f.calls[pe] {
			f.calls[pe] = calls
			f.birth(e)
		}
	case trace.Begun:
		f.begins(e.Clock, pe, e.PC)
		f.running[pe] = f.taken[pe]
		if !e.Packet.Direct {
			base, _ := f.s.PE(pe).SegmentOf(e.Packet.Addr)
			f.running[pe] = origin{from: f.instance(pe, base)}
		}
	}
}

// instance returns the last instance of a segment. Instances from before the
// start of the tree have no caller.
func (f *family) instance(pe int, base uint32) *instance {
	at := place{pe, base}
	if f.live[at] == nil {
		x := &instance{pe: pe, base: base, template: uint32(f.s.PE(pe).Memory().Read(base))}
		f.live[at] = x
		f.roots = append(f.roots, x)
	}
	return f.live[at]
}

// birth records a new instance.
func (f *family) birth(e *trace.Event) {
	pe := int(e.PE)
	p := f.s.PE(pe)
	base, _ := p.SegmentOf(e.Packet.Addr)
	from := f.taken[pe]
	x := &instance{
		pe: pe, base: base, template: uint32(p.Memory().Read(base)), born: e.Clock, first: e.Packet,
		sender: from.pc, sent: from.sent, parent: from.from,
	}
	at := place{pe, base}
	if old := f.live[at]; old != nil {
		old.ended = true
	}
	f.live[at] = x
	if x.parent == nil {
		f.roots = append(f.roots, x)
		return
	}
	x.parent.children = append(x.parent.children, x)
}

// Called returns how many function instances on each PE were called from one PE so
// far.
func (d *Debugger) Called(ctx context.Context, from int) ([]int, error) {
	f, err := d.reach(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]int, d.s.Config().PEs)
	for _, root := range f.roots {
		root.all(func(x *instance) {
			if x.parent != nil && x.parent.pe == from && x.born < d.clock() {
				list[x.pe]++
			}
		})
	}
	return list, nil
}

// settle finds the instances that have ended: their segments have been
// released.
func (f *family) settle() {
	for at, x := range f.live {
		x.ended = !f.s.PE(at.pe).Instance(at.base)
	}
}

// path returns an instance and those that called it, the latest first.
func (x *instance) path() []*instance {
	var list []*instance
	for ; x != nil; x = x.parent {
		list = append(list, x)
	}
	return list
}

// all calls f with an instance and all its direct and indirect callees.
func (x *instance) all(f func(x *instance)) {
	todo := []*instance{x}
	for len(todo) > 0 {
		y := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], y.children...)
		f(y)
	}
}

// order sorts by birth, then by place.
func order(list []*instance) []*instance {
	slices.SortStableFunc(list, func(a, b *instance) int {
		switch {
		case a.born != b.born && a.born < b.born:
			return -1
		case a.born != b.born:
			return 1
		case a.pe != b.pe:
			return a.pe - b.pe
		}
		return int(a.base) - int(b.base)
	})
	return list
}

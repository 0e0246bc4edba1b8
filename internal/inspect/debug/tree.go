package debug

import (
	"cmp"
	"context"
	"slices"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// family records who called whom up to a clock, and the blocks that have begun. It
// steps a second machine beside the debugger's, from the first snapshot on, and
// looks at every event.
type family struct {
	*portrait.Family
	s *run.Batch

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
	}
	return f, nil
}

func newFamily(s *run.Batch) *family {
	pes := s.Config().PEs
	f := &family{s: s, Family: portrait.NewFamily(s, pes, true), block: map[uint32]int32{}}
	s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		f.Event(e)
		if e.Kind == trace.Begun {
			f.begins(e.Clock, int(e.PE), e.PC)
		}
	}), pes, trace.All(pes)), 0, em4.ToEnd)
	return f
}

// Called returns how many function instances on each PE were called from one PE so
// far.
func (d *Debugger) Called(ctx context.Context, from int) ([]int, error) {
	f, err := d.reach(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]int, d.s.Config().PEs)
	for _, root := range f.Roots {
		root.All(func(x *portrait.Instance) {
			if x.Parent != nil && x.Parent.PE == from && x.Born < d.clock() {
				list[x.PE]++
			}
		})
	}
	return list, nil
}

// order sorts by birth, then by place.
func order(list []*portrait.Instance) []*portrait.Instance {
	slices.SortStableFunc(list, func(a, b *portrait.Instance) int {
		return cmp.Or(cmp.Compare(a.Born, b.Born), cmp.Compare(a.PE, b.PE), cmp.Compare(a.Base, b.Base))
	})
	return list
}

// Block is a strongly connected block that has begun.
type Block struct {
	Label string `json:"label"` // at which it begins
	Times int    `json:"times"` // how often so far
	PEs   []int  `json:"pes"`   // that execute it
}

// begin is the beginning of a block on a PE.
type begin struct {
	clock uint64
	pe    int32
	block int32 // in family.blocks
}

// begins records that a PE begins a block.
func (f *family) begins(clock uint64, pe int, pc uint32) {
	i, known := f.block[pc]
	if !known {
		i = int32(len(f.blocks))
		f.block[pc] = i
		f.blocks = append(f.blocks, pc)
	}
	f.begun = append(f.begun, begin{clock, int32(pe), i})
}

// Blocks lists the strongly connected blocks that have begun so far, in the order of
// their first times. last is by PE the one that it has begun last, or -1.
func (d *Debugger) Blocks(ctx context.Context) (list []Block, last []int, err error) {
	f, err := d.reach(ctx)
	if err != nil {
		return nil, nil, err
	}
	times := make([]int, len(f.blocks))
	last = make([]int, d.s.Config().PEs)
	for i := range last {
		last[i] = -1
	}
	known := 0
	for _, x := range f.begun {
		if x.clock >= d.clock() {
			break
		}
		times[x.block]++
		last[x.pe] = int(x.block)
		known = max(known, int(x.block)+1)
	}
	list = make([]Block, known)
	for i := range list {
		list[i] = Block{d.label(f.blocks[i]), times[i], []int{}}
	}
	for pe, i := range last {
		if i >= 0 && d.s.PE(pe).EXU().Busy {
			list[i].PEs = append(list[i].PEs, pe)
		}
	}
	return list, last, nil
}

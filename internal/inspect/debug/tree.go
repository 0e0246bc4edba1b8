package debug

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// family records the calls of function instances up to a clock, and the blocks that have begun. It evaluates every
// event of a second machine, which starts at the first snapshot.
type family struct {
	*portrait.Family
	s *run.Batch

	blocks []uint32 // addresses of the blocks that have begun, in the order in which they first began
	index  map[uint32]int32
	begun  []begin // in the order of their clocks

	runs  []*portrait.Instance // the instance whose block each EXU runs; nil for system code
	waits map[*portrait.Instance]wait
}

// begin is the beginning of a strongly connected block.
type begin struct {
	clock     uint64
	pe, block int32 // block is an index of family.blocks
}

// wait is the place where an instance stopped last, and the clock in which it did.
type wait struct {
	over  bool // the wait has ended: a block of the instance runs
	pc    uint32
	since uint64
}

// note records the beginnings of blocks and the waits of instances. A request made while an instance waits does not end
// its wait.
func (f *family) note(d *Debugger, e *trace.Event) {
	switch e.Kind {
	case trace.Begun:
		i, known := f.index[e.PC]
		if !known {
			i = int32(len(f.blocks))
			f.index[e.PC], f.blocks = i, append(f.blocks, e.PC)
		}
		f.begun = append(f.begun, begin{e.Clock, int32(e.PE), i})
		f.runs[e.PE] = nil
		if x := f.Running[e.PE].From; !e.Packet.Direct && x != nil {
			w := f.waits[x]
			w.over = true
			f.runs[e.PE], f.waits[x] = x, w
		}
	case trace.Ended:
		x := f.runs[e.PE]
		if x == nil {
			return
		}
		w := f.waits[x]
		old, s := d.siteAt(w.pc), d.siteAt(e.PC)
		if w.over = false; old == nil || s == nil || old.awaits == "" || s.awaits != "" {
			w.pc, w.since = e.PC, e.Clock
		}
		f.waits[x] = w
	}
}

// growTree advances the tree to the debugger's clock. If the tree has gone beyond it, growTree builds a new one.
func (d *Debugger) growTree(ctx context.Context) (*family, error) {
	if d.tree != nil && d.tree.s.Clock() > d.clock() {
		d.tree = nil
	}
	return d.reach(ctx)
}

// reach advances the tree to the debugger's clock, unless it is already there or beyond.
func (d *Debugger) reach(ctx context.Context) (*family, error) {
	to := d.clock()
	if d.tree == nil {
		s, err := d.Beginning()
		if err != nil {
			return nil, err
		}
		d.tree = d.newFamily(s)
	}
	f := d.tree
	for f.s.Clock() < to && !f.s.Current.Ended() {
		if err := ctx.Err(); err != nil {
			return nil, interrupt.Of(ctx, "during the search for callers; it continues from there next time")
		}
		// An error that ends this run has ended the debugger's run too.
		_ = f.s.Current.Advance(ctx, f.s.Current.Clock()+1)
	}
	return f, nil
}

func (d *Debugger) newFamily(s *run.Batch) *family {
	pes := s.Config().PEs
	f := &family{
		s: s, Family: portrait.NewFamily(s, pes, true), runs: make([]*portrait.Instance, pes),
		waits: map[*portrait.Instance]wait{}, index: map[uint32]int32{},
	}
	s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		f.Event(e)
		f.note(d, e)
	}), pes, trace.All(pes)), 0, em4.ToEnd)
	return f
}

// Called returns, for each PE, the number of its function instances so far that were called from the PE numbered from.
func (d *Debugger) Called(ctx context.Context, from int) ([]int, error) {
	f, err := d.reach(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]int, d.s.Config().PEs)
	for _, root := range f.Roots {
		root.EachInTree(func(x *portrait.Instance) {
			if x.Parent != nil && x.Parent.PE == from && x.Born < d.clock() {
				list[x.PE]++
			}
		})
	}
	return list, nil
}

// Block is a strongly connected block that has begun.
type Block struct {
	Label string `json:"label"` // the label at which it begins
	Times int    `json:"times"` // the number of times that it has begun
	PEs   []int  `json:"pes"`   // the PEs that execute it
}

// Blocks returns the strongly connected blocks that have begun so far, in the order of their first beginning. last
// holds for each PE the block that began last there, as an index of list, or -1.
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

// TreeOptions choose a part of the tree of function instances.
type TreeOptions struct {
	All   bool // include ended instances
	PE    int  // only instances on this PE, and their callers; -1 means every PE
	Depth int  // the greatest depth; the roots have depth 1
	Lines int  // the largest number of instances
}

// Tree is a part of the tree of function instances.
type Tree struct {
	Total     int        `json:"total"` // function instances so far
	Live      int        `json:"live"`
	Cut       int        `json:"cut"`       // instances left out because there are more than TreeOptions.Lines
	Instances []Instance `json:"instances"` // each after its caller
}

// Instance is a function instance in a Tree.
type Instance struct {
	Level int    `json:"level"` // depth, from 1
	PE    int    `json:"pe"`
	Text  string `json:"text"`
	Ended bool   `json:"ended"`
	Runs  bool   `json:"runs"` // the EXU runs one of its blocks
}

// Tree returns the function instances so far, each below its caller. If ctx ends, the next call continues where this
// one stopped.
func (d *Debugger) Tree(ctx context.Context, o TreeOptions) (*Tree, error) {
	f, err := d.growTree(ctx)
	if err != nil {
		return nil, err
	}
	f.MarkEnded()
	t := &Tree{Instances: []Instance{}}
	slices.SortStableFunc(f.Roots, func(a, b *portrait.Instance) int {
		return cmp.Or(cmp.Compare(a.Born, b.Born), cmp.Compare(a.PE, b.PE), cmp.Compare(a.Base, b.Base))
	})
	shown := map[*portrait.Instance]bool{} // the instance, or one below it, is wanted
	for _, root := range f.Roots {
		root.EachInTree(func(x *portrait.Instance) {
			t.Total++
			if !x.Ended {
				t.Live++
			}
			if (o.All || !x.Ended) && (o.PE < 0 || o.PE == x.PE) {
				for y := x; y != nil && !shown[y]; y = y.Parent {
					shown[y] = true
				}
			}
		})
	}
	for _, root := range f.Roots {
		root.EachInTree(func(x *portrait.Instance) {
			if shown[x] {
				d.addTo(t, x, o)
			}
		})
	}
	return t, nil
}

// addTo adds an instance to a tree, as far as the options allow.
func (d *Debugger) addTo(t *Tree, x *portrait.Instance, o TreeOptions) {
	switch level := x.Depth + 1; {
	case level > o.Depth:
	case len(t.Instances) == o.Lines:
		t.Cut++
	default:
		t.Instances = append(t.Instances, Instance{level, x.PE, d.instanceText(x), x.Ended, d.isRunning(x)})
	}
}

// showTree runs the command tree.
func (d *Debugger) showTree(c call) error {
	o, err := readTree(c)
	if err != nil {
		return err
	}
	t, err := d.Tree(c.ctx, o)
	if err == nil {
		d.printTree(t, o)
	}
	return err
}

func (d *Debugger) printTree(t *Tree, o TreeOptions) {
	d.printf("%s so far, %d of them live\n", plural.Of(t.Total, "function instance"), t.Live)
	for _, x := range t.Instances {
		d.printf("%s%s\n", strings.Repeat("  ", min(x.Level, 30)), x.Text)
	}
	if t.Cut > 0 {
		d.printf("  and %d more: 'tree lines %d' shows them, 'tree depth N' and a PE choose\n", t.Cut, t.Cut+o.Lines)
	}
}

// readTree parses the words of the command tree.
func readTree(c call) (TreeOptions, error) {
	o := TreeOptions{PE: -1, Depth: 1 << 30, Lines: 50}
	if c.named {
		o.PE = c.pe
	}
	for i := 0; i < len(c.words); i++ {
		option, err := oneOf(c.words[i], "option of tree", []string{"all", "depth", "lines"})
		if err != nil {
			return o, err
		}
		if option == "all" {
			o.All = true
			continue
		}
		if i++; i == len(c.words) {
			return o, errorf("tree %s needs a number", option)
		}
		n, err := readNumber(c.words[i], option)
		if err != nil {
			return o, err
		}
		*map[string]*int{"depth": &o.Depth, "lines": &o.Lines}[option] = int(min(n, 1<<30))
	}
	return o, nil
}

// instanceText returns a line about an instance: its function and place, its first operand, and whether it runs or has
// ended.
func (d *Debugger) instanceText(x *portrait.Instance) string {
	text := fmt.Sprintf("%s %v %#x", d.label(x.Template), d.address(x.PE), x.Base)
	if x.First.Seq == 0 {
		return text + ", present from the beginning"
	}
	node := d.label(x.Template + x.First.Addr - x.Base)
	text += fmt.Sprintf(", clock %d: %s = %s", x.Born, node, d.value(x.First.Data))
	if x.Sent {
		text += ", sent at " + d.label(x.Sender)
	}
	if x.Ended {
		return text + ", ended"
	}
	if d.isRunning(x) {
		text += ", runs"
	}
	return text
}

// isRunning reports whether the EXU of the instance's PE runs one of its blocks.
func (d *Debugger) isRunning(x *portrait.Instance) bool {
	return !x.Ended && x.Base != 0 && d.instanceRunning(x.PE) == x.Base
}

// instanceRunning returns the segment of the block that a PE's EXU runs, or 0. At the beginning of a block FP holds the
// segment; few blocks change FP.
func (d *Debugger) instanceRunning(pe int) uint32 {
	p := d.peAt(pe)
	x := p.EXU()
	if !x.Busy {
		return 0
	}
	base, used := p.SegmentOf(p.Format().Cont(x.Regs[15]).Addr)
	if !used {
		return 0
	}
	return base
}

// callers runs the command callers, which lists the instance whose block the EXU runs, and its callers.
func (d *Debugger) callers(c call) error {
	at, x := d.address(c.pe), d.peAt(c.pe).EXU()
	if !x.Busy {
		d.printf("the EXU of %v runs no block: 'until block %v' goes to its next one, 'tree %v' lists its instances\n",
			at, at, at)
		return nil
	}
	f, err := d.growTree(c.ctx)
	if err != nil {
		return err
	}
	f.MarkEnded()
	from := f.Running[c.pe].From
	d.printf("%v %s\n", at, d.codeText(x.PC))
	if from == nil {
		d.printf("  a system block for the host\n")
		return nil
	}
	if d.instanceRunning(c.pe) == 0 {
		d.printf("  a system block, which runs for:\n")
	}
	for i := 0; from != nil; from, i = from.Parent, i+1 {
		d.printf("  #%d %s\n", i, d.instanceText(from))
	}
	return nil
}

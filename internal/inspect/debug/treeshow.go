package debug

import (
	"context"
	"fmt"
	"strings"

	"emsim/internal/base/plural"
)

// TreeOptions choose a part of the tree of function instances.
type TreeOptions struct {
	All   bool // ended ones too
	PE    int  // only those of this PE and the ones that lead there; -1: of every PE
	Depth int  // the roots have depth 1
	Lines int  // at most so many
}

// Tree is a part of the tree of function instances.
type Tree struct {
	Total     int        `json:"total"` // function instances so far
	Live      int        `json:"live"`
	Cut       int        `json:"cut"`       // chosen, but beyond the number of lines
	Instances []Instance `json:"instances"` // each after the one that called it
}

// Instance is a function instance in a Tree.
type Instance struct {
	Level int    `json:"level"` // from 1
	PE    int    `json:"pe"`
	Text  string `json:"text"`
	Ended bool   `json:"ended"`
	Runs  bool   `json:"runs"` // the EXU is in one of its blocks
}

// Tree returns the function instances so far, each below the one that called it.
// If ctx ends, the next call goes on from where this one stopped.
func (d *Debugger) Tree(ctx context.Context, o TreeOptions) (*Tree, error) {
	f, err := d.grow(ctx)
	if err != nil {
		return nil, err
	}
	f.settle()
	t := &Tree{Instances: []Instance{}}
	shown := map[*instance]bool{} // the instance or one below it is wanted
	for _, root := range order(f.roots) {
		root.all(func(x *instance) {
			t.Total++
			if !x.ended {
				t.Live++
			}
			if (o.All || !x.ended) && (o.PE < 0 || o.PE == x.pe) {
				for y := x; y != nil && !shown[y]; y = y.parent {
					shown[y] = true
				}
			}
		})
	}
	for _, root := range f.roots {
		d.addTo(t, root, shown, o)
	}
	return t, nil
}

// addTo adds an instance and those that it called to a tree. Calls can be
// arbitrarily deep, so the path is kept here, not on the stack.
func (d *Debugger) addTo(t *Tree, root *instance, shown map[*instance]bool, o TreeOptions) {
	type step struct {
		x     *instance
		level int
	}
	todo := []step{{root, 1}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !shown[s.x] || s.level > o.Depth {
			continue
		}
		if len(t.Instances) < o.Lines {
			t.Instances = append(t.Instances, Instance{s.level, s.x.pe, d.instanceText(s.x), s.x.ended, d.runs(s.x)})
		} else {
			t.Cut++
		}
		for i := len(s.x.children) - 1; i >= 0; i-- {
			todo = append(todo, step{s.x.children[i], s.level + 1})
		}
	}
}

// showTree is the command.
func (d *Debugger) showTree(ctx context.Context, words []string) error {
	o, err := d.readTree(words)
	if err != nil {
		return err
	}
	t, err := d.Tree(ctx, o)
	if err != nil {
		return err
	}
	d.printTree(t, o)
	return nil
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

// readTree reads the words of the command.
func (d *Debugger) readTree(words []string) (TreeOptions, error) {
	o := TreeOptions{Depth: 1 << 30, Lines: 50}
	var err error
	if o.PE, words, err = d.takePE(words, -1); err != nil {
		return o, err
	}
	for len(words) > 0 {
		option, err := oneOf(words[0], "option of tree", []string{"all", "depth", "lines"})
		if err != nil {
			return o, err
		}
		if option == "all" {
			o.All, words = true, words[1:]
			continue
		}
		if len(words) < 2 {
			return o, errorf("tree %s needs a number", option)
		}
		n, err := readNumber(words[1], option)
		if err != nil {
			return o, err
		}
		n = min(n, 1<<30)
		if option == "depth" {
			o.Depth = int(n)
		} else {
			o.Lines = int(n)
		}
		words = words[2:]
	}
	return o, nil
}

// instanceText is an instance in one line.
func (d *Debugger) instanceText(x *instance) string {
	text := fmt.Sprintf("%s %v %#x", d.label(x.template), d.address(x.pe), x.base)
	if x.first.Seq == 0 {
		return text + ", present from the beginning"
	}
	node := d.label(x.template + x.first.Addr - x.base)
	text += fmt.Sprintf(", clock %d: %s = %s", x.born, node, d.value(x.first.Data))
	if x.sent {
		text += ", sent at " + d.label(x.sender)
	}
	if x.ended {
		return text + ", ended"
	}
	if d.runs(x) {
		text += ", runs"
	}
	return text
}

// runs reports whether a PE's EXU is in a block of the instance.
func (d *Debugger) runs(x *instance) bool {
	return !x.ended && x.base != 0 && d.instanceRunning(x.pe) == x.base
}

// instanceRunning is the segment of the block that a PE's EXU runs, or 0. FP
// holds it at the beginning of a block; few blocks change FP.
func (d *Debugger) instanceRunning(pe int) uint32 {
	p := d.at(pe)
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

// callers is the command: the instance whose block the EXU runs, and who
// called it.
func (d *Debugger) callers(ctx context.Context, words []string) error {
	pe, words, err := d.takePE(words, d.pe)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return tooMany(words)
	}
	x := d.at(pe).EXU()
	if !x.Busy {
		at := d.address(pe)
		d.printf("the EXU of %v runs no block: 'until block %v' goes to its next one, 'tree %v' lists its instances\n", at, at, at)
		return nil
	}
	f, err := d.grow(ctx)
	if err != nil {
		return err
	}
	f.settle()
	from := f.running[pe].from
	d.printf("%v %s\n", d.address(pe), d.code(x.PC))
	if from == nil {
		d.printf("  a system block for the host\n")
		return nil
	}
	if d.instanceRunning(pe) == 0 {
		d.printf("  a system block for\n")
	}
	for i, y := range from.path() {
		d.printf("  #%d %s\n", i, d.instanceText(y))
	}
	return nil
}

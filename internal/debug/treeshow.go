package debug

import (
	"context"
	"fmt"
	"strings"

	"emsim/internal/plural"
)

// treeView says which part of the tree is shown.
type treeView struct {
	d     *Debugger
	shown map[*instance]bool // the instance or one below it is wanted
	all   bool               // ended ones too
	depth int
	lines int
	pe    int // -1: every PE
	cut   int // lines left out
}

// showTree is the command: function instances, each below the one that called
// it.
func (d *Debugger) showTree(ctx context.Context, words []string) error {
	v := treeView{d: d, depth: 1 << 30, lines: 50, shown: map[*instance]bool{}}
	if err := v.read(words); err != nil {
		return err
	}
	f, err := d.grow(ctx)
	if err != nil {
		return err
	}
	f.settle()
	total, live := 0, 0
	for _, root := range order(f.roots) {
		root.all(func(x *instance) {
			total++
			if !x.ended {
				live++
			}
			if (v.all || !x.ended) && (v.pe < 0 || v.pe == x.pe) {
				for y := x; y != nil && !v.shown[y]; y = y.parent {
					v.shown[y] = true
				}
			}
		})
	}
	d.printf("%s so far, %d of them live\n", plural.Of(total, "function instance"), live)
	for _, root := range f.roots {
		v.show(root, 1)
	}
	if v.cut > 0 {
		d.printf("  and %d more: 'tree lines %d' shows them, 'tree depth N' and a PE choose\n", v.cut, v.cut+v.lines)
	}
	return nil
}

// read reads the words of the command.
func (v *treeView) read(words []string) error {
	var err error
	if v.pe, words, err = v.d.takePE(words, -1); err != nil {
		return err
	}
	for len(words) > 0 {
		option, err := oneOf(words[0], "option of tree", []string{"all", "depth", "lines"})
		if err != nil {
			return err
		}
		if option == "all" {
			v.all, words = true, words[1:]
			continue
		}
		if len(words) < 2 {
			return errorf("tree %s needs a number", option)
		}
		n, err := readNumber(words[1], option)
		if err != nil {
			return err
		}
		n = min(n, 1<<30)
		if option == "depth" {
			v.depth = int(n)
		} else {
			v.lines = int(n)
		}
		words = words[2:]
	}
	return nil
}

// show prints an instance and those that it called. Calls can be arbitrarily
// deep, so the path is kept here, not on the stack.
func (v *treeView) show(root *instance, level int) {
	type step struct {
		x     *instance
		level int
	}
	todo := []step{{root, level}}
	printed := 0
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !v.shown[s.x] || s.level > v.depth {
			continue
		}
		if printed++; v.lines <= 0 {
			v.cut++
		} else {
			v.lines--
			v.d.printf("%s%s\n", strings.Repeat("  ", min(s.level, 30)), v.d.instanceText(s.x))
		}
		for i := len(s.x.children) - 1; i >= 0; i-- {
			todo = append(todo, step{s.x.children[i], s.level + 1})
		}
	}
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
	if running := d.instanceRunning(x.pe); running == x.base && running != 0 {
		text += ", runs"
	}
	return text
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

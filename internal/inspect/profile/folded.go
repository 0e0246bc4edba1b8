package profile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Frame is a box of a flame graph: a name, its clocks, and what they consist of.
type Frame struct {
	Name   string
	Clocks uint64
	Inner  []Frame
}

// Flame returns the clocks of all EXUs as a tree: template, block, source line;
// beside the templates the clocks between blocks by what the EXUs waited for.
// Larger parts come first, and code comes before the rest.
func (p *Profile) Flame() Frame {
	root := Frame{Name: "all EXUs", Clocks: p.total.Clocks()}
	blocks, places := p.Rows(ByBlock), p.Rows(ByInstruction)
	templates := p.Rows(ByTemplate)
	slices.SortStableFunc(templates, func(a, b Row) int { return cmp.Compare(rank(a), rank(b)) })
	for _, t := range templates {
		if t.Counts.Clocks() == 0 {
			continue
		}
		f := Frame{Name: t.Template, Clocks: t.Counts.Clocks()}
		if !t.Code {
			for w, n := range t.Counts.EXU {
				if n > 0 {
					f.Inner = append(f.Inner, Frame{Name: Wait(w).String(), Clocks: n})
				}
			}
		}
		for _, b := range blocks {
			if t.Code && b.Code && b.Template == t.Template && b.Counts.Clocks() > 0 {
				f.Inner = append(f.Inner, blockFrame(&b, places))
			}
		}
		root.Inner = append(root.Inner, f)
	}
	return root
}

// rank puts code before what is none.
func rank(r Row) int {
	if r.Code {
		return 0
	}
	return 1
}

// blockFrame is a block with its lines.
func blockFrame(b *Row, places []Row) Frame {
	f := Frame{Name: b.Block, Clocks: b.Counts.Clocks()}
	at := map[string]int{}
	for i := range places {
		r := &places[i]
		if !r.Code || r.Block != b.Block || r.Template != b.Template || r.Counts.Clocks() == 0 {
			continue
		}
		name := r.Source()
		if j, known := at[name]; known {
			f.Inner[j].Clocks += r.Counts.Clocks()
			continue
		}
		at[name] = len(f.Inner)
		f.Inner = append(f.Inner, Frame{Name: name, Clocks: r.Counts.Clocks()})
	}
	return f
}

// WriteFolded writes the flame graph as folded stacks, one a line: names from the
// outside to the inside between semicolons, and clocks. flamegraph.pl, inferno
// and speedscope read it.
func (p *Profile) WriteFolded(w io.Writer) error {
	b := bufio.NewWriter(w)
	var walk func(f *Frame, stack string)
	walk = func(f *Frame, stack string) {
		stack += strings.ReplaceAll(f.Name, ";", ",")
		if len(f.Inner) == 0 {
			fmt.Fprintf(b, "%s %d\n", stack, f.Clocks)
		}
		for i := range f.Inner {
			walk(&f.Inner[i], stack+";")
		}
	}
	flame := p.Flame()
	for i := range flame.Inner {
		walk(&flame.Inner[i], "")
	}
	return b.Flush()
}

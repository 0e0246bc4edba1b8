package profile

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"emsim/asm"
)

// Level says how finely the counts of a profile are split.
type Level uint8

// The levels.
const (
	ByTemplate Level = iota
	ByBlock
	ByLine
	ByInstruction
	Levels
)

// String returns the name in JSON and CSV.
func (l Level) String() string {
	return [...]string{"template", "block", "line", "instruction"}[l]
}

// Row is what a profile counts for a template, a block, a source line or an
// instruction. What a level does not tell apart is empty.
type Row struct {
	Template string
	Block    string // the label at which the block begins
	File     string // as the assembler read it
	Line     int
	PC       uint32 // of an instruction; of other levels the lowest
	Code     bool   // PC is a code address; otherwise the row has a name in parentheses
	Counts   Counts
}

// Name returns the row's name at its level.
func (r *Row) Name(l Level) string {
	switch {
	case l == ByTemplate || !r.Code:
		return r.Template
	case l == ByBlock:
		return r.Block
	}
	return r.Source()
}

// Source returns the row's file and line, or its address if that is unknown.
func (r *Row) Source() string {
	if r.Line == 0 {
		return fmt.Sprintf("%#x", r.PC)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(r.File), r.Line)
}

// Names of rows that are not templates.
const (
	System    = "(system blocks)" // code outside of templates
	NoBlock   = "(no block)"      // clocks of EXUs between blocks
	HostName  = "(host)"          // packets of the host
	Unwatched = "(earlier)"       // from before the profile
)

// Rows returns the counts at a level, those with the most clocks first; of equal
// ones the one at the lower address. Places where nothing was counted are left out.
func (p *Profile) Rows(l Level) []Row {
	var list []Row
	index := map[rowKey]int{}
	for _, at := range p.places() {
		r := p.rowAt(at, l)
		i := indexOf(index, r.levelKey(l))
		if i == len(list) {
			list = append(list, r)
		}
		list[i].Counts.Add(p.counts[at])
	}
	slices.SortStableFunc(list, func(a, b Row) int { return cmp.Compare(b.Counts.Clocks(), a.Counts.Clocks()) })
	return list
}

// indexOf returns the number of a key: a new one gets the next number.
func indexOf[K comparable](index map[K]int, k K) int {
	if _, known := index[k]; !known {
		index[k] = len(index)
	}
	return index[k]
}

// places returns where something was counted, by address.
func (p *Profile) places() []place {
	var list []place
	for at, c := range p.counts {
		if *c != (Counts{}) {
			list = append(list, at)
		}
	}
	slices.SortFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.pc, b.pc),
			cmp.Compare(a.block, b.block))
	})
	return list
}

// rowKey is what makes two places the same row.
type rowKey struct {
	template, block, file string
	line                  int
	pc                    uint32
}

func (r *Row) levelKey(l Level) rowKey {
	switch {
	case l == ByTemplate || !r.Code:
		return rowKey{template: r.Template}
	case l == ByBlock:
		return rowKey{template: r.Template, block: r.Block}
	case l == ByLine && r.Line > 0:
		return rowKey{file: r.File, line: r.Line}
	case l == ByLine:
		return rowKey{pc: r.PC}
	}
	return rowKey{template: r.Template, block: r.Block, pc: r.PC}
}

// rowAt names a place as far as a level tells it apart.
func (p *Profile) rowAt(at place, l Level) Row {
	switch at.pc {
	case noBlock:
		return Row{PC: at.pc, Template: NoBlock}
	case hostCode:
		return Row{PC: at.pc, Template: HostName}
	case before:
		return Row{PC: at.pc, Template: Unwatched}
	}
	r := Row{PC: at.pc, Code: true}
	if l == ByBlock && at.block != before {
		r.PC = at.block
	}
	if l != ByTemplate {
		r.File, r.Line, _ = p.object.LineAt(r.PC)
	}
	if l == ByLine {
		return r
	}
	r.Template = Unwatched
	if at.block != before {
		r.Template = p.templateOf(at.block)
	}
	switch {
	case l == ByTemplate:
	case at.block == before:
		r.Block = Unwatched
	default:
		r.Block = p.CodeName(at.block)
	}
	return r
}

// CodeName names a code address.
func (p *Profile) CodeName(pc uint32) string {
	if name := p.object.NameAt(pc); name != "" {
		return name
	}
	return fmt.Sprintf("%#x", pc)
}

// templateOf returns the name of the template around an address.
func (p *Profile) templateOf(pc uint32) string {
	for i := range p.object.Symbols {
		s := &p.object.Symbols[i]
		if s.Kind == asm.Template && int64(pc) >= s.Value && int64(pc) < s.Value+int64(s.Size) {
			return s.Name
		}
	}
	return System
}

// PathRow is what the critical path spent in a block.
type PathRow struct {
	Block string // that was executed, with the way of the packet that started it
	Steps int
	Took  Split
}

// PathRows sums the critical path up by block, the longest first.
func (p *Profile) PathRows() []PathRow {
	var list []PathRow
	at := map[string]int{}
	for _, s := range p.Path() {
		name := HostName
		switch {
		case s.Host:
		case s.Node == before:
			name = Unwatched
		default:
			name = p.CodeName(s.Node)
		}
		i := indexOf(at, name)
		if i == len(list) {
			list = append(list, PathRow{Block: name})
		}
		list[i].Steps++
		list[i].Took.addParts(&s.Took)
	}
	slices.SortStableFunc(list, func(a, b PathRow) int { return cmp.Compare(b.Took.Sum(), a.Took.Sum()) })
	return list
}

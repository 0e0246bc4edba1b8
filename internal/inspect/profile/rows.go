package profile

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// Level is the granularity of the rows of a profile.
type Level uint8

// The levels.
const (
	ByTemplate Level = iota
	ByBlock
	ByLine
	ByInstruction
	Levels
)

// String returns the name used in JSON and CSV.
func (l Level) String() string {
	return [...]string{"template", "block", "line", "instruction"}[l]
}

// Row holds the counts for a template, a block, a source line or an instruction. Fields that a level does not
// distinguish are empty.
type Row struct {
	Template string
	Block    string // the label at which the block begins
	File     string // as given to the assembler
	Line     int
	PC       uint32 // address of an instruction; at other levels the lowest address
	Code     bool   // PC is a code address; otherwise the row has a name in parentheses
	Counts   Counts
}

// Name returns the row's name at a level.
func (r *Row) Name(l Level) string {
	switch {
	case l == ByTemplate || !r.Code:
		return r.Template
	case l == ByBlock:
		return r.Block
	}
	return r.Source()
}

// Source returns the row's file and line, or its address if the line is unknown.
func (r *Row) Source() string {
	if r.Line == 0 {
		return fmt.Sprintf("%#x", r.PC)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(r.File), r.Line)
}

// Names of rows that are not templates.
const (
	System    = "(system blocks)" // code outside templates
	NoBlock   = "(no block)"      // clocks of EXUs between blocks
	HostName  = "(host)"          // packets made by the host
	Unwatched = "(earlier)"       // from before the profile
)

// Rows returns the counts at a level, most clocks first, ties by address. Places without counts are left out.
func (p *Profile) Rows(l Level) []Row {
	var list []Row
	index := map[rowKey]int{}
	for _, at := range p.sites() {
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

// indexOf returns the index of a key. A new key gets the next index.
func indexOf[K comparable](index map[K]int, k K) int {
	if _, known := index[k]; !known {
		index[k] = len(index)
	}
	return index[k]
}

// sites returns the sites that have counts, by address.
func (p *Profile) sites() []site {
	list := slices.SortedFunc(maps.Keys(p.counts),
		func(a, b site) int { return cmp.Or(cmp.Compare(a.pc, b.pc), cmp.Compare(a.block, b.block)) })
	return slices.DeleteFunc(list, func(at site) bool { return *p.counts[at] == (Counts{}) })
}

// rowKey identifies the row of a place.
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

// rowAt returns the row of a place at a level, without counts.
func (p *Profile) rowAt(at site, l Level) Row {
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
	r.Template, r.Block = Unwatched, Unwatched
	if at.block != before {
		r.Template, r.Block = p.templateOf(at.block), p.object.CodeName(at.block)
	}
	if l == ByTemplate {
		r.Block = ""
	}
	return r
}

// templateOf returns the name of the template that contains an address.
func (p *Profile) templateOf(pc uint32) string {
	t, _ := p.object.TemplateAt(pc)
	return cmp.Or(t.Name, System)
}

// PathRow holds the time of the critical path in a block.
type PathRow struct {
	Block string // the executed block; its clocks include the travel of the packet that started it
	Steps int
	Took  Split
}

// PathRows returns the sums of the critical path by block, the longest first.
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
			name = p.object.CodeName(s.Node)
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

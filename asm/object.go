package asm

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"

	"emsim/internal/base/lists"
	"emsim/packet"
)

// MemoryWords is the size of the address space: addresses are 18 bits wide.
const MemoryWords = 1 << packet.AddrBits

// Object is an assembled program: the memory image of every PE, and what the
// loader and the tools need to know about it. Validate lists the rules that
// every object obeys.
type Object struct {
	Sections []Section // ascending and disjoint; adjacent sections have different kinds
	Symbols  []Symbol  // addresses by value and name, then constants by name
	Files    []string  // source files, as Line.File counts them, then files without words, except the library's
	Lines    []Line    // ascending and disjoint
	Params   []Param   // in the order of their declaration
	Args     []Arg     // in the order of the command line
	Init     *uint32   // system block that the loader starts once on every PE, or nil
	Start    *uint32   // system block of the start packet of a program without arguments, or nil
	PerPE    *uint32   // start of the table with one word per PE of the machine, after everything else, or nil
	Result   string    // Go type of the result sent to the host (docs/ASSEMBLY.md), or "" if not stated
}

// SectionKind says what a section's words are.
type SectionKind uint8

// The kinds of sections.
const (
	Code  SectionKind = iota // instruction words of isa.WordBits
	Data                     // words of up to 64 bits
	Space                    // zero at the start; takes no space in the object
	sectionKinds
)

// String returns the name of the kind.
func (k SectionKind) String() string {
	if k < sectionKinds {
		return [...]string{"code", "data", "space"}[k]
	}
	return "section" + strconv.Itoa(int(k))
}

// Section is a run of words of one kind. Words is empty in a Space section and has Size elements in the others. Data
// words are two's complement: a negative .word has its upper bits set, and a machine with 32-bit words truncates it.
type Section struct {
	Start uint32
	Size  uint32 // in words, at least 1
	Words []uint64
	Kind  SectionKind
}

// End returns the address after the section.
func (s *Section) End() uint32 { return s.Start + s.Size }

// SymbolKind says what a symbol stands for.
type SymbolKind uint8

// The kinds of symbols.
const (
	Label    SymbolKind = iota // an address outside templates, or of a template's word 0
	Template                   // word 0 of a template segment
	Node                       // an address inside a template: its displacement is positive
	Constant                   // a number
	symbolKinds
)

// String returns the name of the kind.
func (k SymbolKind) String() string {
	if k < symbolKinds {
		return [...]string{"label", "template", "node", "constant"}[k]
	}
	return "symbol" + strconv.Itoa(int(k))
}

// Symbol is a name of the program. The constants that a parameter defines are
// not among the symbols: Param.Constants returns them.
type Symbol struct {
	Name  string // a local label's name starts with its ordinary label: "fib.small"
	Value int64  // an address in 0..MemoryWords, or the value of a constant
	Size  uint32 // number of words of a template including its word 0; otherwise 0
	Reach uint32 // highest displacement of a template's operand segments that the program addresses; otherwise 0
	Kind  SymbolKind
}

// Line gives the source line that produced the Words words starting at Addr.
type Line struct {
	Addr, Words uint32
	File        uint32 // index in Object.Files
	Line        uint32 // from 1
	Detail      string // a compiler's detail about these words for the debugger (docs/FORMATS.md), or ""
}

// Param is a parameter that was chosen when the program was assembled.
type Param struct {
	Name     string
	Values   []string // values of an enumerated parameter, otherwise empty
	Min, Max int64    // for an enumerated parameter: 0 and the last index
	Value    int64    // chosen value; for an enumerated parameter, its index
}

// Chosen returns the chosen value in the form that the command line uses.
func (p *Param) Chosen() string {
	if len(p.Values) > 0 {
		return p.Values[p.Value]
	}
	return strconv.FormatInt(p.Value, 10)
}

// Arg is an argument of the program's command line. The host sends it to the
// system block at Entry of PE [0,0]; the last one is the start packet.
type Arg struct {
	Name     string
	Min, Max int64
	Entry    uint32
}

// Chosen returns the chosen values of all parameters by name.
func (o *Object) Chosen() map[string]string {
	values := map[string]string{}
	for i := range o.Params {
		values[o.Params[i].Name] = o.Params[i].Chosen()
	}
	return values
}

// Words returns the number of words of the image in each kind of section.
func (o *Object) Words() (code, data, space int) {
	var n [sectionKinds]int
	for i := range o.Sections {
		n[o.Sections[i].Kind] += int(o.Sections[i].Size)
	}
	return n[Code], n[Data], n[Space]
}

// SectionAt returns the section that holds an address, or nil.
func (o *Object) SectionAt(addr uint32) *Section {
	i := sort.Search(len(o.Sections), func(i int) bool { return o.Sections[i].End() > addr })
	if i == len(o.Sections) || o.Sections[i].Start > addr {
		return nil
	}
	return &o.Sections[i]
}

// Addresses returns the symbols that are not constants.
func (o *Object) Addresses() []Symbol {
	return o.Symbols[:sort.Search(len(o.Symbols), func(i int) bool { return o.Symbols[i].Kind == Constant })]
}

// SymbolAt returns the nearest label, node or template at or before an address of the image, and the number of words
// from it to the address. ok is false outside the image and before the first symbol.
func (o *Object) SymbolAt(addr uint32) (name string, offset uint32, ok bool) {
	if o.SectionAt(addr) == nil {
		return "", 0, false
	}
	syms := o.Addresses()
	n := sort.Search(len(syms), func(i int) bool { return syms[i].Value > int64(addr) })
	if n == 0 {
		return "", 0, false
	}
	best := n - 1
	for i := best; i >= 0 && syms[i].Value == syms[n-1].Value; i-- {
		if best = i; syms[i].Kind == Template {
			break
		}
	}
	return syms[best].Name, addr - uint32(syms[best].Value), true
}

// NameAt returns the name of an address by its nearest symbol: label, label+words, or "" if SymbolAt finds no symbol.
func (o *Object) NameAt(addr uint32) string {
	name, words, _ := o.SymbolAt(addr)
	if words > 0 {
		return fmt.Sprintf("%s+%d", name, words)
	}
	return name
}

// CodeName returns the name of a code address for display: its NameAt, or else its number.
func (o *Object) CodeName(addr uint32) string {
	return cmp.Or(o.NameAt(addr), fmt.Sprintf("%#x", addr))
}

// TemplateAt returns the template that contains an address, and whether there is one.
func (o *Object) TemplateAt(addr uint32) (t Symbol, ok bool) {
	return lists.Find(o.Symbols, func(s Symbol) bool {
		return s.Kind == Template && int64(addr) >= s.Value && int64(addr) < s.Value+int64(s.Size)
	})
}

// LineAt returns the source line that produced the word at an address.
func (o *Object) LineAt(addr uint32) (file string, line int, ok bool) {
	l, ok := o.lineAt(addr)
	if !ok {
		return "", 0, false
	}
	return o.Files[l.File], int(l.Line), true
}

// DetailAt returns a compiler's detail about the word at an address, or "".
func (o *Object) DetailAt(addr uint32) string {
	l, _ := o.lineAt(addr)
	return l.Detail
}

func (o *Object) lineAt(addr uint32) (l Line, ok bool) {
	i := sort.Search(len(o.Lines), func(i int) bool { return o.Lines[i].Addr+o.Lines[i].Words > addr })
	if i == len(o.Lines) || o.Lines[i].Addr > addr {
		return Line{}, false
	}
	return o.Lines[i], true
}

// NamedConstant is a constant that belongs to a parameter.
type NamedConstant struct {
	Name  string
	Value int64
}

// Constants returns the constants that a parameter defines. Its own name has the chosen value. If the parameter is
// enumerated, there is also NAME.value for each value, where _ replaces the characters that a name cannot have.
func (p *Param) Constants() []NamedConstant {
	list := []NamedConstant{{p.Name, p.Value}}
	for i, v := range p.Values {
		list = append(list, NamedConstant{p.Name + "." + constantName(v), int64(i)})
	}
	return list
}

// addWords appends words to the object. It extends the last section if possible.
func (o *Object) addWords(kind SectionKind, addr, size uint32, words []uint64) {
	if n := len(o.Sections); n > 0 {
		if s := &o.Sections[n-1]; s.Kind == kind && s.End() == addr {
			s.Size += size
			s.Words = append(s.Words, words...)
			return
		}
	}
	s := Section{Kind: kind, Start: addr, Size: size}
	if kind != Space {
		s.Words = append(s.Words, words...)
	}
	o.Sections = append(o.Sections, s)
}

package debug

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/asm"
	"emsim/emcr"
)

// site is the place of a code address in the source text, with the compiler's details (docs/FORMATS.md).
type site struct {
	file   string
	lines  []int // lines of the calls that were inlined here, the outermost first; then the code's own line
	detail string
	begins []beginning
	vars   []variable
	awaits string
}

// beginning is where a statement begins, on a way to or from an instruction.
type beginning struct {
	way string
	at  *site
}

// The ways, as the compiler names them.
const (
	always  = "passes"  // every way to the instruction
	arrived = "arrived" // the block begins here
	taken   = "taken"   // the branch here is taken
	untaken = "untaken" // it is not
)

// variable is a variable of the source text, with the place of its value.
type variable struct{ name, place, kind string }

// siteAt returns the site of a code address, or nil if the address has no source line. It parses each site only once.
func (d *Debugger) siteAt(addr uint32) *site {
	if s, ok := d.sites[addr]; ok {
		return s
	}
	var s *site
	if file, line, ok := d.s.Object.LineAt(addr); ok {
		s = &site{file: file, lines: []int{line}, detail: d.s.Object.DetailAt(addr)}
		text, awaits, _ := strings.Cut(s.detail, "awaits ")
		s.awaits = awaits
		for part := range strings.SplitSeq(text, "; ") {
			s.read(part)
		}
		_, first := slices.BinarySearchFunc(d.s.Object.Lines, addr, func(l asm.Line, addr uint32) int {
			return cmp.Compare(l.Addr, addr)
		})
		if !first {
			s.begins = nil
		}
	}
	if d.sites == nil {
		d.sites = map[uint32]*site{}
	}
	d.sites[addr] = s
	return s
}

// read reads a part of the compiler's details.
func (s *site) read(part string) {
	words := strings.SplitN(part, " ", 3)
	if len(words) == 3 && !isNumber(words[1]) {
		s.vars = append(s.vars, variable{words[0], words[1], words[2]})
		return
	}
	place, other, _ := strings.Cut(part, " of ")
	at := &site{file: cmp.Or(other, s.file)}
	for _, w := range strings.Fields(place) {
		if n, err := strconv.Atoi(w); err == nil {
			at.lines = append([]int{n}, at.lines...)
		}
	}
	switch {
	case words[0] == "in":
		s.lines = append(at.lines, s.lines...)
	case part == "begins":
		s.begins = append(s.begins, beginning{always, s})
	case len(at.lines) > 0:
		s.begins = append(s.begins, beginning{words[0], at})
	}
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// begin returns where statements begin with this instruction, on a way to it or from it.
func (s *site) begin(way string) (list []*site) {
	if s != nil {
		for _, b := range s.begins {
			if b.way == way {
				list = append(list, b.at)
			}
		}
	}
	return list
}

func (s *site) line() int { return s.lines[len(s.lines)-1] }

// within reports whether a site belongs to a line, or to a call inlined into the line.
func (s *site) within(line *site) bool {
	n := len(line.lines)
	return s.file == line.file && len(s.lines) >= n && slices.Equal(s.lines[:n], line.lines)
}

// sourceLine formats a file name without its path, and a line number.
func sourceLine(file string, line int) string { return fmt.Sprintf("%s:%d", filepath.Base(file), line) }

// lineText returns the place of a site and the text of its line.
func (d *Debugger) lineText(s *site) string {
	text := sourceLine(s.file, s.line())
	if n := len(s.lines); n > 1 {
		text += fmt.Sprintf(" (inlined in line %d)", s.lines[n-2])
	}
	if list := d.sourceText(s.file); s.line() <= len(list) {
		text += "  " + strings.TrimSpace(list[s.line()-1])
	}
	return text
}

// next returns the instruction that the EXU begins next, and whether a block begins with it. ok is false while an
// instruction executes or nothing is ready.
func (v *view) next() (pc uint32, begins, ok bool) {
	if !v.exu.Busy {
		return v.fmu.PC, true, v.fmu.Step == emcr.FMUReady
	}
	return v.exu.PC, false, !v.exu.Begun
}

// comesTo returns the places where statements begin with a PE's next instruction. Where the compiler gives no details,
// an instruction begins its line, unless the one before it belongs to the line or to a call that is inlined there.
func (d *Debugger) comesTo(v *view) []*site {
	pc, begins, ok := v.next()
	if !ok {
		return nil
	}
	s, last, before := d.siteAt(pc), d.siteAt(v.exu.Last), []*site(nil)
	switch {
	case begins:
		before = s.begin(arrived)
	case pc == v.exu.Last+1:
		before = last.begin(untaken)
	default:
		before = last.begin(taken)
	}
	if s != nil && s.detail == "" && (begins || last == nil || !last.within(s)) {
		return append(before, s)
	}
	return append(before, s.begin(always)...)
}

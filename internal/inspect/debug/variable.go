package debug

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"emsim/internal/base/gotype"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
	"emsim/internal/inspect/portrait"
	"emsim/isa"
)

// presence is an instance between two clocks. pc is the address of its current or next instruction or, if it waits, of
// the instruction at which its last block ended.
type presence struct {
	portrait.Segment
	pc    uint32
	waits bool
	v     view
}

// presenceOf returns the presence of the instance that a command means.
func (d *Debugger) presenceOf(x call) (*presence, error) {
	at, err := d.chosenInstance(x)
	if err != nil {
		return nil, err
	}
	if here, runs := d.running(at.PE); runs && here.Base == at.Base {
		return &here, nil
	}
	f, err := d.growTree(x.ctx)
	if err != nil {
		return nil, err
	}
	w, ok := f.waits[f.Live[at]]
	if !ok {
		return nil, errorf("%s has not begun: it waits for its arguments", d.instanceName(d.peAt(at.PE), at.Base))
	}
	return &presence{Segment: at, pc: w.pc, waits: true}, nil
}

// words returns a function that returns the words of a variable, one after the other. ok is false if they are not kept.
func (d *Debugger) words(p *presence, v *variable) (next func() uint64, ok bool) {
	pe := d.peAt(p.PE)
	memory := func(addr uint32) func() uint64 {
		return func() uint64 {
			addr++
			return pe.Memory().Read((addr - 1) & addressMask)
		}
	}
	if r, err := register(v.place); err == nil {
		if !p.waits {
			return func() uint64 { return p.v.registers()[r] }, true
		}
		in, _ := pe.InstructionAt(p.pc) // the last instruction of the block may have stored it
		return memory(p.Base + uint32(in.Imm)), in.Op == isa.ST && int(in.B) == r
	}
	addr, err := d.readAddress(v.place)
	if err != nil {
		return nil, false
	}
	if t, inside := d.s.Object.TemplateAt(addr); inside && p.Base != 0 {
		base := p.Base
		if own := uint32(pe.Memory().Read(base)); own != uint32(t.Value) { // a further segment of the instance
			word, _ := d.readAddress(strings.Replace(t.Name, ".more", ".segment", 1))
			base = pe.Format().Cont(pe.Memory().Read(base + word - own)).Addr
		}
		addr += base - uint32(t.Value)
	}
	return memory(addr), true
}

// valueOf returns the value of a variable as text, or the reason why it is unknown.
func (d *Debugger) valueOf(p *presence, v *variable) string {
	if v.place == "?" {
		return "its value is in flight"
	}
	next, ok := d.words(p, v)
	if !ok {
		return "its value is not kept"
	}
	n, ok := gotype.Words(v.kind)
	if !ok { // a channel
		return d.value(next())
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = next()
	}
	return gotype.Text(v.kind, words, n, d.s.WordBits())
}

// variableNames returns the names of the variables of the function around a site, each with the first line at which it
// has a value.
func (d *Debugger) variableNames(here *site) map[string]int {
	names := map[string]int{}
	function := func(s *site) int { // returns the line at which the function begins
		text := d.sourceText(s.file)
		n := min(s.line(), len(text))
		for n > 0 && !strings.HasPrefix(text[n-1], "func ") {
			n--
		}
		return n
	}
	begins := function(here)
	for _, l := range d.s.Object.Lines {
		s := d.siteAt(l.Addr)
		if s.file != here.file || function(s) != begins {
			continue
		}
		for _, v := range s.vars {
			if first, ok := names[v.name]; !ok || s.line() < first {
				names[v.name] = s.line()
			}
		}
	}
	return names
}

// The reasons why a variable has no value.
const (
	notYet = "not set yet"
	noMore = "not needed any more"
)

// kinds returns the types of all variables of the source text, by name. If several variables share a name, a type that
// conditions can use is preferred.
func (d *Debugger) kinds() map[string]string {
	kinds := map[string]string{}
	for _, l := range d.s.Object.Lines {
		for _, v := range d.siteAt(l.Addr).vars {
			if !isWord(kinds[v.name]) {
				kinds[v.name] = v.kind
			}
		}
	}
	return kinds
}

// isWord reports whether conditions can use values of a type.
func isWord(kind string) bool { return slices.Contains([]string{"int32", "uint32", "bool"}, kind) }

// variableTerm returns a term of conditions: a variable of the instance that a PE runs or begins next. The term has no
// value where the compiler keeps none.
func (d *Debugger) variableTerm(name string) (read, error) {
	if kind := d.kinds()[name]; !isWord(kind) {
		return nil, errorf("%s has type %s; a condition can compare only whole numbers and bools", name, kind)
	}
	return func(s *sight) int64 {
		here, runs := d.running(d.s.Net.Index(s.pe.Address()))
		x := d.siteAt(here.pc)
		if !runs || x == nil {
			return noValue
		}
		i := slices.IndexFunc(x.vars, func(v variable) bool { return v.name == name && isWord(v.kind) })
		if i < 0 {
			return noValue
		}
		next, ok := d.words(&here, &x.vars[i])
		switch {
		case !ok:
			return noValue
		case x.vars[i].kind == "int32":
			return int64(int32(next()))
		}
		return int64(uint32(next()))
	}, nil
}

// noValue marks a variable without a value; it is not in the range of a 32-bit word.
const noValue = math.MinInt64

// variables returns the variables of the instance that a command means, at its current site.
func (d *Debugger) variables(x call) (p *presence, s *site, list []Word, err error) {
	if p, err = d.presenceOf(x); err != nil {
		return nil, nil, nil, err
	}
	known := map[string]int{}
	if s = d.siteAt(p.pc); s != nil {
		known = d.variableNames(s)
	}
	if len(known) == 0 {
		return nil, nil, nil, errorf("no variable of the source is known at %s: only programs in Go have some",
			d.codeText(p.pc))
	}
	for i := range s.vars {
		list = append(list, Word{Name: s.vars[i].name, Text: d.valueOf(p, &s.vars[i])})
	}
	for name, first := range known {
		if !slices.ContainsFunc(list, func(w Word) bool { return w.Name == name }) {
			text := noMore
			if first > s.line() {
				text = notYet
			}
			list = append(list, Word{Name: name, Text: text})
		}
	}
	slices.SortFunc(list, func(a, b Word) int { return strings.Compare(a.Name, b.Name) })
	return p, s, list, nil
}

// Locals returns the variables of the instance whose block a PE runs or begins next. The list is empty if no instance
// runs, or if the program is not in Go.
func (d *Debugger) Locals(pe int) []Word {
	if _, runs := d.running(pe); runs {
		if _, _, list, err := d.variables(call{pe: pe}); err == nil {
			return list
		}
	}
	return []Word{}
}

// locals runs the command locals.
func (d *Debugger) locals(x call) error {
	p, s, list, err := d.variables(x)
	if err != nil {
		return err
	}
	d.printf("%s, %s\n", d.instanceName(d.peAt(p.PE), p.Base), d.lineText(s))
	gone := map[string][]string{}
	for _, w := range list {
		if w.Text == notYet || w.Text == noMore {
			gone[w.Text] = append(gone[w.Text], w.Name)
			continue
		}
		d.printf("  %s = %s\n", w.Name, w.Text)
	}
	for _, why := range []string{notYet, noMore} {
		if gone[why] != nil {
			d.printf("  %s: %s\n", why, strings.Join(gone[why], ", "))
		}
	}
	return nil
}

// printVariable runs the command print.
func (d *Debugger) printVariable(x call) error {
	if len(x.words) == 0 {
		return errorf("print needs the name of a variable: 'locals' lists them")
	}
	name := x.words[0]
	x.words = x.words[1:]
	_, s, list, err := d.variables(x)
	if err != nil {
		return err
	}
	shown := slices.DeleteFunc(slices.Clone(list), func(w Word) bool {
		return w.Name != name &&
			!strings.HasPrefix(w.Name, name+".")
	}) // and the fields of a structure
	if len(shown) == 0 {
		names := lists.Of(list, func(w Word) string { return w.Name })
		return errorf("there is no variable %q at %s: there are %s%s", name, sourceLine(s.file, s.line()),
			strings.Join(names, ", "), suggest.DidYouMean(name, names))
	}
	for _, w := range shown {
		d.printf("%s = %s\n", w.Name, w.Text)
	}
	return nil
}

// waiting runs the command waiting, which lists the instances that wait, at a line or anywhere.
func (d *Debugger) waiting(x call) error {
	file, line, most := "", 0, mostListed
	for _, w := range x.words {
		if lineForm.MatchString(w) {
			var err error
			if file, line, err = d.readPlace(w); err != nil {
				return err
			}
			continue
		}
		n, err := readNumber(w, "lines")
		if err != nil {
			return err
		}
		most = int(min(n, anyWords))
	}
	f, err := d.growTree(x.ctx)
	if err != nil {
		return err
	}
	f.MarkEnded()
	var list []*portrait.Instance
	for _, y := range f.Live {
		w, ok := f.waits[y]
		s := d.siteAt(w.pc)
		if ok && !w.over && !y.Ended && s != nil && (file == "" || s.file == file && s.line() == line) &&
			(!x.named || y.PE == x.pe) {
			list = append(list, y)
		}
	}
	slices.SortFunc(list, func(a, b *portrait.Instance) int {
		return slices.Compare([]int{int(f.waits[a].since), a.PE, int(a.Base)},
			[]int{int(f.waits[b].since), b.PE, int(b.Base)})
	})
	at := ""
	if file != "" {
		at = " at " + sourceLine(file, line)
	}
	d.printf("%s%s\n", plural.Of(len(list), "waiting instance"), at)
	for i, y := range list {
		if i == most {
			d.printf("  and %d more: 'waiting %d' lists all\n", len(list)-most, len(list))
			break
		}
		s := d.siteAt(f.waits[y].pc)
		d.printf("  %s, since clock %d, %s", d.instanceName(d.peAt(y.PE), y.Base), f.waits[y].since,
			sourceLine(s.file, s.line()))
		if s.awaits != "" {
			d.printf(", for %s", s.awaits)
		}
		d.printf("%s\n", d.come(y))
	}
	return nil
}

// come describes the operands of an instance that wait for their partners.
func (d *Debugger) come(y *portrait.Instance) string {
	segments, _ := d.Segments(y.PE, anyWords)
	text := ""
	for _, s := range segments {
		for _, o := range s.Operands {
			if s.Base == y.Base && !strings.Contains(o.Node, ".want") { // a node .want holds a token instead
				text += fmt.Sprintf("; the %s operand has arrived: %s", o.Have, o.Value)
			}
		}
	}
	return text
}

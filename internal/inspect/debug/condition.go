package debug

import (
	"maps"
	"slices"

	"emsim/asm"
	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/isa"
	"emsim/trace"
)

// addressMask keeps the address bits of a word, as loads and stores do.
const addressMask = asm.MemoryWords - 1

// condition is the text after 'if', which must hold in a PE for a stop to count. The values of the PE are read
// before a clock, because an event becomes known only after it; the event's packet is then known too.
type condition struct {
	reads []read // each may use the values of the earlier ones
	holds expr

	variables bool // it names a variable of the source text
}

// read reads one value of a PE.
type read func(s *sight) int64

// expr computes a value from the values that were read.
type expr func(s *sight) int64

// sight holds all that a condition can use: a PE, its units, and the values read so far.
type sight struct {
	d      *Debugger
	pe     *emcr.PE
	view   *view
	regs   [isa.Registers]uint64
	values []int64
	data   int64 // of the event's packet
}

// readPE returns the values that a condition needs from a PE, with the given registers.
func (c *condition) readPE(d *Debugger, pe int, v *view, regs [isa.Registers]uint64, values []int64) []int64 {
	s := sight{d: d, pe: d.peAt(pe), view: v, regs: regs, values: values[:0]}
	for _, r := range c.reads {
		s.values = append(s.values, r(&s))
	}
	return s.values
}

// isMet reports whether the condition holds for the values read and an event, which may be nil.
func (c *condition) isMet(d *Debugger, values []int64, e *trace.Event) bool {
	if c.variables && slices.Contains(values, noValue) {
		return false
	}
	s := sight{d: d, values: values}
	if e != nil {
		s.data = d.signed(e.Packet.Data)
		if e.Kind == trace.Left {
			s.data = d.signed(e.Value)
		}
	}
	return c.holds(&s) != 0
}

// signed converts a word to a signed number.
func (d *Debugger) signed(word uint64) int64 {
	return isa.Width(d.peAt(0).Format().DataBits).Signed(word)
}

// packetData names the data of the event's packet.
const packetData = "data"

// term is a name in a condition, and the function that reads its value from a PE.
type term struct {
	name string
	read read
}

// terms returns all terms except variables, the packet's data and memory words.
func terms() []term {
	ofRegister := func(r int) read { return func(s *sight) int64 { return s.d.signed(s.regs[r]) } }
	list := []term{{"fp", ofRegister(isa.FP)}}
	for r := range isa.Registers {
		list = append(list, term{registerName(r), ofRegister(r)})
	}
	list = append(list, // the operands that the FMU holds
		term{"left", func(s *sight) int64 { left, _ := s.view.operands(); return s.d.signed(left) }},
		term{"right", func(s *sight) int64 { _, right := s.view.operands(); return s.d.signed(right) }})
	for _, l := range levels {
		list = append(list, term{l.name, func(s *sight) int64 { return int64(l.value(s.pe)) }})
	}
	for i, name := range isa.SpecialNames {
		if !slices.ContainsFunc(list, func(x term) bool { return x.name == name }) {
			list = append(list, term{
				name,
				func(s *sight) int64 { return s.d.signed(s.pe.Special(isa.Special(i), s.d.clock())) },
			})
		}
	}
	return list
}

// conditionNames returns the names that are valid in a condition of any program.
func conditionNames() []string {
	return append([]string{packetData, "mem"}, lists.Of(terms(), func(x term) string { return x.name })...)
}

// conditionWords returns the words of a condition, for completion.
func conditionWords(d *Debugger) []string {
	list := append(conditionNames(), "and", "or", "not", "on", "times")
	list = append(list, slices.Collect(maps.Keys(d.kinds()))...)
	list = append(list, lists.Of(d.s.Object.Symbols, func(s asm.Symbol) string { return s.Name })...)
	slices.Sort(list)
	return slices.Compact(list)
}

// inCondition reports whether the last word of a command is in a condition.
func inCondition(words []string) bool {
	in := false
	for _, w := range words {
		in = w == "if" || in && !slices.Contains(clauseWords, w)
	}
	return in
}

package debug

import (
	"fmt"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// readWatch parses a watchpoint.
func (d *Debugger) readWatch(s *stop, words []string) error {
	switch words[0] {
	case "memory":
		return d.watchMemory(s, words[1:])
	case "register":
		return d.watchRegister(s, words[1:])
	}
	l := levelNamed(words[0])
	s.name = func(*Debugger, int) string { return l.name }
	s.value = func(p *emcr.PE) reading { return reading{word: uint64(l.value(p)), plain: true} }
	return atMost(words, 1)
}

// watched returns the names of the quantities that a watchpoint can watch.
func watched() []string { return append([]string{"memory", "register"}, levelNames()...) }

// register parses the name of a register.
func register(word string) (int, error) {
	for r := range isa.Registers {
		if word == registerName(r) || word == "fp" && r == isa.FP {
			return r, nil
		}
	}
	return 0, errorf("%q is not a register: expected r0 .. r%d or fp", word, isa.Registers-1)
}

// begin records the first values of a watchpoint.
func (s *stop) begin(d *Debugger) {
	s.was, s.before, s.values = nil, make([]view, len(s.pes)), make([][]int64, len(s.pes))
	if s.value == nil {
		return
	}
	s.was = lists.Of(s.pes, func(pe int) reading { return s.value(d.peAt(pe)) })
}

// noteBefore saves the values that the stop needs from before a clock.
func (s *stop) noteBefore(d *Debugger) {
	if s.used == nil && s.by == nil && (s.event == nil || s.cond == nil) {
		return
	}
	for i, pe := range s.pes {
		s.before[i] = viewOf(d.peAt(pe))
		if v := &s.before[i]; s.event != nil && (s.due == nil || s.due(v)) {
			s.values[i] = s.cond.readPE(d, pe, v, v.registers(), s.values[i])
		}
	}
}

// seeEvent passes an event to a breakpoint.
func (s *stop) seeEvent(d *Debugger, e *trace.Event) {
	i, in := slices.BinarySearch(s.pes, int(e.PE))
	if s.event == nil || !in {
		return
	}
	if text := s.event(d, e); text != "" && (s.cond == nil || s.cond.isMet(d, s.values[i], e)) {
		d.countHit(s, int(e.PE), 1, text)
	}
}

// lookAfter finds what happened in the last clock, and counts hits.
func (s *stop) lookAfter(d *Debugger) {
	if s.value == nil {
		return
	}
	for i, pe := range s.pes {
		p := d.peAt(pe)
		v, was := s.value(p), s.was[i]
		s.was[i] = v
		happened := v != was && (!s.becomes && !s.ahead || v.word != 0)
		if s.used != nil {
			happened = s.used(d, &s.before[i], p)
		}
		if happened && s.holds(d, pe) {
			d.countHit(s, pe, max(1, s.many), s.describeHit(d, pe, &s.before[i], was, v))
		}
	}
}

// holds reports whether a watchpoint's condition holds now.
func (s *stop) holds(d *Debugger, pe int) bool {
	if s.cond == nil || s.becomes {
		return true
	}
	now := viewOf(d.peAt(pe))
	regs := now.exu.Regs
	if s.ahead {
		regs = now.registers()
	}
	return s.cond.isMet(d, s.cond.readPE(d, pe, &now, regs, nil), nil)
}

// describeHit returns the text of a hit: the old value, the new value, and the cause of the change.
func (s *stop) describeHit(d *Debugger, pe int, before *view, was, is reading) string {
	if s.ahead {
		return s.name(d, pe)
	}
	text := fmt.Sprintf("%v %s", d.address(pe), s.name(d, pe))
	switch {
	case s.becomes:
	case s.used != nil && was == is:
		text += ": " + d.reading(is)
	default:
		text += fmt.Sprintf(": %s → %s", d.reading(was), d.reading(is))
	}
	if s.by != nil {
		text += "\n    by " + s.by(d, before, d.peAt(pe))
	}
	return text
}

// watchCondition makes a stop from its condition alone: it stops when the condition begins to hold.
func (d *Debugger) watchCondition(s *stop) {
	s.becomes = true
	s.name = func(*Debugger, int) string { return strings.TrimPrefix(s.text, "if ") }
	s.value = func(p *emcr.PE) reading {
		v, pe := viewOf(p), d.s.Net.Index(p.Address())
		return reading{
			word:  uint64(truth(s.cond.isMet(d, s.cond.readPE(d, pe, &v, v.exu.Regs, nil), nil))),
			plain: true,
		}
	}
}

// choosePE chooses the PE of the prompt for a stop whose words name none.
func (s *stop) choosePE(d *Debugger) {
	if s.pes == nil {
		s.pes = []int{d.pe}
		s.text += " " + d.address(d.pe).String()
	}
}

// watchMemory watches a memory word with its tag. A matching word changes when an operand arrives to wait there, and
// when the operand is matched.
func (d *Debugger) watchMemory(s *stop, words []string) error {
	if len(words) == 0 {
		return errorf("watch memory needs one address or label")
	}
	addr, err := d.readAddress(words[0])
	if err != nil {
		return err
	}
	how := "changed"
	if len(words) > 1 {
		if how, err = oneOf(words[1], "use of a memory word", []string{"changed", "written", "read"}); err != nil {
			return err
		}
	}
	s.choosePE(d)
	s.value = func(p *emcr.PE) reading { return reading{word: p.Memory().Read(addr), waits: waiting(p, addr)} }
	s.by = func(d *Debugger, v *view, p *emcr.PE) string { return d.change(v, p, addr) }
	s.name = func(d *Debugger, pe int) string {
		text := fmt.Sprintf("memory %#x%s", addr, d.wordName(d.peAt(pe), addr))
		if how != "changed" {
			text += " is " + how
		}
		return text
	}
	if how != "changed" {
		s.used = func(d *Debugger, v *view, p *emcr.PE) bool {
			return slices.ContainsFunc(d.memoryUses(v, p),
				func(u use) bool { return u.addr == addr && u.write == (how == "written") })
		}
	}
	return atMost(words, 2)
}

// wordName returns the name of a memory word in parentheses: a label of the program, or the node whose operand it
// holds. It returns "" for other words.
func (d *Debugger) wordName(p *emcr.PE, addr uint32) string {
	if base, used := p.SegmentOf(addr); used {
		return " (" + d.label(uint32(p.Memory().Read(base))+addr-base) + ")"
	}
	if _, _, ok := d.s.Object.SymbolAt(addr); ok {
		return " (" + d.label(addr) + ")"
	}
	return ""
}

// waiting returns which operand waits at an address of an operand segment, or packet.One if none waits.
func waiting(p *emcr.PE, addr uint32) packet.Match {
	if base, used := p.SegmentOf(addr); !used || base == addr {
		return packet.One
	}
	return packet.Match(p.Memory().Tag(addr))
}

// reading formats a reading.
func (d *Debugger) reading(r reading) string {
	switch {
	case r.plain:
		return fmt.Sprint(r.word)
	case r.waits != packet.One:
		return fmt.Sprintf("%s, the %v operand waits", d.value(r.word), r.waits)
	}
	return d.value(r.word)
}

// watchRegister watches a register of an EXU.
func (d *Debugger) watchRegister(s *stop, words []string) error {
	if len(words) != 1 {
		return errorf("watch register needs one of r0 .. r15, fp")
	}
	r, err := register(words[0])
	if err != nil {
		return err
	}
	s.choosePE(d)
	s.value = func(p *emcr.PE) reading { return reading{word: p.EXU().Regs[r]} }
	s.name = func(*Debugger, int) string { return "register " + words[0] }
	s.by = func(d *Debugger, v *view, p *emcr.PE) string { return d.registerChange(v, p, r) }
	return nil
}

// view is the state of a PE between two clocks that stops compare with its state after the next clock.
type view struct {
	exu    emcr.EXUView
	fmu    emcr.FMUView
	blocks uint64 // number of blocks begun so far
}

func viewOf(p *emcr.PE) view { return view{p.EXU(), p.FMU(), p.Blocks} }

// registers returns the registers as the next instruction will read them. An idle EXU clears them and takes the
// operands of the FMU's node in the same clock.
func (v *view) registers() [isa.Registers]uint64 {
	if v.exu.Busy || v.fmu.Step != emcr.FMUReady {
		return v.exu.Regs
	}
	return [isa.Registers]uint64{isa.R1: v.fmu.Left, isa.R2: v.fmu.Right, isa.FP: v.fmu.FP}
}

// operands returns the two operands that the FMU holds, or zeros.
func (v *view) operands() (left, right uint64) {
	if v.fmu.Step == emcr.FMUTemplate || v.fmu.Step == emcr.FMUReady {
		return v.fmu.Left, v.fmu.Right
	}
	return 0, 0
}

// begins reports whether the EXU may begin the block at a code address in the
// next clock.
func (v *view) begins(addr uint32) bool {
	return !v.exu.Busy && v.fmu.Step == emcr.FMUReady && v.fmu.PC == addr
}

// fetches reports whether the EXU may begin the instruction at a code address in
// the next clock.
func (v *view) fetches(addr uint32) bool {
	return v.begins(addr) || v.exu.Busy && !v.exu.Begun && v.exu.PC == addr
}

// use is one use of a memory word: by a load or a store, by an instruction that allocates or releases its segment, or
// by the FMU's matching.
type use struct {
	addr  uint32
	write bool
	by    string
}

// memoryUses lists the uses of memory words, without instruction fetches, in
// the clock between the view and now.
func (d *Debugger) memoryUses(v *view, p *emcr.PE) []use {
	var list []use
	now := viewOf(p)
	if v.exu.Begun && !now.exu.Begun { // an instruction has ended: it uses the memory in its last clock
		in, _ := p.InstructionAt(v.exu.PC)
		addr := uint32(v.exu.Regs[in.A])
		switch in.Op {
		case isa.LD, isa.ST:
			addr += uint32(in.Imm)
		case isa.GETSEG:
			addr = uint32(now.exu.Regs[in.D])
		}
		if slices.Contains([]isa.Op{isa.LD, isa.ST, isa.GETSEG, isa.RELSEG}, in.Op) {
			list = append(list, use{addr & addressMask, in.Op != isa.LD, d.codeText(v.exu.PC)})
		}
	}
	was, is, pk := v.fmu.Step, now.fmu.Step, &now.fmu.Packet
	base, _ := p.SegmentOf(pk.Addr)
	switch {
	case was == emcr.FMUWrite && is == emcr.FMUIdle:
		list = append(list, use{pk.Addr, true, "the FMU, which stores packet " + d.packet(pk)})
	case was != is && (is == emcr.FMUWrite || is == emcr.FMUTemplate):
		list = append(list, use{pk.Addr, false, "the FMU, which looks for the partner of packet " + d.packet(pk)})
	case was != is && (is == emcr.FMURead || is == emcr.FMUReady) && !pk.Direct:
		list = append(list, use{base, false, "the FMU, which reads the template's address for packet " + d.packet(pk)})
	}
	return list
}

// change returns the cause of the change of a memory word in the clock between the view and now.
func (d *Debugger) change(v *view, p *emcr.PE, addr uint32) string {
	for _, u := range d.memoryUses(v, p) {
		if u.addr == addr {
			return u.by
		}
	}
	return d.codeText(p.EXU().Last)
}

// registerChange returns the cause of the change of a register in the clock between the view and now.
func (d *Debugger) registerChange(v *view, p *emcr.PE, r int) string {
	if x := p.EXU(); p.Blocks == v.blocks || x.Regs[r] != v.registers()[r] {
		return d.codeText(x.Last)
	}
	return fmt.Sprintf("the beginning of the block %s", d.codeText(v.fmu.PC))
}

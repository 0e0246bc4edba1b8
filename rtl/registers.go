package rtl

import (
	"fmt"

	"emsim/emcr"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
)

// Words is the number of 64-bit words of a PE's probe; one more word, for the
// running sum of the memory, comes from the memory outside of the chip.
const (
	Words       = 37
	memoryWord  = Words
	totalWords  = Words + 1
	switchWords = 17 // the first words: the switch and its registers to the PE
)

// Probe is what all registers of one PE hold at the start of a clock.
type Probe [totalWords]uint64

// node is what a probe is packed from.
type node struct {
	su       omega.Registers
	pe       emcr.Registers
	activity emcr.Activity // of the last clock
	format   packet.Format
}

// field is one register in the probe.
type field struct {
	name       string
	word       int
	low, width uint8
	get        func(*node) uint64
}

// fields are all registers of a PE, in the order of the probe.
var fields = makeFields()

// table collects fields; each word is filled from its lowest bit on.
type table struct {
	fields []field
	word   int
	low    uint8
}

// next continues with the next word.
func (t *table) next() { t.word, t.low = t.word+1, 0 }

func (t *table) add(width uint8, get func(*node) uint64, name string, args ...any) {
	if t.low+width > 64 {
		panic(fmt.Sprintf("rtl: %s does not fit word %d", name, t.word))
	}
	t.fields = append(t.fields, field{fmt.Sprintf(name, args...), t.word, t.low, width, get})
	t.low += width
}

func makeFields() []field {
	var t table
	t.banks()
	t.arbiter()
	t.port("port register", func(n *node) *emcr.PortRegisters { return &n.pe.Port }, true)
	t.port("intake", func(n *node) *emcr.PortRegisters { return &n.pe.Intake }, false)
	t.buffer()
	t.matching()
	t.execution()
	t.rest()
	return t.fields
}

func (t *table) banks() {
	const six = 6
	for s := range six {
		t.add(1, func(n *node) uint64 { return bit(n.su.Bank[s].Full) }, "bank %d full", s)
		t.add(5, func(n *node) uint64 { return uint64(n.su.Bank[s].Timer) }, "bank %d timer", s)
		t.add(2, func(n *node) uint64 { return uint64(n.su.Bank[s].Route) }, "bank %d route", s)
		t.add(39, func(n *node) uint64 { return n.address(n.su.Bank[s].Full, &n.su.Bank[s].Packet) }, "bank %d address word", s)
		t.next()
	}
	for s := range six {
		t.add(39, func(n *node) uint64 { return data(n.su.Bank[s].Arrived, &n.su.Bank[s].Packet) }, "bank %d data word", s)
		t.next()
	}
}

func (t *table) arbiter() {
	for i := range 2 {
		t.add(2, func(n *node) uint64 { return uint64(n.su.LastBank[i]) }, "last bank of input %d", i)
	}
	for o := range 3 {
		t.add(2, func(n *node) uint64 { return uint64(n.su.LastInput[o]) }, "last input of output %d", o)
	}
	for o := range 3 {
		t.add(1, func(n *node) uint64 { return bit(n.su.OutBusy[o]) }, "output %d busy", o)
	}
	for i := range 3 {
		t.add(1, func(n *node) uint64 { return bit(n.su.InBusy[i]) }, "input %d busy", i)
	}
	t.next()
}

func (t *table) port(name string, of func(*node) *emcr.PortRegisters, timer bool) {
	t.add(1, func(n *node) uint64 { return bit(of(n).Full) }, "%s full", name)
	if timer {
		t.add(4, func(n *node) uint64 { return uint64(of(n).Timer) }, "%s timer", name)
	} else {
		t.add(1, func(n *node) uint64 { return bit(of(n).Arrived) }, "%s arrived", name)
	}
	t.add(39, func(n *node) uint64 { return n.address(of(n).Full, &of(n).Packet) }, "%s address word", name)
	t.next()
	t.add(39, func(n *node) uint64 { return data(of(n).Arrived, &of(n).Packet) }, "%s data word", name)
	t.next()
}

func (t *table) buffer() {
	t.add(13, func(n *node) uint64 { return uint64(n.pe.FIFO) }, "FIFO packets")
	t.add(17, func(n *node) uint64 { return uint64(n.pe.MIB) }, "MIB packets")
	t.add(2, func(n *node) uint64 { return uint64(n.pe.Transfer) }, "spill (1) or refill (2) half done")
	t.add(1, func(n *node) uint64 { return bit(n.pe.Burst) }, "burst of refills")
	t.next()
	t.add(39, func(n *node) uint64 { return n.address(n.pe.FIFO > 0, &n.pe.Head) }, "FIFO head address word")
	t.next()
	t.add(39, func(n *node) uint64 { return data(n.pe.FIFO > 0, &n.pe.Head) }, "FIFO head data word")
	t.next()
}

func (t *table) matching() {
	t.add(2, func(n *node) uint64 { return uint64(n.pe.FMU) }, "FMU state")
	t.add(18, func(n *node) uint64 { return uint64(n.pe.NodePC) }, "FMU code address")
	t.next()
	t.add(39, func(n *node) uint64 {
		return n.address(n.pe.FMU == emcr.FMUWrite || n.pe.FMU == emcr.FMUTemplate, &n.pe.Matching)
	}, "FMU packet")
	t.next()
	t.add(32, func(n *node) uint64 { return n.pe.Left }, "FMU left operand")
	t.add(32, func(n *node) uint64 { return n.pe.Right }, "FMU right operand")
	t.next()
	t.add(32, func(n *node) uint64 { return n.pe.FP }, "FMU fp")
	t.next()
}

func (t *table) execution() {
	t.add(3, func(n *node) uint64 { return uint64(n.pe.EXU) }, "EXU state")
	t.add(5, func(n *node) uint64 { return uint64(n.pe.ClocksLeft) }, "EXU clocks left")
	t.add(1, func(n *node) uint64 { return bit(n.pe.BlockEnds) }, "EXU block ends")
	t.add(18, func(n *node) uint64 { return uint64(n.pe.PC) }, "EXU next instruction")
	t.next()
	for r := range isa.Registers {
		t.add(32, func(n *node) uint64 { return n.pe.Regs[r] }, "r%d", r)
		if r%2 == 1 {
			t.next()
		}
	}
}

func (t *table) rest() {
	t.add(16, func(n *node) uint64 { return uint64(n.pe.SegmentsUsed) }, "segments used")
	t.add(16, func(n *node) uint64 { return uint64(n.pe.SegmentsEverUsed) }, "segments ever used")
	t.add(18, func(n *node) uint64 { return uint64(n.pe.ReleasedList) }, "list of released segments")
	t.next()
	t.add(1, func(n *node) uint64 { return bit(n.pe.Prefetched) }, "prefetch register full")
	t.add(32, func(n *node) uint64 { return n.pe.Prefetch }, "prefetch register")
	t.next()
	t.add(4, func(n *node) uint64 { return uint64(n.pe.Load) }, "load")
	t.add(16, func(n *node) uint64 { return uint64(n.pe.StructureFree) }, "structure words free")
	t.next()
	t.add(2, func(n *node) uint64 { return uint64(n.activity) }, "activity of the last clock")
	t.add(3, func(n *node) uint64 { return uint64(faultCode(n.pe.Fault)) }, "fault")
	t.next()
	t.add(64, func(n *node) uint64 { return n.pe.MemorySum }, "sum of the memory")
}

// The codes of faults in the probe.
var faultKinds = [...]string{"", emcr.ProgramError, emcr.SegmentOverflow, emcr.StructureOverflow, emcr.MIBOverflow}

func faultCode(kind string) int {
	for i, k := range faultKinds {
		if k == kind {
			return i
		}
	}
	panic("rtl: no code for the fault " + kind)
}

// pack fills the first words of a probe.
func (n *node) pack(p *Probe, words int) {
	*p = Probe{}
	for i := range fields {
		if fields[i].word >= words {
			return // fields are in the order of words
		}
		p[fields[i].word] |= fields[i].get(n) << fields[i].low
	}
}

// address returns the address word of a packet, 0 if there is none.
func (n *node) address(present bool, p *packet.Packet) uint64 {
	if !present {
		return 0
	}
	w, err := n.format.Pack(*p)
	if err != nil {
		panic(err)
	}
	return w.Address
}

// data returns the data word of a packet, 0 if there is none.
func data(present bool, p *packet.Packet) uint64 {
	if !present {
		return 0
	}
	return p.Data
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// differences names the registers in which two probes differ, with both values.
func differences(model, chip *Probe) (list []string) {
	var known Probe
	for _, f := range fields {
		mask := ^uint64(0) >> (64 - f.width)
		known[f.word] |= mask << f.low
		if m, c := model[f.word]>>f.low&mask, chip[f.word]>>f.low&mask; m != c {
			list = append(list, fmt.Sprintf("%s: model %#x, chip %#x", f.name, m, c))
		}
	}
	for w := range known {
		if extra := chip[w] &^ known[w]; extra != 0 {
			list = append(list, fmt.Sprintf("word %d: the chip sets the unnamed bits %#x", w, extra))
		}
	}
	return list
}

// difference compares what both sides hold after a clock in which their digests
// differ.
func (c *chips) difference(clock uint64, model []Probe, words int, address func(i int) packet.PE) error {
	chip := c.dump(words)
	if c.err != nil {
		return c.err
	}
	for i := range chip {
		if list := differences(&model[i], &chip[i]); len(list) > 0 {
			return &Difference{clock, address(i).String(), list}
		}
	}
	return fmt.Errorf("the digests differ after clock %d, but no register does", clock)
}

// digest adds the probe of one PE to a digest of all.
func digest(sum uint64, p *Probe) uint64 { return digestOf(sum, p[:]) }

// digestOf is digest for some words of a probe; sim/pipe.h has the same.
func digestOf(sum uint64, words []uint64) uint64 {
	for _, w := range words {
		sum = (sum ^ w) * 0x9e3779b97f4a7c15
		sum ^= sum >> 32
	}
	return sum
}

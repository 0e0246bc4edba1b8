package rtl

import (
	"fmt"

	"emsim/emcr"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
)

// Words is the number of 64-bit words in a PE's probe. One more word, the running sum of the memory, comes from the
// memory outside the chip.
const (
	Words       = 37
	memoryWord  = Words
	totalWords  = Words + 1
	switchWords = 17 // the first words: the switch, and its registers to the PE
)

// Probe holds the contents of all registers of one PE at the start of a clock.
type Probe [totalWords]uint64

// node holds the parts from which a probe is packed.
type node struct {
	su       omega.Registers
	pe       emcr.Registers
	activity emcr.Activity // activity in the last clock
	format   packet.Format
}

// field is the place of one register in the probe.
type field struct {
	name       string
	word       int
	low, width uint8
	get        func(*node) uint64
}

// fields lists all registers of a PE, in the order of the probe.
var fields = makeFields()

// table collects fields. Each word is filled from its lowest bit on.
type table struct {
	fields []field
	word   int
	low    uint8
}

// nextWord continues the table with the next word.
func (t *table) nextWord() { t.word, t.low = t.word+1, 0 }

func (t *table) addField(width uint8, get func(*node) uint64, name string, args ...any) {
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
	t.addPort("port register", func(n *node) *emcr.PortRegisters { return &n.pe.Port }, true)
	t.addPort("intake", func(n *node) *emcr.PortRegisters { return &n.pe.Intake }, false)
	t.buffer()
	t.matching()
	t.execution()
	t.addOthers()
	return t.fields
}

func (t *table) banks() {
	const six = 6
	for s := range six {
		t.addField(1, func(n *node) uint64 { return boolBit(n.su.Bank[s].Full) }, "bank %d full", s)
		t.addField(5, func(n *node) uint64 { return uint64(n.su.Bank[s].Timer) }, "bank %d timer", s)
		t.addField(2, func(n *node) uint64 { return uint64(n.su.Bank[s].Route) }, "bank %d route", s)
		t.addField(39, func(n *node) uint64 { return n.address(n.su.Bank[s].Full, &n.su.Bank[s].Packet) },
			"bank %d address word", s)
		t.nextWord()
	}
	for s := range six {
		t.addField(39, func(n *node) uint64 { return dataWord(n.su.Bank[s].Arrived, &n.su.Bank[s].Packet) },
			"bank %d data word", s)
		t.nextWord()
	}
}

func (t *table) arbiter() {
	for i := range 2 {
		t.addField(2, func(n *node) uint64 { return uint64(n.su.LastBank[i]) }, "last bank of input %d", i)
	}
	for o := range 3 {
		t.addField(2, func(n *node) uint64 { return uint64(n.su.LastInput[o]) }, "last input of output %d", o)
	}
	for o := range 3 {
		t.addField(1, func(n *node) uint64 { return boolBit(n.su.OutBusy[o]) }, "output %d busy", o)
	}
	for i := range 3 {
		t.addField(1, func(n *node) uint64 { return boolBit(n.su.InBusy[i]) }, "input %d busy", i)
	}
	t.addField(3, func(n *node) uint64 { return uint64(n.su.Reserved) }, "slot of the reservation")
	t.addField(1, func(n *node) uint64 { return boolBit(n.su.Keeps) }, "reservation")
	t.nextWord()
}

func (t *table) addPort(name string, of func(*node) *emcr.PortRegisters, timer bool) {
	t.addField(1, func(n *node) uint64 { return boolBit(of(n).Full) }, "%s full", name)
	if timer {
		t.addField(4, func(n *node) uint64 { return uint64(of(n).Timer) }, "%s timer", name)
	} else {
		t.addField(1, func(n *node) uint64 { return boolBit(of(n).Arrived) }, "%s arrived", name)
	}
	t.addField(39, func(n *node) uint64 { return n.address(of(n).Full, &of(n).Packet) }, "%s address word", name)
	t.nextWord()
	t.addField(39, func(n *node) uint64 { return dataWord(of(n).Arrived, &of(n).Packet) }, "%s data word", name)
	t.nextWord()
}

func (t *table) buffer() {
	t.addField(13, func(n *node) uint64 { return uint64(n.pe.FIFO) }, "FIFO packets")
	t.addField(17, func(n *node) uint64 { return uint64(n.pe.MIB) }, "MIB packets")
	t.addField(2, func(n *node) uint64 { return uint64(n.pe.Transfer) }, "spill (1) or refill (2) half done")
	t.addField(1, func(n *node) uint64 { return boolBit(n.pe.Burst) }, "burst of refills")
	t.nextWord()
	t.addField(39, func(n *node) uint64 { return n.address(n.pe.FIFO > 0, &n.pe.Head) }, "FIFO head address word")
	t.nextWord()
	t.addField(39, func(n *node) uint64 { return dataWord(n.pe.FIFO > 0, &n.pe.Head) }, "FIFO head data word")
	t.nextWord()
}

func (t *table) matching() {
	t.addField(3, func(n *node) uint64 { return uint64(n.pe.FMU) }, "FMU state")
	t.addField(18, func(n *node) uint64 { return uint64(n.pe.NodePC) }, "FMU code address")
	t.nextWord()
	t.addField(39, func(n *node) uint64 {
		return n.address(n.pe.FMU != emcr.FMUIdle && n.pe.FMU != emcr.FMUReady, &n.pe.Matching)
	}, "FMU packet")
	t.nextWord()
	t.addField(32, func(n *node) uint64 { return n.pe.Left }, "FMU left operand")
	t.addField(32, func(n *node) uint64 { return n.pe.Right }, "FMU right operand")
	t.nextWord()
	t.addField(32, func(n *node) uint64 { return n.pe.FP }, "FMU fp")
	t.nextWord()
}

func (t *table) execution() {
	t.addField(3, func(n *node) uint64 { return uint64(n.pe.EXU) }, "EXU state")
	t.addField(5, func(n *node) uint64 { return uint64(n.pe.ClocksLeft) }, "EXU clocks left")
	t.addField(1, func(n *node) uint64 { return boolBit(n.pe.BlockEnds) }, "EXU block ends")
	t.addField(18, func(n *node) uint64 { return uint64(n.pe.PC) }, "EXU next instruction")
	t.nextWord()
	for r := range isa.Registers {
		t.addField(32, func(n *node) uint64 { return n.pe.Regs[r] }, "r%d", r)
		if r%2 == 1 {
			t.nextWord()
		}
	}
}

func (t *table) addOthers() {
	t.addField(16, func(n *node) uint64 { return uint64(n.pe.SegmentsUsed) }, "segments used")
	t.addField(16, func(n *node) uint64 { return uint64(n.pe.SegmentsEverUsed) }, "segments ever used")
	t.addField(18, func(n *node) uint64 { return uint64(n.pe.ReleasedList) }, "list of released segments")
	t.nextWord()
	t.addField(1, func(n *node) uint64 { return boolBit(n.pe.Prefetched) }, "prefetch register full")
	t.addField(32, func(n *node) uint64 { return n.pe.Prefetch }, "prefetch register")
	t.nextWord()
	t.addField(4, func(n *node) uint64 { return uint64(n.pe.Load) }, "load")
	t.addField(16, func(n *node) uint64 { return uint64(n.pe.StructureFree) }, "structure words free")
	t.nextWord()
	t.addField(2, func(n *node) uint64 { return uint64(n.activity) }, "activity of the last clock")
	t.addField(3, func(n *node) uint64 { return uint64(faultCode(n.pe.Fault)) }, "fault")
	t.nextWord()
	t.addField(64, func(n *node) uint64 { return n.pe.MemorySum }, "sum of the memory")
}

// faultKinds lists the kinds of faults by their code in the probe.
var faultKinds = [...]string{"", emcr.ProgramError, emcr.SegmentOverflow, emcr.StructureOverflow, emcr.MIBOverflow}

func faultCode(kind string) int {
	for i, k := range faultKinds {
		if k == kind {
			return i
		}
	}
	panic("rtl: no code for the fault " + kind)
}

// packProbe fills the first words of a probe.
func (n *node) packProbe(p *Probe, words int) {
	*p = Probe{}
	for i := range fields {
		if fields[i].word >= words {
			return // fields are ordered by word
		}
		p[fields[i].word] |= fields[i].get(n) << fields[i].low
	}
}

// address returns the address word of a packet, or 0 if there is no packet.
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

// dataWord returns the data word of a packet, or 0 if there is no packet.
func dataWord(present bool, p *packet.Packet) uint64 {
	if !present {
		return 0
	}
	return p.Data
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// differences returns the registers in which two probes differ, with both values.
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

// difference compares the registers of both sides, after a clock in which their digests differ.
func (c *chips) difference(clock uint64, model []Probe, words int, address func(i int) packet.PE) error {
	chip := c.dumpProbes(words)
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

// digest adds words of one PE's probe to a digest of all probes. sim/pipe.h has the same function.
func digest(sum uint64, words []uint64) uint64 {
	for _, w := range words {
		sum = (sum ^ w) * 0x9e3779b97f4a7c15
		sum ^= sum >> 32
	}
	return sum
}

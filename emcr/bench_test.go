package emcr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/ibu"
	"emsim/internal/dev/golden"
	"emsim/isa"
	"emsim/packet"
)

// testbench is one PE on its own pins. A script plays the switch: it says when packets arrive, and when the switch
// accepts none from the EXU.
type testbench struct {
	t       *testing.T
	obj     *asm.Object
	cfg     Config
	pins    packet.Pins
	pe      PE
	clock   uint64
	arrive  []arrival
	hold    [2]uint64 // first and last clock in which the switch accepts no packet
	outFree uint64    // clock from which the switch may deliver again
	inFree  uint64    // clock from which the switch may accept again
	base    map[string]uint32
	host    uint64     // clock from which the host puts a packet on the port when that is free
	shuffle func() int // the order of the units
	show    []string   // addresses to print
	words   []string   // beginnings of names: the state's words to damage; empty means all
}

// arrival is a packet that the switch delivers in clock `at` or later.
type arrival struct {
	at uint64
	p  packet.Packet
}

// newBench returns a bench with an assembled program, and with the parameters changed by args.
func newBench(t *testing.T, obj *asm.Object, args []golden.Arg) *testbench {
	b := &testbench{
		t: t, obj: obj, pins: packet.NewPins(), base: map[string]uint32{},
		hold: [2]uint64{^uint64(0), 0}, host: packet.Never,
		cfg: Config{
			K: 1, Format: packet.FormatFor(1), Seed: 1, InjectClocks: 1, MLPEKind: packet.MLPE, PrefetchRegisters: 1,
			MatchClocks: MinMatchClocks, GetsegClocks: MinGetsegClocks,
			IBU:         ibu.Config{FIFOWords: 32, MIBWords: 8192, BurstRefill: true},
			SegmentBase: 0x8000, SegmentWords: 64, Segments: 16,
			StructureBase: 0x4000, StructureWords: 0x1000, MIBBase: 0x3e000,
		},
	}
	at, index := packet.PE{GA: 1}, uint32(2)
	for _, a := range args {
		if a.Key == "at" { // at=host: the PE whose switch has the host
			at, index = packet.PE{}, 0
			continue
		}
		b.set(a)
	}
	b.cfg.Format = packet.FormatFor(b.cfg.K)
	image := NewImage(0x100)
	for i := range obj.Sections {
		for j, w := range obj.Sections[i].Words {
			addr := obj.Sections[i].Start + uint32(j)
			if obj.Sections[i].Kind != asm.Code {
				image.SetData(addr, w)
				continue
			}
			require.NoError(t, image.SetCode(addr, w, isa.Width(b.cfg.Format.DataBits)))
		}
	}
	image.Fill(int(index)+1, b.cfg.Format, func(i int, r isa.Relation) packet.PE { // arbitrary, but different PEs
		return packet.PE{GA: uint16(r.Steps), CA: uint8(r.Order)}
	})
	b.pe.Init(&b.cfg, image, &b.pins, at, index)
	return b
}

// set changes a parameter, which has the name of the machine's knob.
func (b *testbench) set(a golden.Arg) {
	flags := map[string]*bool{
		"burst_refill": &b.cfg.IBU.BurstRefill, "refill_blocks_intake": &b.cfg.IBU.RefillBlocksIntake,
		"spill_interrupts": &b.cfg.SpillInterrupts, "ibu_own_memory": &b.cfg.IBUOwnMemory,
		"answers":               &b.cfg.MarkAnswers,
		"load_counts_execution": &b.cfg.LoadCountsExecution,
	}
	numbers := map[string]*int{
		"fifo_words": &b.cfg.IBU.FIFOWords, "mib_words": &b.cfg.IBU.MIBWords, "ibu_priority": &b.cfg.IBU.Priority,
		"segments":    &b.cfg.Segments,
		"out_packets": &b.cfg.OutPackets, "prefetch_registers": &b.cfg.PrefetchRegisters, "k": &b.cfg.K,
		"match_clocks": &b.cfg.MatchClocks, "getseg_clocks": &b.cfg.GetsegClocks,
	}
	if f := flags[a.Key]; f != nil {
		*f = a.Value == "true"
		return
	}
	n, err := strconv.Atoi(a.Value)
	require.NoError(b.t, err, a.Key)
	switch p := numbers[a.Key]; {
	case p != nil:
		*p = n
	case a.Key == "inject_clocks":
		b.cfg.InjectClocks = uint64(n)
	case a.Key == "segment_words":
		b.cfg.SegmentWords = uint32(n)
	case a.Key == "structure_words":
		b.cfg.StructureWords = uint32(n)
	case a.Key == "mlpe_route":
		b.cfg.MLPEKind = packet.MLPE + packet.Kind(n)
	case a.Key != "clocks":
		require.Fail(b.t, "no such parameter", a.Key)
	}
}

// symbol returns the value of a symbol of the program.
func (b *testbench) symbol(name string) uint32 {
	i := slices.IndexFunc(b.obj.Symbols, func(s asm.Symbol) bool { return s.Name == name })
	require.GreaterOrEqual(b.t, i, 0, "the program has no %s", name)
	return uint32(b.obj.Symbols[i].Value)
}

// event executes one line of a script:
//
//	segment S TEMPLATE          allocate an operand segment with the name S
//	boot BLOCK                  start a system block
//	at CLOCK one|left|right S:NODE DATA   the switch delivers a packet
//	at CLOCK direct BLOCK DATA
//	at CLOCK to ADDRESS one|left|right|mlpe|answer DATA   a packet with this address
//	hold FIRST LAST             clocks in which the switch accepts no packet
//	host CLOCK                  from this clock on, the host has a packet for the port
//	words NAME,NAME,...         words of the state to damage; all others are skipped
//	show NAME|ADDRESS|S         an address to print, or "counters", or "specials"
func (b *testbench) event(line string) {
	w := strings.Fields(line)
	num := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 0, 64)
		require.NoError(b.t, err, line)
		return n
	}
	switch {
	case len(w) == 3 && w[0] == "segment":
		base, ok := b.pe.seg.allocate(&b.pe.mem, b.symbol(w[2]))
		require.True(b.t, ok)
		b.base[w[1]] = base
		b.base[w[1]+" template"] = b.symbol(w[2])
	case len(w) == 2 && w[0] == "boot":
		b.pe.Boot(b.symbol(w[1]))
	case len(w) == 3 && w[0] == "hold":
		b.hold = [2]uint64{num(w[1]), num(w[2])}
	case len(w) == 2 && w[0] == "host":
		b.host = num(w[1])
	case len(w) > 1 && w[0] == "words":
		b.words = strings.Split(strings.TrimPrefix(line, "words "), ", ")
	case len(w) == 2 && w[0] == "show":
		b.show = append(b.show, w[1])
	case len(w) == 6 && w[0] == "at" && w[2] == "to":
		p := packet.Packet{Data: num(w[5]), Dest: b.pe.address, Seq: uint32(len(b.arrive) + 1), Addr: b.place(w[3])}
		switch w[4] {
		case "mlpe":
			p.Kind, p.Direct = packet.MLPE, true
		case "answer":
			p.Kind, p.Direct = packet.Answer, true
		default:
			p.Match = packet.Match(slices.Index([]string{"one", "left", "right"}, w[4]))
		}
		b.arrive = append(b.arrive, arrival{num(w[1]), p})
	case len(w) == 5 && w[0] == "at":
		p := packet.Packet{Data: num(w[4]), Dest: b.pe.address, Seq: uint32(len(b.arrive) + 1)}
		if w[2] == "direct" {
			p.Direct, p.Addr = true, b.symbol(w[3])
		} else {
			p.Match = packet.Match(slices.Index([]string{"one", "left", "right"}, w[2]))
			seg, node, _ := strings.Cut(w[3], ":")
			require.Contains(b.t, b.base, seg, line)
			p.Addr = b.base[seg] + b.symbol(node) - b.base[seg+" template"]
		}
		b.arrive = append(b.arrive, arrival{num(w[1]), p})
	default:
		require.Fail(b.t, "no such event", line)
	}
}

// place returns an address, given as a number, as a symbol of the program or as an operand segment.
func (b *testbench) place(s string) uint32 {
	if n, err := strconv.ParseUint(s, 0, 32); err == nil {
		return uint32(n)
	}
	if base, ok := b.base[s]; ok {
		return base
	}
	return b.symbol(s)
}

// step simulates one clock of the PE and of the switch. row says what the units did.
func (b *testbench) step() (row string) {
	t, pins := b.clock, &b.pins
	if b.host <= t && !pins.OutFull {
		pins.Out, pins.OutReady, pins.OutFull, b.host = packet.Packet{Src: packet.Host, Seq: 1, Dest: packet.PE{}}, t,
			true, packet.Never
	}
	// This is the switch's first phase: it decides from the state at the clock's start.
	take := pins.OutFull && pins.OutReady <= t && b.inFree <= t && (t < b.hold[0] || t > b.hold[1])
	give := len(b.arrive) > 0 && b.arrive[0].at <= t && !pins.InFull && b.outFree <= t
	if take {
		pins.AcceptedAt, b.inFree = t, t+2
	}
	seen := b.look(t)
	var s Activity
	if b.shuffle != nil {
		s = b.pe.StepShuffled(t, b.shuffle())
	} else {
		s = b.pe.Step(t)
	}
	seen.after(b, t, s)
	// This is the switch's second phase.
	if take {
		pins.OutFull = false
	}
	if give {
		pins.In, pins.InReady, pins.InFull = b.arrive[0].p, t+2, true
		b.arrive, b.outFree = b.arrive[1:], t+2
	}
	b.clock++
	if b.pe.Fault() == nil {
		require.NoError(b.t, b.pe.Check(b.clock))
	}
	out := "-"
	if pins.OutFull {
		out = pins.Out.String()
	}
	in := "-"
	if pins.InFull {
		in = strconv.FormatUint(uint64(pins.In.Seq), 10)
	}
	return fmt.Sprintf("%5d %-12s %-4s %-9s %-9s %-10s %4d %4d  %-3s %s", t, s, seen.port, seen.ibu, seen.fmu, seen.exu,
		b.pe.ibu.FIFOWords(), b.pe.ibu.MIBWords(), in, out)
}

const head = "clock state        port IBU       FMU       EXU        FIFO  MIB  in  out"

// seen is what the units of a PE do in one clock, with the state before the clock.
type seen struct {
	port, ibu, fmu, exu string
	before              struct {
		fmu    FMUStep
		exu    exuState
		doing  string
		in     bool
		instrs uint64
	}
	w wires
}

// look records the state before a clock.
func (b *testbench) look(t uint64) *seen {
	p := &b.pe
	s := &seen{}
	p.driveWires(&s.w, t)
	s.before.fmu, s.before.exu, s.before.doing = p.fmu.state, p.exu.state, p.ibu.TransferName()
	s.before.in, s.before.instrs = p.pins.InFull, p.Instructions
	return s
}

// after returns the row of the clock: what the units did.
func (s *seen) after(b *testbench, t uint64, st Activity) {
	p := &b.pe
	s.port, s.ibu, s.fmu, s.exu = "-", "-", "-", "-"
	waits := func(granted bool, does string) string {
		if granted {
			return does
		}
		return "waits"
	}
	taken := s.before.in && !p.pins.InFull
	switch {
	case s.w.grant.ibu && s.before.doing != "":
		s.ibu, s.port = s.before.doing+" 2", "IBU"
	case s.w.grant.ibu:
		s.ibu, s.port = p.ibu.TransferName()+" 1", "IBU"
	case taken:
		s.ibu = "take"
	case s.w.ibuOp.UsesMemory():
		s.ibu = "waits"
	}
	if taken && s.w.grant.ibu && s.before.doing == "refill" {
		s.ibu += "+take"
	}
	if s.fmu = s.fmuDoes(waits); s.fmu == "read" && s.before.fmu == FMUIdle && p.cfg.MatchClocks > MinMatchClocks {
		s.fmu = "segment"
	}
	if slices.Contains([]string{"template", "segment", "read", "write"}, s.fmu) {
		s.port = "FMU"
	}
	name := func() string {
		in := p.image.code[p.exu.current].Inst
		n := isa.Table[in.Op].Name + isa.Suffixes[in.Form()]
		if in.End {
			n += "!"
		}
		return n
	}
	fetched := p.Instructions > s.before.instrs
	switch s.before.exu {
	case exuIdle, exuFetch, exuOutFull:
		switch {
		case fetched:
			s.exu, s.port = name(), "EXU"
		case s.before.exu != exuIdle || s.before.fmu == FMUReady:
			s.exu = "waits"
		}
	case exuMemory:
		s.exu = waits(s.w.grant.exu, "memory")
		if s.w.grant.exu {
			s.port = "EXU"
		}
	case exuBusy:
		s.exu = "busy"
	case exuHold:
		s.exu = waits(p.pins.AcceptedAt == t, "sent")
	}
}

// fmuDoes returns what the FMU does, in words.
func (s *seen) fmuDoes(waits func(bool, string) string) string {
	switch s.before.fmu {
	case FMUIdle:
		switch {
		case s.w.pop && s.w.headQ.Direct:
			return "direct"
		case s.w.pop && s.w.headQ.Match == packet.One:
			return "template"
		case s.w.pop:
			return "read"
		case s.w.headQ != nil:
			return "waits"
		}
	case FMURead:
		return waits(s.w.grant.fmu, "read")
	case FMUWrite:
		return waits(s.w.grant.fmu, "write")
	case FMUTemplate:
		return waits(s.w.grant.fmu, "template")
	case FMUReady:
		return map[bool]string{true: "fires", false: "ready"}[s.w.fire]
	}
	return "-"
}

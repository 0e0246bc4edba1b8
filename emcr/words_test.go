package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/isa"
	"emsim/packet"
)

// A fault's message is complete, with and without the names of its location.
func TestFaultWords(t *testing.T) {
	f := &Fault{kind: ProgramError, PE: packet.PE{GA: 3, CA: 1}, Clock: 7, PC: 0x20, Text: "no"}
	require.EqualError(t, f, "PE [3,1], clock 7: no")
	require.Equal(t, "program_error", f.Kind())
	require.Equal(t, map[string]any{"pe": []int{3, 1}, "clock": uint64(7)}, f.Details())
	f.Code = true
	require.EqualError(t, f, "PE [3,1], clock 7, code address 0x20: no")
	require.Equal(t, map[string]any{"pe": []int{3, 1}, "clock": uint64(7), "pc": uint32(0x20)}, f.Details())
	f.Name, f.Source = "main+2", "prog.s:4"
	require.EqualError(t, f, "PE [3,1], clock 7, code address 0x20 (main+2, prog.s:4): no")
	require.Equal(t, map[string]any{
		"pe": []int{3, 1}, "clock": uint64(7), "pc": uint32(0x20), "name": "main+2",
		"source": "prog.s:4",
	}, f.Details())
}

func TestPlaceWords(t *testing.T) {
	var none *CodeLocation
	for want, p := range map[string]*CodeLocation{
		"": none, " (main)": {Code: 1, Name: "main"}, " (p.s:3)": {Source: "p.s:3"},
		" (main, p.s:3)": {Name: "main", Source: "p.s:3"},
	} {
		require.Equal(t, want, p.NameAndSource())
	}
	require.Empty(t, (&CodeLocation{Code: 5}).NameAndSource())
}

func TestActivityNames(t *testing.T) {
	require.Equal(t, "exu_fmu ibu_only network_wait idle activity4 activity9", ExuFmu.String()+" "+IbuOnly.String()+
		" "+NetworkWait.String()+" "+Idle.String()+" "+Activities.String()+" "+Activity(9).String())
}

// The image returns the words that were written to it, and no instruction outside its length.
func TestImage(t *testing.T) {
	m := NewImage(4)
	require.EqualValues(t, 4, m.Words())
	in := isa.Inst{Op: isa.ADD, D: 3, A: 1, Lit: true, Imm: -1, End: true}
	word := isa.Encode(in)
	require.NoError(t, m.SetCode(3, word, 32))
	m.SetData(2, 9)
	got, ok := m.InstructionAt(3)
	require.True(t, ok)
	require.Equal(t, in, got)
	for _, at := range []uint32{0, 2, 4, 100} {
		_, ok = m.InstructionAt(at)
		require.False(t, ok, "%d", at)
	}
	require.ErrorContains(t, m.SetCode(1, 1<<62, 32), "code address 0x1: ")
	require.Equal(t, []uint64{0, 0, 9, word}, m.data)
	require.EqualValues(t, 1<<32-1, m.code[3].lit, "a constant is cut to the word")
	require.NoError(t, m.SetCode(3, word, 64))
	require.Equal(t, ^uint64(0), m.code[3].lit)
}

// The load at the PE's pins is F as soon as fewer than 8 operand segments or fewer than 0x16 words of structure memory
// are free [003 fig. 3].
func TestLoadFromFreeMemory(t *testing.T) {
	obj := assemble(t, "take.s", `
.template f
.space 1
.endtemplate
take:   getseg! r3, f
free:   relseg! r1
some:   getstr! r3, r1
give:   relstr! r1
.start take
`)
	b := newBench(t, obj, nil)
	run := func(name string, data uint64) uint8 {
		b.pe.Boot(b.symbol(name))
		b.pe.fmu.left = data
		for range 6 {
			b.step()
		}
		require.Nil(t, b.pe.Fault())
		require.EqualValues(t, b.pins.LoadQ, b.pe.Special(isa.SpecialLoad, b.clock))
		return b.pins.LoadQ
	}
	load := func(free int) uint8 {
		if free < 8 {
			return 0xf
		}
		return 0
	}
	for free := 15; free >= 0; free-- {
		require.Equal(t, load(free), run("take", 0), "%d segments are free", free)
		require.EqualValues(t, free, b.pe.Special(isa.SpecialSegs, b.clock))
	}
	for free := 1; free <= 16; free++ {
		require.Equal(t, load(free), run("free", uint64(0x8000+64*(free-1))), "%d segments are free", free)
	}
	require.Equal(t, 16, b.pe.SegmentsPeak())
	b.pe.ClearCounters()
	require.Zero(t, b.pe.SegmentsPeak())
	require.Zero(t, b.pe.Counters)

	require.EqualValues(t, 0, run("some", 0x1000-0x16))
	require.EqualValues(t, 0x16, b.pe.Special(isa.SpecialStrs, b.clock))
	require.EqualValues(t, 0xf, run("some", 1))
	require.EqualValues(t, 0, run("give", 0x4000+0x1000-0x16))
}

// After ClearCounters the peaks are the present values.
func TestClearCounters(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	b := newBench(t, obj, nil)
	b.event("segment a f")
	b.event("segment b f")
	for range 3 {
		b.event("at 0 direct slow 5")
	}
	for range 20 {
		b.step()
	}
	require.NotZero(t, b.pe.Counters)
	b.pe.ClearCounters()
	require.Equal(t, Counters{}, b.pe.Counters)
	require.Equal(t, 2, b.pe.SegmentsPeak())
	require.EqualValues(t, b.pe.IBU().FIFOWords(), b.pe.IBU().FIFOPeak)
}

// SegmentOf finds the segment that contains an address, and lists may end early.
func TestSegmentLooks(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	b := newBench(t, obj, nil)
	for _, line := range []string{
		"segment a f", "segment b f", "segment c f", "at 0 left a:sum 1", "at 1 left c:sum 2",
		"at 2 right c:mix 3",
	} {
		b.event(line)
	}
	for range 20 {
		b.step()
	}
	p := &b.pe
	for _, c := range []struct {
		addr, base     uint32
		used, instance bool
	}{
		{0x8000, 0x8000, true, true},
		{0x8001, 0x8000, true, false},
		{0x8040, 0x8040, true, false},
		{0x80bf, 0x8080, true, false},
		{0x8080, 0x8080, true, true},
		{0x80c0, 0x80c0, false, false},
		{0x7fff, 0x7fc0, false, false},
		{0x8400, 0x8400, false, false},
	} {
		base, used := p.SegmentOf(c.addr)
		require.Equal(t, c.base, base, "%#x", c.addr)
		require.Equal(t, c.used, used, "%#x", c.addr)
		require.Equal(t, c.instance, p.Instance(c.addr), "%#x", c.addr)
	}
	node := func(pk packet.Packet) any {
		if code, ok := p.NodeAddress(&pk); ok {
			return code
		}
		return nil
	}
	require.Equal(t, b.symbol("sum"), node(packet.Packet{Addr: 0x8000 + b.symbol("sum")}))
	require.Equal(t, uint32(7), node(packet.Packet{Addr: 7, Direct: true}))
	require.Nil(t, node(packet.Packet{Addr: 7, Direct: true, ToHost: true}))
	for _, addr := range []uint32{0x8000, 0x80c4, 0x7fff, 0x8400} {
		require.Nil(t, node(packet.Packet{Addr: addr}), "%#x", addr)
	}
	require.Equal(t, 3, p.CountWaitingOperands())
	for limit, want := range []int{0, 1, 2, 3, 3} {
		require.Len(t, p.WaitingOperands(limit), want)
	}
	var bases []uint32
	p.EachSegment(func(s Segment) bool {
		bases = append(bases, s.Base)
		return len(bases) < 2
	})
	require.Equal(t, []uint32{0x8000, 0x8040}, bases)
	require.Same(t, &b.pins, p.Pins())
	require.Equal(t, packet.PE{GA: 1}, p.Address())
	require.Equal(t, b.cfg.Format, p.Format())
	in, ok := p.InstructionAt(b.symbol("sum"))
	require.True(t, ok)
	require.Equal(t, isa.ADD, in.Op)
}

// Check tests the pins as well. Whether the EXU holds a packet must match the port. The host's packets are only at PE
// [0,0], and no packet is ready later than the injection takes.
func TestCheckPins(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	own, host := packet.Packet{Src: 2, Seq: 1}, packet.Packet{Src: packet.Host}
	for _, c := range []struct {
		at    string // "host": PE [0,0]
		pins  packet.Pins
		fault string
	}{
		{"", packet.Pins{}, ""},
		{"", packet.Pins{OutFull: true, Out: own}, "the EXU cannot be in state 0 while a packet is on the port: true"},
		{"", packet.Pins{OutFull: true, Out: host}, "the EXU cannot be in state 0 while a packet is on the port: true"},
		{"host", packet.Pins{OutFull: true, Out: host}, ""},
		{"host", packet.Pins{OutFull: true, Out: host, OutReady: 10}, ""},
		{
			"host",
			packet.Pins{OutFull: true, Out: host, OutReady: 11},
			"the packet on the port is ready only in clock 11",
		},
	} {
		b := newBench(t, obj, []golden.Arg{{Key: "at", Value: c.at}}[:len(c.at)/4])
		b.pins = c.pins
		err := b.pe.Check(10)
		if c.fault == "" {
			require.NoError(t, err, "%+v", c)
		} else {
			require.EqualError(t, err, c.fault)
		}
	}
}

// A PE with a fault stays as the fault left it, to whatever clock it catches up.
func TestFaultEnds(t *testing.T) {
	b := newBench(t, assemble(t, "bad.s", "bad: relseg! r1\n.start bad\n"), nil)
	b.event("boot bad")
	b.lazy().CatchUp(0)
	require.Nil(t, b.pe.Fault())
	b.lazy().CatchUp(30)
	require.EqualValues(t, 1, b.pe.Fault().Clock)
	require.EqualValues(t, 2, b.pe.Clocks[ExuFmu])
	after := b.hash()
	for _, clock := range []uint64{31, 31, 40} {
		b.lazy().CatchUp(clock)
		require.Equal(t, clock+1, b.lazy().NextClock())
		require.Equal(t, after, b.hash())
	}
	b.lazy().CatchUp(20) // this clock has passed
	require.EqualValues(t, 41, b.lazy().NextClock())
}

package ref

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/isa"
	"emsim/packet"
)

// made returns a machine of 12 PEs with a program loaded.
func made(t *testing.T, text string, change ...func(o *Options)) *Machine {
	t.Helper()
	o, _, err := asm.Assemble("p.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	opt := Options{PEs: 12, Seed: 1, ProgramSeed: 77}
	for _, f := range change {
		f(&opt)
	}
	m, err := New(o, opt)
	require.NoError(t, err)
	return m
}

// Every rule that a program can break gives its fault.
func TestFaults(t *testing.T) {
	small := func(o *Options) { o.Segments, o.StructureWords, o.Limit = 3, 40, 100 }
	for _, c := range []struct{ body, kind, says string }{
		{"main: jmp main\n", "limit", "ref: PE [0,0], 0x0: more than 100 instructions"},
		{"main: jmp! 5\n .nocheck\n", "program_error", "ref: PE [0,0], 0x5: there is no instruction"},
		{"main: ld! r1, r0, 200\n", "program_error", "ref: PE [0,0], 0x0: load from 0xc8, which is not the program's"},
		{"main: st! r1, r0, 200\n", "program_error", "ref: PE [0,0], 0x0: store to 0xc8, which is not the program's"},
		{"main: st! r1, r0, 0\n", "program_error", "ref: PE [0,0], 0x0: store to 0x0, which is not the program's"},
		{"main: mov r1, -1\n send! r1, r1, 1\n", "program_error", "ref: PE [0,0], 0x1: a packet for "},
		{
			"main: getseg r1, f\n getseg r1, f\n getseg r1, f\n getseg! r1, f\n .template f\n nop!\n .endtemplate\n",
			"segment_overflow", "ref: PE [0,0], 0x3: all 3 operand segments are in use",
		},
		{"main: mov r1, 0\n getstr! r1, r1\n", "program_error", "ref: PE [0,0], 0x1: a structure of 0 words"},
		{
			"main: mov r1, 41\n getstr! r1, r1\n", "structure_overflow",
			"ref: PE [0,0], 0x1: no run of 41 words of structure memory is free",
		},
		{
			"main: mov r1, 21\n getstr r2, r1\n getstr! r1, r1\n", "structure_overflow",
			"ref: PE [0,0], 0x2: no run of 21 words of structure memory is free",
		},
		{"main: relseg! r1\n", "program_error", "which is not an operand segment in use"},
		{"main: relstr! r1\n", "program_error", "where no structure begins"},
		{
			"main: getseg r1, f\n relseg r1\n relseg! r1\n .template f\n nop!\n .endtemplate\n", "program_error",
			"which is not an operand segment in use",
		},
		{
			"main: send! r1, r0, 3\n nop!\n", "program_error",
			"ref: PE [0,0], 0x3: a packet came for 0x3, which is not a node of an operand segment in use",
		},
		{
			"main: getseg r1, f\n send.l r1, r1, @n\n send.l! r1, r1, @n\n .template f\nn: nop!\n .endtemplate\n",
			"program_error", "a second left operand came for displacement 1",
		},
		{"main: getseg r3, f\n send.l r1, r3, @n\n send.1! r3, r3, @m\n .template f\nn: nop!\nm: relseg! " +
			"fp\n .endtemplate\n", "program_error", "in which an operand waits at displacement 1"},
	} {
		m := made(t, "\t.start main\n"+c.body, small, func(o *Options) { o.Pick = Fair })
		_, err := m.Run(7)
		require.ErrorContains(t, err, c.says, c.body)
		var fault *Fault
		require.ErrorAs(t, err, &fault)
		require.Equal(t, c.kind, fault.Kind())
	}
	_, err := made(t, "\t.start main\nmain: nop!\n").Run()
	require.EqualError(t, err, "ref: 0 arguments for a program that takes 1")
}

// The special registers that do not depend on time have their values.
func TestSpecialRegisters(t *testing.T) {
	var body strings.Builder
	names := strings.Fields("pe ga ca k segs strs seed gapos prefetch mlpe")
	for _, name := range names {
		fmt.Fprintf(&body, "\trds r1, %s\n\tout r1\n", name)
	}
	m := made(t, "\t.start main\nmain: mov r3, 9\n\tgetseg r2, f\n\tgetstr r4, r3\n"+body.String()+
		"\twrs mlpe, r2\n\twrs mlpe, r3\n\twrs mlpe, r4\n\trds r1, mlpe\n\tout r1\n\trds r1, mlpe\n\trds r5, "+
		"mlpe\n\tout r5\n\twrs mlpe, r3\n\twrs mlpe, r0\n\trds r5, mlpe\n\tout! r5\n\t.template "+
		"f\n\tnop!\n\t.endtemplate\n",
		func(o *Options) { o.Prefetch, o.Segments, o.StructureWords, o.Unordered = 2, 8, 100, false })
	m.bag = newBag(m.rng, m.Options)
	r, err := m.Run(0)
	require.NoError(t, err)
	require.Len(t, r.Words, len(names)+3)
	require.Equal(t, []uint64{0, 0, 2, 7, 91, 77, uint64(packet.AddrBits + m.format.CABits), 2, 0},
		r.Words[1:len(names)])
	require.Equal(t, m.continuation(&m.pe[0], 0), r.Words[0])
	require.Equal(t, m.continuation(&m.pe[0], m.base.seg), r.Words[len(names)], "the oldest first")
	require.Equal(t, []uint64{0, 0}, r.Words[len(names)+1:], "two were there, and none after 0 was written")
	require.Equal(t, uint64(2), r.MLPECalls)
	require.PanicsWithValue(t, "ref: unknown special register", func() { m.readSpecial(&m.pe[0], isa.Special(99)) })
	require.PanicsWithValue(t, "internal/dev/ref/arith.go: no case computes opcode 24",
		func() { m.arithmetic(isa.OUT, 1, 2) })
	require.PanicsWithValue(t, "internal/dev/ref/arith.go: no case decides opcode 24",
		func() { m.condition(isa.OUT, 1, 2) })
}

// Segments and structures fill their memory to the last word, and no address outside belongs to them.
func TestPlaces(t *testing.T) {
	for seed := range uint64(30) {
		m := made(t, "\t.start main\nmain: nop!\n\t.word 5\n",
			func(o *Options) { o.Seed, o.Segments, o.SegmentWords, o.StructureWords = seed, 3, 8, 10 })
		p := &m.pe[5]
		require.Equal(t, packet.PE{GA: 1, CA: 2}, p.at)
		seg, str := m.base.seg, m.base.str
		require.Zero(t, seg%8)
		require.GreaterOrEqual(t, min(seg, str), uint32(len(m.words)))
		require.True(t, seg+24 <= str || str+10 <= seg, "%d and %d overlap", seg, str)
		require.LessOrEqual(t, max(seg+24, str+10), uint32(1<<packet.AddrBits))
		for addr, want := range map[uint32]uint32{seg - 1: 0, seg: seg, seg + 7: seg, seg + 8: seg + 8, seg +
			23: seg + 16, seg + 24: 0} {
			require.Equal(t, want, m.segmentOf(addr))
		}
		seen := map[uint32]bool{}
		for range 3 {
			base, ok := m.getSegment(p, 1)
			require.True(t, ok)
			seen[base] = true
			require.Equal(t, uint64(1), m.readWord(p, base))
			require.True(t, m.owned(p, base+7))
		}
		require.Equal(t, map[uint32]bool{seg: true, seg + 8: true, seg + 16: true}, seen)
		_, ok := m.getSegment(p, 1)
		require.False(t, ok)
		require.Equal(t, 3, m.SegmentsInUse(5))
		require.NoError(t, m.releaseSegment(p, 0, seg+8))
		require.False(t, m.owned(p, seg+8))
		base, ok := m.getSegment(p, 2)
		require.True(t, ok)
		require.Equal(t, seg+8, base)

		require.False(t, m.owned(p, str))
		first, ok := m.getStructure(p, 4)
		require.True(t, ok)
		require.Contains(t, []uint32{str, str + 6}, first, "at either end")
		require.True(t, m.owned(p, first) && m.owned(p, first+3))
		for _, beside := range []uint32{first - 1, first + 4} {
			require.Equal(t, m.segmentOf(beside) != 0, m.owned(p, beside), "only a segment may be there")
		}
		second, ok := m.getStructure(p, 6)
		require.True(t, ok, "exactly the rest")
		require.Equal(t, 10, m.StructureInUse(5))
		_, ok = m.getStructure(p, 1)
		require.False(t, ok)
		require.NoError(t, m.releaseStructure(p, 0, first))
		require.Error(t, m.releaseStructure(p, 0, second+1))
		require.Equal(t, 6, m.StructureInUse(5))
		_, ok = m.getStructure(p, 5)
		require.False(t, ok)
		require.True(t, m.owned(p, 1))
		require.Equal(t, uint64(5), m.Memory(5, 1))
		require.Equal(t, uint64(0), m.Memory(5, uint32(len(m.words))))
	}
}

// The number of PEs must be a size of the network, and everything must fit in memory.
func TestSizes(t *testing.T) {
	o := &asm.Object{}
	for pes, fine := range map[int]bool{
		0: false, 3: false, 4: true, 5: false, 11: false, 12: true, 80: true,
		1023: false, 1024: true,
	} {
		_, err := New(o, Options{PEs: pes})
		require.Equal(t, fine, err == nil, "%d: %v", pes, err)
	}
	m, err := New(o, Options{PEs: 4})
	require.NoError(t, err)
	require.Equal(t, []int{1024, 64, 65535, 1, 50_000_000},
		[]int{m.Segments, m.SegmentWords, m.StructureWords, m.Prefetch, int(m.Limit)})
	const free = 1<<packet.AddrBits - 2*64 - 100*64
	_, err = New(o, Options{PEs: 4, Segments: 100, StructureWords: free})
	require.NoError(t, err)
	_, err = New(o, Options{PEs: 4, Segments: 100, StructureWords: free + 1})
	require.EqualError(t, err, fmt.Sprintf("ref: a program of 0 words, 100 segments of 64 words and %d words of "+
		"structure memory do not fit a PE's memory", free+1))
	bad := &asm.Object{Sections: []asm.Section{{Kind: asm.Code, Start: 2, Size: 1, Words: []uint64{1<<39 - 1}}}}
	_, err = New(bad, Options{PEs: 4})
	require.ErrorContains(t, err, "ref: code address 0x2: ")
}

// Packets of one lane stay in order, under every rule for choosing the lane. Unordered packets have a lane each.
func TestBag(t *testing.T) {
	require.Equal(t, []string{"fair", "starve", "newest", "pick?"},
		[]string{Fair.String(), Starve.String(), Newest.String(), Picks.String()})
	for pick := range Picks {
		m := made(t, "\t.start main\nmain: nop!\n", func(o *Options) { o.Pick = pick })
		b := &m.bag
		require.True(t, b.empty())
		for i := range uint64(300) {
			b.putPacket(lane{from: int(i % 3), to: 7}, message{data: i})
			b.putPacket(lane{from: int(i % 3), to: 7, round: true}, message{data: 1000 + i})
		}
		require.Len(t, b.filled, 6)
		last, newest := map[uint64]uint64{}, 0
		for n := range 600 {
			require.False(t, b.empty(), n)
			newestLane := b.filled[len(b.filled)-1].list[0].data
			to, x := b.takePacket()
			require.Equal(t, 7, to)
			line := x.data/1000*3 + x.data%1000%3
			require.True(t, last[line] == 0 || x.data > last[line], "%v: %d after %d", pick, x.data, last[line])
			last[line] = x.data
			if x.data == newestLane {
				newest++
			}
		}
		require.True(t, b.empty())
		require.Equal(t, pick == Newest, newest > 450, "%v: %d of the latest lane", pick, newest)
		require.Empty(t, b.lanes)
	}
	m := made(t, "\t.start main\nmain: nop!\n", func(o *Options) { o.Unordered = true })
	for i := range uint64(10) {
		m.bag.putPacket(lane{from: 1, to: 2}, message{data: i})
	}
	require.Len(t, m.bag.filled, 10)
	require.Empty(t, m.bag.lanes)
}

// Every form of cont sets its own matching condition, whatever the condition before. Every packet is counted, including
// MLPE packets and words to the host.
func TestFormsAndCounts(t *testing.T) {
	var body string
	forms := []string{"", ".1", ".l", ".r", ".d"}
	for _, from := range forms {
		for _, to := range forms {
			body += "\tcont" + from + " r3, fp, main\n\tcont" + to + " r4, r3, main\n\tout r4\n"
		}
	}
	m := made(t, "\t.start main\nmain: nop\n"+body+"\tmlpe! back\nback: out! r0\n")
	r, err := m.Run(0)
	require.NoError(t, err)
	require.Equal(t, uint64(len(forms)*len(forms)+2), r.Sent)
	require.Equal(t, uint64(1), r.MLPESent)
	got := map[uint64]int{}
	for _, w := range r.Words[:25] {
		got[w>>28]++
	}
	// Without a suffix the previous condition stays: 0 twice, then 1, 2 and 3.
	require.Equal(t, map[uint64]int{0: 5 + 2, 1: 5 + 1, 2: 5 + 1, 3: 5 + 1}, got)
}

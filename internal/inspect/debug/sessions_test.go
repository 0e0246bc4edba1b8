package debug

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/dev/golden"
	"emsim/internal/inspect/portrait"
	"emsim/packet"
)

// session is a program with commands whose answers are recorded, including errors.
type session struct {
	about   string
	program string // a built-in program with its argument, or a program text
	sets    []string
	params  map[string]string
	lines   string
}

var sessions = []session{
	{about: "help", program: "fib 4", lines: `
		help; help step; help continue; help until; help finish; help back; help goto; help break; help watch; help stops; help delete; help enable; help disable
		help where; help loads; help tree; help network; help program; help symbols; help pe; help units; help registers; help segments; help queues; help links
		help callers; help x; help list; help line; help over; help out; help print; help waiting; help show; help help; help quit; ?; h s; help no; help step back`},
	{about: "motions", program: "fib 7", lines: `
		step; s 2; step 0; until 110; until +20; until got1; finish; finish 0.0; back; bk 2; goto 98; goto +0; goto +50; until 148; until 149; step 1 2; step x; back 1000; back 52; goto 97; goto
		continue; step; continue; until +5; until got1; finish; goto 1000; back; step; step; where; goto +0; where; until 18446744073709551615; until +9223372036854775807; c 5; goto x; goto 5 6`},
	{about: "breakpoints", program: "fib 7", params: map[string]string{"mlpe": "on"}, lines: `
		b got1; c; c; delete; break got1+1 [0,0]; c; delete; break block; c; c; delete; break block join; c; delete; break packet data; c; c; delete; break packet data consumed; c; delete
		break packet mlpe; c; delete; break packet mlpe consumed; c; delete; break packet host; break packet host consumed; c; c; delete; goto +0; break state idle; c; c; delete; break state exu idle 2.1; c; delete
		break state su move; c; delete; break state fmu fire [0,0]; c; stops; delete 12; disable; stops; enable; stops; delete 1; delete x; enable 99
		break 0; break 12; break 9; break label got2; break; break [0,0]; break got1 got2; break block got1 got2; break block nosuch; break packet; break packet x; break packet data x; break packet data made 2
		break state; break state x; break state exu x; break state xxx idle; break state wait; break state exu idle 5; break 0x30000; break nosuch; break gto1; break got1+x; break got1+99999; break 0x40000; break 9999999; stops`},
	{about: "watchpoints", program: "fib 7", sets: []string{"fifo_words=2"}, lines: `
		watch load; c; c; delete; watch load 0.0; c; delete; watch fifo; c; delete; watch mib; c; delete; watch segments 2.1; c; delete; watch operands; c; delete
		goto +0; watch register r1; c; watch register fp [0,0]; c; delete; watch memory 0x30001 [0,0]; c; c; c; delete; watch memory 0x30000; c; stops; delete; watch memory got1; stops
		watch register; watch register r16; watch register r01; watch register x; watch register r1 r2; watch memory; watch memory x; watch memory 1 2; watch load 1; watch speed; until load [0,0]`},
	{about: "looking", program: "fib 7", sets: []string{"fifo_words=2"}, lines: `
		until +150; pe; pe 1; pe 11; pe 12; pe 0.2; pe [3,2]; pe 3.3; pe 4.0; pe x; pe 1 2; pe [0,0]; units 1.0; units 1 2; units 1.0 1.1; loads load; loads x; loads load load
		queues 2; queues 2.0 1; queues x; segments 0.0 1; segments 1; segments 2; segments x; registers 1; links 2.2; list; list 3; list got1; list got1 2; list got1+1 2 1.1; list 0; list 9 1; list 262144; list 262143; list x; list got1 2 3
		x; x 9 1; x 0; x got1 2; x got1+1; x 0x30000 4; x 0x30000 2 [2,1]; x 0x3ffff 5; x 0x40000; x got1 x; x got1 1 2; tree; tree 2.1; tree all; tree depth 1; tree lines 1; tree all depth 2 lines 2; tree depth; tree depth x; tree x; tree lines 0
		callers; callers 2.1; callers x; callers [1,0]; regi; units 1.0; symbols; symbols go; symbols x; network; program; where; where x; network x; nosuch; st; stpe; d; s # comment; # comment; units 1.0 # comment`},
	{about: "an output buffer and urgent packets", program: "fib 9", sets: []string{
		"out_packets=4", "ibu_priority=2",
		"switch_priority=2", "inject_clocks=8",
	}, params: map[string]string{"mlpe": "on"}, lines: `
		until +200; units; links; queues; until +300; units; links; queues; pe 1.1; units; links; queues; loads fifo; network; continue`},
	{
		about: "a packet that fills the prefetch register",
		program: "\t.start main\nmain:\tmov r1, 7\n\tsend.d r1, fp, " +
			"0x3ffff\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\trds r3, mlpe\n\tout! r3\n", lines: `
		break packet data consumed; continue; continue; units; queues; back 3; queues; delete; continue; follow [0,0].1`,
	},
	{about: "many words for the host", program: "\t.start main\nmain:\tmov r1, 7\n" +
		strings.Repeat("\tout r1\n\tadd r1, r1, r1\n", 20) + "\tout! r1\n", lines: `
		break packet host consumed; continue; units; where; delete; until +100; where; until +145; where; continue; where; back 3; where`},
	{about: "a fault", program: "\t.start main\nmain:\tmov r1, 7\n\trelseg! r1\n", lines: `
		list; continue; where; units; step; back; units; continue; callers`},
	{about: "no segment is free", program: "fib 12", sets: []string{"segments=8"}, lines: `
		loads segments; continue; where; units; segments 1; loads segments; goto +100; where; continue`},
	{about: "data", program: "\t.start main\nmain:\tjmp! next\n\t.word 5, -1\nnext:\tout! r1\n\t.space " +
		"2\nlast:\t.word 9\nN = 3\n", lines: `
		list; list main 9; x main 9; symbols; x N; x last+1 2; list last; list last+1`},
}

// bench returns a debugger for the session's program on 12 PEs.
func (s *session) bench(t *testing.T) *bench {
	words := strings.Fields(s.program)
	if strings.HasPrefix(s.program, "\t") {
		words = []string{source(t, s.program)}
	}
	x := spec(words[0], words[1:]...)
	x.Sets, x.Params = s.sets, s.params
	return newBench(t, x)
}

// Whole sessions are recorded.
func TestSessions(t *testing.T) {
	var all strings.Builder
	for i := range sessions {
		s := &sessions[i]
		b := s.bench(t)
		fmt.Fprintf(&all, "==== %s\n", s.about)
		record(t, &all, b, s.lines)
	}
	golden.Check(t, "sessions.txt", []byte(all.String()))
}

// record appends commands and their answers to all.
func record(t *testing.T, all *strings.Builder, b *bench, lines string) {
	for line := range strings.FieldsFuncSeq(lines, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		b.out.Reset()
		err := b.Do(context.Background(), line)
		fmt.Fprintf(all, "> %s\n%s", line, b.out)
		if err != nil {
			var wrong *simerr.Usage
			require.True(t, errors.As(err, &wrong), "%s: %v", line, err)
			fmt.Fprintf(all, "! %v\n", err)
		}
	}
	fmt.Fprintf(all, "failed: %v\n\n", b.Failed())
}

// Long lists are truncated, with the number of the remaining lines.
func TestLongLists(t *testing.T) {
	b := newBench(t, spec("fib", "4"))
	for range 20 {
		b.do("break newroot")
	}
	text := b.do("continue")
	require.Equal(t, 20, strings.Count(text, ": stop "))
	require.NotContains(t, text, " more\n")
	b.do("goto +0; break newroot; break newroot")
	text = b.do("continue")
	require.Equal(t, 20, strings.Count(text, ": stop "))
	require.Contains(t, text, "\nand 2 more\nclock ")
}

// A deep tree is indented by at most sixty columns.
func TestDeepTree(t *testing.T) {
	b := newBench(t, spec("fib", "4"))
	root := &portrait.Instance{Base: 0x30000, Depth: 44}
	for root.Depth > 0 {
		root = &portrait.Instance{Base: 0x30000, Depth: root.Depth - 1, Children: []*portrait.Instance{root}}
	}
	b.out.Reset()
	o := TreeOptions{Depth: 1 << 30, Lines: 40}
	tree := &Tree{}
	root.EachInTree(func(x *portrait.Instance) { b.addTo(tree, x, o) })
	b.printTree(tree, o)
	lines := strings.Split(strings.TrimSuffix(b.out.String(), "\n"), "\n")
	require.Len(t, lines, 42)
	require.Equal(t, "  and 5 more: 'tree lines 45' shows them, 'tree depth N' and a PE choose", lines[41])
	lines = lines[1:41]
	for i, line := range lines {
		require.Equal(t, 2*min(i+1, 30), len(line)-len(strings.TrimLeft(line, " ")))
	}
}

// Snapshots are thinned out when they are too many or too large, but at least two are kept. Of each pair the first is
// kept.
func TestThin(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	h := &b.hist
	require.Equal(t, uint64(firstEvery), h.every)
	h.every = 4
	b.do("goto +252")
	require.Len(t, h.shots, mostShots)
	require.Equal(t, uint64(4), h.every)
	first := h.first()
	b.do("goto +256")
	require.Equal(t, uint64(8), h.every)
	require.Len(t, h.shots, 33)
	for i, x := range h.shots {
		require.Equal(t, first+8*uint64(i), x.clock)
	}
	require.Equal(t, first+264, h.nextSnapshot(b.clock()))
	require.Equal(t, first+264, h.nextSnapshot(b.clock()+7))
	require.Equal(t, first+272, h.nextSnapshot(b.clock()+8))

	h.shots, h.bytes = h.shots[:2], mostBytes
	h.takeSnapshot(b.s)
	require.Len(t, h.shots, 2, "one of three is dropped")
	require.Equal(t, first+256, h.shots[1].clock)
	require.Equal(t, uint64(16), h.every)
	h.shots, h.bytes = h.shots[:1], mostBytes
	h.takeSnapshot(b.s)
	require.Len(t, h.shots, 2, "two stay, however large")
	require.Equal(t, uint64(16), h.every)
	h.takeSnapshot(b.s)
	require.Len(t, h.shots, 2, "one of this clock is there")
}

// A separate snapshot is kept shortly before the last target of back, and further steps back use it.
func TestBackIsNear(t *testing.T) {
	b := newBench(t, spec("fib", "14"))
	first := b.clock()
	b.do("goto +3000")
	b.do("back 10")
	require.Equal(t, first+2990-nearClocks, b.hist.near.clock)
	require.Equal(t, first+2990, b.clock())
	b.do("back 2")
	require.Equal(t, first+2990-nearClocks, b.hist.near.clock, "which is near enough")
	require.Equal(t, b.hist.near.clock, b.hist.before(b.clock()).clock)
	require.Equal(t, first, b.hist.before(b.hist.near.clock-1).clock)
	b.do("goto +900")
	require.Equal(t, first+2990-nearClocks, b.hist.near.clock, "the beginning is near")
}

// Texts for packets, operands, ports and register names that the sessions do not show.
func TestWordsOfPackets(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	b.do("until got2")
	host := packet.Packet{ToHost: true, Data: 5, Src: 3, Seq: 9}
	require.Equal(t, "[1,0].9 to the host: 5", b.packet(&host))
	host.Src = packet.Host
	require.Equal(t, "host.9 to the host: 5", b.packet(&host))
	require.Equal(t, "5, the left operand waits", b.reading(reading{word: 5, waits: packet.Left}))
	require.Equal(t, "5", b.reading(reading{word: 5, waits: packet.One}))
	require.Equal(t, "4294967295", b.reading(reading{word: 1<<32 - 1, plain: true}))
	require.Equal(t, "-1", b.reading(reading{word: 1<<32 - 1, waits: packet.One}))
	require.Equal(t, "free", portText(7, 7))
	require.Equal(t, "busy until clock 7", portText(8, 7))
	require.Equal(t, "1 operand waits", waitText(1))
	require.Equal(t, "0 operands wait", waitText(0))
	for r, want := range map[string]int{"r0": 0, "r15": 15, "fp": 15, "r16": -1, "r-1": -1, "r1x": -1, "R1": -1} {
		n, err := register(r)
		require.Equal(t, want >= 0, err == nil, r)
		require.True(t, err != nil || n == want, r)
	}
}

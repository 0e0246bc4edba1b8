package profile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/golden"
	"emsim/packet"
	"emsim/trace"
)

// The names and descriptions of all waits, parts, levels and cases are recorded.
func TestWords(t *testing.T) {
	var b strings.Builder
	for w := range Waits {
		fmt.Fprintf(&b, "%v: %s, for %v\n", w, w.Words(), partOf(w))
	}
	for _, s := range trace.Statuses() {
		fmt.Fprintf(&b, "status %v: %v\n", s, waitOf(s))
	}
	for part := range Parts {
		fmt.Fprintf(&b, "%v: %s\n", part, part.Words())
	}
	for l := range Levels {
		fmt.Fprintf(&b, "%v\n", l)
	}
	for _, c := range cases[1:] {
		fmt.Fprintf(&b, "%s: %s: halve %v, drop %v, free %v\n", c.Name, c.Says, c.halve, c.drop, c.free)
	}
	fmt.Fprintf(&b, "%d states, intake %d, %#x %#x %#x\n", States, intakeClocks, uint32(noBlock), uint32(hostCode),
		uint32(before))
	golden.Check(t, "words.txt", []byte(b.String()))
}

// The clocks of an FMU count for its packet, by its reason to wait. Without a packet they count for the IBU if that
// delays the next packet.
func TestMatching(t *testing.T) {
	for status, part := range map[trace.Status]Part{
		trace.Run: MatchIt, trace.WaitEXU: Busy, trace.WaitMemory: Busy, trace.WaitIBU: Memory, trace.WaitMIB: MatchIt,
		trace.Idle: MatchIt,
	} {
		m := matching{flight: &flight{}, status: status, until: 5}
		m.count(5)
		m.count(4)
		require.Zero(t, m.took.Sum(), status)
		require.EqualValues(t, 5, m.until)
		m.count(8)
		m.count(9)
		var want Split
		want[part] = 4
		require.Equal(t, want, m.took, status)
		require.EqualValues(t, 9, m.until)
		require.Zero(t, m.ibu)

		m = matching{status: status, until: 5}
		m.count(8)
		m.count(9)
		var ibu uint64
		if status == trace.WaitIBU || status == trace.WaitMIB {
			ibu = 4
		}
		require.Equal(t, ibu, m.ibu, status)
		require.EqualValues(t, 9, m.until)
		require.Zero(t, m.took.Sum())
	}
}

// A slot of a switch counts the waits of its packet, except the wait for the port.
func TestSlotWait(t *testing.T) {
	var s slotWait
	at := func(clock uint64, status trace.Status) { s.change(&trace.Event{Clock: clock, Status: status}) }
	at(10, trace.Run)
	at(13, trace.WaitSwitch)
	at(15, trace.WaitPort)
	at(18, trace.WaitInject)
	at(40, trace.WaitSwitch)
	at(41, trace.Idle)
	require.EqualValues(t, 6, s.takeWait())
	require.Zero(t, s.takeWait())
}

// Each clock of a flight counts for exactly one part.
func TestFlight(t *testing.T) {
	f := &flight{from: &Counts{}, at: 10}
	f.passTo(10, Hop)
	f.passTo(9, Hop)
	require.Zero(t, f.took.Sum())
	f.passTo(12, Network)
	f.arrive(17, InMIB)
	require.EqualValues(t, 17, f.at)
	require.Equal(t, Split{Network: 2, Hop: 2, InMIB: 3}, f.took)
	require.Equal(t, Counts{Travel: 2, Queued: 3}, *f.from)
	f.arrive(18, Queue)
	require.Equal(t, Split{Network: 2, Hop: 3, InMIB: 3}, f.took)
	require.Equal(t, Counts{Travel: 4, Queued: 3}, *f.from)
}

// due returns a moment with handmade times for every case.
func due(rec uint64, halves ...uint64) (m moment) {
	m.rec = rec
	copy(m.due[:], halves)
	return m
}

// Each what-if case removes or halves the delays that it is about. The arguments of due are the moment in the recorded
// run, and then in the cases, in order: half instructions, no matching, half hops, ...
func TestMoment(t *testing.T) {
	m := due(100, 20, 20, 20, 20, 20, 20, 20, 20)
	require.Equal(t, m, m.laterBy(Execute, 0))
	require.Equal(t, due(103, 26, 23, 26, 26, 26, 26, 26, 26), m.laterBy(Execute, 3))
	require.Equal(t, due(103, 26, 26, 20, 26, 26, 26, 26, 26), m.laterBy(MatchIt, 3))
	require.Equal(t, due(103, 26, 26, 26, 23, 26, 26, 26, 26), m.laterBy(Hop, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 20, 26, 26, 20), m.laterBy(Network, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 20, 26, 26, 20), m.laterBy(SendWait, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 26, 26, 20, 20), m.laterBy(Queue, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 26, 20, 20, 20), m.laterBy(InMIB, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 26, 26, 20, 20), m.laterBy(Busy, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 26, 20, 20, 20), m.laterBy(Memory, 3))
	require.Equal(t, due(103, 26, 26, 26, 26, 26, 26, 26, 26), m.laterBy(Earlier, 3))
	require.Equal(t, due(103, 26, 25, 22, 26, 26, 26, 26, 26), m.after(&Split{Execute: 1, MatchIt: 2}))
	require.Equal(t, m.laterBy(Queue, 5), m.until(105, Queue))
	require.Equal(t, m, m.until(100, Queue))
	require.Equal(t, m, m.until(99, Queue))

	o := due(105, 30, 10, 30, 10, 30, 10, 30, 30)
	require.Equal(t, due(105, 30, 20, 30, 20, 30, 20, 30, 30), m.later(&o, false))
	require.Equal(t, due(105, 30, 20, 30, 20, 30, 20, 20, 20), m.later(&o, true))
	require.EqualValues(t, 105, o.later(&m, true).rec)
}

// A packet is taken after its travel, the FMU's previous packet and the previous block. It starts a block after its
// matching, its partner and the previous block. The rest of the time is a wait.
func TestTakenAndFired(t *testing.T) {
	f := &flight{due: due(100), took: Split{Hop: 4, Queue: 50, InMIB: 60}}
	way := f.due.laterBy(Hop, 4)
	require.Equal(t, way.laterBy(Queue, 6), f.taken(110, &matching{}, moment{}))
	require.Equal(t, way.laterBy(InMIB, 2).laterBy(Queue, 4), f.taken(110, &matching{ibu: 2}, moment{}))
	require.Equal(t, way.laterBy(InMIB, 6), f.taken(110, &matching{ibu: 9}, moment{}))
	require.Equal(t, way, f.taken(104, &matching{ibu: 9}, moment{}))
	last := due(108, 9, 9, 9, 9, 9, 9, 9, 9)
	require.Equal(t, way.later(&last, true).laterBy(Queue, 2), f.taken(110, &matching{free: last}, moment{}))
	require.Equal(t, way.later(&last, true).laterBy(Queue, 2), f.taken(110, &matching{}, last))

	took := &Split{MatchIt: 2, Busy: 30}
	work := f.due.laterBy(MatchIt, 2)
	require.Equal(t, work.laterBy(Busy, 8), f.fired(110, took, moment{}))
	require.Equal(t, work.later(&last, true).laterBy(Busy, 2), f.fired(110, took, last))
	f.mate = &flight{due: last}
	require.Equal(t, work.later(&last, false).laterBy(Busy, 2), f.fired(110, took, moment{}))
	require.EqualValues(t, 30, took[Busy], "what is counted elsewhere stays")
}

// Packets that the profile has not seen have an unknown past.
func TestUnseen(t *testing.T) {
	p := New(&asm.Object{}, 1, 10, 14, 40)
	one := trace.Event{Clock: 20, Kind: trace.Queued, Packet: packet.Packet{Seq: 1}}
	p.Event(&one)
	f := p.flight[trace.ID{Seq: 1}]
	require.Equal(t, Split{Earlier: 4, Hop: 2, Queue: 5}, f.took)
	require.EqualValues(t, 21, f.at)
	require.Equal(t, moment{rec: 10}, f.due)
	one.Kind, one.Clock = trace.Spilled, 22
	p.Event(&one)
	one.Kind, one.Clock = trace.Refilled, 29
	p.Event(&one)
	require.Same(t, f, p.flight[trace.ID{Seq: 1}])
	require.Equal(t, Split{Earlier: 4, Hop: 4, Queue: 5, InMIB: 7}, f.took)
	require.Equal(t, Counts{Spilled: 1, Travel: 4, Queued: 12}, *f.from)
	two := trace.Event{Clock: 30, Kind: trace.Entered, Packet: packet.Packet{Seq: 2}}
	p.Event(&two)
	require.Equal(t, Split{Hop: 21}, p.flight[trace.ID{Seq: 2}].took)
	require.EqualValues(t, 31, p.flight[trace.ID{Seq: 2}].at)
	p.Event(&trace.Event{Clock: 30, Kind: trace.Matched, Packet: one.Packet})
	require.Nil(t, f.mate)
	p.Event(&trace.Event{Clock: 30, Kind: trace.Matched, Packet: one.Packet, Partner: trace.ID{Seq: 2}})
	require.NotNil(t, f.mate)
	require.Len(t, p.flight, 1, "its partner waits for nothing more")

	begun := trace.Event{Clock: 33, Kind: trace.Begun, PC: 7, Packet: one.Packet}
	p.Event(&begun)
	require.Empty(t, p.flight)
	require.Equal(t, Split{Earlier: 7, Hop: 4, Queue: 5, InMIB: 7}, p.pes[0].block.took)
	require.EqualValues(t, 33, p.pes[0].block.due.rec)
	require.EqualValues(t, 7, p.pes[0].block.pc)
}

// Events after the end of the profile are not counted.
func TestEnd(t *testing.T) {
	p := New(&asm.Object{}, 2, 10, 14, 40)
	e := trace.Event{Clock: 40, Kind: trace.Entered, Packet: packet.Packet{Seq: 1}}
	p.Event(&e)
	require.Empty(t, p.flight)
	e.Clock = 39
	p.Event(&e)
	require.Len(t, p.flight, 1)
	require.NoError(t, p.Close(40))
	require.NoError(t, p.Close(40))
	total := p.Total()
	require.EqualValues(t, 52, total.Clocks())
	require.EqualValues(t, 1, total.Packets)
}

// A block in progress when the profile begins counts as running since the start.
func TestUnseenBlock(t *testing.T) {
	p := New(&asm.Object{}, 1, 10, 14, 40)
	e := trace.Event{Clock: 20, Kind: trace.Made, PE: 0, PC: 3, Packet: packet.Packet{Seq: 1}}
	p.Event(&e)
	f := p.flight[trace.ID{Seq: 1}]
	require.EqualValues(t, 21, f.at)
	require.EqualValues(t, 4, f.last.took[Earlier])
	require.EqualValues(t, 11, f.last.took.Sum())
	require.EqualValues(t, 21, f.due.rec)
	p.Event(&e)
	require.EqualValues(t, 4, p.pes[0].block.took[Earlier])
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// Errors while writing the file are reported.
func TestFull(t *testing.T) {
	p := New(&asm.Object{}, 1, 0, 0, 9)
	require.NoError(t, p.Close(9))
	require.ErrorContains(t, p.WritePprof(full{}, "", 1), "full")
}

// A template has the code from its address on, as far as its size.
func TestTemplateOf(t *testing.T) {
	o := &asm.Object{Symbols: []asm.Symbol{{Name: "a;b", Kind: asm.Template, Value: 3, Size: 2}}}
	p := New(o, 1, 0, 0, 9)
	require.Equal(t, []string{System, "a;b", "a;b", System},
		[]string{p.templateOf(2), p.templateOf(3), p.templateOf(4), p.templateOf(5)})
}

// A single clock, a single packet and the first line of a file are counted like others.
func TestOne(t *testing.T) {
	p := New(&asm.Object{}, 1, 0, 0, 1)
	p.Event(&trace.Event{Kind: trace.Entered, Packet: packet.Packet{Seq: 1}})
	require.NoError(t, p.Close(1))
	require.Contains(t, string(p.pprofText(t)), "\"idle\"")
	require.Contains(t, string(p.pprofText(t)), "\"(host)\"")
	r := Row{Template: "t", File: "a/f.s", Line: 1, PC: 7, Code: true}
	require.Equal(t, rowKey{file: "a/f.s", line: 1}, r.levelKey(ByLine))
	require.Equal(t, "f.s:1", r.Source())
}

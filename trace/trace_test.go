package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
)

// list is a sink that prints events.
type list struct{ lines []string }

func (l *list) Event(e *Event) {
	what := fmt.Sprintf("%d PE %d %v %v", e.Clock, e.PE, e.Unit, e.Kind)
	switch e.Kind {
	case Changed:
		if e.Unit == SU {
			what += " " + SlotName(e.Slot)
		}
		what += fmt.Sprintf(" %v, %v since %d", e.Status, e.Was, e.Since)
	case Levelled:
		what += fmt.Sprintf(" %v %d", e.Level, e.Value)
	}
	if e.Packet.Seq != 0 {
		what += fmt.Sprintf(", packet %d.%d", e.Packet.Src, e.Packet.Seq)
	}
	if !e.Partner.None() {
		what += fmt.Sprintf(", partner %d.%d", e.Partner.Src, e.Partner.Seq)
	}
	l.lines = append(l.lines, what)
}

func (l *list) Close(uint64) error { return nil }

// takes returns the text since the last call.
func (l *list) takes() string {
	defer func() { l.lines = nil }()
	return strings.Join(l.lines, "\n")
}

// A status, a slot or a level is reported when it changes, with its old value and the clock since when it had that
// value. Before the first clock all units are idle and all levels 0.
func TestOnlyChanges(t *testing.T) {
	l := &list{}
	r := NewRecorder(l, 4, []int{1, 3})
	require.Equal(t, []bool{false, true, false, true}, []bool{r.Watches(0), r.Watches(1), r.Watches(2), r.Watches(3)})
	require.Zero(t, r.Events())
	require.Zero(t, r.End())
	p := &packet.Packet{Src: 2, Seq: 7}
	for _, unit := range []Unit{PE, IBU, FMU, EXU, SU, Host} {
		r.Status(3, 1, unit, Idle)
	}
	for s := range uint8(Slots) {
		r.Slot(3, 1, s, Idle, p)
	}
	for k := range Levels {
		r.Level(3, 1, k, 0)
	}
	require.Empty(t, l.takes(), "nothing has changed")

	r.Status(5, 1, EXU, Run)
	r.Status(6, 1, EXU, Run)
	r.Status(8, 1, EXU, WaitSwitch)
	r.Status(8, 0, EXU, WaitSwitch)
	r.Status(9, 3, EXU, WaitSwitch)
	require.Equal(t, "5 PE 1 EXU status run, idle since 0\n8 PE 1 EXU status wait_switch, run since 5\n9 PE 3 EXU "+
		"status wait_switch, idle since 0", l.takes())
	require.EqualValues(t, 3, r.Events())
	require.EqualValues(t, 10, r.End())

	r.Slot(10, 1, 4, Hop, p)
	r.Slot(11, 1, 4, Hop, p)
	r.Slot(11, 2, 4, Hop, p)
	r.Slot(12, 1, OwnSlot, WaitInject, p)
	r.Slot(14, 1, 4, Idle, p)
	require.Equal(t, "10 PE 1 SU status out_of_group_1 hop, idle since 0, packet 2.7\n12 PE 1 SU status own "+
		"wait_inject, idle since 0, packet 2.7\n14 PE 1 SU status out_of_group_1 idle, hop since 10", l.takes())

	for k := range Levels {
		r.Level(15, 3, k, 9)
		r.Level(16, 3, k, 9)
		r.Level(16, 0, k, 9)
	}
	require.Equal(t, "15 PE 3 IBU level fifo 9\n15 PE 3 IBU level mib 9\n15 PE 3 PE level load 9\n15 PE 3 FMU level "+
		"operands 9\n15 PE 3 PE level segments 9", l.takes())
	require.EqualValues(t, 11, r.Events())
}

// The recorder finds the partner of an operand: the packet that was stored at its address. A node that fires without a
// partner has none.
func TestPartners(t *testing.T) {
	l := &list{}
	r := NewRecorder(l, 2, []int{0})
	tell := func(clock uint64, k Kind, seq uint32, addr uint32) {
		r.Event(Event{Clock: clock, Unit: FMU, Kind: k, Packet: packet.Packet{Src: 1, Seq: seq, Addr: addr}})
	}
	tell(1, Taken, 1, 0x10)
	tell(1, Stored, 1, 0x10)
	tell(2, Stored, 2, 0x20)
	tell(3, Taken, 3, 0x10)
	tell(3, Matched, 3, 0x10)
	tell(3, Fired, 3, 0x10)
	tell(4, Begun, 3, 0x10)
	tell(5, Taken, 4, 0x30)
	tell(5, Fired, 4, 0x30)
	tell(6, Begun, 4, 0x30)
	tell(7, Matched, 5, 0x10) // that operand is gone
	tell(8, Matched, 6, 0x20)
	r.Event(Event{Clock: 9, PE: 1, Kind: Taken}) // PE 1 is not watched
	require.Equal(t, strings.TrimSpace(`
1 PE 0 FMU take, packet 1.1
1 PE 0 FMU store, packet 1.1
2 PE 0 FMU store, packet 1.2
3 PE 0 FMU take, packet 1.3
3 PE 0 FMU match, packet 1.3, partner 1.1
3 PE 0 FMU fire, packet 1.3, partner 1.1
4 PE 0 FMU begin, packet 1.3, partner 1.1
5 PE 0 FMU take, packet 1.4
5 PE 0 FMU fire, packet 1.4
6 PE 0 FMU begin, packet 1.4
7 PE 0 FMU match, packet 1.5
8 PE 0 FMU match, packet 1.6, partner 1.2`), l.takes())
	require.EqualValues(t, 9, r.End())
}

// Func is a Sink, and closing it gives no event.
func TestFunc(t *testing.T) {
	n := 0
	f := Func(func(*Event) { n++ })
	f.Event(&Event{})
	require.NoError(t, f.Close(9))
	require.Equal(t, 1, n)
	require.Equal(t, []int{0, 1, 2}, All(3))
	require.Empty(t, All(0))
}

// Every name that a trace can show is listed, and values without a name are shown as numbers.
func TestNames(t *testing.T) {
	join := func(n int, name func(i int) string) string {
		var list []string
		for i := range n {
			list = append(list, name(i))
		}
		return strings.Join(list, " ")
	}
	require.Equal(t, "PE SU IBU FMU EXU host unit6", join(7, func(i int) string { return Unit(i).String() }))
	require.Equal(t, "fifo mib load operands segments level5", join(6, func(i int) string { return Level(i).String() }))
	require.Equal(t, "enter leave send move rewrite queue spill refill fill take store match fire begin instr end "+
		"fault status level kind19", join(20, func(i int) string { return Kind(i).String() }))
	require.Equal(t, "in_group out_of_group own port3", join(4, func(i int) string { return PortName(uint8(i)) }))
	require.Equal(t, "in_group_0 in_group_1 in_group_2 out_of_group_0 out_of_group_1 out_of_group_2 own",
		join(Slots, func(i int) string { return SlotName(uint8(i)) }))
	require.Equal(t, "exu_fmu ibu_only network_wait idle run match fire spill refill hop move wait_ibu wait_memory "+
		"wait_switch wait_port wait_fmu wait_mib wait_operand wait_exu wait_inject wait_bank wait_intake wait_output "+
		"wait_input wait_turn status25",
		join(26, func(i int) string { return Status(i).String() }))
	require.Len(t, Statuses(), 25)
	for i, s := range Statuses() {
		require.EqualValues(t, i, s)
		require.Equal(t, s == NetworkWait || strings.HasPrefix(s.String(), "wait_"), s.IsWait(), "%v", s)
	}
	require.False(t, Status(25).IsWait())
}

func TestPacketNames(t *testing.T) {
	i := Info{PEs: []packet.PE{{}, {GA: 1, CA: 2}}}
	for want, id := range map[string]ID{
		"-": {}, "[1,2].3": {1, 3}, "host.2": {packet.Host, 2},
		"[0,0].1": IDOf(&packet.Packet{Seq: 1}),
	} {
		require.Equal(t, want, i.PacketName(id))
	}
	require.True(t, ID{5, 0}.None())
	require.False(t, ID{0, 1}.None())
}

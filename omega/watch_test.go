package omega

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/packet"
	"emsim/trace"
)

// A packet in a switch waits for each possible reason in turn.
func TestWhyPacketsWait(t *testing.T) {
	const unit, now = 5, 100
	const first, second = 0, Banks // a bank of each of the two network inputs
	type net = *Network
	type pins = *packet.Pins
	is := func(slot int, why trace.Status) map[int]trace.Status { return map[int]trace.Status{slot: why} }
	for name, c := range map[string]struct {
		arrange func(n net, su *SU, p pins)
		want    map[int]trace.Status
	}{
		"nothing":   {func(net, *SU, pins) {}, map[int]trace.Status{}},
		"goes":      {func(n net, _ *SU, _ pins) { n.put(unit, first, Own, now) }, is(first, trace.Move)},
		"under way": {func(n net, _ *SU, _ pins) { n.put(unit, first, Own, now+1) }, is(first, trace.Hop)},
		"intake": {func(n net, _ *SU, p pins) {
			n.put(unit, first, Own, now)
			p.InFull = true
		}, is(first, trace.WaitIntake)},
		"output": {func(n net, su *SU, _ pins) {
			n.put(unit, first, Own, now)
			su.outFreeAt[Own] = now + 1
		}, is(first, trace.WaitOutput)},
		"input": {func(n net, su *SU, _ pins) {
			n.put(unit, first, Own, now)
			su.inFreeAt[InGroup] = now + 1
		}, is(first, trace.WaitInput)},
		"intake, output": {func(n net, su *SU, p pins) {
			n.put(unit, first, Own, now)
			p.InFull, su.outFreeAt[Own] = true, now+1
		}, is(first, trace.WaitIntake)},
		"output, input": {func(n net, su *SU, _ pins) {
			n.put(unit, first, Own, now)
			su.outFreeAt[Own], su.inFreeAt[InGroup] = now+1, now+1
		}, is(first, trace.WaitOutput)},
		"free just now": {func(n net, su *SU, _ pins) {
			n.put(unit, first, Own, now)
			n.put(unit, second, Own, now)
			su.outFreeAt[Own], su.inFreeAt[0], su.inFreeAt[1] = now, now, now
		}, map[int]trace.Status{first: trace.WaitTurn, second: trace.Move}},
		"bank full": {func(n net, _ *SU, _ pins) {
			n.put(unit, first, OutGroup, now)
			n.behind(unit, OutGroup, true, 0)
		}, is(first, trace.WaitBank)},
		"bank recovering": {func(n net, _ *SU, _ pins) {
			n.put(unit, first, OutGroup, now)
			n.behind(unit, OutGroup, false, now+1)
		}, is(first, trace.WaitBank)},
		"bank free again": {func(n net, _ *SU, _ pins) {
			n.put(unit, first, OutGroup, now)
			n.behind(unit, OutGroup, false, now)
		}, is(first, trace.Move)},
		"own": {func(n net, _ *SU, p pins) {
			p.Out, p.OutFull, p.OutReady = packet.Packet{Dest: n.Address(unit)}, true, now
		}, is(ownSlot, trace.Move)},
		"own, under way": {func(_ net, _ *SU, p pins) {
			p.OutFull, p.OutReady = true, now+1
		}, is(ownSlot, trace.WaitInject)},
		"own, no room": {func(n net, _ *SU, p pins) {
			p.Out, p.OutFull, p.InFull = packet.Packet{Dest: n.Address(unit)}, true, true
		}, is(ownSlot, trace.WaitIntake)},
	} {
		n := banksOf(t, 2, Banks)
		n.su[unit].lastInput[Own] = InGroup // the other input has the next turn
		c.arrange(n, &n.su[unit], &n.pins[unit])
		got := map[int]trace.Status{}
		n.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) { got[int(e.Slot)] = e.Status }), n.N, []int{unit}))
		n.scheduler().ArbitrateOne(unit, now)
		require.Equal(t, c.want, got, name)
	}
}

// put places a packet in a slot. The packet may leave by output out from clock at on.
func (n *Network) put(unit, slot, out int, at uint64) {
	su := &n.su[unit]
	su.fill(slot)
	su.output[slot], su.readyAt[slot] = uint8(out), at
}

// behind sets the state of the bank downstream of a unit's output, for packets of bank 0.
func (n *Network) behind(unit, out int, full bool, at uint64) {
	next, slot := n.downstream(unit, out, 0)
	n.su[next].readyAt[slot] = at
	if full {
		n.su[next].fill(slot)
	}
}

// The trace uses the network's numbers and names of ports and slots.
func TestTraceNames(t *testing.T) {
	require.EqualValues(t, []int{InGroup, OutGroup, Own},
		[]int{int(trace.InGroup), int(trace.OutGroup), int(trace.Own)})
	require.Equal(t, []int{Banks, slots, ownSlot}, []int{trace.Banks, trace.Slots - 1, trace.OwnSlot})
	require.Equal(t, []string{"in_group_0", "out_of_group_2", "own"},
		[]string{trace.SlotName(0), trace.SlotName(5), trace.SlotName(6)})
}

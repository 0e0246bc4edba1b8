package em4_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/randprog"
	"emsim/programs"
	"emsim/trace"
)

// timeline checks that the events in the trace of a machine are in the order of time.
type timeline struct {
	t       *rapid.T
	c       em4.Config
	now     uint64
	packets map[trace.ID]trace.Event // the last event of each packet
	begun   []uint64                 // by PE: the clock in which its block began
	changed map[[3]int]uint64        // by PE, unit and slot: the clock in which its status changed last
	seen    [32]int                  // number of events by kind
}

// after maps an event of a packet to the events that may precede it, and these to the smallest number of clocks between
// them. A packet that is made, moved or queued in a clock is in its new place from the next clock on.
var after = map[trace.Kind]map[trace.Kind]uint64{
	trace.Moved:     {trace.Entered: 0, trace.Made: 1, trace.Moved: 1, trace.Rewritten: 0},
	trace.Rewritten: {trace.Moved: 0, trace.Made: 0, trace.Entered: 0},
	trace.Left:      {trace.Moved: 0},
	trace.Queued:    {trace.Moved: 1, trace.Made: 1},
	trace.Spilled:   {trace.Moved: 1, trace.Made: 1, trace.Queued: 0},
	trace.Refilled:  {trace.Spilled: 1},
	trace.Taken:     {trace.Queued: 1, trace.Refilled: 1},
	trace.Stored:    {trace.Taken: 0},
	trace.Matched:   {trace.Taken: 0},
	trace.Fired:     {trace.Taken: 0, trace.Matched: 0},
	trace.Begun:     {trace.Fired: 0},
}

func (x *timeline) event(e *trace.Event) {
	x.seen[e.Kind]++
	require.GreaterOrEqual(x.t, e.Clock, x.now, "events come in the order of their clocks: %+v", e)
	x.now = e.Clock
	switch e.Kind {
	case trace.Entered, trace.Made:
		require.NotContains(x.t, x.packets, trace.IDOf(&e.Packet), "a packet is made once")
		x.packets[trace.IDOf(&e.Packet)] = *e
	case trace.Changed:
		unit := [3]int{int(e.PE), int(e.Unit), int(e.Slot)}
		require.Equal(x.t, x.changed[unit], e.Since, "a status lasts until the next: %+v", e)
		require.True(x.t, e.Since < e.Clock || e.Since == 0, "and for a clock at least: %+v", e)
		x.changed[unit] = e.Clock
	case trace.Fetched:
		require.GreaterOrEqual(x.t, e.Clock, x.begun[e.PE], "a block begins, and then executes: %+v", e)
	case trace.Ended:
		require.GreaterOrEqual(x.t, e.Clock, x.begun[e.PE], "a block begins, and then ends: %+v", e)
	case trace.Begun:
		x.begun[e.PE] = e.Clock
	}
	if _, passes := after[e.Kind]; passes && e.Packet.Seq > 0 { // the init block has no packet
		x.passage(e)
	}
}

// passage checks an event of a packet against the packet's last event.
func (x *timeline) passage(e *trace.Event) {
	last, made := x.packets[trace.IDOf(&e.Packet)]
	require.True(x.t, made, "nobody has made it: %+v", e)
	least, can := after[e.Kind][last.Kind]
	require.True(x.t, can, "%v does not come after %v: %+v", e.Kind, last.Kind, e)
	if last.Kind == trace.Moved && e.Kind == trace.Moved {
		least = uint64(x.c.HopClocks)
	}
	require.GreaterOrEqual(x.t, e.Clock, last.Clock+least, "%v after %v: %+v", e.Kind, last.Kind, e)
	if e.Kind == trace.Matched {
		waited, ok := x.packets[e.Partner]
		require.True(x.t, ok && waited.Kind == trace.Stored && waited.Clock < e.Clock, "its partner waits: %+v, %+v",
			waited, e)
	}
	x.packets[trace.IDOf(&e.Packet)] = *e
}

// No packet arrives before it left, no instruction executes before its block began, and every interval in the trace is
// inside the run, for any program and any machine.
func TestEventsAreInOrder(t *testing.T) {
	var seen [32]int
	rapid.Check(t, func(t *rapid.T) {
		p := randprog.Gen(randprog.Medium).Draw(t, "program")
		o, _, err := asm.Assemble("random.s",
			asm.Options{Open: func(string) ([]byte, error) { return []byte(p.Text), nil }})
		require.NoError(t, err)
		c := randprog.Machine(t, 4)
		prog, err := programs.Load(o)
		require.NoError(t, err)
		m, err := em4.New(c, prog, 1)
		require.NoError(t, err)
		x := &timeline{
			t: t, c: c, packets: map[trace.ID]trace.Event{}, begun: make([]uint64, c.PEs),
			changed: map[[3]int]uint64{},
		}
		m.Watch(trace.NewRecorder(trace.Func(x.event), c.PEs, trace.All(c.PEs)), 0, em4.ToEnd)
		run := func() {
			for end := m.Clock() + 10_000; !m.Quiet() && m.Clock() < end; { // with few banks the machine may deadlock
				m.Step()
				require.Less(t, x.now, m.Clock())
			}
		}
		m.StartInit()
		run()
		if m.Quiet() {
			require.NoError(t, m.Start(p.Args))
			run()
		}
		for k, n := range x.seen {
			seen[k] += n
		}
	})
	if testing.Short() { // a fifth of the programs, which need not do everything
		return
	}
	for k := range after {
		require.NotZero(t, seen[k], "no packet of any program did %v", k)
	}
}

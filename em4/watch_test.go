package em4_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/packet"
	"emsim/trace"
)

// A machine that is watched, in whole, in part or for some clocks, has the same state at every clock as an unwatched
// one.
func TestWatchingChangesNothing(t *testing.T) {
	c := machine(12, smallFIFO)
	o := fib(t, "ring-random", "on")
	events := 0
	count := trace.Func(func(*trace.Event) { events++ })
	plain := boot(t, c, o)
	at := plain.Clock()
	watched := map[string]*em4.Machine{"all": boot(t, c, o), "two PEs": boot(t, c, o), "window": boot(t, c, o)}
	watched["all"].Watch(trace.NewRecorder(count, 12, trace.All(12)), 0, ^uint64(0))
	watched["two PEs"].Watch(trace.NewRecorder(count, 12, []int{0, 5}), at, at+600)
	watched["window"].Watch(trace.NewRecorder(count, 12, trace.All(12)), at+100, at+300)
	require.NoError(t, plain.Start([]uint64{9}))
	for _, m := range watched {
		require.NoError(t, m.Start([]uint64{9}))
	}
	var want, got []byte
	for !plain.Quiet() {
		plain.Step()
		want = content(plain, want)
		for name, m := range watched {
			m.Step()
			if got = content(m, got); !bytes.Equal(got, want) {
				t.Fatalf("%s: clock %d: %s", name, m.Clock(), em4.Difference(plain, m))
			}
		}
	}
	require.Greater(t, events, 1000)
}

// A watched window includes its first and its last clock, and no other clock.
func TestWindowOfOneClock(t *testing.T) {
	m := boot(t, machine(12), fib(t, "ring", ""))
	require.NoError(t, m.Start([]uint64{8}))
	start, fetched := m.Clock(), uint64(0)
	for !m.Quiet() {
		now := m.Clock()
		m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
			require.Equal(t, now, e.Clock)
			if e.Kind == trace.Fetched {
				fetched++
			}
		}), 12, trace.All(12)), now, now)
		m.Step()
		if now%7 == 0 { // the window is over
			at, done := fetched, uint64(0)
			for i := range 12 {
				done += m.PE(i).Instructions
			}
			require.Equal(t, done, at, "clock %d of the run", now-start)
		}
	}
	m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) { t.Fatal(e) }), 12, trace.All(12)), 0, start)
	require.NoError(t, m.Start([]uint64{5}))
	for !m.Quiet() {
		m.Step()
	}
}

// The trace events add up to the machine's counters, on the prototype and on machines with remedies.
func TestWatchedEventsAddUp(t *testing.T) {
	o := fib(t, "ring", "on")
	t.Run("prototype", func(t *testing.T) { require.Zero(t, watchedAddsUp(t, machine(12, smallFIFO), o)) })
	for name, knob := range remedies {
		t.Run(name, func(t *testing.T) { watchedAddsUp(t, machine(12, smallFIFO, knob), o) })
	}
	filling := fibWith(t, map[string]string{"mlpe": "on", "mlpe_fill": "register"})
	t.Run("filling", func(t *testing.T) { require.NotZero(t, watchedAddsUp(t, machine(12, smallFIFO), filling)) })
}

// watchedAddsUp checks this for one machine. It returns the number of packets that filled a prefetch register.
func watchedAddsUp(t *testing.T, c em4.Config, o *asm.Object) uint64 {
	m := boot(t, c, o)
	var n [32]uint64
	var states []trace.Event // changes of the PEs' activities
	waiting := map[[2]uint32]trace.ID{}
	m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		n[e.Kind]++
		node := [2]uint32{e.PE, e.Packet.Addr}
		switch {
		case e.Kind == trace.Changed && e.Unit == trace.PE:
			states = append(states, *e)
		case e.Kind == trace.Fired || e.Kind == trace.Begun:
			require.Equal(t, e.Packet.Match == packet.One, e.Partner.None(), "%v", e.Packet)
		case e.Kind == trace.Stored:
			waiting[node] = trace.IDOf(&e.Packet)
		case e.Kind == trace.Matched:
			require.Equal(t, waiting[node], e.Partner, "the partner is the packet that waited")
			require.NotZero(t, e.Partner)
		}
	}), 12, trace.All(12)), 0, ^uint64(0))
	start := m.Clock()
	var r em4.Totals
	res, err := m.Run(context.Background(), []uint64{11}, em4.RunOptions{})
	require.NoError(t, err)
	r = res.Totals
	var clocks [trace.Idle + 1]uint64
	end := start + r.Clocks // after this clock the machine drains
	var last [12]trace.Event
	for i := range last {
		last[i] = trace.Event{Clock: start, Status: trace.Idle}
	}
	add := func(s trace.Status, from, to uint64) { clocks[s] += min(to, end) - min(from, end) }
	for _, e := range states {
		require.Equal(t, last[e.PE].Status, e.Was)
		add(e.Was, max(e.Since, start), e.Clock)
		last[e.PE] = e
	}
	for _, e := range last {
		add(e.Status, e.Clock, end)
	}
	require.Equal(t, r.PECounters.Clocks[:], clocks[:])
	require.Equal(t, r.Instructions, n[trace.Fetched])
	require.Equal(t, r.Blocks, n[trace.Begun])
	require.Equal(t, r.Blocks, n[trace.Ended])
	require.Equal(t, r.Blocks, n[trace.Fired])
	require.Equal(t, r.Sent, n[trace.Made]+n[trace.Entered])
	require.Equal(t, r.Consumed, n[trace.Taken]+n[trace.Filled])
	require.Equal(t, r.Spilled, n[trace.Spilled])
	require.Equal(t, r.Spilled, n[trace.Refilled])
	require.Equal(t, n[trace.Stored], n[trace.Matched])
	require.EqualValues(t, 1, n[trace.Entered])
	require.EqualValues(t, len(res.Words), n[trace.Left])
	require.NotZero(t, n[trace.Rewritten])
	require.NotZero(t, r.Spilled)
	return n[trace.Filled]
}

func BenchmarkStepUnwatched(b *testing.B) { benchmarkStep(b, false) }
func BenchmarkStepWatched(b *testing.B)   { benchmarkStep(b, true) }

// benchmarkStep measures one clock of a busy machine of 80 PEs.
func benchmarkStep(b *testing.B, watched bool) {
	c := machine(80)
	o := fib(b, "ring", "")
	fresh := func() *em4.Machine {
		m := boot(b, c, o)
		require.NoError(b, m.Start([]uint64{18}))
		for range 1000 {
			m.Step()
		}
		return m
	}
	m := fresh()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if i%3000 == 0 {
			b.StopTimer()
			m = fresh()
			if watched {
				m.Watch(trace.NewRecorder(trace.Func(func(*trace.Event) {}), 80, trace.All(80)), 0, ^uint64(0))
			}
			b.StartTimer()
		}
		m.Step()
	}
}

// A watch that begins in the middle of a run reports the same events as if the machine were stepped clock by clock,
// however many clocks the run steps at a time.
func TestWatchBeginsInARun(t *testing.T) {
	watched := func(advance func(r *em4.Run)) (events []trace.Event) {
		m := boot(t, machine(12), fib(t, "ring", "on"))
		from := m.Clock() + 101
		m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) { events = append(events, *e) }), 12, trace.All(12)),
			from, from+20)
		r, err := m.Begin([]uint64{10}, em4.RunOptions{})
		require.NoError(t, err)
		advance(r)
		require.NotEmpty(t, events)
		require.Equal(t, from, events[0].Clock)
		return events
	}
	many := watched(func(r *em4.Run) { require.NoError(t, r.Advance(context.Background(), 500)) })
	single := watched(func(r *em4.Run) {
		for to := range uint64(501) {
			require.NoError(t, r.Advance(context.Background(), to))
		}
	})
	golden.Same(t, single, many, "events")
}

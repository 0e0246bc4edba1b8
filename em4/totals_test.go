package em4_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/dev/golden"
	"emsim/packet"
)

// The totals of a run are the sums over the PEs and links, and the windows of its series add up to them in every count.
func TestTotalsAreSums(t *testing.T) {
	m := boot(t, machine(12, func(c *em4.Config) { c.FIFOWords = 4 }), fib(t, "ring", "on"))
	var sum em4.Totals
	start := m.Clock()
	snapshot := func() {
		sum = em4.Totals{Clocks: m.Clock() - start}
		sum.Sent = m.HostSent()
		for i := range m.Config().PEs {
			p, c := m.PE(i), m.Counters(i)
			require.Equal(t, p.Counters, c.PECounters)
			require.Equal(t, p.IBU().Counters, c.BufferCounters)
			require.EqualValues(t, p.SegmentsPeak(), c.SegmentsPeak)
			require.Equal(t, p.Counters.Clocks[emcr.ExuFmu], c.BusyPeak)
			require.Equal(t, m.Net.Counters(i, m.Clock()), c.SwitchCounters)
			sumUp(reflect.ValueOf(&sum.Counters).Elem(), reflect.ValueOf(c), "")
		}
	}
	r, err := m.Run(context.Background(), []uint64{11}, em4.RunOptions{Window: 100, Snapshot: snapshot})
	require.NoError(t, err)
	require.Equal(t, []uint64{89}, r.Words)
	golden.Same(t, sum, r.Totals, "the sum over the PEs and the totals")
	for _, n := range []uint64{
		sum.IbuWaiting, sum.Spilled, sum.MLPECalls, sum.MLPESent, sum.Hops(), sum.MIBPeak,
		sum.SegmentsPeak, sum.RemoteCalls, sum.SentAway,
	} {
		require.NotZero(t, n, "%+v", sum)
	}
	require.EqualValues(t, 1, m.HostSent())
	require.Equal(t, sum.Sent, sum.Consumed+uint64(len(r.Words)))

	var all em4.Totals
	for i, w := range r.Series {
		all.Clocks += w.Clocks
		sumUp(reflect.ValueOf(&all.Counters).Elem(), reflect.ValueOf(w.Counters), "")
		if i > 0 {
			require.GreaterOrEqual(t, w.SegmentsPeak, r.Series[i-1].SegmentsPeak, "peaks stay")
		}
	}
	golden.Same(t, r.Totals, all, "the windows together")
	require.Equal(t, (r.Clocks+99)/100, uint64(len(r.Series)))

	pes := float64(12 * r.Clocks)
	require.InDelta(t, float64(r.States()[emcr.NetworkWait])/pes, r.Share(emcr.NetworkWait), 1e-12)
	require.InDelta(t, float64(r.States()[emcr.ExuFmu]+r.States()[emcr.IbuOnly])/pes, r.Utilisation(), 1e-12)
	require.Zero(t, em4.Totals{}.Share(emcr.Idle))
}

// While a packet waits, the clocks that it has waited so far are already counted.
func TestWaitsAreCountedAtOnce(t *testing.T) {
	m := boot(t, machine(12), fib(t, "ring", "on"))
	r, err := m.Begin([]uint64{11}, em4.RunOptions{})
	require.NoError(t, err)
	standing := 0
	for !r.Ended() {
		require.NoError(t, r.Advance(context.Background(), r.Clock()+7))
		for i := range m.Config().PEs {
			c := m.Counters(i)
			for o, n := range c.WaitClocks {
				if n != m.Net.Counters(i, 0).WaitClocks[o] {
					standing++
				}
			}
		}
	}
	require.NotZero(t, standing)
}

// sumUp adds every number of a struct to the same number of another struct. Of numbers whose names end in Peak, the
// larger one is kept. It does not use the list of statistics.
func sumUp(sum, x reflect.Value, name string) {
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			sumUp(sum.Field(i), x.Field(i), x.Type().Field(i).Name)
		}
	case reflect.Array:
		for i := range x.Len() {
			sumUp(sum.Index(i), x.Index(i), name)
		}
	default:
		if n := x.Uint(); strings.HasSuffix(name, "Peak") {
			sum.SetUint(max(sum.Uint(), n))
		} else {
			sum.SetUint(sum.Uint() + n)
		}
	}
}

// The counts of a second run start from zero, although the machine's clock does not.
func TestSecondRun(t *testing.T) {
	m := boot(t, machine(12), fib(t, "ring", ""))
	first, err := run(m, 9)
	require.NoError(t, err)
	begun := m.Clock()
	r, err := m.Begin([]uint64{9}, em4.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, begun, r.StartClock())
	require.Zero(t, r.Clock())
	require.Equal(t, []packet.Packet{{Data: 9, Addr: m.HostQueue()[0].Addr, Src: packet.Host, Seq: 1, Direct: true}},
		m.HostQueue())
	require.NoError(t, r.Advance(context.Background(), 100))
	require.EqualValues(t, 100, r.Clock())
	require.Empty(t, m.HostQueue())
	require.False(t, r.Ended())
	require.NoError(t, r.Advance(context.Background(), em4.ToEnd))
	require.True(t, r.Ended())
	second := r.Result()
	require.Equal(t, first.Words, second.Words)
	require.Equal(t, first.Calls, second.Calls)
	require.Equal(t, first.Instructions, second.Instructions)
	require.Equal(t, first.Sent, second.Sent)
}

// Progress is reported every 4096 clocks, and more often on larger machines, with the number of busy PEs.
func TestProgress(t *testing.T) {
	for pes, every := range map[int]uint64{12: 4096, 1024: 2048} {
		m := boot(t, machine(pes), source(t,
			".arg n, 1, 100, start\nstart: mov r3, 5000\non: sub r3, r3, 1\nbne r3, r0, on\nout! r1\n"))
		start := m.Clock()
		var told []uint64
		_, err := m.Run(context.Background(), []uint64{1}, em4.RunOptions{Progress: func(clock uint64, busy func() int) {
			told = append(told, clock+start)
			require.Equal(t, 1, busy())
			require.Equal(t, 1, m.Busy())
		}})
		require.NoError(t, err)
		want := []uint64{}
		for at := every; at < m.Clock()-64; at += every {
			want = append(want, at)
		}
		require.Equal(t, want, told)
		require.Zero(t, m.Busy())
	}
}

// Of several faults the earliest one is reported, and of several in one clock, the fault of the lowest PE. Here [1,0]
// always has a fault in the same clock, and [0,0] has its fault one clock later each time. [0,0] sends nothing in the
// clocks that follow, so it need not be simulated before [1,0] stops the machine.
func TestFirstFault(t *testing.T) {
	clocks := map[packet.PE][]uint64{}
	for wait := range 12 {
		m := boot(t, machine(4), source(t,
			".arg n, 1, 100, start\nstart: mov r3, 1\nshl r3, r3, 21\nsend.d r1, r3, bad\n"+
				strings.Repeat("nop\n", wait)+"relseg r1\n"+strings.Repeat("nop\n", 12)+"nop!\nbad: relseg! r1\n"))
		_, err := run(m, 7)
		var f *emcr.Fault
		require.ErrorAs(t, err, &f)
		clocks[f.PE] = append(clocks[f.PE], f.Clock)
	}
	own, other := clocks[packet.PE{}], clocks[packet.PE{GA: 1}]
	require.Len(t, clocks, 2)
	for i := range own {
		require.Equal(t, own[0]+uint64(i), own[i])
	}
	for _, clock := range other {
		require.Equal(t, own[len(own)-1], clock, "in the same clock the lower PE's was told")
	}
}

// The lists of a hang are limited, and the other entries are counted.
func TestExplainIsBounded(t *testing.T) {
	text := twoOperands + ".arg n, 1, 100, start\nstart: mov r5, 5\nmore: getseg r3, f\nsend.l r1, r3, @both\nsub " +
		"r5, r5, 1\nbne r5, r0, more\nnop!\n"
	m := boot(t, machine(12), source(t, text))
	_, err := run(m, 7)
	var none *em4.NoResult
	require.ErrorAs(t, err, &none)
	require.Len(t, none.Operands, 5)
	require.Zero(t, none.More)
	for limit, want := range map[int][2]int{0: {0, 5}, 3: {3, 2}, 5: {5, 0}, 9: {5, 0}} {
		h := m.Explain(limit)
		require.Equal(t, want, [2]int{len(h.Operands), h.More}, "limit %d", limit)
		require.Len(t, m.HalfMatched(limit), want[0])
	}

	busy := boot(t, machine(12), source(t, ".arg n, 1, 100, start\nstart: jmp start\n"))
	r, err := busy.Begin([]uint64{1}, em4.RunOptions{})
	require.NoError(t, err)
	require.NoError(t, r.Advance(context.Background(), 50))
	require.Len(t, busy.Explain(5).Waits, 1)
	h := busy.Explain(0)
	require.Equal(t, 1, h.More)
	require.Equal(t, "  and 1 more", h.String())
}

// The text of a hang uses the names that have been filled in.
func TestHangWords(t *testing.T) {
	at := packet.PE{GA: 1, CA: 2}
	o := em4.Operand{PE: at, Segment: 0x8000, Displacement: 3, Have: "left", Data: 7}
	require.Equal(t, "PE [1,2], operand segment 0x8000, displacement 3: the left operand 0x7 waits, the "+
		"right one never came", o.String())
	o.Have, o.Template.Name = "right", "f"
	require.Equal(t, "PE [1,2], operand segment 0x8000, displacement 3: the right operand 0x7 waits, the "+
		"left one never came", o.String())
	o.Node = emcr.CodeLocation{Name: "f.sum", Source: "p.s:4"}
	require.Equal(t, "PE [1,2], node f.sum of template f (p.s:4), operand segment 0x8000, displacement 3: the right "+
		"operand 0x7 waits, the left one never came", o.String())
	o.Template.Name, o.Node.Source = "", ""
	require.Equal(t, "PE [1,2], node f.sum, operand segment 0x8000, displacement 3: the right operand 0x7 waits, the "+
		"left one never came", o.String())
	w := em4.Wait{PE: at, Unit: "EXU", For: "the switch", At: &emcr.CodeLocation{Code: 5, Name: "main"}}
	require.Equal(t, "PE [1,2], EXU: the switch (main)", w.String())
	bare := em4.Wait{PE: at, Unit: "FMU", For: "the memory port"}
	h := em4.Hang{Waits: []em4.Wait{w}, Cycle: []em4.Wait{bare, w}, Operands: []em4.Operand{o}, More: 2}
	require.Equal(t, strings.Join([]string{
		"  a cycle of 2 waits, each for the room of the next:",
		"    PE [1,2], FMU: the memory port",
		"    PE [1,2], EXU: the switch (main)",
		"  PE [1,2], EXU: the switch (main)",
		"  " + o.String(),
		"  and 2 more",
	}, "\n"), h.String())
	require.Equal(t, []*emcr.CodeLocation{w.At, w.At, &h.Operands[0].Template, &h.Operands[0].Node}, h.CodeLocations())
	require.Empty(t, (&em4.Hang{}).CodeLocations())
	require.Empty(t, em4.Hang{}.String())
}

package em4_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/state"
	"emsim/internal/dev/golden"
	"emsim/internal/dev/randprog"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
	"emsim/trace"
)

// saved returns the state of a run, written to a stream.
func saved(t require.TestingT, r *em4.Run) []byte {
	var b bytes.Buffer
	c := state.Writer(&b)
	r.State(c)
	require.NoError(t, c.Flush())
	return b.Bytes()
}

// restored returns a run with a saved state, on a new machine.
func restored(t require.TestingT, c em4.Config, o *asm.Object, b []byte) (*em4.Machine, *em4.Run) {
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	r := m.Resume(em4.RunOptions{})
	codec := state.Reader(bytes.NewReader(b), len(b))
	r.State(codec)
	require.NoError(t, codec.Err())
	require.Zero(t, codec.BytesLeft())
	return m, r
}

// hops records the moves of all switches from the trace.
func hops(m *em4.Machine) *[]trace.Event {
	var list []trace.Event
	note := func(e *trace.Event) {
		if e.Kind == trace.Moved {
			list = append(list, *e)
		}
	}
	m.Watch(trace.NewRecorder(trace.Func(note), m.Config().PEs, trace.All(m.Config().PEs)), 0, math.MaxUint64)
	return &list
}

// A run that is saved, and restored on another machine, continues as if it had not been interrupted: with equal states
// at every later clock, equal traces and equal results. Programs, machines, the clock and the windows are random.
func TestResumedRunEqualsUninterrupted(t *testing.T) {
	later, resumed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := randprog.Gen(randprog.Medium).Draw(t, "program")
		o, _, err := asm.Assemble("random.s",
			asm.Options{Open: func(string) ([]byte, error) { return []byte(p.Text), nil }})
		require.NoError(t, err)
		c := machine(rapid.SampledFrom([]int{4, 12}).Draw(t, "pes"))
		c.FIFOWords = rapid.SampledFrom([]int{32, 2, 4}).Draw(t, "fifo words")
		for _, b := range []*bool{
			&c.BurstRefill, &c.RefillBlocksIntake, &c.SpillInterrupts, &c.IBUOwnMemory,
			&c.BalancedRoutes, &c.FairSwitch, &c.LoadCountsExecution,
		} {
			*b = rapid.Bool().Draw(t, "knob")
		}
		c.MLPERoute = rapid.SampledFrom([]string{"reverse", "group", "both"}).Draw(t, "route")
		c.SwitchPriority = rapid.IntRange(0, 3).Draw(t, "switch priority")
		c.IBUPriority = rapid.IntRange(0, 3).Draw(t, "IBU priority")
		c.PrefetchRegisters = rapid.IntRange(1, 3).Draw(t, "registers")
		c.OutPackets = rapid.IntRange(0, 3).Draw(t, "out packets")
		prog, err := programs.Load(o)
		require.NoError(t, err)
		m, err := em4.New(c, prog, 1)
		require.NoError(t, err)
		require.NoError(t, m.Boot(context.Background(), 1_000_000))
		whole, err := m.Begin(p.Args, em4.RunOptions{MaxClocks: 200_000, Window: 100})
		require.NoError(t, err)
		require.NoError(t, whole.Advance(context.Background(), rapid.Uint64Range(0, 2000).Draw(t, "clock")))
		if whole.Ended() {
			return
		}
		resumed++
		m2, second := restored(t, c, o, saved(t, whole))
		trace, trace2 := hops(m), hops(m2)
		var want, got []byte
		for !whole.Ended() {
			want, got = content(m, want), content(m2, got)
			if !bytes.Equal(want, got) {
				t.Fatalf("clock %d: %s", m.Clock(), em4.Difference(m, m2))
			}
			later++
			next := whole.Clock() + 1
			err, err2 := whole.Advance(context.Background(), next), second.Advance(context.Background(), next)
			if err != nil || err2 != nil || whole.Ended() != second.Ended() {
				t.Fatalf("clock %d: %v, %v", m.Clock(), err, err2)
			}
		}
		golden.Same(t, whole.Result(), second.Result(), "the result")
		golden.Same(t, *trace, *trace2, "the trace")
		golden.Same(t, saved(t, whole), saved(t, second), "the state")
	})
	t.Logf("%d runs resumed, %d clocks compared", resumed, later)
	require.NotZero(t, resumed)
}

// Stopping does not affect a run. The result is the same if the run is stepped in one go or in pieces, and saved and
// restored from time to time.
func TestManyStops(t *testing.T) {
	c, o := machine(12), fib(t, "random", "on")
	m := boot(t, c, o)
	want, err := m.Run(context.Background(), []uint64{10}, em4.RunOptions{Window: 70})
	require.NoError(t, err)
	m = boot(t, c, o)
	r, err := m.Begin([]uint64{10}, em4.RunOptions{Window: 70})
	require.NoError(t, err)
	for stop := uint64(0); !r.Ended(); stop += 37 {
		require.NoError(t, r.Advance(context.Background(), stop))
		if !r.Ended() {
			_, r = restored(t, c, o, saved(t, r))
		}
	}
	golden.Same(t, want, r.Result(), "the result")
}

// An interrupted run returns its statistics so far and can continue, and so can a run at its clock limit.
func TestGoesOnAfterInterruption(t *testing.T) {
	c, o := machine(12), fib(t, "random", "on")
	want, err := boot(t, c, o).Run(context.Background(), []uint64{17}, em4.RunOptions{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := boot(t, c, o).Begin([]uint64{17}, em4.RunOptions{MaxClocks: 300})
	require.NoError(t, err)
	var limit *em4.ClockLimit
	require.ErrorAs(t, r.Advance(ctx, em4.ToEnd), &limit)
	require.EqualValues(t, 300, r.Result().Clocks)
	r.MaxClocks = 0
	require.ErrorIs(t, r.Advance(ctx, em4.ToEnd), context.Canceled)
	require.Greater(t, r.Result().Clocks, uint64(300))
	require.NoError(t, r.Advance(context.Background(), em4.ToEnd))
	golden.Same(t, want, r.Result(), "the result")
}

// crowded returns the states of a run in which every unit has work, words went to the host, and MIBs are in use. memory
// says which bytes of each state are memory words.
func crowded(t testing.TB) (c em4.Config, o *asm.Object, states [][]byte, memory [][]bool) {
	c, o = machine(4, smallFIFO, func(c *em4.Config) { c.SegmentWords, c.Segments = 8, 64 }), file(t, "busy.s")
	m := boot(t, c, o)
	r, err := m.Begin([]uint64{7, 9, 1, 2, 3, 4}, em4.RunOptions{MaxClocks: 100_000, Window: 100})
	require.NoError(t, err)
	some := func(is func(p *emcr.PE) bool) func() bool {
		return func() bool {
			for i := range m.Config().PEs {
				if is(m.PE(i)) {
					return true
				}
			}
			return false
		}
	}
	first := some(func(p *emcr.PE) bool { return p.IBU().TransferName() == "spill" && p.IBU().MIBWords() == 0 })
	holds := some(func(p *emcr.PE) bool { return p.EXU().Holds })
	stored := some(func(p *emcr.PE) bool { // the FMU has just stored the operand
		f := p.FMU()
		return f.Step == emcr.FMUIdle && f.Packet.Match != packet.One && p.Memory().Tag(f.Packet.Addr) != 0
	})
	busy := some(func(p *emcr.PE) bool { return p.EXU().Left > 0 })
	banks := func() bool { // a packet is on its way through the network
		for i := range m.Config().PEs {
			for _, x := range m.Net.Slots(i, m.Clock()) {
				if x.Input != omega.Own {
					return true
				}
			}
		}
		return false
	}
	for _, at := range []struct {
		clock uint64
		with  func() bool // reports whether the machine is to be saved in this clock; if not, it is stepped until it is
	}{{3, nil}, {40, first}, {60, stored}, {75, banks}, {100, holds}, {125, banks}, {160, busy}, {190, holds}, {
		200,
		first,
	}} {
		require.NoError(t, r.Advance(context.Background(), at.clock))
		for at.with != nil && !at.with() {
			require.NoError(t, r.Advance(context.Background(), r.Clock()+1))
			require.False(t, r.Ended(), "clock %d", at.clock)
		}
		b := saved(t, r)
		in := make([]bool, len(b))
		for i := range c.PEs {
			words := state.Saver(nil)
			m.PE(i).Memory().State(words)
			at := bytes.Index(b, words.Bytes())
			for j := range words.Bytes() {
				in[at+j] = true
			}
		}
		states, memory = append(states, b), append(memory, in)
	}
	return c, o, states, memory
}

// loadAndRun restores arbitrary bytes. It either returns an error, or the machine continues without a panic.
func loadAndRun(t testing.TB, c em4.Config, prog em4.Program, b []byte) error {
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	r := m.Resume(em4.RunOptions{})
	codec := state.Loader(b)
	if r.State(codec); codec.Err() != nil {
		return codec.Err()
	}
	err = r.Advance(context.Background(), r.Clock()+150)
	_ = m.Explain(20).String()
	_ = fmt.Sprint(err, r.Result())
	return nil
}

// rules lists the messages of the Check methods, with N for numbers. TestWrongStates must produce each of them.
const rules = `cannot be in this PE
operand segments are in use, N have tags, and N words outside of them have tags
of N operand segments -N are in use
of N operand segments N are in use, at most -N were at once
register rN holds N
words of structure memory are free before any was used
structure memory ends at N with N words free
the lists of structure memory have a gap
the EXU needs N more of N clocks
the EXU has no state N
while a packet is on the port: true
where there is no instruction
the packet on the port is ready only in clock N
the FMU has no state N
the FMU cannot be matching
the FMU matches
the input buffer has no operation N
FIFO and MIB held at most N + N
the input buffer refills in a burst
the input buffer refills, but
the input buffer spills, but
the input buffer holds N + N packets
an input last sent from bank N, which does not exist
an output last served input N, which does not exist
is routed to output N, which does not exist
it can be filled again only in clock N
arrives only in clock N
is routed to the own output, which is wrong
port is busy until clock N
the switch accepted a packet in clock N, which is not over
the intake register holds
has an unknown type or matching condition
has a destination that this machine does not have
has an address of more than N bits
has a payload of more than N bits
comes from PE number N, which this machine does not have
a word went to the host in clock N, which is before an earlier word
something moved in clock N, but the machine is at clock N
no memory page begins at N
the run began at clock N, but the machine is at clock N
is not the clock of the last word to the host
windows of N clocks after N clocks
window N ends after N clocks
is not a truth value
does not fit its field
the bytes end too early`

// A saved state with one wrong number is rejected or does no harm. The test changes all numbers outside the memory, and
// some in the memory.
func TestWrongStates(t *testing.T) {
	c, o, states, memory := crowded(t)
	prog, err := programs.Load(o)
	require.NoError(t, err)
	accepted, refused := 0, map[string]int{}
	shape := regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)
	random := rand.New(rand.NewPCG(1, 1))
	for i, good := range states {
		require.NoError(t, loadAndRun(t, c, prog, good))
		for at := 0; at < len(good); at += 8 {
			if memory[i][at] && random.IntN(400) > 0 {
				continue
			}
			for n, how := range []uint64{0, 1, 6, 7, 3<<3 | 3, 9<<3 | 3, 255<<3 | 5, 0xfffff<<3 | 5, 1<<40 | 5} {
				if (at/8+n+i)%2 == 0 {
					continue // each state tests half of the changes
				}
				b := slices.Clone(good)
				poke(b, uint32(at/8), how)
				if err := loadAndRun(t, c, prog, b); err == nil {
					accepted++
				} else {
					refused[shape.ReplaceAllString(err.Error(), "N")]++
				}
			}
		}
	}
	t.Logf("of %d bytes: %d changes are without harm", len(states[0]), accepted)
	require.Greater(t, accepted, 1000)
	all := strings.Join(slices.Sorted(maps.Keys(refused)), "\n")
	for _, says := range strings.Split(rules, "\n") {
		require.True(t, strings.Contains(all, says), "nothing was refused with %q", says)
	}
}

// poke changes one of the 64-bit numbers of a state. The low bits of how select the kind of change.
func poke(b []byte, where uint32, how uint64) {
	at := int(where) % (len(b) / 8) * 8
	old := uint64(0)
	for i := range 8 {
		old |= uint64(b[at+i]) << (8 * i)
	}
	var v uint64
	switch x := how >> 3; how & 7 {
	case 0:
		v = old + 1
	case 1:
		v = old - 1
	case 2:
		v = old ^ 1<<(x&63)
	case 3:
		v = x & 15
	case 4:
		v = x & (1<<18 - 1)
	case 5:
		v = x
	case 6:
		v = 0
	case 7:
		v = ^uint64(0)
	}
	for i := range 8 {
		b[at+i] = byte(v >> (8 * i))
	}
}

// FuzzState changes numbers of a saved state and truncates it. Restoring must not panic, and must not allocate more
// memory than the bytes need.
func FuzzState(f *testing.F) {
	c, o, states, _ := crowded(f)
	prog, err := programs.Load(o)
	require.NoError(f, err)
	f.Add(uint8(0), uint32(0), uint64(0), uint32(9), uint64(2), uint32(1<<31))
	f.Fuzz(func(t *testing.T, which uint8, at uint32, how uint64, at2 uint32, how2 uint64, end uint32) {
		b := slices.Clone(states[int(which)%len(states)])
		poke(b, at, how)
		poke(b, at2, how2)
		loadAndRun(t, c, prog, b[:min(len(b), int(end))])
	})
}

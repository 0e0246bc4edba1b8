package ibu

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/packet"
)

// bench is an input buffer between a sender and an FMU that act at random, with a plain queue that predicts the output.
type bench struct {
	c       Config
	u       IBU
	pins    packet.Pins
	clock   uint64
	queue   []uint32 // numbers of the packets in the buffer, oldest first
	arrived uint32
}

func newBench(c Config) *bench {
	b := &bench{c: c, pins: packet.NewPins()}
	b.u.Init(c)
	return b
}

// arrive puts a packet into the intake, where it is usable `later` clocks later.
func (b *bench) arrive(later uint64) {
	if b.pins.InFull {
		return
	}
	b.arrived++
	b.pins.In = packet.Packet{Seq: b.arrived, Data: uint64(b.arrived) * 3}
	b.pins.InFull, b.pins.InReady = true, b.clock+later
	b.queue = append(b.queue, b.arrived)
}

// step simulates one clock. It reports whether the buffer has overflowed.
func (b *bench) step(t require.TestingT, grant, pop bool) (overflow bool) {
	wants := b.u.Request(&b.pins, b.clock).UsesMemory()
	pop = pop && b.u.Head() != nil
	if pop {
		require.Equal(t, b.queue[0], b.u.Head().Seq, "the head is the oldest packet")
		require.EqualValues(t, b.queue[0]*3, b.u.Head().Data)
		b.queue = b.queue[1:]
	}
	spilled := b.u.Spilled
	ok := b.u.Step(&b.pins, b.clock, wants && grant, pop)
	require.True(t, !ok || wants && grant || b.u.Spilled == spilled, "no spill without the memory port")
	b.clock++
	b.check(t)
	return !ok
}

// check compares the contents of the buffer with the queue.
func (b *bench) check(t require.TestingT) {
	var inside []uint32
	b.u.Each(func(p *packet.Packet) { inside = append(inside, p.Seq) })
	if b.pins.InFull {
		inside = append(inside, b.pins.In.Seq)
	}
	if !slices.Equal(b.queue, inside) {
		require.Equal(t, b.queue, inside, "FIFO, MIB and intake hold what came and has not gone, in order")
	}
	require.LessOrEqual(t, b.u.FIFOWords(), b.c.FIFOWords)
	require.LessOrEqual(t, b.u.MIBWords(), b.c.MIBWords)
	require.GreaterOrEqual(t, b.u.FIFOPeak, uint64(b.u.FIFOWords()))
	require.GreaterOrEqual(t, b.u.MIBPeak, uint64(b.u.MIBWords()))
	require.Equal(t, b.u.FIFOWords()+b.u.MIBWords() == 0, b.u.Empty())
}

// restore replaces the buffer by one that is restored from its saved state.
func (b *bench) restore(t require.TestingT) {
	s := state.Saver(nil)
	b.u.State(s)
	var u IBU
	u.Init(b.c)
	l := state.Loader(s.Bytes())
	u.State(l)
	require.NoError(t, l.Err())
	require.Zero(t, l.BytesLeft())
	b.u = u
	b.check(t)
}

// phase is a span of clocks, with probabilities in eighths.
type phase struct{ arrive, grant, pop, clocks int }

// anyConfig draws a buffer whose MIB holds at least mib words.
func anyConfig(t *rapid.T, mib int) Config {
	return Config{
		FIFOWords:          2 * rapid.SampledFrom([]int{1, 2, 3, 4, 16}).Draw(t, "fifo"),
		MIBWords:           mib + 2*rapid.IntRange(0, 20).Draw(t, "mib"),
		BurstRefill:        rapid.Bool().Draw(t, "burst"),
		RefillBlocksIntake: rapid.Bool().Draw(t, "refill first"),
		Priority:           rapid.IntRange(0, packet.MaxPriority).Draw(t, "priority"),
	}
}

// The random tests vary every parameter of the buffer.
func TestEveryFieldIsDrawn(t *testing.T) {
	values := map[string]map[any]bool{}
	rapid.Check(t, func(t *rapid.T) {
		v := reflect.ValueOf(anyConfig(t, 40))
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if values[name] == nil {
				values[name] = map[any]bool{}
			}
			values[name][v.Field(i).Interface()] = true
		}
	})
	for name, drawn := range values {
		require.Greater(t, len(drawn), 1, "%s: draw it in anyConfig", name)
	}
}

func anyPhase(t *rapid.T) phase {
	eighths := rapid.IntRange(0, 8)
	return phase{
		eighths.Draw(t, "arrive"), eighths.Draw(t, "grant"), eighths.Draw(t, "pop"),
		rapid.IntRange(1, 40).Draw(t, "clocks"),
	}
}

// Packets arrive, the FMU takes them and the memory port is granted at random. The packets keep their order, none is
// lost or duplicated, and the bounds hold. The buffer overflows only if FIFO and MIB are full and a packet is in the
// intake. All packets come out once the port and the FMU are available.
func TestAgainstPlainQueue(t *testing.T) {
	for combination := range 4 {
		burst, refillFirst := combination&1 != 0, combination&2 != 0
		t.Run(fmt.Sprintf("burst %v, refill first %v", burst, refillFirst), func(t *testing.T) {
			var spilled uint64
			overflows := 0
			rapid.Check(t, func(t *rapid.T) {
				b := newBench(Config{
					FIFOWords: rapid.SampledFrom([]int{2, 4, 6, 32}).Draw(t, "fifo words"),
					MIBWords:  rapid.SampledFrom([]int{0, 2, 8, 40, 8192}).Draw(t, "mib words"),

					BurstRefill: burst, RefillBlocksIntake: refillFirst,
				})
				for _, p := range rapid.SliceOfN(rapid.Custom(anyPhase), 3, 12).Draw(t, "phases") {
					chances := rapid.SliceOfN(rapid.Uint64(), p.clocks, p.clocks).Draw(t, "chances")
					for _, x := range chances {
						if int(x&7) < p.arrive {
							b.arrive(x >> 12 & 1)
						}
						if b.step(t, int(x>>3&7) < p.grant, int(x>>6&7) < p.pop) {
							overflows++
							require.Equal(t, b.c.MIBWords, b.u.MIBWords())
							require.True(t, b.pins.InFull, "the packet that found no room still stands at the intake")
							return
						}
					}
					b.restore(t)
				}
				spilled += b.u.Spilled
				b.drain(t)
			})
			t.Logf("%d packets spilled, %d overflows", spilled, overflows)
			require.NotZero(t, spilled)
			require.NotZero(t, overflows)
		})
	}
}

// drain empties the buffer. It takes one clock per packet in the FIFO, and at most four for a packet that is in the MIB
// or still has to go there.
func (b *bench) drain(t require.TestingT) {
	limit := b.clock + uint64(6*len(b.queue)) + 8
	for len(b.queue) > 0 {
		require.Less(t, b.clock, limit, "the buffer does not drain")
		if b.step(t, true, true) {
			// The packet in the intake has found a full FIFO and a full MIB.
			require.Equal(t, b.c.MIBWords, b.u.MIBWords())
			return
		}
	}
	require.True(t, b.u.Empty())
}

// A spill and a refill are two words each: two clocks of the port [003 §4.2].
func TestSpillAndRefillTakeTwoClocksEach(t *testing.T) {
	b := newBench(Config{FIFOWords: 2, MIBWords: 8})
	b.arrive(0)
	b.step(t, true, false) // the packet goes into the FIFO, which is now full
	b.arrive(0)
	require.True(t, b.u.Request(&b.pins, b.clock).UsesMemory())
	b.step(t, true, false)
	require.Zero(t, b.u.MIBWords(), "after the first word")
	b.step(t, true, false)
	require.Equal(t, 2, b.u.MIBWords())
	require.False(t, b.u.Request(&b.pins, b.clock).UsesMemory(),
		"nothing to do while the FIFO is full and nobody comes")
	b.step(t, true, true) // the FMU takes the head packet
	b.step(t, true, false)
	require.Nil(t, b.u.Head())
	b.step(t, true, false)
	require.EqualValues(t, 2, b.u.Head().Seq)
	require.Zero(t, b.u.MIBWords())
}

// While the MIB holds any packet, every new packet goes there, even if the FIFO has room: packets keep strict arrival
// order.
func TestNewcomersQueueBehindTheMIB(t *testing.T) {
	b := newBench(Config{FIFOWords: 4, MIBWords: 8})
	for range 3 {
		b.arrive(0)
		b.step(t, true, false)
		b.step(t, true, false)
	}
	require.Equal(t, 2, b.u.MIBWords())
	b.step(t, true, true) // now the FIFO has room for one packet
	b.arrive(0)
	b.step(t, true, false)
	b.step(t, true, false)
	require.Equal(t, 4, b.u.MIBWords())
	require.Equal(t, 2, b.u.FIFOWords())
}

func TestConfigRanges(t *testing.T) {
	for want, c := range map[string]Config{
		"fifo_words is 0, it must be an even number 2..8192":       {FIFOWords: 0},
		"fifo_words is 1, it must be an even number 2..8192":       {FIFOWords: 1},
		"fifo_words is 3, it must be an even number 2..8192":       {FIFOWords: 3},
		"fifo_words is -2, it must be an even number 2..8192":      {FIFOWords: -2},
		"fifo_words is 8194, it must be an even number 2..8192":    {FIFOWords: 8194},
		"mib_words is -2, it must be an even number 0..131072":     {FIFOWords: 2, MIBWords: -2},
		"mib_words is 5, it must be an even number 0..131072":      {FIFOWords: 2, MIBWords: 5},
		"mib_words is 131074, it must be an even number 0..131072": {FIFOWords: 2, MIBWords: 131074},
		"ibu_priority is -1, it must be 0..3":                      {FIFOWords: 2, Priority: -1},
		"ibu_priority is 4, it must be 0..3":                       {FIFOWords: 2, Priority: 4},
	} {
		require.EqualError(t, c.Validate(), want)
	}
	for _, c := range []Config{
		{FIFOWords: 2},
		{FIFOWords: 4, MIBWords: 2},
		{FIFOWords: 8192, MIBWords: 131072, Priority: 3},
	} {
		require.NoError(t, c.Validate())
	}
}

// After ClearCounters the peaks are the present values.
func TestClearCounters(t *testing.T) {
	b := newBench(Config{FIFOWords: 4, MIBWords: 8})
	for _, line := range []string{"in", "in", "in port", "port", "in port", "port", "pop", "pop", "port", "port"} {
		b.line(line)
	}
	require.Equal(t, [3]uint64{2, 4, 4}, [3]uint64{b.u.Spilled, b.u.MIBPeak, b.u.FIFOPeak})
	b.u.ClearCounters()
	require.Equal(t, [3]uint64{0, 2, 2}, [3]uint64{b.u.Spilled, b.u.MIBPeak, b.u.FIFOPeak})
}

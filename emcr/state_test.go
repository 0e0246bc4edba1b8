package emcr

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/state"
	"emsim/internal/dev/damage"
	"emsim/internal/dev/golden"
	"emsim/isa"
	"emsim/packet"
)

// saved returns the state of the PE, as in a checkpoint.
func (b *testbench) saved() []byte {
	c := state.Saver(nil)
	b.pe.State(c)
	return c.Bytes()
}

// hash returns the hash of the state.
func (b *testbench) hash() uint64 {
	c := state.Hasher(nil)
	b.pe.State(c)
	return state.Hash(c.Bytes())
}

// restored returns a bench whose PE is restored from saved bytes, on copies of the pins.
func (b *testbench) restored(saved []byte) (*testbench, error) {
	n := &testbench{
		t: b.t, cfg: b.cfg, pins: b.pins, clock: b.clock, hold: b.hold, host: b.host,
		arrive: slices.Clone(b.arrive), outFree: b.outFree, inFree: b.inFree,
	}
	n.pe.Init(&n.cfg, b.pe.image, &n.pins, b.pe.address, b.pe.index)
	n.lazy().SetNextClock(n.clock)
	l := state.Loader(saved)
	n.pe.State(l)
	if l.Err() == nil && l.BytesLeft() > 0 {
		return nil, fmt.Errorf("%d words are left over", l.BytesLeft()/8)
	}
	if l.Err() != nil {
		return nil, l.Err()
	}
	return n, n.pe.Check(n.clock)
}

// damage prints the results of restoring and checking every change of the state after a number of clocks. In the memory
// it changes only the words and tags at the addresses to show.
func (b *testbench) damage(clocks int, out *strings.Builder) {
	for range clocks {
		b.step()
	}
	require.Nil(b.t, b.pe.Fault())
	saved := b.saved()
	_, err := b.restored(saved)
	require.NoError(b.t, err)
	near := []uint64{
		b.clock, uint64(b.cfg.SegmentBase), uint64(b.cfg.Segments), uint64(b.cfg.StructureBase),
		uint64(b.cfg.StructureBase + b.cfg.StructureWords), addrMask,
	}
	names := b.names()
	for i, name := range names {
		if len(b.words) > 0 && !slices.ContainsFunc(b.words,
			func(w string) bool { return strings.HasPrefix(name, w) }) {
			names[i] = ""
		}
	}
	out.WriteString(damage.Table(saved, names, near, func(saved []byte) error {
		n, err := b.restored(saved)
		for range 40 { // a state that is accepted must do no harm
			if err == nil && n.pe.Fault() == nil {
				n.step()
			}
		}
		return err
	}))
}

// names returns the names of the words in the state.
func (b *testbench) names() (n damage.Names) {
	p := &b.pe
	n.Add("FIFO packets", "MIB packets", "urgent packets")
	i := 0
	p.ibu.Each(func(*packet.Packet) {
		n.Packet(fmt.Sprintf("packet %d", i))
		i++
	})
	n.Omit(2) // tested in ibu/testdata/damage.txt
	n.Fields(p.ibu.Counters, nil)
	n.Add("FMU state")
	n.Packet("FMU packet")
	n.Omit(4) // any values are valid
	n.Add("r0", "r1")
	n.Omit(isa.Registers - 2)
	n.Add("EXU state", "EXU left", "EXU ends", "EXU answers")
	n.Omit(1) // the next address is checked when it is fetched
	n.Add("EXU instruction", "packets behind the port")
	for i := range p.out.count {
		n.Packet(fmt.Sprintf("behind the port %d", i))
		n.Omit(1)
	}
	n.Add("pages")
	p.mem.Touched(func(first uint32) {
		n.Add(fmt.Sprintf("page %#x", first))
		words := make(damage.Names, 2*pageWords)
		for _, name := range b.show {
			if at := p.mem.offset(b.place(name)); at-first < pageWords {
				words[2*(at-first)+1] = "tag of " + name
			}
		}
		n = append(n, words...)
	})
	n.Add("segments used", "segments ever used", "segment released last", "segments peak", "structure used",
		"structure left")
	for _, list := range []struct {
		name    string
		extents []extent
	}{{"free", p.str.freeRuns}, {"taken", p.str.allocated}} {
		n.Add(list.name + " extents")
		for i := range list.extents {
			n.Add(fmt.Sprintf("%s %d start", list.name, i), fmt.Sprintf("%s %d words", list.name, i))
		}
	}
	n.Add("prefetched")
	return n
}

// A restored PE continues as the saved PE does, and Check accepts its state in every clock.
func TestRestoreGoesOn(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		n := randomArrivals(r, b)
		copied := b
		for b.pe.Consumed < uint64(n) || !b.pe.Quiet() {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			require.NoError(t, b.pe.Check(b.clock))
			if rapid.IntRange(0, 19).Draw(r, "restore") == 0 {
				var err error
				copied, err = b.restored(b.saved())
				require.NoError(t, err)
			}
			b.step()
			if copied != b {
				copied.step()
			}
			require.Nil(t, b.pe.Fault())
			require.Equal(t, b.hash(), copied.hash(), "clock %d", b.clock)
			golden.Same(t, b.pins, copied.pins, "clock %d", b.clock)
		}
		golden.Same(t, b.saved(), copied.saved(), "saved state")
	})
}

// anyKnobs draws the parameters that affect timing, and the clocks in which the switch accepts no packet.
func anyKnobs(r *rapid.T, b *testbench) {
	c := &b.cfg
	c.IBU.FIFOWords = rapid.SampledFrom([]int{2, 4, 6, 8, 32}).Draw(r, "fifo")
	c.IBU.MIBWords = 2 * rapid.IntRange(200, 4096).Draw(r, "mib")
	c.SpillInterrupts = rapid.Bool().Draw(r, "ibu first")
	c.MatchClocks = rapid.IntRange(MinMatchClocks, MaxMatchClocks).Draw(r, "match")
	c.GetsegClocks = rapid.IntRange(MinGetsegClocks, MaxGetsegClocks).Draw(r, "getseg")
	c.IBUOwnMemory = rapid.Bool().Draw(r, "own memory")
	c.LoadCountsExecution = rapid.Bool().Draw(r, "load counts execution")
	c.IBU.BurstRefill = rapid.Bool().Draw(r, "burst")
	c.IBU.RefillBlocksIntake = rapid.Bool().Draw(r, "refill first")
	c.IBU.Priority = rapid.IntRange(0, packet.MaxPriority).Draw(r, "priority")
	c.MarkAnswers = rapid.Bool().Draw(r, "answers")
	c.MLPEKind = rapid.SampledFrom([]packet.Kind{packet.MLPE, packet.MLPEGroup, packet.MLPEBoth}).Draw(r, "search")
	c.PrefetchRegisters = rapid.IntRange(1, MaxPrefetch).Draw(r, "prefetch")
	c.OutPackets = rapid.IntRange(0, 16).Draw(r, "out packets")
	c.InjectClocks = rapid.Uint64Range(1, 8).Draw(r, "inject")
	b.pe.Init(c, b.pe.image, &b.pins, b.pe.address, b.pe.index)
	b.pe.image.MeasureDistances()
	first := rapid.Uint64Range(0, 60).Draw(r, "hold")
	b.hold = [2]uint64{first, first + rapid.Uint64Range(0, 100).Draw(r, "held")}
}

// fixed lists the fields that anyKnobs leaves alone. They set the layout and the sizes, and do not affect timing.
var fixed = []string{
	"K", "Format", "Seed", "SegmentBase", "SegmentWords", "Segments", "StructureBase",
	"StructureWords", "MIBBase",
}

// The random tests vary every other parameter of a PE.
func TestEveryFieldIsDrawn(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	values := map[string]map[any]bool{}
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		var fields func(prefix string, v reflect.Value)
		fields = func(prefix string, v reflect.Value) {
			for i := range v.NumField() {
				name := prefix + v.Type().Field(i).Name
				if name == "IBU" {
					fields("IBU.", v.Field(i))
					continue
				}
				if values[name] == nil {
					values[name] = map[any]bool{}
				}
				values[name][v.Field(i).Interface()] = true
			}
		}
		fields("", reflect.ValueOf(b.cfg))
	})
	for name, drawn := range values {
		require.Equal(t, slices.Contains(fixed, name), len(drawn) == 1,
			"%s: draw it in anyKnobs, or say in fixed why not", name)
	}
}

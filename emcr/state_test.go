package emcr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/damage"
	"emsim/internal/state"
	"emsim/isa"
	"emsim/packet"
)

// saved returns the state of the PE as a checkpoint holds it.
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

// restored returns a bench whose PE was made from saved bytes, on copies of
// the pins.
func (b *testbench) restored(saved []byte) (*testbench, error) {
	n := &testbench{t: b.t, cfg: b.cfg, pins: b.pins, clock: b.clock, hold: b.hold, host: b.host, arrive: slices.Clone(b.arrive), outFree: b.outFree, inFree: b.inFree}
	n.pe.Init(&n.cfg, b.pe.image, &n.pins, b.pe.at, b.pe.index)
	n.lag().SetNext(n.clock)
	l := state.Loader(saved)
	n.pe.State(l)
	if l.Err() == nil && l.Left() > 0 {
		return nil, fmt.Errorf("%d words are left over", l.Left()/8)
	}
	if l.Err() != nil {
		return nil, l.Err()
	}
	return n, n.pe.Check(n.clock)
}

// damage lists, after so many clocks, what a restore and Check say to every
// change of the state. Of the memory it changes the words and tags of the
// addresses to show.
func (b *testbench) damage(clocks int, out *strings.Builder) {
	for range clocks {
		b.step()
	}
	require.Nil(b.t, b.pe.Fault())
	saved := b.saved()
	_, err := b.restored(saved)
	require.NoError(b.t, err)
	near := []uint64{b.clock, uint64(b.cfg.SegmentBase), uint64(b.cfg.Segments), uint64(b.cfg.StructureBase), uint64(b.cfg.StructureBase + b.cfg.StructureWords), addrMask}
	names := b.names()
	for i, name := range names {
		if len(b.words) > 0 && !slices.ContainsFunc(b.words, func(w string) bool { return strings.HasPrefix(name, w) }) {
			names[i] = ""
		}
	}
	out.WriteString(damage.Table(saved, names, near, func(saved []byte) error {
		n, err := b.restored(saved)
		for range 40 { // what is accepted does no harm
			if err == nil && n.pe.Fault() == nil {
				n.step()
			}
		}
		return err
	}))
}

// names names the words of the state.
func (b *testbench) names() (n damage.Names) {
	p := &b.pe
	n.Add("FIFO packets", "MIB packets", "urgent packets")
	i := 0
	p.ibu.Each(func(*packet.Packet) {
		n.Packet(fmt.Sprintf("packet %d", i))
		i++
	})
	n.Omit(2) // ibu/testdata/damage.txt
	n.Fields(p.ibu.Counters, nil)
	n.Add("FMU state")
	n.Packet("FMU packet")
	n.Omit(4) // whatever they are
	n.Add("r0", "r1")
	n.Omit(isa.Registers - 2)
	n.Add("EXU state", "EXU left", "EXU ends", "EXU answers")
	n.Omit(1) // what is fetched next is looked at when it is fetched
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
			if at := p.mem.place(b.place(name)); at-first < pageWords {
				words[2*(at-first)+1] = "tag of " + name
			}
		}
		n = append(n, words...)
	})
	n.Add("segments used", "segments ever used", "segment released last", "segments peak", "structure used", "structure left")
	for _, list := range []struct {
		name    string
		extents []extent
	}{{"free", p.str.free}, {"taken", p.str.taken}} {
		n.Add(list.name + " extents")
		for i := range list.extents {
			n.Add(fmt.Sprintf("%s %d start", list.name, i), fmt.Sprintf("%s %d words", list.name, i))
		}
	}
	n.Add("prefetched")
	return n
}

// A PE that is restored goes on as the one that was saved, and nothing is
// wrong with its state in any clock.
func TestRestoreGoesOn(t *testing.T) {
	obj := assemble(t, "mixed.s", mixed)
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		n := randomArrivals(r, b)
		copied := b
		for b.pe.Consumed < uint64(n) || !b.pe.Asleep() {
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
			require.Equal(t, b.pins, copied.pins)
		}
		require.Equal(t, b.saved(), copied.saved())
	})
}

// anyKnobs draws the parameters that change when what happens, and when the
// switch takes nothing.
func anyKnobs(r *rapid.T, b *testbench) {
	c := &b.cfg
	c.IBU.FIFOWords = rapid.SampledFrom([]int{2, 4, 32}).Draw(r, "fifo")
	c.IBUFirst = rapid.Bool().Draw(r, "ibu first")
	c.IBUOwnMemory = rapid.Bool().Draw(r, "own memory")
	c.IBU.BurstRefill = rapid.Bool().Draw(r, "burst")
	c.IBU.RefillBlocksIntake = rapid.Bool().Draw(r, "refill first")
	c.IBU.Priority = rapid.IntRange(0, packet.MaxPriority).Draw(r, "priority")
	c.Answers = rapid.Bool().Draw(r, "answers")
	c.OutPackets = rapid.IntRange(0, 3).Draw(r, "out packets")
	c.InjectClocks = rapid.Uint64Range(1, 4).Draw(r, "inject")
	b.pe.Init(c, b.pe.image, &b.pins, b.pe.at, b.pe.index)
	b.pe.image.Measure()
	first := rapid.Uint64Range(0, 60).Draw(r, "hold")
	b.hold = [2]uint64{first, first + rapid.Uint64Range(0, 100).Draw(r, "held")}
}

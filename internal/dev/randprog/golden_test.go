package randprog

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/dev/golden"
)

// The programs of some seeds are recorded, because a failure report names only the seed. A few are recorded completely;
// for the others only the number of calls and a checksum of the text.
func TestProgramsAreRecorded(t *testing.T) {
	var all strings.Builder
	for _, s := range []struct {
		name        string
		size        Size
		whole, sums int
	}{{"small", Small, 6, 60}, {"medium", Medium, 3, 150}, {"large", Large, 0, 10}} {
		for seed := range s.sums {
			p := FromSeed(s.size, seed)
			text := p.String()
			fmt.Fprintf(&all, "==== %s %d: %d calls, %d lines, %08x\n", s.name, seed, p.Calls,
				strings.Count(text, "\n"), crc32.ChecksumIEEE([]byte(text)))
			if seed < s.whole {
				fmt.Fprintf(&all, "%s\n", text)
			}
		}
	}
	golden.Check(t, "programs.txt", []byte(all.String()))
}

// The machines for some random numbers are recorded, by their differences from the prototype.
func TestMachinesAreRecorded(t *testing.T) {
	var all strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	base := em4.Prototype80()
	for i := range 60 {
		c := AnyMachine(func(string) knob.Pick { return r.Uint64N }, 12)
		require.NoError(t, c.Validate())
		require.GreaterOrEqual(t, c.MemoryWords-c.MIBWords-c.Segments*c.SegmentWords-c.StructureWords, programWords)
		fmt.Fprintf(&all, "%d:", i)
		was := knob.Bind(em4.Knobs(), &base)
		for n, row := range knob.Bind(em4.Knobs(), &c) {
			if row.Text() != was[n].Text() {
				fmt.Fprintf(&all, " %s=%s", row.Key, row.Text())
			}
		}
		all.WriteString("\n")
	}
	golden.Check(t, "machines.txt", []byte(all.String()))
}

// The properties of a program precede its text.
func TestString(t *testing.T) {
	p := &Program{Text: "text\n", Args: []uint64{5, 7}, PairFIFO: true, Ordered: true, Calls: 9}
	require.Equal(t, "; args [5 7], relies on pair order true, MLPE false, host words ordered true, at most "+
		"9 calls\ntext\n", p.String())
	require.Equal(t, "\n"+p.String(), p.GoString())
}

// Choices come from the tape, and are the simplest ones after its end.
func TestTape(t *testing.T) {
	g := &gen{}
	g.useTape(tape{7, 3, 9})
	require.Equal(t, 3, g.intBetween(1, 5))
	require.False(t, g.chance(5))
	require.True(t, g.chance(10))
	require.Equal(t, uint64(0), g.nextNumber())
	require.Equal(t, 4, g.intBetween(4, 9))
	require.False(t, g.coinToss())
	require.Equal(t, "a", pickOne(g, "a", "b"))
	for _, c := range []struct {
		tape tape
		want int64
	}{
		{nil, 0},
		{tape{0, 9}, 9},
		{tape{0, 10}, 0},
		{tape{1, 0}, -1},
		{tape{1, 4}, -1 << 18},
		{tape{1, 5}, 1<<18 - 1},
		{tape{2, 0}, 0},
		{tape{2, 1}, -1},
		{tape{3, 1<<19 - 1}, -1 << 18},
		{tape{3, 1<<19 - 2}, 1<<18 - 1},
	} {
		g.useTape(c.tape)
		require.Equal(t, c.want, g.constant(), c)
	}
}

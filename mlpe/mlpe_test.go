package mlpe

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/packet"
)

// figure3 is our reading of the figure, column by column. A row has the ranges of the words in FIFO and MIB, and the
// load. It is written independently of the code.
var figure3 = []struct {
	fifo, mib [2]int // first and last word count of the column; {1, 0} means none
	load      uint8
}{
	{[2]int{0, 0}, [2]int{0, 0}, 0x0},
	{[2]int{1, 7}, [2]int{0, 0}, 0x1},
	{[2]int{0x8, 0xf}, [2]int{0, 0}, 0x2},
	{[2]int{0x10, 1 << 20}, [2]int{0, 0}, 0x3},
	{[2]int{0, 1 << 20}, [2]int{0x1, 0x1f}, 0x4},
	{[2]int{0, 1 << 20}, [2]int{0x20, 0x3f}, 0x5},
	{[2]int{0, 1 << 20}, [2]int{0x40, 0x5f}, 0x6},
	{[2]int{0, 1 << 20}, [2]int{0x60, 0x7f}, 0x7},
	{[2]int{0, 1 << 20}, [2]int{0x80, 0x9f}, 0x8},
	{[2]int{0, 1 << 20}, [2]int{0xa0, 0xbf}, 0x9},
	{[2]int{0, 1 << 20}, [2]int{0xc0, 0xdf}, 0xa},
	{[2]int{0, 1 << 20}, [2]int{0xe0, 0xff}, 0xb},
	{[2]int{0, 1 << 20}, [2]int{0x100, 0xfff}, 0xc},
	{[2]int{0, 1 << 20}, [2]int{0x1000, 1 << 20}, 0xf},
}

// fromFigure returns the load from figure3. Exactly one column must apply.
func fromFigure(t testing.TB, fifo, mib, esen, estn int) uint8 {
	if esen < 8 || estn < 0x16 {
		return 0xf
	}
	found, load := 0, uint8(0)
	for _, c := range figure3 {
		if fifo >= c.fifo[0] && fifo <= c.fifo[1] && mib >= c.mib[0] && mib <= c.mib[1] {
			found++
			load = c.load
		}
	}
	require.Equal(t, 1, found, "FIFO %#x MIB %#x", fifo, mib)
	return load
}

// The test tries every fill level of the 32-word FIFO and the 8192-word MIB, on both sides of every other threshold
// [003 fig. 3].
func TestLoadIsFigure3(t *testing.T) {
	for fifo := 0; fifo <= 32; fifo++ {
		for mib := 0; mib <= 8192; mib++ {
			want := fromFigure(t, fifo, mib, 8, 0x16)
			if got := Load(fifo, mib, 8, 0x16); got != want {
				require.Equal(t, want, got, "FIFO %#x MIB %#x", fifo, mib)
			}
		}
	}
	for _, esen := range []int{0, 1, 7, 8, 9, 1024, 8191} {
		for _, estn := range []int{0, 1, 0x15, 0x16, 0x17, 0xffff} {
			for _, fifo := range []int{0, 7, 32} {
				for _, mib := range []int{0, 2, 0x100, 0x1000} {
					require.Equal(t, fromFigure(t, fifo, mib, esen, estn), Load(fifo, mib, esen, estn),
						"ESEN %d ESTN %d", esen, estn)
				}
			}
		}
	}
}

// More packets never lower the load, and more free memory never raises it.
func TestLoadIsMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(most int, name string) int { return rapid.IntRange(0, most).Draw(t, name) }
		fifo, mib, esen, estn := n(64, "fifo"), n(9000, "mib"), n(20, "esen"), n(40, "estn")
		here := Load(fifo, mib, esen, estn)
		require.LessOrEqual(t, here, uint8(MaxLoad))
		require.GreaterOrEqual(t, Load(fifo+n(9, "more"), mib+n(9, "more"), esen, estn), here)
		require.LessOrEqual(t, Load(fifo, mib, esen+n(9, "more"), estn+n(9, "more")), here)
	})
}

// A passing packet takes the PE's load and address if that load is smaller. If the loads are equal, it keeps the PE
// that it passed last or, with strict, the one before.
func TestCompare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := packet.FormatFor(rapid.IntRange(1, 16).Draw(t, "k"))
		pe := func(name string) packet.PE {
			return packet.PE{
				GA: uint16(rapid.IntRange(0, 1<<f.GABits-1).Draw(t, name+" GA")),
				CA: uint8(rapid.IntRange(0, 1<<f.CABits-1).Draw(t, name+" CA")),
			}
		}
		load := rapid.Uint8Range(0, MaxLoad)
		held, least, here, own := load.Draw(t, "held"), pe("least"), load.Draw(t, "here"), pe("own")
		data := Payload(f, held, least)
		gotLoad, gotPE := FromPayload(f, data)
		require.Equal(t, held, gotLoad)
		require.Equal(t, least, gotPE)
		strict := rapid.Bool().Draw(t, "strict")
		after := Compare(f, data, here, own, strict)
		gotLoad, gotPE = FromPayload(f, after)
		if here < held || here == held && !strict {
			require.Equal(t, here, gotLoad)
			require.Equal(t, own, gotPE)
		} else {
			require.Equal(t, data, after)
		}
		if f.DataBits < 64 {
			require.Zero(t, after>>f.DataBits, "it fits the payload")
		}
	})
}

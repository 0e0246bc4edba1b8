package rtl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
	"emsim/packet"
)

// Every bit of every register has its own place in the probe, and a difference in any of them is reported by name.
func TestEveryRegisterIsCompared(t *testing.T) {
	var taken Probe
	for i, f := range fields {
		mask := ^uint64(0) >> (64 - f.width) << f.low
		require.Zero(t, taken[f.word]&mask, "%s overlaps another register", f.name)
		taken[f.word] |= mask
		var model, chip Probe
		chip[f.word] = 1 << (f.low + f.width - 1)
		list := differences(&model, &chip)
		require.Len(t, list, 1, f.name)
		require.Contains(t, list[0], f.name+": model 0x0, chip 0x", f.name)
		if i > 0 {
			require.NotEqual(t, fields[i-1].name, f.name)
		}
	}
	require.Equal(t, ^uint64(0), taken[memoryWord])
	var model, chip Probe
	require.Empty(t, differences(&model, &chip))
	chip[1] = 1 << 63
	require.Equal(t, []string{"word 1: the chip sets the unnamed bits 0x8000000000000000"}, differences(&model, &chip))
}

func TestDigestSeesEveryWord(t *testing.T) {
	var a Probe
	for w := range a {
		b := a
		b[w] = 1
		require.NotEqual(t, digest(1, a[:]), digest(1, b[:]), "word %d", w)
	}
}

// A register that the present state does not use is 0 in the probe, and a data word counts only when it has arrived.
func TestPack(t *testing.T) {
	n := node{format: packet.FormatFor(2), activity: emcr.IbuOnly}
	p := packet.Packet{Dest: packet.PE{GA: 1, CA: 2}, Addr: 5, Data: 77, Direct: true}
	n.su.Bank[4].Packet, n.pe.Matching, n.pe.Fault = p, p, emcr.MIBOverflow
	var probe Probe
	n.packProbe(&probe, totalWords)
	require.Zero(t, probe[4])
	require.Zero(t, probe[21])
	require.Equal(t, uint64(1|4<<2), probe[36])
	n.su.Bank[4].Full, n.su.Bank[4].Timer, n.su.Bank[4].Route, n.pe.FMU = true, 3, 2, emcr.FMUWrite
	n.packProbe(&probe, totalWords)
	word := uint64(1)<<28 | 1<<21 | 2<<18 | 5
	require.Equal(t, word<<8|2<<6|3<<1|1, probe[4])
	require.Equal(t, word, probe[21])
	require.Zero(t, probe[10])
	n.su.Bank[4].Arrived = true
	n.packProbe(&probe, totalWords)
	require.Equal(t, uint64(77), probe[10])
}

func TestDifferenceNamesThePlace(t *testing.T) {
	err := &Difference{
		Clock: 12, PE: "[1,2]",
		Registers: []string{"r3: model 0x1, chip 0x2", "load: model 0x0, chip 0xf"},
	}
	require.EqualError(t, err, "after clock 12, PE [1,2]: r3: model 0x1, chip 0x2; load: model 0x0, chip 0xf")
}

func TestStrapsThatDoNotFit(t *testing.T) {
	var s strapList
	require.PanicsWithValue(t, "rtl: a strap is too narrow for a machine of this size", func() { s.addStrap(3, 8) })
	s.addStrap(31, 0)
	s.addStrap(3, 7)
	require.Equal(t, [strapWords]uint32{1 << 31, 3}, s.words)
}

func TestSources(t *testing.T) {
	s := Embedded()
	names := s.Modules()
	require.Equal(t, "emcr_pkg.sv", names[0], "packages come first")
	require.Contains(t, names, "su.sv")
	require.NotContains(t, names, "sim/pipe.h")
	require.Contains(t, s, "sim/pipe.h")
	t.Setenv(SourcesEnv, t.TempDir())
	empty, err := UnderTest()
	require.NoError(t, err)
	require.Empty(t, empty)
	t.Setenv("PATH", "")
	_, err = s.Build(t.Context(), MachineTarget, t.TempDir())
	require.ErrorIs(t, err, ErrNoVerilator)
}

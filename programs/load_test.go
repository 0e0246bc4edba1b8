package programs_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/packet"
	"emsim/programs"
)

// load builds a machine with a built-in program, without running its init block. If segments is 0, the preset's
// number is used.
func load(t *testing.T, name, policy string, pes, segments int) (*em4.Machine, *asm.Object, error) {
	t.Helper()
	o, err := programs.Assemble(name, map[string]string{"policy": policy})
	require.NoError(t, err)
	p, err := programs.Load(o)
	require.NoError(t, err)
	c := em4.Prototype80()
	c.PEs = pes
	if segments > 0 {
		c.Segments = segments
	}
	m, err := em4.New(c, p, 1)
	return m, o, err
}

// fib144 runs fib(12).
func fib144(t *testing.T, m *em4.Machine) {
	t.Helper()
	r, err := m.Run(context.Background(), []uint64{12}, em4.RunOptions{MaxClocks: 1_000_000})
	require.NoError(t, err)
	require.Equal(t, []uint64{144}, r.Words)
}

// The tables of all PEs grow with the machine.
func TestTablesGrowWithTheMachine(t *testing.T) {
	for _, policy := range []string{"random", "round-robin"} {
		tablesGrow(t, policy, 2304)
	}
}

// tablesGrow boots and runs fib. It checks that the table holds every PE once and that nothing is written around it.
func tablesGrow(t *testing.T, policy string, pes int) {
	m, o, err := load(t, "fib", policy, pes, 0)
	require.NoError(t, err)
	require.NotNil(t, o.PerPE)
	require.NoError(t, m.Boot(context.Background(), 0))
	format := packet.FormatFor(m.Net.K)
	for _, i := range []int{0, 1, pes - 1} {
		mem := m.PE(i).Memory()
		require.Zero(t, mem.Read(*o.PerPE-1), "index, the variable in front of the table")
		own := m.Net.Address(i)
		for j := range pes {
			c := format.Cont(mem.Read(*o.PerPE + uint32(j)))
			require.EqualValues(t, (int(own.GA)+j/m.Net.Members)%m.Net.Groups, c.PE.GA, "word %d of PE %d", j, i)
			require.EqualValues(t, (int(own.CA)+j)%m.Net.Members, c.PE.CA, "word %d of PE %d", j, i)
		}
		require.Zero(t, mem.Read(*o.PerPE+uint32(pes)), "behind the table")
	}
	fib144(t, m)
}

// A table that does not fit below the structure memory is rejected. A policy without a table runs on a machine of
// that size.
func TestLargeMachinesNeedNoTable(t *testing.T) {
	const k13, k14, k16 = 14 << 13, 15 << 14, 17 << 16
	for _, c := range []struct{ pes, segments int }{{k13, 2048}, {k14, 0}, {k16, 0}} {
		for _, policy := range []string{"random", "round-robin"} {
			_, _, err := load(t, "fib", policy, c.pes, c.segments)
			var m *em4.Misfit
			require.ErrorAs(t, err, &m)
			require.ErrorAs(t, err, new(*em4.Usage))
			require.ErrorContains(t, err, "the program keeps a table of one word per PE")
		}
	}
	m, o, err := load(t, "fib", "ring", k13, 2048)
	require.NoError(t, err)
	require.Nil(t, o.PerPE)
	require.NoError(t, m.Boot(context.Background(), 0))
	fib144(t, m)
}

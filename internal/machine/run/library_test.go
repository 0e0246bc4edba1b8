package run

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/packet"
)

// A program that was built without a command line can get its arguments later, several times.
func TestBuildAndGive(t *testing.T) {
	x, err := Build("mine", mustLoad(t, "fib"), em4.Small12(), 3)
	require.NoError(t, err)
	require.Equal(t, "mine", x.Name)
	require.Equal(t, "emc-r", x.MachineName)
	require.Equal(t, uint64(3), x.Seed)
	require.NoError(t, x.Boot(context.Background(), 0))
	for n, want := range map[int64]uint64{5: 5, 7: 13} {
		require.NoError(t, x.SetArgs([]int64{n}))
		require.Equal(t, []int64{n}, x.Args)
		r, err := x.Run(context.Background(), x.Words, em4.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, []uint64{want}, r.Words)
	}
	require.EqualError(t, x.SetArgs([]int64{-48}), "the argument n of mine is -48, it must be 1..47")
	require.EqualError(t, x.SetArgs(nil), "mine takes 1 argument: n (1..47), got 0 arguments")
	require.Len(t, x.Args, 1, "the last ones stay")

	c := em4.Small12()
	c.HopClocks = 0
	_, err = Build("mine", mustLoad(t, "fib"), c, 3)
	require.EqualError(t, err, "hop_clocks is 0, it must be 1..8 clocks")
	require.ErrorAs(t, err, new(*simerr.Usage))
	c = em4.Small12()
	c.SegmentWords = 8
	_, err = Build("mine", mustLoad(t, "fib"), c, 3)
	require.ErrorContains(t, err, "mine does not fit the machine: template fib ")
	require.ErrorAs(t, err, new(*simerr.Usage))
}

// A sink gets the machine's PEs and the program's names.
func TestTraceInfo(t *testing.T) {
	x, err := Build("fib", mustLoad(t, "fib"), em4.Small12(), 1)
	require.NoError(t, err)
	info := x.TraceInfo("title", []int{2, 5}, 77)
	require.Equal(t, "title", info.Title)
	require.Equal(t, []int{2, 5}, info.Traced)
	require.Equal(t, uint64(77), info.From)
	require.Len(t, info.PEs, 12)
	require.Equal(t, packet.PE{}, info.PEs[0])
	require.Equal(t, packet.PE{GA: 1, CA: 2}, info.PEs[5])
	require.Equal(t, packet.PE{GA: 3, CA: 2}, info.PEs[11])
	require.Equal(t, "join", info.Where(1))
	require.Equal(t, "join+1", info.Where(2))
	require.Equal(t, "0x30000", info.Where(0x30000), "outside of the program")
	require.Equal(t, "send.l! r3, fp, @finish", info.Instr(2))
	require.Empty(t, info.Instr(0))
}

// Invalid machines give errors, and the sources of the size have a precedence.
func TestMachineErrors(t *testing.T) {
	size := 13
	for says, m := range map[string]Machine{
		"no circular omega network has 13 PEs":            {Name: "emc-r", PEs: &size},
		"no machine and no file is called \"nosuch\"":     {Name: "nosuch"},
		"--set hop_clocks=x: hop_clocks must be a number": {Name: "12", Sets: []string{"hop_clocks=x"}},
		"--set banks: expected KEY=VALUE":                 {Name: "emc-r", Sets: []string{"banks"}},
		"banks is 4, it must be 1..3 banks":               {Name: "80", Sets: []string{"banks=4"}},
		"segment_words is 24, it must be a power of two":  {Name: "12", Sets: []string{"segment_words=24"}},
	} {
		_, err := m.Config()
		require.ErrorContains(t, err, says)
		require.ErrorAs(t, err, new(*simerr.Usage))
	}
	for n, fine := range map[int]bool{-1: false, 0: true, 1: true, 64: true, 65: false} {
		require.Equal(t, fine, CheckThreads(n) == nil, n)
	}
}

// The limits of a session have the values that the error messages state.
func TestBoundsOfSessions(t *testing.T) {
	require.Equal(t, []int{100_000, 2_097_152, 524_288}, []int{MaxRuns, MaxCounters, maxWindows},
		"the messages name them")
}

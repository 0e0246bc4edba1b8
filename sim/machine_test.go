package sim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/sim"
	"emsim/trace"
)

// fib returns the program fib and a machine of 12 PEs with it, before its first run.
func fib(t *testing.T) (*sim.Program, *sim.Machine) {
	t.Helper()
	p, err := sim.Load("fib", map[string]string{"policy": "ring"})
	require.NoError(t, err)
	m, err := sim.New(p, sim.Small12(), 1)
	require.NoError(t, err)
	return p, m
}

// Values have the types that the program states; words without a type are integers.
func TestValues(t *testing.T) {
	for kind, want := range map[string][]any{
		"": {uint64(0xffff_fffe), uint64(1)}, ".result int32, bool": {int32(-2), true},
		".result []int": {int64(-2), int64(1)}, ".result float32": {math.Float32frombits(0xffff_fffe), uint64(1)},
	} {
		p, err := sim.Assemble("p.s", kind+"\n.start x\nx: sub r1, r0, 2\n out r1\n mov r1, 1\n out! r1\n", nil)
		require.NoError(t, err)
		m, err := sim.New(p, sim.Small12(), 1)
		require.NoError(t, err)
		r, err := m.Run(t.Context())
		require.NoError(t, err)
		require.Equal(t, []uint64{0xffff_fffe, 1}, r.Words)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(r.Values), kind)
		require.IsType(t, want[0], r.Values[0])
	}
}

// A run in steps, saved and restored in between, with threads and observed, equals a run in one call. The counters of
// the PEs add up to the run's.
func TestRunInSteps(t *testing.T) {
	p, whole := fib(t)
	want, err := whole.Run(t.Context(), 10)
	require.NoError(t, err)
	answer, err := p.Answer(12, 10)
	require.NoError(t, err)
	require.Equal(t, answer, want.Words)
	require.InDelta(t, float64(want.Clocks)*80e-6, want.TimeMS, 1e-12)
	require.Equal(t, want, whole.Result())
	require.Zero(t, whole.Clock(), "nothing runs")
	require.Equal(t, sim.Small12(), whole.Config())

	var instructions uint64
	groups := map[[2]int]bool{}
	for i := range 12 {
		pe := whole.PE(i)
		instructions += pe.Instructions
		groups[[2]int{pe.Group, pe.Member}] = true
		require.Zero(t, pe.Queued+pe.Waiting, "the machine is quiet")
		var clocks uint64
		for _, n := range pe.States {
			clocks += n
		}
		require.GreaterOrEqual(t, clocks, want.Clocks, "it goes on until all is quiet")
	}
	require.Equal(t, want.Instructions, instructions)
	require.Len(t, groups, 12)
	require.True(t, groups[[2]int{3, 2}])

	_, m := fib(t)
	require.NoError(t, m.SetThreads(2))
	require.NoError(t, m.Begin(10))
	require.EqualError(t, m.Begin(10), "a run is in progress: Advance it to its end first")
	ended, err := m.Advance(t.Context(), want.Clocks/2)
	require.NoError(t, err)
	require.False(t, ended)
	require.Equal(t, want.Clocks/2, m.Clock())
	require.Equal(t, want.Clocks/2, m.Result().Clocks)
	var held int
	for i := range 12 {
		pe := m.PE(i)
		held += pe.Queued + pe.Waiting + pe.Segments
	}
	require.Positive(t, held)

	file := filepath.Join(t.TempDir(), "run")
	require.NoError(t, m.Save(file))
	again, err := sim.Restore(file)
	require.NoError(t, err)
	require.Equal(t, m.Hash(), again.Hash())
	for _, m := range []*sim.Machine{m, again} {
		ended, err := m.Advance(t.Context(), sim.ToEnd)
		require.NoError(t, err)
		require.True(t, ended)
		require.Equal(t, want, m.Result())
		require.Equal(t, whole.Hash(), m.Hash())
		require.EqualError(t, m.Save(file), "no run is in progress: there is nothing to save")
		_, err = m.Advance(t.Context(), sim.ToEnd)
		require.EqualError(t, err, "no run is in progress: Begin one")
	}
	next, err := again.Run(t.Context(), 5)
	require.NoError(t, err)
	require.Equal(t, []uint64{5}, next.Words, "a machine runs again and again")
}

// Calls that are not possible return an error with its kind, and change nothing.
func TestErrors(t *testing.T) {
	p, m := fib(t)
	before := m.Hash()
	small := sim.Small12()
	small.PEs = 7
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, errPEs := sim.New(p, small, 1)
	_, errProgram := sim.Load("fibb", nil)
	_, errParam := sim.Load("fib", map[string]string{"policy": "circle"})
	_, errText := sim.Assemble("a.s", "frob\n", nil)
	_, errInclude := sim.Assemble("a.s", ".include \"b.s\"\n", nil)
	_, errRun := m.Run(t.Context(), 1, 2)
	_, errFile := sim.Restore(filepath.Join(t.TempDir(), "none"))
	for _, c := range []struct {
		err        error
		kind, text string
	}{
		{errPEs, "usage", "7"},
		{errProgram, "usage", "fibb"},
		{errParam, "usage", "circle"},
		{errText, "assembly", "a.s:1:1"},
		{errInclude, "assembly", "cannot find the file \"b.s\"; searched: the folder of a.s, the library of emsim"},
		{errRun, "usage", "argument"},
		{m.SetThreads(65), "usage", "64"},
		{errFile, "usage", "none"},
		{m.Observe(trace.Func(func(*trace.Event) {}), 3, 12), "", "there is no PE 12: the machine has 0 to 11"},
		{m.Trace(&bytes.Buffer{}, "text", -1), "", "there is no PE -1: the machine has 0 to 11"},
		{m.Trace(&bytes.Buffer{}, "mp3"), "", "no trace format is called \"mp3\""},
		{errors.New("other"), "", "other"},
	} {
		require.ErrorContains(t, c.err, c.text)
		require.Equal(t, c.kind, sim.Kind(c.err), "%v", c.err)
	}
	require.Equal(t, before, m.Hash())
	require.Zero(t, m.Result())

	_, err := m.Run(ended, 16)
	require.ErrorIs(t, err, context.Canceled)
	require.Regexp(t, `^context canceled: interrupted after [1-9][\d,]* clocks`, err.Error())
	require.Equal(t, "interrupted", sim.Kind(err))
	over, err := m.Advance(t.Context(), sim.ToEnd)
	require.NoError(t, err)
	require.True(t, over, "whoever was interrupted goes on")
	require.Equal(t, []uint64{987}, m.Result().Words)
}

// closing counts events, and how often it is closed.
type closing struct {
	pes    map[uint32]int
	closed int
	end    uint64
}

func (c *closing) Event(e *trace.Event) { c.pes[e.PE]++ }

func (c *closing) Close(end uint64) error {
	c.closed++
	c.end = end
	return errors.New("the disk is full")
}

// A machine has one observer, which gets the events of the chosen PEs until another observer replaces it.
func TestObservers(t *testing.T) {
	_, m := fib(t)
	require.NoError(t, m.Observe(nil))
	some, all := &closing{pes: map[uint32]int{}}, &closing{pes: map[uint32]int{}}
	require.NoError(t, m.Observe(some, 2, 5))
	require.NoError(t, m.Begin(10))
	_, err := m.Advance(t.Context(), 200)
	require.NoError(t, err)
	require.EqualError(t, m.Observe(all), "the disk is full")
	require.Equal(t, 1, some.closed)
	require.Len(t, some.pes, 2)
	require.GreaterOrEqual(t, some.end, uint64(200))
	seen := some.pes[2]
	_, err = m.Advance(t.Context(), sim.ToEnd)
	require.NoError(t, err)
	require.Equal(t, seen, some.pes[2])
	require.Len(t, all.pes, 12)

	var text, two bytes.Buffer
	require.EqualError(t, m.Trace(&text, "text"), "the disk is full")
	_, err = m.Run(t.Context(), 7)
	require.NoError(t, err)
	require.NoError(t, m.Trace(&two, "text", 0, 1))
	require.Equal(t, 1, all.closed)
	_, err = m.Run(t.Context(), 7)
	require.NoError(t, err)
	require.NoError(t, m.Observe(nil))
	require.Contains(t, text.String(), " [3,2] ")
	require.NotEmpty(t, two.String())
	require.Less(t, two.Len(), text.Len())
	size := two.Len()
	_, err = m.Run(t.Context(), 7)
	require.NoError(t, err)
	require.Equal(t, size, two.Len(), "nobody watches any more")
}

// The lists, the presets and the sources of programs are as documented.
func TestLists(t *testing.T) {
	require.Equal(t, []int{12, 80, 1024}, []int{sim.Small12().PEs, sim.Prototype80().PEs, sim.Target1024().PEs})
	require.Contains(t, sim.Programs(), "queens")
	require.Equal(t, "pes", sim.Knobs()[0].Key)
}

package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/state"
	"emsim/internal/dev/damage"
	"emsim/internal/dev/golden"
)

// Recorded reactions to checkpoints in which one number before the machine's state is changed.
func TestDamage(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("p.s",
		[]byte(".arg n, 1, 9, x\n.param policy, near, far\nx: out r1\n nop\n nop\n out! r1\n"), 0o600))
	pes := 4
	small := []string{"memory_words=2048", "mib_words=64", "segments=8", "segment_words=8", "structure_words=100"}
	s0 := &Spec{
		Machine: Machine{Name: "emc-r", PEs: &pes, Sets: small}, Program: "p.s", Args: []string{"5"}, Seed: 1,
		Threads: 1,
	}
	ctx := context.Background()
	target, err := s0.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 3, Window: 10, KeepCounters: true, KeepSeries: true, KeepRows: true})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	s.EndRun(nil)
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, 12))
	c := state.Saver(nil)
	s.State(c)
	table := damage.Table(c.Bytes(), s.names(), []uint64{maxText, maxRuns, maxPEs, maxObject}, func(b []byte) error {
		r := &Batch{Target: &Target{}}
		l := state.Loader(b)
		if r.State(l); l.Err() != nil {
			return l.Err()
		}
		if l.BytesLeft() > 0 {
			return fmt.Errorf("%d words are left over", l.BytesLeft()/8)
		}
		err := r.Advance(ctx, r.Current.Clock()+20) // an accepted change does no harm
		one, _ := r.EndRun(err)
		_ = r.Answer(one)
		return nil
	})
	t.Chdir(packageFolder)
	golden.Check(t, "damage.txt", []byte(table))
}

// packageFolder is the folder in which the tests began.
var packageFolder, _ = os.Getwd()

// names returns names for the words before the state of the run.
func (s *Batch) names() (n damage.Names) {
	text := func(name, value string) {
		n.Add("length of " + name)
		n.Omit((len(value) + 7) / 8)
	}
	text("the program's name", s.Name)
	text("the object", string(s.Object.Marshal()))
	n.Add("arguments")
	n.Omit(2)
	n.Omit(1 + (len(s.MachineName)+7)/8)
	config := s.Config()
	for _, k := range em4.Knobs() {
		n.Omit(1 + (len(k.Key)+7)/8)
		switch p := k.Ref(&config).(type) {
		case *string:
			text("its value", *p)
		case *float64:
			n.Omit(1)
		default:
			n.Add(k.Key)
		}
	}
	n.Omit(1) // the seed
	n.Omit(1) // the names of the statistics
	n.Add("runs", "window", "counters", "series", "complete runs")
	c := state.Saver(nil)
	(&em4.Totals{}).State(c)
	totals := len(c.Bytes()) / 8
	n.Omit(len(s.Done) * totals)
	n.Omit(totals)
	n.Add("words of the best run")
	n.Omit(len(s.Best.Words) + 1)
	counters := func(of string, list []em4.Counters) {
		n.Add("counters of " + of)
		c := state.Saver(nil)
		(&em4.Counters{}).State(c)
		n.Omit(len(list) * len(c.Bytes()) / 8)
	}
	n.Add("rows")
	for _, r := range s.Rows {
		counters("a complete run", r.Counters)
		n.Add("windows of it")
		n.Omit(len(r.Series) * totals)
	}
	counters("the run in progress", s.Counters)
	return n
}

// A checkpoint from a program with another knob is rejected with that reason.
func TestOtherKnobs(t *testing.T) {
	c := state.Saver(nil)
	config := em4.Prototype80()
	configState(c, &config)
	b := c.Bytes()
	require.Equal(t, "pes", string(b[8:11]))
	b[8] = 'P'
	l := state.Loader(b)
	configState(l, &config)
	require.EqualError(t, l.Err(), `state: the machine has a knob "Pes" where this program has "pes"`)
}

// A file that is not a checkpoint gives an error and no session.
func TestResumeRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c")
	s, err := Resume(file)
	require.Error(t, err)
	require.Nil(t, s)
	require.NoError(t, os.WriteFile(file, []byte("no checkpoint"), 0o600))
	s, err = Resume(file)
	require.Error(t, err)
	require.Nil(t, s)
}

// The machine is stepped by as many threads as the spec says.
func TestThreads(t *testing.T) {
	pes := 192
	loop := written(t, ".arg n, 1, 100, x\nx: mov r3, 5000\n y: sub r3, r3, 1\n bne r3, r0, y\n out! r1\n")
	for _, threads := range []int{1, 2, 3} {
		s0 := &Spec{
			Machine: Machine{Name: "emc-r", PEs: &pes}, Program: loop, Args: []string{"1"}, Seed: 1,
			Threads: threads,
		}
		target, err := s0.Build(context.Background())
		require.NoError(t, err)
		s := New(target, Plan{Runs: 1})
		require.NoError(t, s.Begin())
		for otherThreads() > 0 { // threads of the previous run are ending
			runtime.Gosched()
		}
		most := 0
		s.Progress = func(uint64, func() int) { most = max(most, otherThreads()) }
		require.NoError(t, s.Advance(context.Background(), em4.ToEnd))
		require.Equal(t, threads-1, most)
	}
}

// otherThreads returns the number of goroutines that step a machine, without the test's own.
func otherThreads() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "created by emsim/internal/base/barrier.")
}

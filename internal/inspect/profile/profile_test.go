package profile_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"emsim/emcr"
	"emsim/internal/inspect/profile"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// profiled returns the profile of a program, given as words, on a machine with changed knobs.
func profiled(t *testing.T, pes int, program string, params map[string]string, sets ...string) (*profile.Profile,
	*run.Answer,
) {
	t.Helper()
	words := strings.Fields(program)
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes, Sets: sets}, Program: words[0], Args: words[1:], Params: params,
		Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, s.Begin())
	return observed(t, s)
}

func observed(t *testing.T, s *run.Batch) (*profile.Profile, *run.Answer) {
	t.Helper()
	var p *profile.Profile
	a, err := s.Trace(t.Context(), 1, func(from, end uint64) (trace.Sink, error) {
		p = profile.New(s.Object, s.Config().PEs, s.Current.StartClock(), from, end)
		return p, nil
	})
	require.NoError(t, err)
	return p, a
}

// The counts of a profile equal the machine's counters, with each clock of a PE counted once. The critical path covers
// every clock of the run.
func TestCountsAreTheMachines(t *testing.T) {
	for _, c := range []struct {
		pes     int
		program string
		params  map[string]string
		sets    []string
	}{
		{12, "fib 10", nil, nil},
		{12, "fib 11", map[string]string{"mlpe": "on", "policy": "random"}, []string{"fifo_words=8"}},
		{
			12, "fib 10",
			map[string]string{"mlpe": "on", "mlpe_reach": "far", "registers": "all"},
			[]string{"fifo_words=8", "out_packets=2", "ibu_priority=2", "switch_priority=2", "prefetch_registers=3"},
		},
		{32, "queens 5", map[string]string{"policy": "line"}, []string{"spill_interrupts=false", "hop_clocks=2"}},
		{12, "sort 20", nil, []string{"ibu_own_memory=true", "fifo_words=8"}},
		{12, "stream 40", nil, nil},
		{12, "pi 200", nil, []string{"inject_clocks=3"}},
	} {
		name := fmt.Sprint(c)
		p, a := profiled(t, c.pes, c.program, c.params, c.sets...)
		sum := p.Total()
		pes := uint64(c.pes)
		require.Equal(t, a.Clocks*pes, sum.Clocks(), name)
		for s, n := range a.Totals.States() {
			require.Equal(t, n, sum.State[s], "%s: %v", name, emcr.Activity(s))
		}
		require.Equal(t, a.Totals.Instructions, sum.Instructions, name)
		require.Equal(t, a.Totals.Blocks, sum.Blocks, name)
		require.Equal(t, a.Totals.Spilled, sum.Spilled, name)
		require.Equal(t, a.Hops(), sum.Hops, name)
		require.Equal(t, a.Totals.Sent, sum.Packets, name)
		for l := range profile.Levels {
			var all profile.Counts
			for _, r := range p.Rows(l) {
				all.Add(&r.Counts)
				require.NotEmpty(t, r.Name(l))
			}
			require.Equal(t, sum, all, "%s by %v", name, l)
		}
		checkPath(t, p, a, name)
	}
}

// checkPath checks that the steps of the critical path cover the run.
func checkPath(t *testing.T, p *profile.Profile, a *run.Answer, name string) {
	t.Helper()
	var clock uint64
	path := p.Path()
	for i, s := range path {
		clock += s.Took.Sum()
		require.Equal(t, s.Clock, clock, "%s: step %d", name, i)
		require.Equal(t, i == len(path)-1, s.Host, name)
	}
	require.Equal(t, a.Clocks, clock, name)
	require.Equal(t, a.Clocks, p.Longest(), name)
	steps := 0
	for _, r := range p.PathRows() {
		steps += r.Steps
		clock -= r.Took.Sum()
	}
	require.Equal(t, len(path), steps)
	require.Zero(t, clock)
	byName := map[string]uint64{}
	for _, e := range p.Estimates() {
		require.LessOrEqual(t, e.Clocks, a.Clocks, "%s: %s", name, e.Name)
		byName[e.Name] = e.Clocks
	}
	require.LessOrEqual(t, byName["no_waits"], byName["free_pes"], name)
	require.LessOrEqual(t, byName["no_waits"], byName["no_network_waits"], name)
}

// For a program without branches, every clock of the critical path is computed by hand.
func TestSmallPath(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.s")
	require.NoError(t, os.WriteFile(file, []byte(`	.arg n, 0, 9, first
first:	rds	r3, pe
	mul	r1, r1, 3
	send.d!	r1, r3, second
second:	out!	r1
`), 0o600))
	p, a := profiled(t, 12, file+" 3", nil)
	require.Equal(t, []uint64{9}, a.Words)
	checkPath(t, p, a, "two.s")
	var names []string
	for _, s := range p.Path() {
		name := "host"
		if !s.Host {
			name = a.Session.Object.CodeName(s.Node)
		}
		names = append(names, fmt.Sprintf("%s at %d: execute %d, match %d, hop %d", name, s.Clock,
			s.Took[profile.Execute], s.Took[profile.MatchIt], s.Took[profile.Hop]))
		require.Equal(t, s.Took.Sum(), uint64(s.Took[profile.Execute]+s.Took[profile.MatchIt]+s.Took[profile.Hop]))
	}
	require.Equal(t, []string{
		"first at 8: execute 4, match 1, hop 3",
		"second at 13: execute 1, match 1, hop 3",
		"host at 15: execute 0, match 0, hop 2",
	}, names)
	for _, e := range p.Estimates() {
		want := map[string]uint64{"instructions_half": 13, "no_matching": 13, "hops_half": 11}[e.Name]
		if want == 0 {
			want = 15
		}
		require.Equal(t, want, e.Clocks, e.Name)
	}
	rows := p.Rows(profile.ByLine)
	require.Equal(t, profile.NoBlock, rows[0].Name(profile.ByLine))
	require.Equal(t, "two.s:3", rows[1].Name(profile.ByLine), "mul takes the most clocks")
	require.Equal(t, profile.System, p.Rows(profile.ByTemplate)[1].Template)
}

// A profile of the rest of a run covers only that rest. Its path begins with the part before it.
func TestFromTheMiddle(t *testing.T) {
	pes := 12
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: "fib", Args: []string{"10"}, Seed: 1,
		Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(t.Context(), 400))
	p, a := observed(t, s)
	sum := p.Total()
	require.Equal(t, (a.Clocks-400)*12, sum.Clocks())
	require.Equal(t, a.Clocks-400, p.Clocks())
	checkPath(t, p, a, "from 400")
	require.EqualValues(t, 400, p.Path()[0].Took[profile.Earlier])
}

// A run without a word to the host has counts, but no path.
func TestNoWord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ever.s")
	require.NoError(t, os.WriteFile(file, []byte("\t.start a\na:\tjmp\ta\n"), 0o600))
	spec := run.Spec{Machine: run.Machine{Name: "emc-r"}, Program: file, Seed: 1, MaxClocks: 100, Threads: 1}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1, MaxClocks: 100})
	require.NoError(t, s.Begin())
	var p *profile.Profile
	a, err := s.Trace(t.Context(), 1, func(from, end uint64) (trace.Sink, error) {
		p = profile.New(s.Object, s.Config().PEs, s.Current.StartClock(), from, end)
		return p, nil
	})
	require.ErrorContains(t, err, "clock limit")
	require.EqualValues(t, 100, a.Clocks)
	sum := p.Total()
	require.EqualValues(t, 8000, sum.Clocks())
	require.Empty(t, p.Path())
	require.Empty(t, p.Estimates())
	require.Zero(t, p.Longest())
}

// The pprof file has the same clocks at the same lines, and Go's tool shows them next to the program's text.
func TestPprof(t *testing.T) {
	p, _ := profiled(t, 12, "fib 10", nil)
	var b, again bytes.Buffer
	require.NoError(t, p.WritePprof(&b, "fib 10", 80))
	require.NoError(t, p.WritePprof(&again, "fib 10", 80))
	require.Equal(t, b.Bytes(), again.Bytes())
	x, err := pprof.Parse(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.Equal(t, []string{"fib 10"}, x.Comments)
	require.Equal(t, "clocks", x.DefaultSampleType)
	lines := map[string]int64{}
	sum := make([]int64, len(x.SampleType))
	for _, s := range x.Sample {
		at := s.Location[0].Line[0]
		lines[fmt.Sprintf("%s:%d", filepath.Base(at.Function.Filename), at.Line)] += s.Value[0]
		for i, v := range s.Value {
			sum[i] += v
		}
	}
	total := p.Total()
	require.Equal(t, []int64{
		int64(total.Clocks()), int64(total.EXU[profile.Executes]), int64(total.Waiting()), int64(total.Instructions),
		int64(total.Packets), int64(total.Spilled),
	}, sum)
	for _, r := range p.Rows(profile.ByLine) {
		if r.Code {
			require.EqualValues(t, r.Counts.Clocks(), lines[r.Source()], r.Source())
		}
	}

	file := filepath.Join(t.TempDir(), "fib.pprof")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	out, err := exec.Command("go", "tool", "pprof", "-source_path=../../../programs", "-list",
		"^got1$", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `244 +244 +97: +send\.r! r3, r2, @start`, string(out))
}

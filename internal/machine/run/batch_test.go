package run

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/simerr"
	_ "emsim/internal/dev/garbage"
	"emsim/internal/dev/golden"
	"emsim/omega"
)

// spec returns a run of a program on 12 PEs.
func spec(program string, args ...string) *Spec {
	pes := 12
	return &Spec{Machine: Machine{Name: "emc-r", PEs: &pes}, Program: program, Args: args, Seed: 1, Threads: 1}
}

// written writes an assembly text to a file.
func written(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "p.s")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// Mistakes of the user are usage errors, which say what was expected.
func TestUsage(t *testing.T) {
	set := func(values ...string) *Spec {
		s := spec("fib", "5")
		s.Sets = values
		return s
	}
	pes := func(n int) *Spec {
		s := spec("fib", "5")
		s.PEs = &n
		return s
	}
	threads := func(n int) *Spec {
		s := spec("fib", "5")
		s.Threads = n
		return s
	}
	narrow := written(t, ".arg n, -8589934592, 8589934592, x\nx: out! r1\n")
	for want, s := range map[string]*Spec{
		"--set hop: expected KEY=VALUE, for example --set hop_clocks=3": set("hop"),
		"--set =2: expected KEY=VALUE, for example --set hop_clocks=3":  set("=2"),
		`--set gives hop_clocks two values, "2" and "3"`: set("hop_clocks=2",
			"hop_clocks=3"),
		"--set hop_clocks=x: hop_clocks must be a number of clocks, not \"x\"":                            set("hop_clocks=x"),
		"hop_clocks is 99, it must be 1..8 clocks":                                                        set("hop_clocks=99"),
		"no circular omega network has 13 PEs ((k+1)·2^k for k = 1..16): the nearest sizes are 12 and 32": pes(13),
		"--threads is -1, it must be 1..64 (more only wait for each other), or auto":                      threads(-1),
		"--threads is 65, it must be 1..64 (more only wait for each other), or auto":                      threads(65),
		"fib takes 1 argument: n (1..47), got 0 arguments":                                                spec("fib"),
		"fib takes 1 argument: n (1..47), got 2 arguments": spec("fib",
			"1", "2"),
		"the argument n of fib is a whole number 1..47, not \"five\"": spec("fib",
			"five"),
		"the argument n of fib is -1, it must be 1..47": spec("fib", "-1"),
		"the argument n of fib is 48, it must be 1..47": spec("fib", "48"),
		"there is no file none.s":                       spec("none.s"),
		"there is no file a/b":                          spec("a/b"),
		"the argument n of " + filepath.Base(narrow) +
			" is 4294967296, which the machine's words of 32 bits cannot hold": spec(narrow, "4294967296"),
		"the argument n of " + filepath.Base(narrow) +
			" is -2147483649, which the machine's words of 32 bits cannot hold": spec(narrow, "-2147483649"),
		"memory_words is 1024: mib_words 8192, 896 segments of 64 words and structure_words 65535 leave no " +
			"room for a program": set("memory_words=1024"),
	} {
		_, err := s.Load(context.Background())
		require.ErrorContains(t, err, want)
		require.Equal(t, simerr.KindUsage, simerr.Kind(err), want)
	}
	_, err := set("hop_clock=2").Load(context.Background())
	require.ErrorContains(t, err, "--set hop_clock=2: a machine has no knob \"hop_clock\": it has pes, ")
	require.ErrorContains(t, err, "hop_clocks")
	_, err = spec("fob").Load(context.Background())
	require.ErrorContains(t, err, "no program is called \"fob\": expected ")
	require.ErrorContains(t, err, "did you mean")
	none := written(t, ".start x\nx: out! r1\n")
	_, err = spec(none, "3").Load(context.Background())
	require.ErrorContains(t, err, "takes no arguments, got 1 argument")
	for _, v := range []string{"4294967295", "-2147483648"} {
		target, err := spec(narrow, v).Load(context.Background())
		require.NoError(t, err, v)
		require.Len(t, target.Words, 1)
		require.Less(t, target.Words[0], uint64(1)<<32)
	}
	values, err := ReadArgs("fib", mustLoad(t, "fib"), 12, []string{"0x10"})
	require.NoError(t, err)
	require.Equal(t, []int64{16}, values)
	_, err = ReadArgs("fib", mustLoad(t, "fib"), 13, []string{"5"})
	require.ErrorContains(t, err, "no circular omega network has 13 PEs")
}

func mustLoad(t *testing.T, name string) *asm.Object {
	o, err := LoadProgram(name, nil)
	require.NoError(t, err)
	return o
}

// PEs take precedence over Sets, and Sets over the preset of that size.
func TestConfigPrecedence(t *testing.T) {
	big, small := 1024, 12
	for _, c := range []struct {
		m             Machine
		pes, segments int
	}{
		{Machine{Name: "emc-r"}, 80, 896},
		{Machine{Name: "emc-r", PEs: &big}, 1024, 1024},
		{Machine{Name: "emc-r", Sets: []string{"pes=1024"}}, 1024, 1024},
		{Machine{Name: "emc-r", Sets: []string{"pes=1024"}, PEs: &small}, 12, 896},
		{Machine{Name: "emc-r", Sets: []string{"segments=100", "pes=1024"}}, 1024, 100},
	} {
		got, err := c.m.Config()
		require.NoError(t, err)
		require.Equal(t, [2]int{c.pes, c.segments}, [2]int{got.PEs, got.Segments}, "%+v", c.m)
	}
}

// Runs follow each other on one machine, and each keeps its own data.
func TestRuns(t *testing.T) {
	ctx := context.Background()
	s0 := spec("fib", "9")
	s0.Params = map[string]string{"policy": "random"}
	target, err := s0.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 3, Window: 100, KeepCounters: true, KeepSeries: true, KeepRows: true})
	told := 0
	s.Progress = func(uint64, func() int) { told++ }
	var clocks []uint64
	for range 3 {
		require.NoError(t, s.Begin())
		current := s.Current
		require.NoError(t, s.Begin())
		require.Same(t, current, s.Current, "one is in progress")
		begun := s.Clock()
		err := s.Advance(ctx, em4.ToEnd)
		require.NoError(t, err)
		stepped := s.Clock() - begun
		one, rows := s.EndRun(err)
		require.Nil(t, s.Current)
		require.Equal(t, []uint64{34}, one.Words)
		require.Equal(t, begun, one.Start)
		require.Equal(t, stepped, one.Stepped)
		require.Positive(t, one.Wall)
		golden.Same(t, one.Series, rows.Series, "the windows")
		require.Equal(t, 12, len(rows.Counters)) // not require.Len, which would print all rows
		var instructions, sent, hops uint64
		for _, p := range rows.Counters {
			instructions += p.Instructions
			sent += p.Sent
			hops += p.Packets[omega.InGroup] + p.Packets[omega.OutGroup]
		}
		require.Equal(t, one.Instructions, instructions)
		require.Equal(t, one.Sent, sent+1, "and the host's")
		require.Equal(t, one.Hops(), hops)
		clocks = append(clocks, one.Clocks)
	}
	for i, n := range clocks {
		require.Equal(t, n, s.Done[i].Clocks)
	}
	require.Equal(t, min(clocks[0], clocks[1], clocks[2]), s.Best.Clocks)
	require.Len(t, s.Rows, 3)
	require.False(t, reflect.DeepEqual(s.Rows[0].Counters, s.Rows[1].Counters))
	require.Zero(t, told, "they are shorter than 4096 clocks")
}

// A run that stops at its limit is not complete. With a higher limit it continues.
func TestLimit(t *testing.T) {
	ctx := context.Background()
	target, err := spec("fib", "9").Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 1, MaxClocks: 200})
	require.NoError(t, s.Begin())
	err = s.Advance(ctx, em4.ToEnd)
	var limit *em4.ClockLimit
	require.ErrorAs(t, err, &limit)
	require.NotEmpty(t, limit.CodeLocations())
	named := 0
	for _, p := range limit.CodeLocations() {
		if p.Name != "" {
			require.NotEmpty(t, p.Source)
			named++
		}
	}
	require.NotZero(t, named)
	s.Limit(0)
	require.Zero(t, s.Current.MaxClocks)
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	one, _ := s.EndRun(nil)
	require.Equal(t, []uint64{34}, one.Words)
	require.Equal(t, one.Stepped, s.Clock()-one.Start)
	s.Limit(7)
	require.EqualValues(t, 7, s.MaxClocks)

	require.NoError(t, s.Begin())
	err = s.Advance(ctx, em4.ToEnd)
	require.Error(t, err)
	s.EndRun(err)
	require.Len(t, s.Done, 1, "only complete runs count")
}

// A fork continues from a snapshot as the original run did, and does not change that run.
func TestFork(t *testing.T) {
	ctx := context.Background()
	target, err := spec("fib", "9").Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 1, KeepCounters: true})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, 300))
	saved := s.Snapshot()
	require.NoError(t, s.Advance(ctx, 500))
	fork, err := s.Fork(saved)
	require.NoError(t, err)
	require.EqualValues(t, 300, fork.Current.Clock())
	require.EqualValues(t, 500, s.Current.Clock())
	require.NotSame(t, s.Machine, fork.Machine)
	require.NoError(t, fork.Advance(ctx, em4.ToEnd))
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	own, _ := s.EndRun(nil)
	other, _ := fork.EndRun(nil)
	golden.Same(t, own.Result, other.Result, "the result")
	_, err = s.Fork(saved[:100])
	require.Error(t, err)
}

// The answer shows the data of the result.
func TestAnswerTells(t *testing.T) {
	ctx := context.Background()
	s0 := spec("fib", "10")
	s0.Params = map[string]string{"policy": "ring", "mlpe": "on"}
	s0.Sets = []string{"fifo_words=4"}
	target, err := s0.Build(ctx)
	require.NoError(t, err)
	s := New(target, Plan{Runs: 1})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(ctx, em4.ToEnd))
	one, _ := s.EndRun(nil)
	a := told(t, s.Answer(one))
	for key, want := range map[string]any{
		"program": "fib", "args": []any{10.0}, "machine": "emc-r", "pes": 12.0, "policy": "ring", "mlpe": true,
		"seed": 1.0, "result": []any{55.0},
		"clocks": float64(one.Clocks), "start_clock": float64(one.Start), "runs": []any{float64(one.Clocks)},
	} {
		require.Equal(t, want, a[key], key)
	}
	require.Equal(t, "on", a["params"].(map[string]any)["mlpe"])
	require.Contains(t, target.Chosen(), "policy=ring")
	require.Len(t, target.Chosen(), len(target.Object.Chosen()))
	require.InDelta(t, float64(one.Clocks)*80e-6, a["time_ms"], 1e-12)
	require.InDelta(t, float64(one.Instructions)/float64(one.Clocks)*12.5, a["mips"], 1e-9)
	share := func(key string) float64 { return a[key].(float64) }
	require.InDelta(t, 1, share("exu_fmu")+share("ibu_only")+share("network_wait")+share("idle"), 1e-12)
	require.InDelta(t, one.Share(emcr.NetworkWait), share("network_wait"), 1e-12)
	require.InDelta(t, share("exu_fmu")+share("ibu_only"), share("pe_utilisation"), 1e-12)
	require.NotZero(t, one.IbuWaiting)
	require.InDelta(t, float64(one.IbuWaiting)/float64(12*one.Clocks), share("ibu_waiting"), 1e-12)
	for key, want := range map[string]uint64{
		"instructions": one.Instructions, "calls": one.Calls, "mlpe_calls": one.MLPECalls, "mlpe_packets": one.MLPESent,
		"packets_sent": one.Sent, "packets_spilled": one.Spilled, "hops": one.Hops(), "segments_peak": one.SegmentsPeak,
		"mib_peak_words": one.MIBPeak,
	} {
		require.NotZero(t, want, key)
		require.InDelta(t, want, a[key], 0, key)
	}
	knobs := a["knobs"].(map[string]any)
	require.Equal(t, map[string]any{"fifo_words": 4.0, "clock_ns": 80.0, "mlpe_route": "reverse", "burst_refill": true},
		map[string]any{
			"fifo_words": knobs["fifo_words"], "clock_ns": knobs["clock_ns"],
			"mlpe_route": knobs["mlpe_route"], "burst_refill": knobs["burst_refill"],
		})
	require.InDelta(t, float64(one.Stepped)*12/one.Wall.Seconds(), a["pe_clocks_per_second"], 1)
	require.NotZero(t, one.Single)
	require.InDelta(t, float64(one.Stepped*12-one.Single)/float64(one.Stepped*12), a["fast_share"], 1e-9)
	require.NotContains(t, a, "seeds")
	require.NotContains(t, a, "explain")
	require.Equal(t, []any{3.0, []any{"why"}}, []any{told(t, &Answer{
		Session: s, Seeds: 3,
		Explain: []string{"why"},
	})["seeds"], told(t, &Answer{Session: s, Explain: []string{"why"}})["explain"]})

	plain := written(t, ".start x\nx: out! r1\n")
	target, err = spec(plain).Build(ctx)
	require.NoError(t, err)
	a = told(t, New(target, Plan{Runs: 1}).Answer(OneRun{}))
	require.Equal(t, []any{}, a["result"])
	for _, key := range []string{"policy", "mlpe", "bands"} {
		require.Contains(t, a, key)
		require.Nil(t, a[key], key)
	}
	for _, key := range []string{"ibu_waiting", "pe_clocks_per_second", "fast_share", "mips"} {
		require.Zero(t, a[key], key)
	}
}

// Errors of the machine contain the names and source lines of the program.
func TestErrorsAreLocated(t *testing.T) {
	ctx := context.Background()
	load := func(text string) *Batch {
		target, err := spec(written(t, text), "3").Build(ctx)
		require.NoError(t, err)
		s := New(target, Plan{Runs: 1, MaxClocks: 1000})
		require.NoError(t, s.Begin())
		return s
	}
	err := load(".arg n, 1, 9, x\nx: add r1, r1, 1\n relseg! r1\n").Advance(ctx, em4.ToEnd)
	require.ErrorContains(t, err, "code address 0x1 (x+1, p.s:3): release of 0x4")
	err = load(".arg n, 1, 9, x\nx: relseg! r1\n").Advance(ctx, em4.ToEnd)
	require.ErrorContains(t, err, "code address 0x0 (x, p.s:2): release of 0x3")
	err = load(".arg n, 1, 9, x\nx: add r1, r1, 1\n y: jmp y\n").Advance(ctx, em4.ToEnd)
	require.ErrorContains(t, err, "EXU: nothing: it runs, at code address 0x1 (y, p.s:3)")

	stopped, cancel := context.WithCancel(ctx)
	cancel()
	s := load(".arg n, 1, 9, x\nx: jmp x\n")
	s.Limit(0)
	err = s.Advance(stopped, em4.ToEnd)
	var interrupted *Interrupted
	require.ErrorAs(t, err, &interrupted)
	require.Equal(t, s.Current.Clock(), interrupted.Clock)
	require.Equal(t, "interrupted", interrupted.Kind())
	require.EqualValues(t, interrupted.Clock, interrupted.Details()["clock"])
	require.ErrorContains(t, err, "clocks (run)")
	require.ErrorContains(t, err, "(x, p.s:2)", "the line that runs")
}

// The init blocks are limited like a run. An init block that does not fit the memory is a usage error.
func TestBootErrors(t *testing.T) {
	ctx := context.Background()
	full := spec(written(t, ".init i\n.start x\ni: getstr r3, 1000\njmp i\nx: out! r1\n"))
	_, err := full.Build(ctx)
	require.ErrorContains(t, err, "the program's init block does not fit the memory of a PE: ")
	require.ErrorContains(t, err, "(i, p.s:3)")
	var usage *simerr.Usage
	require.ErrorAs(t, err, &usage)

	endless := spec(written(t, ".init i\n.start x\ni: jmp i\nx: out! r1\n"))
	endless.MaxClocks = 10
	_, err = endless.Build(ctx)
	var limit *em4.ClockLimit
	require.ErrorAs(t, err, &limit)
	require.EqualValues(t, 10, limit.Clock)
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	endless.MaxClocks = 1 << 40 // the machine checks the context only now and then
	_, err = endless.Build(stopped)
	require.ErrorContains(t, err, "interrupted") // during the construction of the machine, or later
}

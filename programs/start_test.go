package programs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// Every start gives its recorded answer, wherever its instances are placed, and leaves nothing in the machine.
func TestStarts(t *testing.T) {
	require.Equal(t, "block", programs.Starts()[0].Name, "the simplest comes first")
	files, err := filepath.Glob("start/*.s")
	require.NoError(t, err)
	require.Len(t, programs.Starts(), len(files)-1, "all but policy.s, of PolicyStart")
	for _, s := range programs.Starts() {
		text := s.Text("mine")
		require.NotContains(t, text, "PROGRAM")
		require.Regexp(t, fmt.Sprintf(`emsim run mine\.s %s +prints %d\n`, s.Args[0], s.Answer), text)
		file := filepath.Join(t.TempDir(), "mine.s")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		variants := []map[string]string{nil}
		if s.Placed {
			for _, policy := range programs.Policies() {
				for _, mlpe := range []string{"off", "on", "software"} {
					variants = append(variants, map[string]string{"policy": policy, "mlpe": mlpe})
				}
			}
		}
		for _, params := range variants {
			for _, pes := range []int{4, 12, 80} {
				words, leaks := startRun(t, file, pes, params, s.Args...)
				require.Equal(t, []uint64{s.Answer}, words, "%s on %d PEs, %v", s.Name, pes, params)
				require.Empty(t, leaks, "%s on %d PEs, %v", s.Name, pes, params)
			}
		}
	}
}

// The least and the greatest argument also work.
func TestStartLimits(t *testing.T) {
	square := func(n uint64) uint64 { return n*n + 1 }
	power := func(n uint64) uint64 { return 1 << n }
	squares := func(n uint64) uint64 { return n * (n + 1) * (2*n + 1) / 6 }
	sum := func(n uint64) uint64 { return n * (n + 1) / 2 }
	for name, answer := range map[string]func(uint64) uint64{
		"block": square, "call": power, "loop": squares,
		"stream": sum,
	} {
		s, ok := programs.StartNamed(name)
		require.True(t, ok)
		file := filepath.Join(t.TempDir(), "mine.s")
		require.NoError(t, os.WriteFile(file, []byte(s.Text("mine")), 0o666))
		o, err := run.LoadProgram(file, nil)
		require.NoError(t, err)
		for _, n := range []int64{o.Args[0].Min, o.Args[0].Max} {
			words, _ := startRun(t, file, 12, nil, strconv.FormatInt(n, 10))
			require.Equal(t, []uint64{answer(uint64(n)) & 0xffffffff}, words, "%s %d", name, n)
		}
	}
	_, ok := programs.StartNamed("nosuch")
	require.False(t, ok)
}

func startRun(t *testing.T, file string, pes int, params map[string]string, args ...string) ([]uint64, []em4.Leak) {
	t.Helper()
	spec := &run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: args, Params: params,
		Seed: 1, Threads: 1,
	}
	target, err := spec.Build(t.Context())
	require.NoError(t, err)
	s := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, s.Begin())
	require.NoError(t, s.Advance(t.Context(), em4.ToEnd), "%v", params)
	one, _ := s.EndRun(nil)
	return one.Words, s.Leaks
}

package debug

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
)

// spec returns the specification of a program on 12 PEs.
func spec(program string, args ...string) *run.Spec {
	pes := 12
	return &run.Spec{Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: program, Args: args, Seed: 1, Threads: 1}
}

// begun returns a session whose run has begun.
func begun(t require.TestingT, s *run.Spec) *run.Batch {
	target, err := s.Build(context.Background())
	require.NoError(t, err)
	x := run.New(target, run.Plan{Runs: 1, Window: 1, MaxClocks: s.MaxClocks})
	require.NoError(t, x.Begin())
	return x
}

// bench is a debugger that captures its answers.
type bench struct {
	*Debugger
	t   require.TestingT
	out *bytes.Buffer
}

func newBench(t require.TestingT, s *run.Spec) *bench {
	out := new(bytes.Buffer)
	return &bench{New(begun(t, s), out), t, out}
}

// do executes a correct command and returns its output.
func (b *bench) do(line string) string {
	b.out.Reset()
	require.NoError(b.t, b.Do(context.Background(), line), line)
	return b.out.String()
}

// wrong executes a wrong command and returns the error.
func (b *bench) wrong(line string) string {
	err := b.Do(context.Background(), line)
	var wrong *simerr.Usage
	require.ErrorAs(b.t, err, &wrong, line)
	return err.Error()
}

func (b *bench) hash() uint64 {
	h, _ := b.s.Hash(nil)
	return h
}

// source writes a program to a file.
func source(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "p.s")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(text, "\n\t\t", "\n")), 0o600))
	return file
}

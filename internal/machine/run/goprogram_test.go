package run

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// A Go program runs like any other. A fault has the reason and the line in Go.
func TestGoProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	require.NoError(t, os.WriteFile(file,
		[]byte("package main\n\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\treturn 8 / n\n}\n"), 0o666))
	pes := 4
	run := func(arg string) error {
		spec := &Spec{
			Machine: Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: []string{arg}, Seed: 1,
			Threads: 1,
		}
		target, err := spec.Build(t.Context())
		require.NoError(t, err)
		s := New(target, Plan{Runs: 1})
		require.NoError(t, s.Begin())
		return target.Located(s.Advance(t.Context(), em4.ToEnd))
	}
	require.NoError(t, run("2"))
	err := run("0")
	require.ErrorContains(t, err, "integer divide by zero")
	require.ErrorContains(t, err, "p.go:5")

	_, err = LoadProgram(file, nil, "folder")
	require.ErrorContains(t, err, "-I has no effect")
	_, err = LoadProgram(file, map[string]string{"nothing": "1"})
	require.Error(t, err)
	_, err = (&Spec{Program: file + ".go"}).CompileGo()
	require.ErrorContains(t, err, "there is no file")
}

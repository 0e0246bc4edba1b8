package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// mainEnv makes a process of this test run the command itself.
const mainEnv = "EMSIM_MUTATE_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainEnv) != "" {
		main()
		return
	}
	m.Run()
}

// The command parses its flags, and its exit status says whether it succeeded.
func TestCommand(t *testing.T) {
	run := func(dir string, args ...string) (string, int) {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), mainEnv+"=1")
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, status := run(".", "-seed", "x")
	require.Equal(t, 2, status)
	require.Contains(t, out, `invalid value "x" for flag -seed`)
	out, status = run(t.TempDir())
	require.Equal(t, 1, status)
	require.Contains(t, out, "mutate: ")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(dir+"/tools", 0o700))
	require.NoError(t, os.WriteFile(dir+"/go.mod", []byte("module emsim\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.WriteFile(dir+"/p.go", []byte("package p\n"), 0o600))
	out, status = run(dir+"/tools", "./...")
	require.Equal(t, 0, status, out)
}

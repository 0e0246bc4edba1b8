package command

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// throughShell runs a shell command and waits for its end.
func throughShell(t *testing.T, line string) *process {
	p := launch(t, t.TempDir(), nil, "sh", "-c", line)
	p.wait(t)
	return p
}

// A result that cannot have reached a reader is a failure: on a full disk through the status, and in a pipe without a
// reader through SIGPIPE, which Go does not let a parent ignore.
func TestLostOutputs(t *testing.T) {
	unread, pipe, err := os.Pipe()
	require.NoError(t, err)
	defer pipe.Close()
	require.NoError(t, unread.Close())
	for _, args := range []string{"run fib 5", "run fib 5 --json", "--help", "licenses"} {
		full := throughShell(t, "exec emsim "+args+" >/dev/full")
		require.Equal(t, failing, full.ProcessState.ExitCode(), args)
		require.Equal(t, "emsim: standard output could not be written: no space left on device\n", full.errs.String(),
			args)
		for _, before := range []string{"", "trap '' PIPE; "} {
			closed := launch(t, "", func(p *process) { p.Stdout = pipe }, "sh", "-c", before+"exec emsim "+args)
			closed.wait(t)
			s, killed := closed.killed()
			require.True(t, killed && s == syscall.SIGPIPE, before+args)
		}
	}
}

// A closed standard output looks the same as a discarded one. Go's runtime opens the null device in its place before
// any code of a program runs, as the libraries of Python, Node and daemons do for unwanted output. If this test fails,
// the two differ, and emsim can report a closed output.
func TestClosedOutputLooksDiscarded(t *testing.T) {
	closed, discarded := throughShell(t, "exec opened >&-"), throughShell(t, "exec opened 1<>/dev/null")
	require.Contains(t, closed.errs.String(), "flags:")
	require.Equal(t, discarded.errs.String(), closed.errs.String())
	require.Zero(t, throughShell(t, "exec emsim run fib 5 >&-").ProcessState.ExitCode(), "docs/COMMAND.md says so")
}

package command

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
)

// The values of a flag are completed from the tables of the commands, after the comma of a list too.
func TestFlagsAreCompleted(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"run", "fib", "--policy", ""}, "ring"},
		{[]string{"build", "fib.go", "--blocks", ""}, "finest"},
		{[]string{"balance", "compare", "--policy", "power,ste"}, "power,stealing"},
		{[]string{"rhinet", "run", "--set", ""}, "nodes="},
		{[]string{"pdes", "run", "--machine", ""}, "pdes"},
		{[]string{"verify", "--explain", "003.t1"}, "003.t1"},
	} {
		status, out, _ := emsim(append([]string{"__complete"}, c.line...)...)
		require.Zero(t, status, c.line)
		require.Contains(t, out, c.want, c.line)
	}
}

// Cobra keeps completed flags for as long as the process lives, so a command that no shell asks about has none.
func TestCommandsAreFreed(t *testing.T) {
	cmd, _, err := newRootCmd(&app{args: []string{"mnc", "run"}}).Find([]string{"mnc", "run"})
	require.NoError(t, err)
	set := weak.Make(cmd.Flag("set"))
	cmd = nil
	runtime.GC()
	require.Nil(t, set.Value())
}

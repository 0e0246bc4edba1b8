//go:build unix

package command

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/atstart"
)

// A closed standard output loses the answer of every command; one that was opened
// to nowhere, in whatever way, does not.
func TestClosedOutput(t *testing.T) {
	lost := 0
	if atstart.Known {
		lost = failing
	}
	everyCommand(t, func(path string, args []string) {
		for _, c := range []struct {
			to     string
			status int
		}{{">&-", lost}, {">/dev/null", 0}, {"1<>/dev/null", 0}} {
			if c.to != ">&-" && path != "run" && path != "licenses" {
				continue
			}
			if path == "new" {
				require.NoError(t, os.RemoveAll(args[1]))
			}
			p := launch(t, ".", nil, "sh", append([]string{"-c", `exec emsim "$@" ` + c.to, "sh"}, args...)...)
			p.wait(t)
			require.Equal(t, c.status, p.ProcessState.ExitCode(), "%v %s: %s", args, c.to, &p.errs)
			if c.status != 0 {
				require.Contains(t, p.errs.String(), "standard output could not be written: it is closed")
			}
		}
	})
}

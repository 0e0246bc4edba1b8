//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// missing is what is said of a file of the user's own that an example names, or of no terminal.
var missing = regexp.MustCompile("no such file or directory|there is no file |no machine and no file is called|needs a terminal")

// Every example of every help text begins its work: no shell and no command refuses it. A
// machine may fail, which is the point of some; what takes longer is interrupted.
func TestExamples(t *testing.T) {
	var lines []string
	eachCommand(func(_ string, cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			if line = strings.TrimSpace(line); strings.Contains(line, "emsim ") {
				lines = append(lines, line)
			}
		}
	})
	require.Greater(t, len(lines), 100)
	var all sync.WaitGroup
	turn := make(chan bool, 4)
	for _, line := range lines {
		all.Go(func() {
			turn <- true
			defer func() { <-turn }()
			ctx, stop := context.WithTimeout(context.Background(), 500*time.Millisecond)
			defer stop()
			var said bytes.Buffer
			c := exec.CommandContext(ctx, "sh", "-c", line)
			c.Dir, c.Stdout, c.Stderr, c.SysProcAttr, c.WaitDelay = t.TempDir(), &said, &said, &syscall.SysProcAttr{Setpgid: true}, hung
			c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
			err := c.Run()
			var ended *exec.ExitError
			if errors.As(err, &ended) && ended.ExitCode() != 1 && ctx.Err() == nil && !missing.MatchString(said.String()) {
				t.Errorf("%s: %v\n%s", line, err, said.String())
			}
		})
	}
	all.Wait()
}

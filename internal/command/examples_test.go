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

// missing matches messages about a missing user's file of an example, or a missing terminal.
var missing = regexp.MustCompile("no such file or directory|there is no file |no machine and no file is " +
	"called|needs a terminal")

// eachExample calls visit for every example of every help text.
func eachExample(t *testing.T, visit func(line string)) {
	seen := 0
	eachCommand(func(_ string, cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Example, "\n") {
			if line = strings.TrimSpace(line); strings.Contains(line, "emsim ") {
				seen++
				visit(line)
			}
		}
	})
	require.Greater(t, seen, 100)
}

// runExample runs a line in a folder with the shell, and interrupts it after a time limit. It returns the exit status,
// the output, and whether the line was interrupted.
func runExample(t *testing.T, folder, line string, limit time.Duration) (status int, said string, interrupted bool) {
	ctx, stop := context.WithTimeout(t.Context(), limit)
	defer stop()
	var out bytes.Buffer
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir, c.Stdout, c.Stderr, c.SysProcAttr, c.WaitDelay = folder, &out, &out, &syscall.SysProcAttr{Setpgid: true},
		hung
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	err := c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && ctx.Err() == nil {
		t.Errorf("%s: %v", line, err)
	}
	return c.ProcessState.ExitCode(), out.String(), ctx.Err() != nil
}

// Every example of every help text begins its work: neither the shell nor the command rejects it. A machine may fail,
// which is the purpose of some examples; long examples are interrupted.
func TestExamples(t *testing.T) {
	var all sync.WaitGroup
	turn := make(chan bool, 4)
	eachExample(t, func(line string) {
		all.Go(func() {
			turn <- true
			defer func() { <-turn }()
			status, said, interrupted := runExample(t, t.TempDir(), line, 500*time.Millisecond)
			if status > 1 && !interrupted && !missing.MatchString(said) {
				t.Errorf("%s: exit status %d\n%s", line, status, said)
			}
		})
	})
	all.Wait()
}

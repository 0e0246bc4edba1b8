//go:build unix

package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// reader collects the output of a process, so that a test can wait for a text.
type reader struct {
	lines chan string
	text  strings.Builder
}

func newReader(r io.Reader) *reader {
	x := &reader{lines: make(chan string, 1000)}
	go func() {
		b := bufio.NewReader(r)
		for {
			line, err := b.ReadString('\n')
			x.lines <- line
			if err != nil {
				close(x.lines)
				return
			}
		}
	}()
	return x
}

// until reads up to a line with a text. It returns false if no such line arrives in time.
func (x *reader) until(text string, while time.Duration) bool {
	end := time.After(while)
	for {
		select {
		case line, open := <-x.lines:
			if x.text.WriteString(line); strings.Contains(line, text) {
				return true
			}
			if !open {
				return false
			}
		case <-end:
			return false
		}
	}
}

// In the debugger, Ctrl-C ends the motion and the debugger reads the next command; SIGTERM and SIGHUP end the debugger.
func TestDebuggerOnAPipe(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		in, commands, err := os.Pipe()
		require.NoError(t, err)
		out, w, err := os.Pipe()
		require.NoError(t, err)
		p := launch(t, workplace(t), func(p *process) { p.Stdin, p.Stdout = in, w }, "emsim", "debug", "loop.s")
		require.NoError(t, w.Close())
		x := newReader(out)
		for _, motion := range []string{"continue", "until memory 0x100 [0,0]"} {
			fmt.Fprintln(commands, motion)
			require.True(t, x.until(motion, hung), x.text.String())
			tries := 0
			for stopped := false; !stopped; tries++ {
				require.Less(t, tries, 10, x.text.String())
				time.Sleep(50 * time.Millisecond)
				require.NoError(t, p.Process.Signal(syscall.SIGINT))
				stopped = x.until("interrupted by SIGINT after", 5*time.Second)
			}
		}
		require.NoError(t, p.Process.Signal(syscall.SIGINT)) // there is no motion to end
		fmt.Fprintln(commands, "step 3; quit # not yet")
		require.True(t, x.until("step 3", hung), x.text.String())
		p.wait(t)
		require.Equal(t, 1, p.ProcessState.ExitCode(),
			"a script is told at the end that a motion did not get to its end")
		require.Regexp(t, "command line 2: interrupted by SIGINT after [0-9,]+ clocks", p.errs.String())

		p = launch(t, workplace(t), func(p *process) { p.Stdin = in }, "emsim", "debug", "loop.s")
		fmt.Fprintln(commands, "continue")
		require.True(t, hasWorked(p.Process.Pid, 0.3))
		tries := 0
		for ended := false; !ended; tries++ {
			require.Less(t, tries, 10)
			require.NoError(t, ignoreDone(p.Process.Signal(s)))
			select {
			case <-p.ended:
				ended = true
			case <-time.After(5 * time.Second):
			}
		}
		require.Equal(t, 1, p.ProcessState.ExitCode())
		require.Regexp(t, "interrupted by SIG(TERM|HUP)", p.errs.String())
		require.NoError(t, errors.Join(in.Close(), commands.Close(), out.Close()))
	}
}

// ignoreDone ignores the error of a signal to a process that has just ended.
func ignoreDone(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

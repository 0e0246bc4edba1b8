//go:build unix

package command

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// slowGo is a program whose translation is refused only after much work.
func slowGo() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "func g%d() { g%d(); g%[2]d() }\n", i, i+1)
	}
	return "package main\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 { g0(); return n }\n" + b.String() + "func g60() {}\n"
}

// phases are programs that stay in a phase for long.
var phases = map[string]string{
	"parse": "large.go 3 --placement auto", "compile": "slow.go 3 --placement auto",
	"place": "place.go 30 --placement measured", "assemble": "long.s", "run": "loop.s",
}

// Every command that takes a program ends in every phase, by one of two signals, says so,
// and leaves no file, not even a part of one, but a trace of a run so far.
func TestEveryPhaseEnds(t *testing.T) {
	dir := workplace(t)
	before, err := os.ReadDir(dir)
	require.NoError(t, err)
	seen := 0
	eachCommand(func(path string, cmd *cobra.Command) {
		if cmd.Flags().Lookup("placement") == nil || path == "debug" || path == "play" { // they have tests of their own
			return
		}
		for phase, program := range phases {
			figure := map[string]string{"plot": "timeline "}[path]
			if path == "build" && strings.Contains(program, ".s") || path == "trace" && phase == "run" {
				continue
			}
			line := path + " " + figure + program
			if cmd.Flags().Lookup("output") != nil {
				line += " -o out" + map[string]string{"plot": ".svg", "report": ".html", "build": ".s"}[path]
			}
			if path == "diff" {
				line += " --vs hop_clocks=2"
			}
			name, s := eachSignal(seen)
			seen++
			p := interrupted(t, dir, "interrupted by", s, strings.Fields(line)...)
			require.Equal(t, failing, p.ProcessState.ExitCode(), "%s in %s: %v%s%s", line, phase, p.ProcessState, &p.out, &p.errs)
			require.Contains(t, p.errs.String(), "interrupted by "+name, line)
			after, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, after, len(before), "%s: %v", line, after)
		}
	})
	require.Greater(t, seen, 20)
}

// Every command ends while nobody reads its output, be it standard output or a pipe with
// a name.
func TestUnreadOutputEnds(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	require.NoError(t, w.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
	_, err = w.Write(make([]byte, 1<<20))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded, "the pipe is full")
	type blocked struct {
		args []string
		to   *os.File // nil: standard output is read
	}
	var all []blocked
	everyCommand(t, func(path string, args []string) {
		if strings.HasSuffix(path, "debug") {
			return // where SIGINT ends a motion only
		}
		all = append(all, blocked{args, w})
		pipe := slices.Clone(args)
		if at := len(args) - 1; at >= 0 && strings.Contains(args[at], "/out.") && path != "new" && path != "sweep" {
			pipe[at] = strings.Replace(args[at], "/out.", "/pipe.", 1)
			require.NoError(t, syscall.Mkfifo(pipe[at], 0o600))
			all = append(all, blocked{pipe, nil})
		}
	})
	for delay := 3 * time.Second; len(all) > 0; delay *= 2 {
		require.Less(t, delay, hung)
		var running []*process
		for _, b := range all {
			if slices.Contains(b.args, "new") {
				require.NoError(t, os.RemoveAll(b.args[1]))
			}
			running = append(running, launch(t, ".", func(p *process) {
				if b.to != nil {
					p.Stdout = b.to
				}
			}, "emsim", b.args...))
		}
		time.Sleep(delay)
		for i, p := range running {
			_, s := eachSignal(i)
			require.NoError(t, p.Process.Signal(s), "%v has ended: %s", p.Args, &p.errs)
		}
		var again []blocked
		for i, p := range running {
			p.wait(t)
			if _, dead := p.killed(); dead {
				again = append(again, all[i]) // it had not begun
				continue
			}
			name, _ := eachSignal(i)
			require.Equal(t, failing, p.ProcessState.ExitCode(), "%v: %s", p.Args, &p.errs)
			require.Contains(t, p.errs.String(), "interrupted by "+name, "%v", p.Args)
		}
		all = again
	}
}

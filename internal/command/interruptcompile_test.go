//go:build unix

package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// slowGo returns a program that the compiler rejects only after much work.
func slowGo() string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "func g%d() { g%d(); g%[2]d() }\n", i, i+1)
	}
	return "package main\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 { g0(); return n }\n" + b.String() +
		"func g60() {}\n"
}

// phases maps the phases to programs that stay in the phase for long.
var phases = map[string]string{
	"parse": "large.go 3 --placement auto", "compile": "slow.go 3 --placement auto",
	"place": "place.go 30 --placement measured", "assemble": "long.s", "run": "loop.s",
}

// Every command that takes a program can be interrupted in every phase, by one of two signals. It says so, and leaves
// no file and no part of one, except a trace of the run so far.
func TestEveryPhaseEnds(t *testing.T) {
	dir := workplace(t)
	before, err := os.ReadDir(dir)
	require.NoError(t, err)
	seen := 0
	eachCommand(func(path string, cmd *cobra.Command) {
		if cmd.Flags().Lookup("placement") == nil || path == "debug" || path == "play" { // they have their own tests
			return
		}
		for phase, program := range phases {
			figure := map[string]string{"plot": "timeline ", "ask": "held "}[path]
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
			require.Equal(t, failing, p.ProcessState.ExitCode(), "%s in %s: %v%s%s", line, phase, p.ProcessState,
				&p.out, &p.errs)
			require.Contains(t, p.errs.String(), "interrupted by "+name, line)
			after, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, after, len(before), "%s: %v", line, after)
		}
	})
	require.Greater(t, seen, 20)
}

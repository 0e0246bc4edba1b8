//go:build unix

package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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

// Every command that compiles ends at once while it does, with the reason, and leaves no file.
func TestInterruptedCompilations(t *testing.T) {
	dir := workplace(t)
	for _, line := range []string{"build slow.go", "build slow.go -o -", "build slow.go 3 --explain", "plot blocks slow.go -o b.svg", "run slow.go 3", "trace slow.go 3", "profile slow.go 3"} {
		for name, s := range map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM} {
			p := interrupted(t, dir, "interrupted by", s, strings.Fields(line)...)
			require.Equal(t, 1, p.ProcessState.ExitCode(), "%s: %v%s%s", line, p.ProcessState, &p.out, &p.errs)
			require.Contains(t, p.errs.String(), "interrupted by "+name+" while", line)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "[sb]*.[sv]*"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "bootloop.s")}, left)
}

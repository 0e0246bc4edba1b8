// Package needs finds the programs that some tests use to check results: a browser, gtkwave's tools, Python. tools.txt
// lists them.
package needs

import (
	_ "embed"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

//go:embed tools.txt
var tools string

// Tool returns the path of a program of tools.txt, or of the first installed alternative. If none is installed, it
// skips the test. With CI=true in the environment (or another spelling of true for strconv.ParseBool) it fails the test
// instead, because skipped tests go unnoticed there. The message names the Debian package to install. A program that is
// not in tools.txt fails the test even if it is installed.
func Tool(t testing.TB, program string) string {
	t.Helper()
	debian, names := findTool(program)
	if debian == "" {
		t.Fatalf("%s is not in internal/dev/needs/tools.txt, so .ci/tools would not install it; add a line", program)
		return ""
	}
	if path := installed(names[0], names[1:]); path != "" {
		return path
	}
	missing := names[0] + " is not installed"
	if len(names) > 1 {
		missing = "none of " + strings.Join(names, ", ") + " is installed"
	}
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatalf("%s, and with CI=true no test is skipped; on Debian: apt-get install %s", missing, debian)
	}
	t.Skipf("%s; on Debian: apt-get install %s", missing, debian)
	return ""
}

// A Gap is a set of tests that do not run because programs are missing.
type Gap struct {
	What             string
	Programs, Debian []string
}

// Gaps returns the tests that do not run on this computer.
func Gaps() (list []Gap) {
	what := ""
	for line := range strings.Lines(tools) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			what = strings.TrimSpace(name)
		}
		f := strings.Fields(line)
		if len(f) < 2 || strings.HasPrefix(line, "#") || installed(f[0], f[2:]) != "" {
			continue
		}
		if len(list) == 0 || list[len(list)-1].What != what {
			list = append(list, Gap{What: what})
		}
		g := &list[len(list)-1]
		g.Programs, g.Debian = append(g.Programs, f[0]), append(g.Debian, f[1])
	}
	return list
}

// installed returns the path of a program, or of the first installed alternative, or "".
func installed(program string, others []string) string {
	for _, name := range append([]string{program}, others...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Verilator skips or fails the test, as Tool does, unless verilator and the programs with which it builds simulators
// are installed.
func Verilator(t testing.TB) {
	t.Helper()
	Tool(t, "verilator")
	Tool(t, "g++")
	Tool(t, "make")
}

// findTool returns the Debian package of a program, and the names under which to look for it.
func findTool(program string) (debian string, names []string) {
	for line := range strings.Lines(tools) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == program {
			return f[1], append([]string{program}, f[2:]...)
		}
	}
	return "", nil
}

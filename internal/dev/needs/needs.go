// Package needs finds the programs with which some tests check results: a
// browser, gtkwave's tools, Python. tools.txt lists them.
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

// Tool returns the path of a program of tools.txt, or of the first installed
// of those that will do instead. If there is none, the test is skipped. With
// CI=true in the environment (or another spelling of true for
// strconv.ParseBool) it fails, because skipped tests go unnoticed there. The
// message names the Debian package to install. A program that is not in
// tools.txt fails the test even if it is installed here.
func Tool(t testing.TB, program string) string {
	t.Helper()
	debian, names := findTool(program)
	if debian == "" {
		t.Fatalf("%s is not in internal/dev/needs/tools.txt, so .ci/tools would not install it; add a line", program)
		return ""
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
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

// Verilator asks for verilator, and for what it builds its simulators with.
func Verilator(t testing.TB) {
	t.Helper()
	Tool(t, "verilator")
	Tool(t, "g++")
	Tool(t, "make")
}

// findTool returns the Debian package of a program and the names to look for.
func findTool(program string) (debian string, names []string) {
	for line := range strings.Lines(tools) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == program {
			return f[1], append([]string{program}, f[2:]...)
		}
	}
	return "", nil
}

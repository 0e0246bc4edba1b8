// Package needs finds the programs with which some tests check results: a
// browser, gtkwave's tools, Python.
package needs

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// Tool returns the path of the first of the named programs that is installed.
// If none is, the test is skipped. With CI=true in the environment (or
// another spelling of true for strconv.ParseBool) it fails, because skipped
// tests go unnoticed there. The message names the Debian package to install.
func Tool(t testing.TB, debian string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing := strings.Join(names, ", ") + " is not installed"
	if len(names) > 1 {
		missing = "none of " + strings.Join(names, ", ") + " is installed"
	}
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatalf("%s, and with CI=true no test is skipped; on Debian: apt-get install %s", missing, debian)
	}
	t.Skipf("%s; on Debian: apt-get install %s", missing, debian)
	return ""
}

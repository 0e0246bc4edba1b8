package needs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome records how a test ends.
type outcome struct {
	testing.TB
	text string
}

func (o *outcome) Helper() {}

func (o *outcome) end(how, format string, args []any) {
	if o.text == "" { // only the first end counts
		o.text = how + ": " + fmt.Sprintf(format, args...)
	}
}

func (o *outcome) Skipf(format string, args ...any)  { o.end("skipped", format, args) }
func (o *outcome) Fatalf(format string, args ...any) { o.end("failed", format, args) }

// A missing program skips a test, unless CI is true.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, ci := range []string{"", "false", "0", "true", "1"} {
		t.Setenv("CI", ci)
		var one, two, pair, none outcome
		require.Empty(t, Tool(&one, "vcd2fst"))
		require.Empty(t, Tool(&two, "chromium"))
		require.Empty(t, Tool(&pair, "qemu-aarch64-static"))
		require.Empty(t, Tool(&none, "gtkwave"))
		if ci == "true" || ci == "1" {
			require.Equal(t, "failed: vcd2fst is not installed, and with CI=true no test is skipped; on Debian: "+
				"apt-get install gtkwave", one.text)
		} else {
			require.Equal(t, "skipped: vcd2fst is not installed; on Debian: apt-get install gtkwave", one.text,
				"CI=%q", ci)
		}
		require.Contains(t, two.text, "none of chromium, chromium-browser, google-chrome, "+
			"google-chrome-stable is installed")
		require.Contains(t, pair.text, "none of qemu-aarch64-static, qemu-aarch64 is installed")
		require.Contains(t, none.text, "failed: gtkwave is not in internal/dev/needs/tools.txt")
	}
}

// install puts programs into a new folder, makes it the PATH, and returns it.
func install(t *testing.T, programs ...string) string {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	for _, name := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700))
	}
	return dir
}

// The first installed name is used.
func TestFound(t *testing.T) {
	dir := install(t, "google-chrome-stable", "google-chrome")
	t.Setenv("CI", "true")
	var o outcome
	require.Equal(t, filepath.Join(dir, "google-chrome"), Tool(&o, "chromium"))
	require.Empty(t, o.text)
}

// .ci/tools installs every program that Tool can find.
func TestInstalled(t *testing.T) {
	var programs []string
	for line := range strings.Lines(tools) {
		if f := strings.Fields(line); len(f) > 0 && !strings.HasPrefix(line, "#") {
			require.GreaterOrEqual(t, len(f), 2, "%q: a program and its Debian package", line)
			programs = append(programs, f[0])
		}
	}
	require.NotEmpty(t, programs)
	for i, program := range programs {
		t.Run(program, func(t *testing.T) {
			script := exec.Command("bash", "../../../.ci/tools") // bash is found before it is hidden
			install(t, slices.Delete(slices.Clone(programs), i, i+1)...)
			var without outcome
			if Tool(&without, program); without.text == "" {
				return // installed elsewhere, it cannot be hidden
			}
			debian, _ := findTool(program)
			out, err := script.CombinedOutput()
			require.Error(t, err)
			require.Equal(t, "the tests need "+debian+"; on Debian, as root: apt-get install "+debian+"\n", string(out))
		})
	}
	script := exec.Command("bash", "../../../.ci/tools")
	install(t, programs...)
	out, err := script.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}

// Verilator requires g++ and make to build its simulators: each of the three may be missing.
func TestVerilatorNeedsACompiler(t *testing.T) {
	t.Setenv("CI", "")
	all := []string{"verilator", "g++", "make"}
	for _, missing := range append(all, "none") {
		install(t, slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == missing })...)
		var o outcome
		Verilator(&o)
		if missing == "none" {
			require.Empty(t, o.text)
		} else {
			require.Contains(t, o.text, "skipped: "+missing+" is not installed")
		}
	}
}

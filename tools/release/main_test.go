package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"emsim/internal/command"
)

// The folder gets a manual page for every command, and a list of the program's modules; the program here is this test.
func TestWrite(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	dir := t.TempDir()
	var errs strings.Builder
	require.Zero(t, run([]string{dir, os.Args[0]}, &errs), errs.String())
	page, err := os.ReadFile(filepath.Join(dir, "man", "emsim-net-traffic.1"))
	require.NoError(t, err)
	require.Contains(t, string(page), `.TH "EMSIM-NET-TRAFFIC" "1" "Jan 1970" "emsim `+command.Release+`" "emsim"`)
	require.NotContains(t, string(page), "Auto generated", "its date would be today's")
	for name, want := range map[string]os.FileMode{"man": 0o755, "sbom.cdx.json": 0o644} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm()&want, name)
		require.Equal(t, want&0o111, info.Mode().Perm()&0o111, name)
	}
	text, err := os.ReadFile(filepath.Join(dir, "sbom.cdx.json"))
	require.NoError(t, err)
	var b bill
	require.NoError(t, json.Unmarshal(text, &b))
	require.Equal(t, bill{
		"CycloneDX", "1.6", 1,
		metadata{time.Unix(86400, 0).UTC(), component{"application", "emsim", command.Release, ""}},
		b.Components,
	}, b)
	require.Equal(t, component{
		"library", "std", runtime.Version(),
		"pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"),
	}, b.Components[0])
	var names []string
	for _, c := range b.Components {
		require.Equal(t, "library", c.Type)
		require.Contains(t, c.URL, "pkg:golang/"+c.Name+"@")
		names = append(names, c.Name)
	}
	require.Subset(t, names, []string{"std", "github.com/spf13/cobra", "github.com/spf13/pflag"})
}

// A manual page keeps every indented line of its help unchanged.
func TestIndents(t *testing.T) {
	dir := t.TempDir()
	var errs strings.Builder
	require.Zero(t, run([]string{dir, os.Args[0]}, &errs), errs.String())
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		text, err := os.ReadFile(filepath.Join(dir, "man", strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
		require.NoError(t, err)
		filled := true // switched by .EX and .EE
		shown := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimRight(line, "\n"); line == ".EX" || line == ".EE" {
				filled = line == ".EE"
			} else if !filled {
				shown[strings.ReplaceAll(strings.TrimPrefix(line, `\&`), `\\`, `\`)] = true
			}
		}
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if strings.HasPrefix(line, " ") {
				seen++
				require.True(t, shown[strings.TrimRight(line, " ")] || shown[line], "%s: %q", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" { // the commands that have a page
				walk(sub)
			}
		}
	}
	walk(command.CommandTree())
	require.Greater(t, seen, 100)
}

func TestWrong(t *testing.T) {
	var errs strings.Builder
	require.Equal(t, 2, run(nil, &errs))
	require.Contains(t, errs.String(), "expected a folder and a program")
	require.Equal(t, 1, run([]string{t.TempDir(), "main_test.go"}, &errs))
	require.Contains(t, errs.String(), "main_test.go")
	folder := filepath.Join(t.TempDir(), "a file")
	require.NoError(t, os.WriteFile(folder, nil, 0o666))
	require.Equal(t, 1, run([]string{folder, os.Args[0]}, &errs))
}

// A process with RELEASE set runs the command itself.
func TestMain(m *testing.M) {
	if os.Getenv("RELEASE") != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "RELEASE=1")
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	require.ErrorAs(t, err, &ended)
	require.Equal(t, 2, ended.ExitCode())
	require.Equal(t, "expected a folder and a program: go -C tools run ./release man ./emsim\n", string(out))
}

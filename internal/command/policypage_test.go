package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/run"
	"emsim/internal/play/engine"
	"emsim/programs"
)

// Every command of docs/POLICY.md works, in the page's order and in a folder with only the page's files. Every policy
// on the page is valid.
func TestPolicyPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/POLICY.md")
	require.NoError(t, err)
	queens, err := os.ReadFile("../../programs/go/queens/queens.go")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../docs/sweeps/policies")))
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("queens.go", queens, 0o666))
	status, _, errs := emsim("new", "--policy", "first.go")
	require.Zero(t, status, errs)
	require.NoError(t, os.Rename("go.mod", "first.mod")) // the page writes another go.mod
	require.NoError(t, os.Rename("emsim-df", "first-df"))
	for _, p := range []string{"near.s", "two.s", "steal.s", "first.go"} {
		for _, x := range programs.List() {
			n := strconv.FormatUint(x.Small[1][0], 10)
			jsonOf(t, "run", x.Name, n, "--pes", "12", "--policy", p)
			jsonOf(t, "run", x.Name, n, "--pes", "12", "--mlpe", "--policy", p)
		}
	}
	for _, block := range regexp.MustCompile("(?s)```(?:asm|toml|go)\n(?:[;#]|//) (\\w+\\.\\w+)\n.*?```").
		FindAllStringSubmatch(string(page), -1) {
		text := block[0][strings.Index(block[0], "\n")+1 : len(block[0])-3]
		require.NoError(t, os.WriteFile(block[1], []byte(text), 0o666))
		if filepath.Ext(block[1]) != ".toml" && !strings.HasSuffix(block[1], "_test.go") {
			jsonOf(t, "run", "queens.go", "5", "--pes", "12", "--policy", block[1])
		}
	}
	lines := regexp.MustCompile(`(?m)^    emsim (.*)$`).FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(lines), 3)
	for _, line := range lines {
		command, _, _ := strings.Cut(line[1], "  ")
		status, _, errs := emsim(unquoted(command)...)
		require.Zero(t, status, "%s: %s", command, errs)
	}
}

// The page of 'emsim play' gets the policy's text, runs it, and marks a mistake in its line.
func TestPlayPolicy(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.s")
	for text, wrong := range map[string]string{
		"mov r3, r0\n rds r3, pe": "",
		"mov r4, 1":               "mine.s:2:2: choose may not change r4",
	} {
		require.NoError(t, os.WriteFile(file, []byte(".macro choose which\n "+text+
			"\n.endm\n.macro policy_init\n.endm\n.macro policy_blocks\n.endm\n.macro policy_data\n.endm\n"), 0o666))
		program := filepath.Join(dir, "own.s")
		require.NoError(t, os.WriteFile(program, []byte(programs.Starts()[1].Text("own")), 0o666))
		for _, name := range []string{"fib", program} {
			spec := &run.Spec{
				Machine: run.Machine{Name: "emc-r"}, Program: name, Args: []string{"4"},
				Params: map[string]string{"policy": file}, Seed: 1,
			}
			setup, err := (&playFlags{}).setup(spec)
			if name == "fib" && wrong != "" {
				require.ErrorContains(t, err, wrong)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, "mine.s", setup.Params["policy"])
			require.Equal(t, file, spec.Params["policy"], "that of the command stays")
			a := (&engine.Session{}).Open(t.Context(), setup)
			require.Contains(t, a.Error, wrong)
			require.Equal(t, wrong == "", a.Network != nil)
		}
	}
}

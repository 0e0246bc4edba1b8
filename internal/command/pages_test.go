package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flagsOf returns the flags of a command, including its parents' flags.
func flagsOf(cmd *cobra.Command) []string {
	names := []string{"help", "json"}
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

// batchFlags lists flags of sbatch, parallel, kubectl and scancel in the recipes of docs/SWEEP.md.
var batchFlags = []string{
	"account", "array", "chdir", "for", "mem", "mem-per-cpu", "name", "output", "retries",
	"sshlogin", "timeout", "workdir",
}

// Every flag on a page belongs to some command or to a batch system. In a line or code span with the name of a command,
// it belongs to that command.
func TestPagesNameFlags(t *testing.T) {
	root := newRootCmd(&app{})
	all := slices.Clone(batchFlags)
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		all = append(all, flagsOf(cmd)...)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	flag := regexp.MustCompile(`(?:^|[\s(` + "`" + `])--([a-z][a-z-]*)`)
	line := regexp.MustCompile("(?:^|`|emsim )((?:" + strings.Join(commandNames(root), "|") + ")\\b[^`#|;]*)")
	for _, page := range append(pages, "../../README.md", "../../README.ja.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for i, text := range strings.Split(string(text), "\n") {
			where := fmt.Sprintf("%s:%d: %s", page, i+1, text)
			for _, m := range flag.FindAllStringSubmatch(text, -1) {
				assert.True(t, slices.Contains(all, m[1]), "--%s in %s", m[1], where)
			}
			for _, m := range line.FindAllStringSubmatch(text, -1) {
				cmd, _, err := root.Find(strings.Fields(m[1]))
				if err != nil || !cmd.Runnable() {
					continue // words of a sentence
				}
				for _, f := range flag.FindAllStringSubmatch(m[1], -1) {
					assert.Contains(t, flagsOf(cmd), f[1], "'%s' in %s", cmd.CommandPath(), where)
				}
			}
		}
	}
}

// The help of every command names its page.
func TestHelpNamesPages(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		page := regexp.MustCompile(`emsim docs (\w+)`).FindStringSubmatch(cmd.Long)
		require.NotEmpty(t, page, "'%s': it needs a line in pages", cmd.CommandPath())
		require.FileExists(t, "../../docs/"+page[1]+".md", cmd.CommandPath())
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	for _, cmd := range newRootCmd(&app{}).Commands() {
		if name := cmd.Name(); name != "help" && name != "completion" && name != "docs" && name != "licenses" &&
			name != "cite" { // cobra's own commands, and commands that print texts themselves
			walk(cmd)
		}
	}
}

// commandNames returns the names of the commands below the root.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// Every top-level key in the answers of the four machines is in docs/COMMAND.md, in the machine's part.
func TestPageNamesKeys(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(page), "\n## emsim mnc run, rhinet run, spmd run, pdes run\n")
	text, _, _ = strings.Cut(text, "\n## ")
	graph := "../../docs/examples/pdes-graph.txt"
	for _, run := range []string{
		"mnc run --items 100 --each", "mnc run --work ../../docs/examples/mnc-work.txt", "rhinet run --rows 64",
		"rhinet run --rows 64 --seeds 2",
		"spmd run", "spmd run --seeds 2", "pdes run --slots 100 --migrate-at 9000 --interval 9000",
		"pdes run --slots 10 --graph " + graph, "balance run --workload tree",
	} {
		_, part, found := strings.Cut(text, "\n`emsim "+strings.Join(strings.Fields(run)[:2], " ")+"`")
		require.True(t, found, run)
		part, _, _ = strings.Cut(part, "\n`emsim ")
		for key := range jsonOf(t, strings.Fields(run)...) {
			if !slices.Contains([]string{"wall_seconds", "recipe", "paper"}, key) { // common to all commands
				assert.Contains(t, part, "`"+key+"`", run)
			}
		}
	}
}

// No line of the page occurs twice.
func TestPageRepeatsNothing(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if len(line) > 60 {
			require.False(t, seen[line], "twice: %s", line)
			seen[line] = true
		}
	}
}

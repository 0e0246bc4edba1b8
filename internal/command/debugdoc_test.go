package command

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/inspect/debug"
)

// debugFile is the page about the debugger. Its console blocks form one session: 'go test ./internal/command -run
// DebugPage -update' rewrites the output of the commands.
const debugFile = "../../docs/DEBUG.md"

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```\n")
	promptLine   = regexp.MustCompile(`(?m)^\(\d+ \[\d+,\d+\]\) (.*)\n`)
)

func TestDebugPageShowsTheSession(t *testing.T) {
	text, err := os.ReadFile(debugFile)
	require.NoError(t, err)
	blocks := consoleBlock.FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, blocks)
	front, _, _ := strings.Cut(blocks[0][1], "\n")
	args, ok := strings.CutPrefix(front, "$ emsim ")
	require.True(t, ok)
	var commands []string
	for _, b := range blocks {
		for _, m := range promptLine.FindAllStringSubmatch(b[1], -1) {
			commands = append(commands, m[1])
		}
	}
	require.Greater(t, len(commands), 20)

	var out, errs bytes.Buffer
	require.Zero(t, command(strings.Fields(args), strings.NewReader(strings.Join(commands, "\n")+"\n"), &out, &errs),
		errs.String())
	starts := promptLine.FindAllStringIndex(out.String(), -1)
	require.Len(t, starts, len(commands))
	next, at := 0, 0
	got := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		body := ""
		if next == 0 {
			body = front + "\n"
		}
		next += len(promptLine.FindAllString(block, -1))
		end := out.Len()
		if next < len(starts) {
			end = starts[next][0]
		}
		body += out.String()[at:end]
		at = end
		return "```console\n" + body + "```\n"
	})
	if golden.Update() {
		require.NoError(t, os.WriteFile(debugFile, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(text), got, "the page is behind the machine: go test ./internal/command -run "+
		"DebugPage -update")
}

// The page names every command.
func TestDebugPageNamesTheCommands(t *testing.T) {
	text, err := os.ReadFile(debugFile)
	require.NoError(t, err)
	for _, name := range debug.Commands() {
		require.Regexp(t, "`"+name+"[ `]", string(text))
	}
}

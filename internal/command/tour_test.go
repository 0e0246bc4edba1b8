package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/draw/figures"
)

// tourFile is the guided tour. 'go test ./internal/command -run Tour -update'
// rewrites the output of its commands and its pictures.
const tourFile = "docs/tour.md"

// console matches a command on a page with its output.
var console = regexp.MustCompile("(?s)```console\n\\$ emsim ([^\n]*)\n(.*?)```\n")

func TestTourSaysWhatTheCommandsPrint(t *testing.T) { saysWhatTheCommandsPrint(t, tourFile, 6) }

// The readings of fib: 'go test ./internal/command -run CalibrationPage -update'.
func TestCalibrationPageSaysWhatTheCommandsPrint(t *testing.T) {
	saysWhatTheCommandsPrint(t, "docs/CALIBRATION.md", 5)
}

// The first program of the tour is the program of the assembly page.
func TestFirstProgram(t *testing.T) {
	program, err := os.ReadFile("../../docs/first/squares.s")
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/ASSEMBLY.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "```\n"+string(program)+"```\n")
}

func saysWhatTheCommandsPrint(t *testing.T, file string, least int) {
	t.Chdir("../..")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	commands := 0
	got := console.ReplaceAllStringFunc(string(text), func(block string) string {
		commands++
		line := console.FindStringSubmatch(block)[1]
		args, filter, _ := strings.Cut(line, " | grep ")
		status, out, errs := emsim(strings.Fields(args)...)
		require.Zero(t, status, "%s: %s", line, errs)
		return "```console\n$ emsim " + line + "\n" + grep(withoutRecipes(out), filter) + "```\n" // as on a terminal
	})
	require.GreaterOrEqual(t, commands, least)
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(text), got, "%s is behind the machine: repeat the test with -update", file)
}

// grep returns the lines that match a pattern, like the command. -v inverts the match; -E is accepted.
func grep(out, filter string) string {
	if filter == "" {
		return out
	}
	options, pattern, _ := strings.Cut(filter, "'")
	pattern, _, _ = strings.Cut(pattern, "'")
	re := regexp.MustCompile(pattern)
	var kept strings.Builder
	for line := range strings.Lines(out) {
		if re.MatchString(strings.TrimSuffix(line, "\n")) != strings.Contains(options, "v") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

func TestTourPictures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("../..", tourFile))
	require.NoError(t, err)
	for _, f := range figures.All() {
		if !slices.Contains([]string{"em4-packet", "em4-fib10", "em4-mlpe", "em4-load", "em4-prefetch", "em4-fallback"},
			f.Name) {
			continue
		}
		require.Contains(t, string(text), "(img/"+f.Name+".svg)")
		file := filepath.Join("../../docs/img", f.Name+".svg")
		if golden.Update() {
			answerText(t, "plot", f.Name, "-o", file)
			continue
		}
		require.Contains(t, answerText(t, "again", file), "equal",
			"%s is behind the machine: go test ./internal/command -run Tour -update", file)
	}
}

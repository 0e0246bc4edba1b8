package command

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
)

// COMMAND.md shows what the README's first command prints, except the wall time.
func TestPageShowsTheRun(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	var out, errs bytes.Buffer
	require.Zero(t, command([]string{"run", "fib", "20"}, strings.NewReader(""), &out, &errs), errs.String())
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "simulated in") {
			require.Contains(t, string(page), strings.TrimRight(line, "\n"),
				"put the output of 'emsim run fib 20' into docs/COMMAND.md again")
		}
	}
}

// The README of a release's archive shows commands that work without Go.
func TestArchiveReadme(t *testing.T) {
	text, err := os.ReadFile("../../.ci/archive/README.md")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	seen := 0
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		args, ours := strings.CutPrefix(strings.TrimSpace(line), "./emsim ")
		if !ours || args == "play" {
			continue
		}
		seen++
		status, _, errs := emsim(strings.Fields(args)...)
		require.Zero(t, status, "%s: %s", line, errs)
	}
	require.Equal(t, 7, seen)
}

// The README stays short: at most 600 words, two commands and six more, and one picture, whose run takes the stated
// number of clocks. It states no other time, because no test would check it.
func TestReadme(t *testing.T) {
	page := readme(t, "README.md")
	require.LessOrEqual(t, len(strings.Fields(page)), 600)
	require.Contains(t, page, fmt.Sprintf("fib(16) in %s clocks", readmeClocks(t)))
	require.NotRegexp(t, `\d (s|ms|seconds|minutes|hours)\b`, page)
}

// The Japanese README has the same commands, picture, links and clocks as the English one.
func TestReadmeInJapanese(t *testing.T) {
	english, japanese := readme(t, "README.md"), readme(t, "README.ja.md")
	for _, part := range []string{`(?m)^(go [^#\n]*\S) *(?:#.*)?$`, `\]\(([^)#]*)`} {
		found := func(page string) (list []string) {
			for _, m := range regexp.MustCompile(part).FindAllStringSubmatch(page, -1) {
				list = append(list, strings.TrimSpace(m[1]))
			}
			return list
		}
		other := map[string]string{"README.ja.md": "README.md"}
		want := found(english)
		for i, x := range want {
			want[i] = cmp.Or(other[x], x)
		}
		require.Subset(t, found(japanese), want)
	}
	require.Contains(t, japanese, fmt.Sprintf("fib(16) を %s クロック", readmeClocks(t)))
}

// readmeClocks returns how long the run takes that the first pages show.
func readmeClocks(t *testing.T) string {
	t.Helper()
	return plural.Commas(uint64(jsonOf(t, "run", "fib", "16")["clocks"].(float64)))
}

// readme returns a README, and checks that it has two commands and six more, and one picture.
func readme(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	require.NoError(t, err)
	require.Equal(t, 8, strings.Count(string(text), "\ngo "))
	require.Equal(t, 1, strings.Count(string(text), "!["))
	return string(text)
}

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/TRACING.md names every key and column of 'emsim profile'.
func TestProfilePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/TRACING.md")
	require.NoError(t, err)
	_, text, found := strings.Cut(string(page), "\n## Profiles\n")
	require.True(t, found)
	known := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`").FindAllString(text, -1) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(code, -1) {
			known[word] = true
		}
	}
	counts, path := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b.csv")
	x := answer(t, "profile", "fib", "5", "--csv", counts, "--path", path)
	delete(x, "params") // the program's own
	names(x, func(name string) { require.True(t, known[name], "%q of emsim profile", name) })
	for _, file := range []string{counts, path} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		header, _, _ := strings.Cut(string(text), "\n")
		for _, column := range strings.Split(header, ",") {
			require.True(t, known[column] || strings.Contains("level pc clock ga ca send", column), column)
		}
	}
}

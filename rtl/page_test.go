package rtl_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

const page = "../docs/RTL.md"

// pagePart returns the part of the page between two marks, and the text before and after it.
func pagePart(t *testing.T, name string) (before, part, after string) {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	part, after, found = strings.Cut(rest, end)
	require.True(t, found)
	return before + begin, part, end + after
}

// pageTable compares a part of the page with the wanted text, or writes the text with -update.
func pageTable(t *testing.T, name, command, want string) {
	t.Helper()
	before, old, after := pagePart(t, name)
	if golden.Update() {
		require.NoError(t, os.WriteFile(page, []byte(before+want+after), 0o644))
		return
	}
	require.Empty(t, cmp.Diff(want, old), command+" -update writes it")
}

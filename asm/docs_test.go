package asm

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The program in docs/ASSEMBLY.md assembles to the listing in
// docs/ASSEMBLY.md (-update rewrites it), and every directive is described
// there.
func TestAssemblyDoc(t *testing.T) {
	const file = "../docs/ASSEMBLY.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```\n(.*?)```\n").FindAllStringSubmatch(string(page), 2)
	require.Len(t, blocks, 2)
	_, l, err := Assemble("squares.s", textOptions(blocks[0][1]))
	require.NoError(t, err)
	have, want := blocks[1][1], trimLines(l.String())
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(page), have, want, 1)), 0o644))
	} else if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("the listing is stale: run go test ./asm -update\n%s", diff)
	}
	for _, name := range directiveNames {
		require.Contains(t, string(page), "`"+name, "directive")
	}
}

// trimLines removes white space at the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n")
}

// The assembler's code contains no mnemonics: they all come from the instruction table.
func TestNoMnemonicInTheAssembler(t *testing.T) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(e.Name())
		require.NoError(t, err)
		for _, m := range mnemonics {
			if m == "or" || m == "and" || m == "div" { // these are also words in messages
				continue
			}
			require.NotContains(t, string(text), `"`+m+`"`, e.Name())
		}
	}
}

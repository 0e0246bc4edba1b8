package debug

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A detail names calls, statements and variables, whatever the variables are called.
func TestSiteParts(t *testing.T) {
	s := &site{file: "a.go", lines: []int{7}}
	for _, part := range []string{
		"in 15 40", "taken 3", "passes 5 in 6 8 of lib/b.go", "begins", "continues",
		"in r5 int32", "passes f.n [2]{int32 [3]bool}", "begins ? bool",
	} {
		s.read(part)
	}
	require.Equal(t, []int{40, 15, 7}, s.lines)
	require.Equal(t, []beginning{
		{taken, &site{file: "a.go", lines: []int{3}}},
		{always, &site{file: "lib/b.go", lines: []int{8, 6, 5}}},
		{always, s},
	}, s.begins)
	require.Equal(t, []variable{
		{"in", "r5", "int32"}, {"passes", "f.n", "[2]{int32 [3]bool}"}, {"begins", "?", "bool"},
	}, s.vars)
}

// A statement without code, in a file of which no code is left, still has its stops.
func TestStopInFileWithoutCode(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package main\n\n//emsim:arg n 1 99\nfunc f(n int32) int32 {\n\ts := int32(0)\n\t" +
			"for i := int32(0); i < n; i++ {\n\t\ts += same(i) * i\n\t}\n\treturn s\n}\n\nfunc main() { println(f(3)) }\n",
		"b.go": "package main\n\nfunc same(a int32) int32 {\n\treturn a\n}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	b := newBench(t, spec(folder, "3"))
	b.do("break b.go:4; break b.go:3; break a.go:7")
	text := b.do("continue")
	for _, line := range []string{
		"b.go:4 (inlined in line 7)  return a", "b.go:3 (inlined in line 7)  func same(a int32) int32 {",
		"a.go:7  s += same(i) * i",
	} {
		require.Contains(t, text, "comes to "+line)
	}
}

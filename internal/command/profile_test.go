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
	x := jsonOf(t, "profile", "fib", "5", "--csv", counts, "--path", path)
	delete(x, "params") // they belong to the program
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

// For reads of arrays, the profile names the array, the line and the most requested owner.
func TestReadsOfArrays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ask.go")
	require.NoError(t, os.WriteFile(file, []byte(`package main

import "emsim/df"

var other, few df.Array[int32]

//emsim:arg n 1 9
func ask(n int32) int32 {
	other.Fill(12, 2, func(i, j int32) int32 { return i })
	few.Fill(12, 2, func(i, j int32) int32 { return j })
	return df.Sum(0, 12, func(i int32) int32 {
		s := few.Get((i+1)%12, 0)
		for range n {
			s += few.Get(5, 1)
		}
		return s + other.Get(i, 1)
	})
}
`), 0o600))
	args := []string{"profile", file, "3", "--pes", "12", "--placement", "given"}
	x := jsonOf(t, args...)
	clocks := x["clocks"]
	list := x["reads"].([]any)
	require.Len(t, list, 2, "every PE reads its own words of other itself")
	most, each := list[0].(map[string]any), list[1].(map[string]any)
	busy := most["owner_busy"]
	require.Greater(t, busy, each["owner_reads"])
	require.Less(t, busy, clocks)
	delete(most, "owner_busy")
	require.Equal(t, map[string]any{
		"array": "few", "file": "ask.go", "line": 14., "reads": 33., "owner_reads": 33.,
		"owner": map[string]any{"ga": 1., "ca": 2.},
	}, most)
	require.Equal(t, []any{12., 1., 12.}, []any{each["reads"], each["owner_reads"], each["line"]})
	_, out, _ := emsim(args...)
	require.Regexp(t, `few ask.go:14 s \+= few.Get\(5, 1\) +33 +PE \[1,2\] +100.0 % +\d+.\d %\n`, out)
}

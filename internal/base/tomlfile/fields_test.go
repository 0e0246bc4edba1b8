package tomlfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/srcerr"
)

type word string

type fields struct {
	Name  word
	Count int
	Far   int64
	Share float64
	On    bool
	Slow  []int
	Inner string // not a key of the file
}

var keys = []string{"name", "count", "far", "share", "on", "slow"}

// Decode sets fields to the values of the file. An integer is also accepted for a real number.
func TestInto(t *testing.T) {
	got := fields{Far: 7, Inner: "x"}
	f := File{Name: "f.toml", Text: []byte("name = 'a'\ncount = -3\nshare = 2\non = true\nslow = [1, 2]\n")}
	f.Decode(&got, f.Tree(), keys...)
	require.NoError(t, f.Err())
	require.Equal(t, fields{"a", -3, 7, 2, true, []int{1, 2}, "x"}, got)
	f = File{Text: []byte("share = 0.5\nslow = []")}
	f.Decode(&got, f.Tree(), keys...)
	require.NoError(t, f.Err())
	require.InDelta(t, 0.5, got.Share, 0)
	require.Empty(t, got.Slow)
}

// Every error has its place. Errors are in the order of the file.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"far = 1.0": "f.toml:1:7: far is a whole number, not 1.0",
		"\ncount = 'x'\nnam = 1": "f.toml:2:9: count is a whole number, not the string \"x\"\nf.toml:3:1: there is " +
			"no key \"nam\"; expected name, count, far, share, on, slow; did you mean \"name\"?",
		"inner = 'x'":     "f.toml:1:1: there is no key \"inner\"; expected name, count, far, share, on, slow",
		"slow = [1, 'x']": "f.toml:1:1: slow is a list of whole numbers, not a list",
		"slow = 3":        "f.toml:1:8: slow is a list of whole numbers, not 3",
		"name = 5":        "f.toml:1:8: name is a string in quotes, not 5",
		"on = 1":          "f.toml:1:6: on is true or false, not 1",
		"share = [1e30]":  "f.toml:1:1: share is a number, not a list",
		"far = 1e30":      "f.toml:1:7: far is a whole number, not 1e+30",
		"share = true\n[name]\n": "f.toml:1:9: share is a number, not true\nf.toml:2:2: name is a string in " +
			"quotes, not a table",
		"far = 1979-05-27":         "f.toml:1:7: far is a whole number, not a date",
		"count =":                  "f.toml:1:7: this is not TOML: ",
		strings.Repeat("a\n", 300): "f.toml:1:2: this is not TOML: ",
	} {
		f := File{Name: "f.toml", Text: []byte(text)}
		if root := f.Tree(); root != nil {
			f.Decode(&fields{}, root, keys...)
		}
		var all srcerr.Errors
		require.ErrorAs(t, f.Err(), &all, text)
		require.True(t, f.Failed())
		var lines []string
		for _, e := range all {
			lines = append(lines, strings.Split(e.Error(), "\n")[0])
		}
		require.Contains(t, strings.Join(lines, "\n"), want)
	}
}

// An error is reported once. An error without a place is about the whole file. Errors stop at the limit.
func TestFailf(t *testing.T) {
	f := File{Name: "f.toml", Text: []byte(strings.Repeat("x", 50))}
	require.False(t, f.Failed())
	require.NoError(t, f.Err())
	for range 2 {
		f.Failf(Range{}, "whole %d", 5)
	}
	for i := range uint32(40) {
		require.Equal(t, i >= srcerr.Most-1, f.HasMostErrors())
		f.Failf(Range{Offset: 45 - i, Length: 4}, "at %d", 45-i)
	}
	text := f.Err().Error()
	require.True(t, strings.HasPrefix(text, "f.toml: whole 5\nf.toml:1:28: at 27\n    "+strings.Repeat("x", 50)+
		"\n"+strings.Repeat(" ", 31)+"^~~~\nf.toml:1:29: "), text)
	require.Contains(t, text, "f.toml:1:46: at 45\n")
	require.Equal(t, "; did you mean \"one\"?", OrList("on", []string{"one", "two"}))
	require.Equal(t, "; it has one, two", OrList("seventeen", []string{"one", "two"}))
	require.Equal(t, Range{Offset: 3, Length: 1}, Point(Range{Offset: 3, Length: 9}))
}

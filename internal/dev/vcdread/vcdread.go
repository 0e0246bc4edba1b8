// Package vcdread reads value change dumps, for tests.
package vcdread

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// A Change is a new value of a signal; numbers are in decimal.
type Change struct {
	At    uint64
	Value string
}

// Read parses a value change dump, and returns the changes of each signal by its path.
func Read(t testing.TB, text string) map[string][]Change {
	t.Helper()
	signals := map[string][]string{} // paths by code
	changes := map[string][]Change{}
	var scope []string
	var now uint64
	head, body, ok := strings.Cut(text, "$enddefinitions")
	require.True(t, ok)
	words := strings.Fields(head)
	for i, w := range words {
		switch w {
		case "$scope":
			scope = append(scope, words[i+2])
		case "$upscope":
			scope = scope[:len(scope)-1]
		case "$var":
			code := words[i+3]
			path := strings.Join(append(scope[:len(scope):len(scope)], words[i+4]), ".")
			signals[code] = append(signals[code], path)
			require.NotContains(t, changes, path)
			changes[path] = nil
		}
	}
	require.Empty(t, scope)
	words = strings.Fields(body)
	for i := 1; i < len(words); i++ { // skip $end
		w := words[i]
		switch w[0] {
		case '#':
			at, err := strconv.ParseUint(w[1:], 10, 64)
			require.NoError(t, err)
			require.GreaterOrEqual(t, at, now)
			now = at
			continue
		case '$':
			continue
		case 's', 'b':
		default:
			t.Fatalf("no value change: %q", w)
		}
		value := w[1:]
		if w[0] == 'b' {
			n, err := strconv.ParseUint(value, 2, 64)
			if err != nil { // fst2vcd writes x before the first value
				i++
				continue
			}
			value = strconv.FormatUint(n, 10)
		}
		i++
		require.Contains(t, signals, words[i])
		for _, path := range signals[words[i]] {
			list := changes[path]
			if n := len(list); n > 0 && list[n-1].At == now {
				list = list[:n-1]
			}
			if n := len(list); (n == 0 || list[n-1].Value != value) && value != "" {
				list = append(list, Change{now, value})
			}
			changes[path] = list
		}
	}
	return changes
}

// At returns the value of a signal at a clock.
func At(list []Change, clock uint64) string {
	value := ""
	for _, c := range list {
		if c.At <= clock {
			value = c.Value
		}
	}
	return value
}

// RoundTrip converts a dump with gtkwave's tools to FST and back, and requires the same changes.
func RoundTrip(t testing.TB, text []byte) {
	toFST, toVCD := needs.Tool(t, "vcd2fst"), needs.Tool(t, "fst2vcd")
	dir := t.TempDir()
	vcd, fst := filepath.Join(dir, "t.vcd"), filepath.Join(dir, "t.fst")
	require.NoError(t, os.WriteFile(vcd, text, 0o600))
	out, err := exec.Command(toFST, vcd, fst).CombinedOutput()
	require.NoError(t, err, string(out))
	back, err := exec.Command(toVCD, fst).Output()
	require.NoError(t, err)
	require.Equal(t, Read(t, string(text)), Read(t, string(back)))
}

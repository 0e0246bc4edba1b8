package suggest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	knobs := []string{"hop_clocks", "banks", "mib_words", "fifo_words"}
	for name, want := range map[string]string{
		"hop_clock":  "hop_clocks",
		"hopclocks":  "hop_clocks",
		"BANKS":      "banks",
		"bnaks":      "banks",
		"mibwords":   "mib_words",
		"colour":     "",
		"":           "",
		"hop_clocks": "", // the candidate itself
	} {
		require.Equal(t, want, Nearest(name, knobs), "for %q", name)
	}
	require.Equal(t, `; did you mean "banks"?`, DidYouMean("bank", knobs))
	require.Empty(t, DidYouMean("x", nil))
	require.Equal(t, `; it is now called "policy"`, DidYouMean("algorithm", []string{"nodes", "policy"}))
	require.Equal(t, `; it is now called "loaded"`, DidYouMean("load", []string{"loaded", "nodes"}), "RHiNET-2")
	require.Equal(t, `; it is now called "loaded-share"`, DidYouMean("load", []string{"loaded", "loaded-share"}),
		"spmd")
	require.Equal(t, "; 'emsim cite' replaces it", Instead("--cite"))
	require.Empty(t, Instead("--cit"))
	require.Equal(t, `; it is now called "jobs"`, DidYouMean("workers", []string{"jobs", "top"}), "report")
	require.Equal(t, `; did you mean "methods"?`, DidYouMean("method", []string{"methods"}), "no policy here")
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		n    int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"ab", "ba", 1}, {"abcd", "badc", 2}, {
		"abcx",
		"xabc", 2,
	}, {"abc", "cba", 2}, {"abc", "xabc", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, c.n, distance(c.a, c.b))
		require.Equal(t, c.n, distance(c.b, c.a))
	}
	require.Equal(t, "", Nearest("q", []string{"r", "s"}))
	require.Equal(t, "Q", Nearest("q", []string{"r", "Q"}))
	require.Equal(t, "small", Nearest("smal", []string{"tall", "small", "smalls"}))
}

// A third of the letters, rounded, may differ.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, near, far string }{
		{"a", "A", "b"},
		{"ab", "ax", "xy"},
		{"abcd", "abcx", "abxy"},
		{"abcde", "abcxy", "abxyz"},
		{"abcdefg", "abcdexy", "abcdxyz"},
		{"abcdefgh", "abcdexyz", "abcdwxyz"},
		{"abcde", "abc", "ab"},
		{"abcde", "abcdefg", "abcdefgh"},
	} {
		require.Equal(t, c.near, Nearest(c.name, []string{c.far, c.near}), c.name)
		require.Empty(t, Nearest(c.name, []string{c.far}), c.name)
	}
	require.Equal(t, "first", Nearest("firsd", []string{"first", "firse"}), "the first of two that are as near")
	long := strings.Repeat("x", 64)
	require.Equal(t, long+"y", Nearest(long, []string{long + "y"}))
	require.Empty(t, Nearest(long+"x", []string{long}), "nobody meant a name")
}

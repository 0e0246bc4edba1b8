package sink

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The files of a part of fib, in which packets spill and MLPE packets are rewritten, are recorded in every format
// except text. They were checked with a reader of each format when they were recorded.
func TestRecordedFiles(t *testing.T) {
	j := fib(t)
	j.from, j.to, j.pes = 300, 420, []int{0, 4}
	all, info := j.record(t)
	text := string(write(t, "text", all, info))
	require.Contains(t, text, "spill")
	require.Contains(t, text, "rewrite")
	for _, format := range Formats() {
		switch b := write(t, format, all, info); format {
		case "text":
		case "perfetto":
			golden.Check(t, "recorded.perfetto.txt", []byte(hexLines(inflate(t, b))))
		default:
			golden.Check(t, "recorded."+format+".txt", b)
		}
	}
}

// hexLines returns bytes in hexadecimal, in lines of 40.
func hexLines(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		n := min(40, len(b))
		s.WriteString(hex.EncodeToString(b[:n]) + "\n")
		b = b[n:]
	}
	return s.String()
}

// If the Info has a recipe, the trace shows it in its head, and is otherwise the same.
func TestRecipeInTheHead(t *testing.T) {
	all, info := add(t).record(t)
	for format, line := range map[string]string{"text": "# how\n", "vcd": "$comment how $end\n", "konata": "# how\n"} {
		plain := string(write(t, format, all, info))
		said := info
		said.Recipe = "how"
		first, rest, _ := strings.Cut(string(write(t, format, all, said)), "\n")
		require.Equal(t, plain, first+"\n"+strings.TrimPrefix(rest, line), format)
		require.True(t, strings.HasPrefix(rest, line), format)
	}
}

package escape

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		"plain, ümläut, 漢字 ·\t\n":    "plain, ümläut, 漢字 ·\t\n",
		"\x1b[31mred\x07\rback\x00":  `\x1b[31mred\x07\x0dback\x00`,
		"del\x7f":                    `del\u007f`,
		"c1\u009b31m":                `c1\u009b31m`,
		"bidi\u202eback\u2066\u200f": `bidi\u202eback\u2066\u200f`,
		"\u2028\ufeff\U000e0041":     `\u2028\ufeff\U000e0041`,
		"no \xff UTF-8 \xef\xbf":     `no \xff UTF-8 \xef\xbf`,
		"the sign itself \ufffd":     "the sign itself \ufffd",
		`\x1b`:                       `\x1b`,
	} {
		require.Equal(t, want, Text(in))
	}
	require.Equal(t, `a\nb\tc\x1b`, Line("a\nb\tc\x1b"))
}

func TestCaret(t *testing.T) {
	require.Equal(t, "\t  ^", Caret("\té,", "x"))
	require.Equal(t, "    ^~~~", Caret(Text("\x1b"), Text("\x07")))
	require.Equal(t, "^", Caret("", ""))
}

// A text gives the same output however it is split into writes, and contains nothing that a terminal executes.
func TestWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.SliceOfN(rapid.Byte(), 0, 6),
			rapid.Map(rapid.StringN(0, 6, -1), func(s string) []byte { return []byte(s) }))
		var all []byte
		var out bytes.Buffer
		w := &Writer{To: &out}
		for _, p := range rapid.SliceOf(piece).Draw(t, "pieces") {
			for _, q := range [][]byte{p[:len(p)/2], p[len(p)/2:]} {
				n, err := w.Write(q)
				require.NoError(t, err)
				require.Equal(t, len(q), n)
			}
			all = append(all, p...)
		}
		require.NoError(t, w.Flush())
		require.NoError(t, w.Flush())
		require.Equal(t, Text(string(all)), out.String())
		require.Equal(t, out.String(), Text(out.String()), "escaped twice")
		require.True(t, utf8.Valid(out.Bytes()))
		for _, r := range out.String() {
			require.False(t, r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e)
		}
	})
	broken := errors.New("broken")
	w := &Writer{To: failing{broken}}
	_, err := w.Write([]byte("x"))
	require.ErrorIs(t, err, broken)
	_, err = w.Write([]byte("\xe6"))
	require.NoError(t, err, "its end is still to come")
	require.ErrorIs(t, w.Flush(), broken)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

package located

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCaret(t *testing.T) {
	text := []byte("one\n\tzwö = 3\r\nthree")
	require.EqualError(t, At("f", text, 11, 1, "bad"), "f:2:7: bad\n    \tzwö = 3\n    \t     ^")
	require.EqualError(t, At("f", text, 5, 4, "bad"), "f:2:2: bad\n    \tzwö = 3\n    \t^~~")
	require.EqualError(t, AtLine("f", text, 3, 2, "bad"), "f:3:2: bad\n    three\n     ^")
	require.EqualError(t, AtLine("f", text, 0, 0, "bad"), "f: bad")
	hostile := []byte("a\x1b[2J\tb\u202ec \xff d")
	require.EqualError(t, At("x\ny", hostile, 1, 2, "bad"), "x\\ny:1:2: bad\n    a\\x1b[2J\tb\\u202ec \ufffd d\n     ^~~~~")
	require.EqualError(t, At("f", hostile, len(hostile)-1, 1, "bad"), "f:1:13: bad\n    a\\x1b[2J\tb\\u202ec \ufffd d\n            \t           ^")
	for offset := -1; offset < len(text)+3; offset++ { // any place will do
		for length := range 5 {
			require.NotEmpty(t, At("f", text, offset, length, "bad").Error())
		}
	}
	require.NotEmpty(t, AtLine("f", nil, 7, 7, "bad").Error())
}

func TestErrors(t *testing.T) {
	text := []byte("one\ntwo\nthree\n")
	require.EqualError(t, AtLine("f", text, 1, 1, "bad"), "f:1:1: bad\n    one\n    ^")
	require.EqualError(t, AtLine("f", text, 2, 3, "bad"), "f:2:3: bad\n    two\n      ^")
	require.EqualError(t, AtLine("f", text, -1, 3, "bad"), "f: bad")
	list := Errors{AtLine("f", text, 2, 3, "bad"), {File: "f", Message: "worse"}}
	require.EqualError(t, list, "f:2:3: bad\n    two\n      ^\nf: worse")
	require.Equal(t, "usage", list.Kind())
	require.Equal(t, map[string]any{"errors": []map[string]any{
		{"file": "f", "message": "bad", "line": 2, "column": 3},
		{"file": "f", "message": "worse"},
	}}, list.Details())
}

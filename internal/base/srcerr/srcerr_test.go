package srcerr

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCaret(t *testing.T) {
	text := []byte("one\n\tzwö = 3\r\nthree")
	require.EqualError(t, At("f", text, 11, 1, "bad"), "f:2:7: bad\n    \tzwö = 3\n    \t     ^")
	require.EqualError(t, At("f", text, 5, 4, "bad"), "f:2:2: bad\n    \tzwö = 3\n    \t^~~")
	require.EqualError(t, At("f", text, 0, 2, "bad"), "f:1:1: bad\n    one\n    ^~")
	require.EqualError(t, At("f", text, 2, 9, "bad"), "f:1:3: bad\n    one\n      ^", "not beyond the line's end")
	require.EqualError(t, At("f", text, 5, 99, "bad"), "f:2:2: bad\n    \tzwö = 3\n    \t^~~~~~~")
	require.EqualError(t, At("f", text, 3, 1, "bad"), "f:1:4: bad\n    one\n       ^", "the line's end itself")
	require.EqualError(t, At("f", text, 4, 1, "bad"), "f:2:1: bad\n    \tzwö = 3\n    ^")
	require.EqualError(t, At("f", text, 99, 1, "bad"), "f:3:6: bad\n    three\n         ^")
	require.EqualError(t, At("f", text, -1, 1, "bad"), "f:1:1: bad\n    one\n    ^")
	require.EqualError(t, At("f", []byte("a\xffb c"), 3, 1, "bad"), "f:1:4: bad\n    a�b c\n       ^")
	require.EqualError(t, AtLine("f", text, 3, 2, "bad"), "f:3:2: bad\n    three\n     ^")
	require.EqualError(t, AtLine("f", text, 0, 0, "bad"), "f: bad")
	hostile := []byte("a\x1b[2J\tb\u202ec \xff d")
	require.EqualError(t, At("x\ny", hostile, 1, 2, "bad"),
		"x\\ny:1:2: bad\n    a\\x1b[2J\tb\\u202ec \ufffd d\n     ^~~~~")
	require.EqualError(t, At("f", hostile, len(hostile)-1, 1, "bad"),
		"f:1:13: bad\n    a\\x1b[2J\tb\\u202ec \ufffd d\n            \t           ^")
	for offset := -1; offset < len(text)+3; offset++ { // any offset is accepted
		for length := range 5 {
			require.NotEmpty(t, At("f", text, offset, length, "bad").Error())
		}
	}
}

func TestAtLine(t *testing.T) {
	text := []byte("one\n\tzwö = 3\r\nthree")
	require.EqualError(t, AtLine("f", text, 1, 1, "bad"), "f:1:1: bad\n    one\n    ^")
	require.EqualError(t, AtLine("f", text, 2, 2, "bad"), "f:2:2: bad\n    \tzwö = 3\n    \t^")
	require.EqualError(t, AtLine("f", text, 3, 2, "bad"), "f:3:2: bad\n    three\n     ^")
	require.EqualError(t, AtLine("f", text, 0, 0, "bad"), "f: bad")
	require.EqualError(t, AtLine("f", text, -1, 5, "bad"), "f: bad")
	require.NotEmpty(t, AtLine("f", nil, 7, 7, "bad").Error())
}

func TestErrors(t *testing.T) {
	text := []byte("one\ntwo")
	all := Errors{At("f", text, 5, 1, "first"), {File: "g", Message: "second"}}
	require.EqualError(t, all, "f:2:2: first\n    two\n     ^\ng: second")
	require.Equal(t, map[string]any{"errors": []map[string]any{
		{"file": "f", "line": 2, "column": 2, "message": "first"},
		{"file": "g", "message": "second"},
	}}, all.Details())
	require.Equal(t, map[string]any{"errors": []map[string]any{{"file": "f", "line": 1, "column": 1, "message": "x"}}},
		Errors{At("f", text, 0, 1, "x")}.Details())
}

// Of a long line, the error shows the part around the place.
func TestLongLine(t *testing.T) {
	text := []byte(strings.Repeat("x", 1000) + "bad" + strings.Repeat("y", 1000))
	require.EqualError(t, At("f", text, 1000, 3, "no"),
		"f:1:1001: no\n    ..."+strings.Repeat("x", 75)+"bad"+strings.Repeat("y", 72)+
			"...\n    "+strings.Repeat(" ", 78)+"^~~")
}

func TestFirst(t *testing.T) {
	few := make(Errors, Most-1)
	require.Equal(t, few, few.First())
	many := Errors{{File: "f"}}
	for range 99 {
		many = append(many, Error{File: "f", Line: 1, Column: 1, Message: "bad"})
	}
	first := many.First()
	require.Len(t, first, Most+1)
	require.EqualError(t, first[Most], "f: these are the first 20 errors, there may be more")
	require.Equal(t, "bad", many[Most].Message, "the list stays as it is")
}

// Near either end of a long line, nothing is cut on that side.
func TestLongLineAtItsEnds(t *testing.T) {
	text := []byte(strings.Repeat("x", 1000))
	require.EqualError(t, At("f", text, 0, 1, "no"), "f:1:1: no\n    "+strings.Repeat("x", Widest)+"...\n    ^")
	require.EqualError(t, At("f", text, 75, 1, "no"), "f:1:76: no\n    "+strings.Repeat("x", Widest)+
		"...\n    "+strings.Repeat(" ", 75)+"^")
	require.EqualError(t, At("f", text, 76, 1, "no"), "f:1:77: no\n    ..."+strings.Repeat("x", Widest)+
		"...\n    "+strings.Repeat(" ", 78)+"^")
	end := At("f", text, 925, 1, "no").Error()
	require.Equal(t, "f:1:926: no\n    ..."+strings.Repeat("x", Widest)+"\n    "+strings.Repeat(" ", 78)+"^", end)
	exact := []byte(strings.Repeat("x", Widest))
	require.EqualError(t, At("f", exact, 0, 1, "no"), "f:1:1: no\n    "+string(exact)+"\n    ^")
}

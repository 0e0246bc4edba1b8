package located

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCaret(t *testing.T) {
	text := []byte("one\n\tzwö = 3\r\nthree")
	require.EqualError(t, At("f", text, 11, 1, "bad"), "f:2:7: bad\n    \tzwö = 3\n    \t     ^")
	require.EqualError(t, At("f", text, 5, 4, "bad"), "f:2:2: bad\n    \tzwö = 3\n    \t^~~")
	require.EqualError(t, AtLine("f", text, 3, 2, "bad"), "f:3:2: bad\n    three\n     ^")
	require.EqualError(t, AtLine("f", text, 0, 0, "bad"), "f: bad")
	for offset := -1; offset < len(text)+3; offset++ { // any place will do
		for length := range 5 {
			require.NotEmpty(t, At("f", text, offset, length, "bad").Error())
		}
	}
	require.NotEmpty(t, AtLine("f", nil, 7, 7, "bad").Error())
}

// Of a long line the part around the place is shown.
func TestLongLine(t *testing.T) {
	text := []byte(strings.Repeat("x", 1000) + "bad" + strings.Repeat("y", 1000))
	require.EqualError(t, At("f", text, 1000, 3, "no"),
		"f:1:1001: no\n    ..."+strings.Repeat("x", 75)+"bad"+strings.Repeat("y", 72)+"...\n    "+strings.Repeat(" ", 78)+"^~~")
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

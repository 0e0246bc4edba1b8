package golden

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first differences are named by their places, the others are counted, and
// no value is printed whole.
func TestSame(t *testing.T) {
	type inner struct{ a, b int }
	type outer struct {
		Name string
		List []inner
	}
	x := outer{"x", []inner{{1, 2}, {3, 4}}}
	require.Empty(t, differences(x, outer{"x", []inner{{1, 2}, {3, 4}}}))
	require.Equal(t, []string{`{golden.outer}.List[1].b: want 4, got 5`}, differences(x, outer{"x", []inner{{1, 2}, {3, 5}}}))
	require.Equal(t, []string{`{golden.outer}.List[1->?]: want {3 4}, got nothing`}, differences(x, outer{"x", []inner{{1, 2}}}))
	many := differences(x, outer{strings.Repeat("y", 9999), []inner{{0, 0}, {0, 0}}})
	require.Len(t, many, 4)
	require.Equal(t, "and 2 more", many[3])
	require.Less(t, len(strings.Join(many, "\n")), 400)
	require.Equal(t, []string{`{string}, line 2, from byte 3 on: want "b\nc\n", got "c\n"`}, differences("a\n b\nc\n", "a\n c\n"))
	Same(t, x, x, "the same")
}

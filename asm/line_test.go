package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// After .line, words come from a line of another file, even in macros. A .line without operands ends this.
func TestLine(t *testing.T) {
	o, _, err := Assemble("p.s", textOptions(`
.start main
.macro two
    nop
    nop
.endm
main:
    nop
.line 7, "f.go"
    nop
    two
.line 8, "f.go", "n r1 int32"
    nop
.line
    nop!
`))
	require.NoError(t, err)
	type place struct {
		file string
		line int
	}
	var list []place
	for addr := range uint32(6) {
		file, line, ok := o.LineAt(addr)
		require.True(t, ok)
		list = append(list, place{file, line})
	}
	require.Equal(t, []string{"", "n r1 int32", ""}, []string{o.DetailAt(3), o.DetailAt(4), o.DetailAt(5)})
	require.Len(t, o.Lines, 4, "what is said of neighbours stands there once")
	back, err := Unmarshal(o.Marshal())
	require.NoError(t, err)
	require.Equal(t, o, back)
	require.Equal(t, []place{{"p.s", 8}, {"f.go", 7}, {"f.go", 7}, {"f.go", 7}, {"f.go", 8}, {"p.s", 15}}, list)
	for text, says := range map[string]string{
		".line 0, \"f.go\"": "1..", ".line 5": "expected ,", ".line 5, f": "double quotes",
		".line 5, \"\"": "name of a file", ".line 5, \"f\", 1": "double quotes",
		".line 5, \"f\", \"n r1 int32\", 1": "end of the line", ".line x, \"f\"": "x",
	} {
		_, _, err := Assemble("p.s", textOptions(".start main\nmain: nop!\n"+text))
		require.ErrorContains(t, err, says, text)
	}
}

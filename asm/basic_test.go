package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// assemble returns the object of a valid text.
func assemble(t testing.TB, text string) *Object {
	t.Helper()
	o, _, err := Assemble("test.s", textOptions(text))
	require.NoError(t, err)
	require.NoError(t, o.Validate())
	return o
}

// textOptions returns options that open the text under any name.
func textOptions(text string) Options {
	return Options{Open: func(string) ([]byte, error) { return []byte(text), nil }}
}

func TestMarshalIsIdentity(t *testing.T) {
	o := assemble(t, "N = 5\n.param p, a, b\n.arg n, 1, 30, x\n.init x\nx: send.l! r1, fp, @y\n.template f\n.space "+
		"3\ny: nop!\n.endtemplate\n.word 1, -1\n")
	back, err := Unmarshal(o.Marshal())
	require.NoError(t, err)
	require.Equal(t, o, back)
	require.Equal(t, o.Marshal(), back.Marshal())
}

// A macro defined inside another one can use the arguments of that call, and counts its own calls.
func TestInnerMacroKnowsOuterArguments(t *testing.T) {
	o, l, err := Assemble("x.s", textOptions(".macro outer x, z\n.macro inner y\n.word \\x, \\y, \\@ ; "+
		"\\x\n.endm\n.endm\nouter 5, 8\ninner 6\ninner \"\\n\"\n"))
	require.NoError(t, err)
	require.Equal(t, []uint64{5, 6, 1, 5, 10, 2}, o.Sections[0].Words)
	require.Contains(t, l.String(), "+ .word 5, 6, 1\n")
	_, _, err = Assemble("x.s", textOptions(".macro outer x\n.macro inner y\n.word "+
		"\\q\n.endm\n.endm\nouter 5\ninner 6\n"))
	require.ErrorContains(t, err, `x.s:3:7: the macro "inner" has no parameter "q"`)
}

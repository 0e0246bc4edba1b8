package asm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// .result states the type of the result sent to the host, once, in Go's notation. A macro may contain it.
func TestResult(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		".result float32":             "float32",
		".result int32,bool ; two":    "int32, bool",
		".result [ ]{int32  [3]bool}": "[]{int32 [3]bool}",
		".macro gives kind\n.result []\\kind\n.endm\ngives uint32":                "[]uint32",
		".param p, a, *b\n.if p == p.a\n.result int\n.else\n.result uint\n.endif": "uint",
	} {
		o := assemble(t, text+"\nnop!\n")
		require.Equal(t, want, o.Result)
		back, err := Unmarshal(o.Marshal())
		require.NoError(t, err)
		require.Equal(t, want, back.Result)
		require.Equal(t, want, assemble(t, Disassemble(o)).Result)
	}
	for text, want := range map[string]string{
		".result":              "expected a type, such as int32, float32 or []bool, found the end of the line",
		".result float64":      `that is not a type of result: expected int32, uint32, float32, bool, int, uint, [N]T, []T or {T T}, found "float64"`,
		".result int32, \"x\"": `that is not a type of result: expected int32, uint32, float32, bool, int, uint, [N]T, []T or {T T}, found "\"x\""`,
		".result []int32, bool": "that is not a type of result: []int32 takes all words that come: " +
			"nothing can follow it",
		".result int32\n.result uint32": "a second .result: the first one is at p.s:1:1",
		".word [1]":                     `expected a number, a name or an expression, found "["`,
	} {
		_, _, err := Assemble("p.s", textOptions(text))
		var e Errors
		require.ErrorAs(t, err, &e, text)
		require.Equal(t, want, e.List[0].Message, text)
	}
}

// Files of the previous version have no type and can be read. Older files are rejected, and so is a file of the
// previous version that has a type.
func TestVersions(t *testing.T) {
	o := assemble(t, paramProgram+".result float32\n")
	file := o.Marshal()
	old := func(version uint32, b []byte) []byte {
		b = bytes.Clone(b)
		binary.LittleEndian.PutUint32(b[len(magic):], version)
		putSize(b)
		return resum(b)
	}
	text := 4 + len(o.Result)
	without := append(bytes.Clone(file[:len(file)-sumSize-text]), file[len(file)-sumSize:]...)
	back, err := Unmarshal(old(3, without))
	require.NoError(t, err)
	o.Result = ""
	require.Equal(t, o, back)
	_, err = Unmarshal(old(3, file))
	require.ErrorContains(t, err, "11 bytes are left over")
	for _, version := range []uint32{0, 2, 5} {
		_, err = Unmarshal(old(version, without))
		require.ErrorContains(t, err, "this program reads the versions 3 and 4: assemble the source again")
	}
}

// The type in a file must be valid and in its usual spelling.
func TestBadResult(t *testing.T) {
	for kind, want := range map[string]string{
		"float":      `the result's type "float" is wrong`,
		"int32,bool": `the result's type is spelt "int32,bool", not "int32, bool"`,
	} {
		_, err := Unmarshal((&Object{Result: kind}).Marshal())
		require.ErrorContains(t, err, want)
		require.True(t, errors.As(err, new(interface{ Kind() string })))
	}
}

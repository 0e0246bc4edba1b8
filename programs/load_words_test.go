package programs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/programs"
)

// assembled returns the object of a text.
func assembled(t *testing.T, text string) *asm.Object {
	t.Helper()
	o, _, err := asm.Assemble("x.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	return o
}

// Loading keeps every word of code, even zeros, and the data words that are not zero. A run begins at the entry of an
// argument, or at the start.
func TestLoadWords(t *testing.T) {
	o := assembled(t, `
	.arg first, 0, 9, two
one:	out! r0
two:	out! r0
numbers: .word 0, 7, 0, 9
`)
	p, err := programs.Load(o)
	require.NoError(t, err)
	code, data := 0, 0
	end := uint32(0)
	for i := range o.Sections {
		s := &o.Sections[i]
		end = max(end, s.End())
		if s.Kind == asm.Code {
			code += len(s.Words)
		} else {
			data += len(s.Words)
		}
	}
	require.Equal(t, 4, data)
	require.Len(t, p.Code, code)
	require.Equal(t, end, p.Words)
	var words []uint64
	for _, c := range p.Data {
		words = append(words, uint64(c.Word))
	}
	require.Equal(t, []uint64{7, 9}, words)
	require.EqualValues(t, 2, p.Data[1].Addr-p.Data[0].Addr)
	require.Equal(t, []uint32{o.Args[0].Entry}, p.Args)
	start := assembled(t, ".start one\none: out! r0\n")
	p, err = programs.Load(start)
	require.NoError(t, err)
	require.Equal(t, []uint32{*start.Start}, p.Args)

	_, err = programs.Load(assembled(t, "one: out! r0\n"))
	require.EqualError(t, err, "the program declares neither .arg nor .start: nothing says where it begins")
}

// The name of an address has the nearest symbol and its line.
func TestNamesOfAddresses(t *testing.T) {
	o := assembled(t, ".start two\none:  out! r0\ntwo:  mov r1, r0\n  out! r1\n")
	p, err := programs.Load(o)
	require.NoError(t, err)
	at := *o.Start
	require.Equal(t, "two, line 3 of x.s", p.Name(at))
	require.Equal(t, "two + 1, line 4 of x.s", p.Name(at+1))
	require.Equal(t, "one, line 2 of x.s", p.Name(at-1))
	require.Equal(t, "no symbol", p.Name(at-2))
}

package compile_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// An iteration of a parallel loop runs where the piece with its number lies, counted from the first iteration:
// reading a word of that piece crosses no link.
func TestTurnsLieWherePiecesDo(t *testing.T) {
	const text = `package main

import "emsim/df"

var m df.Array[%[1]s]

//emsim:arg n 1 99
func f(n int32) %[1]s {
	m.Fill(n, 1, func(p, k int32) %[1]s { return %[1]s(p) })
	return df.Sum(7, 7+n, func(i int32) %[1]s { return %[2]s })
}
`
	links := func(pes int, elem, turn string) uint64 { return linksOf(t, pes, fmt.Sprintf(text, elem, turn), 45) }
	for _, pes := range []int{4, 12, 32, 80} {
		for _, elem := range []string{"int32", "float32"} {
			alone := links(pes, elem, elem+"(i)")
			require.Equal(t, alone, links(pes, elem, "m.Get(i-7, 0)"))
			require.Less(t, alone+45, links(pes, elem, "m.Get((i-4) % 45, 0)"))
		}
	}
}

// If iterations read other pieces, the PEs that own these run none while there are other PEs.
func TestTurnsLieBehindOtherPieces(t *testing.T) {
	for _, sum := range []string{"int32", "float32"} {
		text := fmt.Sprintf("package main\nimport \"emsim/df\"\nvar m df.Array[%[1]s]\n//emsim:arg n 1 99\nfunc f(n int32) %[1]s {\n\tm.Fill(10, n, func(p, k int32) %[1]s { return %[1]s(p^k) })\n\treturn df.Sum(0, 70, func(i int32) %[1]s { return m.Get(i%%10, i%%n) })\n}\n", sum)
		m, r, err := timed(t, assemble(t, "f.go", text, compile.Options{}, nil), 80, 7)
		require.NoError(t, err)
		require.Len(t, r.Words, 1)
		for i := 1; i < 10; i++ {
			require.EqualValues(t, 1, m.PE(i).Calls, "of Fill") // PE 0 has the entry, too
		}
		require.Greater(t, m.PE(10).Calls, uint64(1))
	}
}

// A parallel loop that begins on any PE continues from there, past the ends of groups and of the machine:
// iteration i of a loop that begins on PE j runs on the PE of piece i + j.
func TestTurnsGoOnFromWhereTheyBegin(t *testing.T) {
	const text = `package main

import "emsim/df"

var m df.Array[%[1]s]

//emsim:entry
func f() %[1]s {
	m.Fill(2*df.PEs(), 1, func(p, k int32) %[1]s { return 1 })
	return df.Sum(0, df.PEs(), func(j int32) %[1]s {
		return df.Sum(0, df.PEs(), func(i int32) %[1]s { return %[2]s })
	})
}
`
	for _, pes := range []int{4, 12, 32} {
		for _, elem := range []string{"int32", "float32"} {
			alone := linksOf(t, pes, fmt.Sprintf(text, elem, elem+"(i+j)"), 0)
			require.Equal(t, alone, linksOf(t, pes, fmt.Sprintf(text, elem, "m.Get(i+j, 0)"), 0), "%d %s", pes, elem)
		}
	}
}

// linksOf returns how many links the packets of a program cross.
func linksOf(t *testing.T, pes int, text string, arg uint64) uint64 {
	t.Helper()
	_, r, err := timed(t, assemble(t, "f.go", text, compile.Options{}, nil), pes, arg)
	require.NoError(t, err)
	return r.Hops()
}

package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// Programs that read words of other PEs answer as Go does; DATAFLOW.md has their clocks.
func TestReads(t *testing.T) {
	page := "| run | 12 PEs | 80 PEs | 1024 PEs |\n|---|--:|--:|--:|\n"
	var list []goProgram
	for _, p := range []struct {
		name string
		args []uint64
		runs [][]int64
	}{
		{"matmul", []uint64{16}, [][]int64{{1}, {5}}},
		{"floyd", []uint64{30}, [][]int64{{1}, {2}, {7}, {13}}},
		{"lu", []uint64{24}, [][]int64{{1}, {6}, {14}}},
		{"nbody", []uint64{24, 2}, [][]int64{{1, 1}, {14, 2}}},
	} {
		text, err := os.ReadFile("testdata/reads/" + p.name + ".txt")
		require.NoError(t, err)
		x := goProgram{src: string(text), runs: p.runs}
		for _, opt := range everyWay {
			x.objects = append(x.objects, assemble(t, "p.go", x.src, opt, nil))
		}
		list = append(list, x)
		page += "| `" + p.name
		for _, a := range p.args {
			page += fmt.Sprint(" ", a)
		}
		page += "` |"
		for _, pes := range []int{12, 80, 1024} {
			r, err := onMachine(t, x.objects[0], pes, p.args...)
			require.NoError(t, err)
			page += fmt.Sprintf(" %d |", r.Clocks)
		}
		page += "\n"
	}
	sameAsGo(t, list)
	inPage(t, "reads", page)
}

// If more reads are made than a PE has slots for their answers, the others wait.
func TestMoreReadsThanSlots(t *testing.T) {
	answers(t, "\nvar m df.Array[int32]\n"+entry+`func f(n int32) int32 {
	m.Fill(12, n, func(i, k int32) int32 { return i*n + k })
	return all(n)
}

func all(n int32) int32 {
	s := int32(0)
	for k := range n {
		s += m.Get(k&7+4, k)
	}
	return s
}
`, func(n int32) uint32 {
		s := int32(0)
		for k := range n {
			s += (k&7+4)*n + k
		}
		return uint32(s)
	}, 100, 30)
}

// Iterations run where the pieces with their numbers are, wherever the loop begins: there are packets for the
// tree and its results, and none for words.
func TestTurnsAtTheirPieces(t *testing.T) {
	packets := func(use string) uint64 {
		o := assemble(t, "p.go", "package main\nimport \"emsim/df\"\nvar m df.Array[int32]\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\tm.Fill(20, 5, func(i, k int32) int32 { return i ^ k })\n\treturn df.Sum(n, 12, func(i int32) int32 { "+use+" })\n}\n", compile.Options{}, nil)
		r, err := onMachine(t, o, 12, 5)
		require.NoError(t, err)
		return r.SentAway
	}
	none := packets("return i")
	require.Less(t, packets("m.Set(i, 1, m.Get(i, 2)+m.Get(i, 3)); return 0"), none+8)
	require.Greater(t, packets("return m.Get(i+1, 2)"), none+2*7-1)
}

// A graph says of each read of an array which PE is asked.
func TestReadsAreExplained(t *testing.T) {
	src := `package main
import "emsim/df"
type at struct{ x, y int32 }
var m df.Array[int32]
//emsim:arg n 1 9
func f(n int32) int32 {
	m.Fill(n, n, func(i, k int32) int32 { return i ^ k })
	a := at{n, 0}
	s := df.Sum(a.y, n, func(i int32) int32 {
		b := i + 1
		return m.Get(i, 0) + m.Get(n-a.x, i) + m.Get(i-i, 1) +
			m.Get(b-b, 1) + m.Get(m.Get(a.y, 0), 0)
	})
	m.Set(n-1, 0, s)
	return s + m.Get(3%n, 0) + m.Get(3%n, 0)
}
`
	g, err := compile.NewGraph("p.go", []byte(src), compile.Options{})
	require.NoError(t, err)
	var says []string
	for _, f := range g.Functions {
		says = append(says, f.Waits...)
	}
	require.Equal(t, []string{
		"line 15 reads m.Get(3 % n, 0) from the PE that holds piece 3 % n: a packet there and one back, unless it is the own PE.",
		"line 11 reads m.Get(i, 0) from the PE that holds piece i, where the iteration runs: no packets.",
		"line 11 reads m.Get(n - a.x, i) from the PE that holds piece n - a.x: all iterations of df.Sum(a.y, n) (line 9) ask this one owner at once.",
		"line 11 reads m.Get(i - i, 1) from the PE that holds piece i - i: a packet there and one back, unless it is the own PE.",
		"line 12 reads m.Get(b - b, 1) from the PE that holds piece b - b: a packet there and one back, unless it is the own PE.",
		"line 12 reads m.Get(m.Get(a.y, 0), 0) from the PE that holds piece m.Get(a.y, 0): a packet there and one back, unless it is the own PE.",
		"line 12 reads m.Get(a.y, 0) from the PE that holds piece a.y: all iterations of df.Sum(a.y, n) (line 9) ask this one owner at once.",
	}, says)
}

// A loop of the entry that reads pieces begins after the last one, unless the PEs of all iterations are as far from
// those of the pieces that they read.
func TestLoopsBeginAfterThePieces(t *testing.T) {
	loads := func(index string) int {
		src := "var m df.Array[int32]\n\nfunc f(n int32) int32 {\n\tm.Fill(9, 1, func(i, k int32) int32 { return i })\n" +
			"\treturn df.Sum(0, n, func(i int32) int32 { return m.Get(" + index + ", 0) })\n}\n"
		text, err := compile.Compile("p.go", []byte(complete(src)), compile.Options{})
		require.NoError(t, err)
		return strings.Count(text, "m.pieces")
	}
	for index, after := range map[string]bool{"1 + i": false, "i - 1": false, "n - i": true, "i * 2": true} {
		require.Equal(t, after, loads(index) > loads("i + 1"), index)
	}
}

package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
)

// A reduction loop with any number of calls an iteration gives Go's answer. A count of calls that wait for segments once
// ran over into the count of results, from 256 calls on.
func TestManyCallsInAnIteration(t *testing.T) {
	var list []goProgram
	for _, n := range []int{255, 256, 300, 520} {
		var calls strings.Builder
		for k := range n {
			fmt.Fprintf(&calls, "\t\ts += h(i + %d)\n", k)
		}
		src := "package main\n\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n\ts := int32(0)\n\tfor i := int32(0); i < n; i++ {\n" +
			calls.String() + "\t}\n\treturn s\n}\n\nfunc h(i int32) int32 {\n\ts := i\n\tfor k := int32(0); k < i%3; k++ {\n\t\ts += k * i\n\t}\n\treturn s\n}\n"
		list = append(list, goProgram{
			src: src, runs: [][]int64{{3}}, objects: []*asm.Object{assemble(t, "p.go", src, compile.Options{}, nil)},
		})
	}
	sameAsGo(t, list)
}

// A structure of many arrays without elements is refused, or right: such arrays have no words, but they count as parts.
func TestManyEmptyParts(t *testing.T) {
	for n, refused := range map[int]bool{31: false, 32: true, 40: true} {
		var fields strings.Builder
		for k := range n {
			fmt.Fprintf(&fields, "\ta%d [0]int32\n", k)
		}
		src := "package main\n\ntype big struct {\n" + fields.String() + "\tx int32\n}\n\n//emsim:arg n 0 9\nfunc f(n int32) int32 {\n" +
			"\tvar s big\n\ts.x = n\n\tt := s\n\treturn t.x + 1\n}\n"
		if _, err := compile.Compile("p.go", []byte(src), compile.Options{}); refused {
			require.ErrorContains(t, err, "this has more than 32 words", "%d arrays", n)
			continue
		}
		sameAsGo(t, []goProgram{{
			src: src, runs: [][]int64{{3}}, objects: []*asm.Object{assemble(t, "p.go", src, compile.Options{}, nil)},
		}})
	}
}

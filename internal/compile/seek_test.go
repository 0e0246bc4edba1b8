package compile_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/compile"
	"emsim/programs"
)

const seekHead = "package main\n\nimport \"emsim/df\"\n\nfunc pes() int32 { return df.PEs() }\n\n//emsim:arg n 0 1000000\n"

// deep has programs whose calls wait for each other in chains: one chain, one over two functions, one without
// an argument that alternates, a comb whose teeth are leaves, several chains, and streams.
var deep = map[string]string{
	"chain":  "func f(n int32) int32 {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn f(n-1) + n\n}",
	"mutual": "func f(n int32) int32 {\n\tif n < 1 {\n\t\treturn 0\n\t}\n\treturn g(n-1) + n\n}\n\nfunc g(n int32) int32 {\n\tif n < 1 {\n\t\treturn 1\n\t}\n\treturn f(n-1) ^ n\n}",
	"even":   "func f(n int32) int32 { return d(2 * n) }\n\nfunc d(n int32) int32 {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn d(n-2) + n\n}",
	"comb":   "func f(n int32) int32 { return c(n, 1) }\n\nfunc c(n, x int32) int32 {\n\tif x == 0 || n < 1 {\n\t\treturn n\n\t}\n\treturn c(n-1, x) ^ c(n, 0) + 1\n}",
	"many":   "func f(n int32) int32 { return df.Sum(0, 9, func(i int32) int32 { return d(n/9 + i) }) }\n\nfunc d(n int32) int32 {\n\tif n < 1 {\n\t\treturn 0\n\t}\n\treturn d(n-1) + n&7\n}",
	"stream": "func f(n int32) int32 {\n\titems := make(chan int32)\n\tgo link(n, items)\n\ts := int32(0)\n\tfor x := range items {\n\t\ts += x\n\t}\n\treturn s\n}\n\nfunc link(n int32, items chan<- int32) {\n\tdefer close(items)\n\tif n < 1 {\n\t\titems <- n\n\t\treturn\n\t}\n\tbelow := make(chan int32)\n\tgo link(n-2, below)\n\tfor x := range below {\n\t\titems <- x + 1\n\t}\n}",
}

// deepRun is a run of a deep program. The segments that it needs are proportional to n.
type deepRun struct {
	name          string
	n             int64
	pes, segments int
}

// testDeep requires Go's answers under the given policies, of runs that fit the segments of the whole machine.
func testDeep(t *testing.T, runs []deepRun, policies []string) {
	var list []goProgram
	for _, x := range runs {
		list = append(list, goProgram{src: seekHead + deep[x.name], runs: [][]int64{{x.n}}})
	}
	for i, want := range byGo(t, list) {
		x := runs[i]
		for _, policy := range policies {
			t.Run(fmt.Sprintf("%s %d on %d, %s", x.name, x.n, x.pes, policy), func(t *testing.T) {
				o := assemble(t, "p.go", list[i].src, compile.Options{}, map[string]string{"policy": policy})
				r, err := onSmall(t, o, x.pes, x.segments, uint64(x.n))
				require.NoError(t, err)
				require.Equal(t, []uint64{want.word}, r.Words)
			})
		}
	}
}

// A call that a policy sends to a full PE continues to one with room, so that the machine's segments are all
// used.
func TestDeepCallsUseAllSegments(t *testing.T) {
	var runs []deepRun
	for _, name := range slices.Sorted(maps.Keys(deep)) {
		n := int64(800) // of 4 x 220 and 12 x 96 segments, of which 64 each are for own forms
		if name == "stream" {
			n = 1600 // one segment for every second n
		}
		runs = append(runs, deepRun{name, n * 3 / 4, 4, 220}, deepRun{name, n * 5 / 12, 12, 96})
	}
	testDeep(t, runs, programs.Policies()[:2])
}

// The fault of a full machine says which PEs are full, and what is free on the others.
func TestOverflowNamesTheFull(t *testing.T) {
	o := assemble(t, "p.go", seekHead+deep["chain"], compile.Options{}, nil)
	_, err := onSmall(t, o, 4, 100, 1000)
	require.ErrorContains(t, err, "no operand segment is free (100 in use)")
	require.Regexp(t, `\n  full: 1 of 4 PEs, \[\d,\d\]; segments free on the others: \d+$`, err.Error())
	var limit *em4.ClockLimit
	require.NotErrorAs(t, err, &limit)
}

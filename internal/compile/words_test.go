package compile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// byEveryWay requires Go's answers from the programs of a file of testdata/accepted, compiled in every way. The
// file has them without the lines that all of them need.
func byEveryWay(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/accepted/" + file)
	require.NoError(t, err)
	var list []goProgram
	for program := range strings.SplitSeq(string(text), "----\n") {
		p := goProgram{src: complete(program), runs: [][]int64{{0}, {1}, {2}, {7}, {9}}}
		for _, opt := range everyWay {
			p.objects = append(p.objects, assemble(t, "p.go", p.src, opt, nil))
		}
		list = append(list, p)
	}
	sameAsGo(t, list)
}

// Functions may have several results: in recursion, of calls that are in progress together, handed on, given
// up, with names, in loops of package df, and at guards that give some results before.
func TestResults(t *testing.T) { byEveryWay(t, "results.txt") }

// Structures work as in Go: fields, copies, literals, comparisons, nesting, embedding, as parameters and
// results, with methods, in loops of package df and at guards.
func TestStructures(t *testing.T) { byEveryWay(t, "structs.txt") }

// Structures in arrays and tables, arrays in structures, and both as results work as in Go.
func TestParts(t *testing.T) { byEveryWay(t, "parts.txt") }

// Calls and receives to the right of && and ||, which Go makes only sometimes, work as in Go.
func TestLazyCalls(t *testing.T) { byEveryWay(t, "lazy.txt") }

// Loops whose iterations use their own values besides the results of calls work as in Go: those that only add
// up, and others.
func TestTurnFunctions(t *testing.T) { byEveryWay(t, "turns.txt") }

// Loops with few turns, which are written out, work as in Go.
func TestUnrolled(t *testing.T) { byEveryWay(t, "unrolled.txt") }

package compile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// byEveryWay compares the programs of a file of testdata/accepted, however they are
// compiled, with what Go makes of them. They stand there without the lines that all need.
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

// Several results: in recursion, of calls under way together, handed on, given up, with
// names, in loops of package df, and at guards that give some results before.
func TestResults(t *testing.T) { byEveryWay(t, "results.txt") }

// Structures: fields, copies, literals, comparisons, in each other, embedded, as
// parameters and results, with methods, in loops of package df and at guards.
func TestStructures(t *testing.T) { byEveryWay(t, "structs.txt") }

// Structures in arrays and tables, arrays in structures, and both as results.
func TestParts(t *testing.T) { byEveryWay(t, "parts.txt") }

// Calls and receives that Go makes only sometimes, to the right of && and ||.
func TestLazyCalls(t *testing.T) { byEveryWay(t, "lazy.txt") }

// Loops whose turns use their own values beside the results of calls: turns that only add up, and others.
func TestTurnFunctions(t *testing.T) { byEveryWay(t, "turns.txt") }

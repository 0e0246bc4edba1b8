package compile_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// unseen has the arguments that the main functions of the programs in testdata/unseen print answers for. Somebody who
// knew only docs/DATAFLOW.md wrote these programs, before emsim ran one of them.
var unseen = map[string][][]int64{
	"ackermann":    {{1, 6}, {2, 3}, {2, 7}},
	"backpack":     {{4, 8}, {7, 15}, {10, 20}},
	"binarysearch": {{10}, {50}, {120}},
	"bits":         {{1}, {10}, {60}},
	"catalan":      {{3}, {5}, {7}},
	"collatz":      {{10}, {60}, {100}},
	"editdistance": {{3, 4}, {5, 5}, {6, 7}},
	"fermat":       {{20}, {100}},
	"hanoi":        {{1}, {4}, {7}},
	"happy":        {{9}, {50}, {130}},
	"histogram":    {{5}, {36}, {200}},
	"hofstadter":   {{3}, {7}, {10}},
	"integrate":    {{0}, {2}, {4}},
	"matrixchain":  {{2}, {4}, {6}},
	"maze":         {{0}, {1}, {2}},
	"partitions":   {{5}, {9}, {13}},
	"pascal":       {{1}, {5}, {8}},
	"perfect":      {{6}, {30}, {150}},
	"permutations": {{3}, {4}, {5}},
	"pipeline":     {{0}, {7}, {40}},
	"primesieve":   {{2}, {15}, {40}},
	"queensarray":  {{4}, {5}, {6}},
	"roots":        {{1}, {3}, {5}},
	"sieve":        {{3}, {100}, {300}},
	"sorting":      {{1}, {7}, {42}},
	"subsets":      {{0}, {15}, {30}},
	"tictactoe":    {{4}, {5}, {6}},
	"totient":      {{1}, {12}, {25}},
	"treesum":      {{2}, {5}, {8}},
	"workers":      {{4}, {12}, {30}},
}

// Programs that nobody had in mind when the compiler was made answer as Go does.
func TestUnseen(t *testing.T) {
	var programs []goProgram
	for _, name := range slices.Sorted(maps.Keys(unseen)) {
		src, err := os.ReadFile("testdata/unseen/" + name + ".go")
		require.NoError(t, err)
		text, _, ok := strings.Cut(strings.Replace(string(src), "import \"fmt\"\n", "", 1), "func main() {")
		require.True(t, ok, name) // the oracle's binary has a main function of its own
		p := goProgram{src: text, runs: unseen[name]}
		p.objects = append(p.objects, assemble(t, name+".go", p.src, compile.Options{}, nil))
		programs = append(programs, p)
	}
	sameAsGo(t, programs)
	files, err := os.ReadDir("testdata/unseen")
	require.NoError(t, err)
	require.Len(t, files, len(programs))
}

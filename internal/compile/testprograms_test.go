package compile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A test program is a Go program in a file, with the arguments of its runs.
type testProgram struct {
	name, file, src string
	runs            [][]int64
}

// libraryRuns has the runs of the programs that come with emsim.
var libraryRuns = map[string][][]int64{
	"fib": {{3}, {9}}, "knapsack": {{3}, {10}}, "loop": {{1}, {9}}, "matmul": {{1}, {4}}, "pi": {{1}, {9}},
	"queens": {{2}, {5}}, "sort": {{3}, {19}}, "stream": {{1}, {5}}, "sum": {{1}, {100}},
}

// firstLine matches the first line of a program of testdata: its purpose, and a list of arguments for each run.
var firstLine = regexp.MustCompile(`^// .*: runs ([-\d ;]+)\.\n`)

// testPrograms returns the programs that come with emsim and all in testdata/programs.
func testPrograms(t *testing.T) (list []testProgram) {
	t.Helper()
	for _, pattern := range []string{"../../programs/go/*/*.go", "testdata/programs/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			p := testProgram{name: strings.TrimSuffix(filepath.Base(file), ".go"), file: file, src: string(src)}
			if p.runs = libraryRuns[p.name]; p.runs == nil {
				p.runs = runsOf(t, file, p.src)
			}
			list = append(list, p)
		}
	}
	return list
}

// runsOf returns the runs in the first line of a program of testdata.
func runsOf(t *testing.T, file, src string) (runs [][]int64) {
	t.Helper()
	m := firstLine.FindStringSubmatch(src)
	require.NotNil(t, m, "%s does not say which runs it has", file)
	for args := range strings.SplitSeq(m[1], ";") {
		runs = append(runs, numbers(t, args))
	}
	return runs
}

// numbers parses whole numbers with spaces between them.
func numbers(t *testing.T, text string) (list []int64) {
	for word := range strings.FieldsSeq(text) {
		n, err := strconv.ParseInt(word, 10, 64)
		require.NoError(t, err)
		list = append(list, n)
	}
	return list
}

// argText returns a list of arguments as on a command line.
func argText(args []int64) string { return strings.Trim(fmt.Sprint(args), "[]") }

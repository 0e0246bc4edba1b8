package compile_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// The debugger comes to the lines of a random program as often as the intermediate representation begins statements
// there, which is as often as Go. In the head of a loop it may come less often, because a tree begins only once.
func TestHitsOfRandomLines(t *testing.T) {
	programs, compared := min(randomPrograms*2/5, 200), 0
	for seed := range uint64(programs) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 71)), alone: seed%8 < 4, lazy: seed%2 == 1}
		src := w.program()
		args := []int64{1 + w.Int64N(3), w.Int64N(2000) - 1000, w.Int64N(1 << 32)}
		way := everyWay[seed%uint64(len(everyWay))]
		form, err := compile.IR("p.go", []byte(src), way)
		require.NoError(t, err)
		if !whole(form) {
			continue
		}
		answer, want := interpret(form, args)
		if answer.panics != "" { // other instances may have begun more, or less, than Go when one panics
			continue
		}
		compared++
		file := filepath.Join(t.TempDir(), "p.go")
		require.NoError(t, os.WriteFile(file, []byte(src), 0o600))
		have, heads := hitsOf(t, file, args, way), loopLines(t, src)
		for _, line := range slices.Sorted(maps.Keys(want)) {
			least := want[line]
			if heads[line] {
				least = 1
			}
			require.True(t, least <= have[line] && have[line] <= want[line],
				"seed %d, line %d: %d not %d to %d\n%s", seed, line, have[line], least, want[line], src)
		}
	}
	require.Greater(t, compared, programs/4)
}

// loopLines returns the lines with heads of loops.
func loopLines(t *testing.T, src string) map[int]bool {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	require.NoError(t, err)
	lines := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			lines[fset.Position(n.Pos()).Line] = true
		}
		return true
	})
	return lines
}

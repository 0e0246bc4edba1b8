package command

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// unmade maps published pictures and tables without a recipe to the reason.
var unmade = map[string]string{
	"docs/img/machine.svg": "drawn by hand",
	"docs/scores.csv": "the scores of every release, of which each measures its own: " +
		"TestScoresByRelease in verify",
	"docs/balance/valid.csv":    "what TestNativeMap of balance measures",
	"docs/scale.csv":            "times and memory of one computer: docs/PERFORMANCE.md",
	"docs/policies/largest.csv": "what tools/largest searches",
	"docs/placement.csv": "what placement auto chose next to every fixed choice: TestPlacementTable in " +
		"internal/machine/run",
}

// inputsOf lists the folders with the inputs of the published results.
var inputsOf = []string{
	"docs/sweeps", "docs/sweeps/policies", "docs/sweeps/policies/depth", "programs/go/fib",
	"programs/go/knapsack", "programs/go/loop", "programs/go/matmul", "programs/go/pi", "programs/go/queens",
	"programs/go/sort", "programs/go/stream", "programs/go/sum",
}

// published calls visit for every published picture and table.
func published(t *testing.T, visit func(file string)) {
	t.Helper()
	t.Chdir("../..")
	for _, pattern := range []string{"docs/img/*", "docs/*.csv", "docs/*/*.csv"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			if unmade[file] == "" {
				visit(filepath.ToSlash(file))
			}
		}
	}
}

// Every published picture and table has a recipe with a command that 'emsim again' repeats from files in the
// repository. No recipe names a revision, which the next commit would make outdated. A slow test makes them again.
func TestPublishedRecipes(t *testing.T) {
	n := 0
	published(t, func(file string) {
		n++
		_, r, _, err := readResult(file)
		require.NoError(t, err)
		require.Empty(t, r.Revision, file)
		require.NotEmpty(t, r.Version, file)
		_, err = checkRecipe(unquoted(r.Command)[1:])
		require.NoError(t, err, file)
		for _, in := range r.Inputs {
			require.NoError(t, copyInput(t.TempDir(), in, inputsOf), file)
		}
	})
	require.Greater(t, n, 50)
	for file := range unmade {
		require.FileExists(t, file)
	}
}

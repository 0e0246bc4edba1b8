//go:build slow

package sweep

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// The published tables are what their sweep files give today.
func TestPublishedTablesWhole(t *testing.T) {
	for _, file := range published(t) {
		p, err := Load(file)
		require.NoError(t, err)
		require.Empty(t, Differences(tableOf(t, file), sweep(t, t.TempDir(), p, runtime.NumCPU())), file)
	}
}

//go:build slow

package balance

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The whole recorded comparison, made again; -update writes it.
func TestPublished(t *testing.T) {
	p := publishedPlan()
	rows, err := p.Compare(context.Background(), runtime.NumCPU(), nil)
	require.NoError(t, err)
	if golden.Update() {
		require.NoError(t, os.WriteFile(published, []byte(CSV(rows)), 0o644))
		return
	}
	text, err := os.ReadFile(published)
	require.NoError(t, err)
	require.Equal(t, string(text), CSV(rows))
}

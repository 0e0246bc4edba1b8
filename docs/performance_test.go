package docs_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/ratios"
)

// The tables of PERFORMANCE.md are those of the records; 'go run
// ./internal/dev/ratios/record' makes them.
func TestPerformancePage(t *testing.T) {
	page, err := os.ReadFile("PERFORMANCE.md")
	require.NoError(t, err)
	want, err := ratios.Publish(string(page), os.DirFS("."))
	require.NoError(t, err)
	require.Equal(t, want, string(page))
}

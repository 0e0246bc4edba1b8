//go:build unix

package input

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Opening a pipe without a writer would block.
func TestPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p")
	require.NoError(t, syscall.Mkfifo(file, 0o666))
	_, err := program.Read(file)
	require.ErrorContains(t, err, " is a pipe: expected a file, so write its output to a file first")
}

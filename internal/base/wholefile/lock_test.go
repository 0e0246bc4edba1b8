package wholefile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// One at a time has the lock; the file stays.
func TestLock(t *testing.T) {
	at(t)
	for range 2 {
		unlock, err := Lock("a")
		require.NoError(t, err)
		if locks {
			_, err = Lock("a")
			require.ErrorIs(t, err, ErrLocked)
		}
		unlock()
		require.FileExists(t, "a")
	}
	_, err := Lock(filepath.Join("none", "a"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "cannot be written")
}

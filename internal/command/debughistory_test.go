package command

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/peterh/liner"
	"github.com/stretchr/testify/require"
)

// The debugger's prompt remembers the commands of the last session. It works without a history if none can be kept.
func TestDebugHistory(t *testing.T) {
	prompt := func() *liner.State {
		s := liner.NewLiner()
		t.Cleanup(func() { s.Close() })
		return s
	}
	text := func(s *liner.State) string {
		var b bytes.Buffer
		_, err := s.WriteHistory(&b)
		require.NoError(t, err)
		return b.String()
	}
	home := t.TempDir()
	t.Setenv("HOME", home) // for the cache directory if XDG_CACHE_HOME is not used
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	first := prompt()
	recall(first)
	require.Empty(t, text(first))
	first.AppendHistory("until got1")
	first.AppendHistory("units")
	saveHistory(first)
	second := prompt()
	recall(second)
	second.AppendHistory("quit")
	saveHistory(second)
	third := prompt()
	recall(third)
	require.Equal(t, "until got1\nunits\nquit\n", text(third))
	files, err := os.ReadDir(filepath.Dir(historyFile()))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for name, mode := range map[string]os.FileMode{
		historyFile():               0o600,
		filepath.Dir(historyFile()): 0o700 | os.ModeDir,
	} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), "only this user reads it")
	}

	require.NoError(t, os.WriteFile(filepath.Join(home, "file"), nil, 0o600))
	for _, dir := range []string{filepath.Join(home, "file"), "", "relative"} {
		t.Setenv("XDG_CACHE_HOME", dir)
		if dir == "" {
			t.Setenv("HOME", "")
		}
		saveHistory(third)
		nothing := prompt()
		recall(nothing)
		require.Empty(t, text(nothing))
	}
}

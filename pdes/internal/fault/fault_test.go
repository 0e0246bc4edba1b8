package fault

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A usage error has a sentence and a kind; details come only with With.
func TestUsage(t *testing.T) {
	e := Usage("slots: %d to %d are possible, got %d", 1, 9, 0)
	require.EqualError(t, e, "slots: 1 to 9 are possible, got 0")
	require.Equal(t, "usage", e.Kind())
	require.Nil(t, e.Details())
	require.Same(t, e, e.With("file", "x"))
	require.Equal(t, map[string]any{"file": "x"}, e.Details())
}

// A fault of the modelled machine knows its clock, and keeps it when more is added.
func TestModel(t *testing.T) {
	e := Model("deadlock", 1<<40, "PP %d waits", 3)
	require.EqualError(t, e, "PP 3 waits")
	require.Equal(t, "deadlock", e.Kind())
	require.Equal(t, map[string]any{"clock": int64(1 << 40)}, e.Details())
	e.With("pp", 3).With("pp", 4)
	require.Equal(t, map[string]any{"clock": int64(1 << 40), "pp": 4}, e.Details())
}

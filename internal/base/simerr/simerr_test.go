package simerr

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"
)

// evidence is an error of a machine with keys of its own.
type evidence struct{ clock int }

func (evidence) Error() string             { return "all wait" }
func (e evidence) Details() map[string]any { return map[string]any{"clock": e.clock, "pe": 3} }

func TestUsage(t *testing.T) {
	err := Usagef("slots: 1 to 9, got %d: %w", 0, fs.ErrExist)
	require.EqualError(t, err, "slots: 1 to 9, got 0: file already exists")
	require.ErrorIs(t, err, fs.ErrExist)
	require.Equal(t, "usage", Kind(err))
	require.Empty(t, Details(err))

	bad := errors.New("want 1 to 9")
	for text, e := range map[string]*Usage{
		"want 1 to 9":        {Err: bad},
		"tasks: want 1 to 9": {Parameter: "tasks", Err: bad},
		"f: want 1 to 9":     {Parameter: "tasks", File: "f", Err: bad},
		"f:1: want 1 to 9":   {File: "f", Line: 1, Err: bad},
		"f:7: want 1 to 9":   {Parameter: "tasks", File: "f", Line: 7, Err: bad},
	} {
		require.EqualError(t, e, text)
		require.ErrorIs(t, e, bad)
	}
	e := &Usage{Parameter: "tasks", File: "f", Line: 7, Err: evidence{1}}
	require.Equal(t, map[string]any{"parameter": "tasks", "file": "f", "line": 7, "clock": 1, "pe": 3}, e.Details())
	for line, want := range []map[string]any{{"file": "f"}, {"file": "f", "line": 1}} { // the first line is 1
		require.Equal(t, want, (&Usage{File: "f", Line: line, Err: bad}).Details())
	}
}

// The three errors of machines include the machine's text, keys and evidence.
func TestMachines(t *testing.T) {
	for _, c := range []struct {
		err  error
		kind string
	}{
		{&Deadlock{Machine: "m", Clock: 9, Err: evidence{1}, Keys: Keys{"clock": 9}}, "deadlock"},
		{&Deadlock{Machine: "m", Name: "stalled", Clock: 9, Err: evidence{1}, Keys: Keys{"clock": 9}}, "stalled"},
		{&Limit{Machine: "m", Name: KindMaxClocks, Err: evidence{1}, Keys: Keys{"clock": 9}}, "max_clocks"},
		{&Fault{Machine: "m", Name: "model_fault", Err: evidence{1}, Keys: Keys{"clock": 9}}, "model_fault"},
	} {
		err := fmt.Errorf("run 3: %w", c.err)
		require.EqualError(t, err, "run 3: all wait")
		require.Equal(t, c.kind, Kind(err))
		require.Equal(t, map[string]any{"clock": 9, "pe": 3}, Details(err))
		var e evidence
		require.ErrorAs(t, err, &e)
		require.Equal(t, 1, e.clock)
	}
}

// An error without kind and keys reports none. The caller may change the map from Details.
func TestPlain(t *testing.T) {
	require.Empty(t, Kind(fs.ErrExist))
	require.Empty(t, Kind(nil))
	require.Equal(t, map[string]any{}, Details(nil))
	err := &Fault{Name: "x", Keys: Keys{"a": 1}, Err: fs.ErrExist}
	Details(err)["a"] = 2
	require.Equal(t, Keys{"a": 1}, err.Keys)
}

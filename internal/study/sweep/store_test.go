package sweep

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every file is either a valid result or is reported, and then the run is repeated.
func FuzzResult(f *testing.F) {
	point := &Point{ID: "x", definition: []byte(`{"a":1}`)}
	for _, s := range []string{
		"", "{}", "null", "[", `{"version":{"executable_sha256":"one"},"definition":{"a":1},"outcome":"deadlock"}`,
		`{"version":{"executable_sha256":"two","revision":"r"},"definition":{"a": 1},"outcome":"ok","answer":{"clocks":5}}`,
		"EMSIMCKP",
	} {
		f.Add([]byte(s))
	}
	s := &Store{Dir: f.TempDir(), Version: Version{Executable: "one"}}
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(s.pointFile(point), text, 0o666))
		r, why, err := s.loadResult(point)
		require.NoError(t, err)
		if (r == nil) == (why == "") {
			t.Fatal(r, why)
		}
		if r != nil && (r.Outcome == "" || r.Outcome == OK && r.values == nil) {
			t.Fatal("half a result")
		}
	})
}

// A directory in place of a result is an error.
func TestResultThatIsNoFile(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, "x.json"), 0o777))
	_, _, err := s.loadResult(&Point{ID: "x"})
	require.ErrorContains(t, err, "a result cannot be read: ")
	require.ErrorContains(t, err, "is a directory: expected a file")
}

// An answer in which a number of the table is missing or is not a number counts as damaged.
func TestWrongAnswer(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	x := survey(t, s, p)
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	at := &p.Points[0]
	text, err := os.ReadFile(s.pointFile(at))
	require.NoError(t, err)
	for old, bad := range map[string]string{
		`"instructions":`: `"instruction":`, `"sent":`: `"send":`, `"packets":`: `"packet":`,
		`"idle":`: `"idle":"x","i":`, `"result":`: `"result":"5","r":`, `"clocks":`: `"clock":`,
	} {
		i := bytes.Index(text, []byte(old))
		require.Positive(t, i, old)
		wrong := withDigest(t, slices.Concat(text[:i], []byte(bad), text[i+len(old):]))
		require.NoError(t, os.WriteFile(s.pointFile(at), wrong, 0o666))
		r, why, err := s.loadResult(at)
		require.NoError(t, err)
		require.Nil(t, r, old)
		require.Equal(t, "damaged", why, old)
	}
}

// withDigest returns a result with the digest of its present contents.
func withDigest(t *testing.T, text []byte) []byte {
	r := &Result{}
	require.NoError(t, json.Unmarshal(text, r))
	r.Digest = r.digest()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	return text
}

// A changed digit anywhere in a result is detected, and the point runs again.
func TestChangedDigit(t *testing.T) {
	p := plan(t, small)
	s := store(t, t.TempDir())
	require.NoError(t, s.Run(t.Context(), survey(t, s, p), 2, nil))
	at := &p.Points[0]
	text, err := os.ReadFile(s.pointFile(at))
	require.NoError(t, err)
	_, why, err := s.loadResult(at)
	require.NoError(t, err)
	require.Empty(t, why)
	digits := 0
	for i, c := range text {
		if c < '0' || c > '9' {
			continue
		}
		digits++
		wrong := slices.Clone(text)
		wrong[i] = '0' + (c-'0'+1)%10
		require.NoError(t, os.WriteFile(s.pointFile(at), wrong, 0o666))
		r, why, err := s.loadResult(at)
		require.NoError(t, err)
		require.Nil(t, r, "%s", wrong[max(0, i-30):i+1])
		require.NotEmpty(t, why)
	}
	require.Greater(t, digits, 500)
	x := survey(t, s, p) // as a run, --status and --collect do
	require.Len(t, x.Missing, 1)
	require.Len(t, x.Again, 1)
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	again, why, err := s.loadResult(at)
	require.NoError(t, err)
	require.Empty(t, why)
	require.NotNil(t, again)
}

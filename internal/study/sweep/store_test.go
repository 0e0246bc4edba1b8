package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Any result file either is that result, or is reported and the run is
// repeated.
func FuzzResult(f *testing.F) {
	point := &Point{ID: "x", definition: []byte(`{"a":1}`)}
	for _, s := range []string{
		"", "{}", "null", "[", `{"version":{"executable_sha256":"one"},"definition":{"a":1},"outcome":"deadlock"}`,
		`{"version":{"executable_sha256":"two","revision":"r"},"definition":{"a": 1},"outcome":"ok","answer":{"clocks":5}}`, "EMSIMCKP",
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
		if r != nil && (r.Outcome == "" || r.Outcome == OK && r.Answer == nil) {
			t.Fatal("half a result")
		}
	})
}

// A pipe in place of a result does not block a sweep.
func TestResultThatIsNoFile(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	require.NoError(t, os.Mkdir(filepath.Join(s.Dir, "x.json"), 0o777))
	_, _, err := s.loadResult(&Point{ID: "x"})
	require.ErrorContains(t, err, "a result cannot be read: ")
	require.ErrorContains(t, err, "is a directory: expected a file")
}

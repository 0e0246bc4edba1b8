package sweep

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every flipped bit of every result is found, and the file named; so is a
// result under the name of another point. The sweep runs these again.
func TestBitFlips(t *testing.T) {
	p := plan(t, small)
	dir := t.TempDir()
	want := sweep(t, dir, p, 2)
	s := store(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 12)
	points := map[string]*Point{}
	for i := range p.Points {
		points[p.Points[i].ID+".json"] = &p.Points[i]
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		file := files[rng.IntN(len(files))]
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		broken := append([]byte{}, text...)
		at, bit := rng.IntN(len(text)), rng.IntN(8)
		if i < 20 {
			at = len(text) - 1 - i // the end of the checksum, and what closes the object
		}
		broken[at] ^= 1 << bit
		require.NoError(t, os.WriteFile(file, broken, 0o600))
		r, why, err := s.load(points[filepath.Base(file)])
		require.NoError(t, err)
		require.Nil(t, r, "bit %d of byte %d, %q", bit, at, text[max(0, at-20):at+1])
		require.NotEmpty(t, why)
		if i < 3 {
			x := survey(t, s, p)
			require.Len(t, x.Missing, 1)
			require.Equal(t, []string{fmt.Sprintf("1 of the results in %s are damaged (%s)", dir, filepath.Base(file))}, x.Again)
		}
		require.NoError(t, os.WriteFile(file, text, 0o600))
	}
	require.Empty(t, survey(t, s, p).Again)

	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[1], text, 0o600))
	x := survey(t, s, p)
	require.Equal(t, []string{fmt.Sprintf("1 of the results in %s are of another point (%s)", dir, filepath.Base(files[1]))}, x.Again)
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	require.Equal(t, 1, x.Ran)
	require.Equal(t, string(want), string(sweep(t, dir, p, 1)))
}

// Only the text that was sealed is sealed.
func TestSeal(t *testing.T) {
	object := []byte("{\n \"a\": 1\n}")
	text := Seal(append([]byte{}, object...))
	require.True(t, Sealed(text))
	require.True(t, strings.HasPrefix(string(text), "{\n \"a\": 1,\n \"sha256\": \""))
	require.False(t, Sealed(object))
	require.False(t, Sealed(nil))
	require.False(t, Sealed(text[:len(text)-1]))
	require.False(t, Sealed(append([]byte(" "), text...)))
	require.False(t, Sealed([]byte(strings.ToUpper(string(text)))))
	require.False(t, Sealed([]byte(sealEnd)))
	require.False(t, Sealed([]byte(strings.Repeat("0", 64)+sealEnd)))
}

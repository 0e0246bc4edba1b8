package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The pictures of runs and programs in docs/FIGURES.md are the output of the commands below them, except for the
// compressed bytes of embedded pictures. -update draws them again.
func TestOwnPictures(t *testing.T) {
	page, err := os.ReadFile("../../docs/FIGURES.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^    emsim (plot .* -o ((?:own|go)-\w+\.svg))$`)
	commands := command.FindAllStringSubmatch(string(page), -1)
	require.Len(t, commands, len(ownNames())+3)
	inside := regexp.MustCompile(`base64,[A-Za-z0-9+/=]+`)
	for _, m := range commands {
		file, shown := filepath.Join(t.TempDir(), m[2]), filepath.Join("../../docs/img", m[2])
		if golden.Update() {
			file = shown
		}
		status, out, errs := emsim(strings.Fields(strings.NewReplacer(m[2], file, "programs/go",
			"../../programs/go").Replace(m[1]))...)
		require.Zero(t, status, "%s%s", out, errs)
		want, err := os.ReadFile(shown)
		require.NoError(t, err)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, string(inside.ReplaceAll(want, nil)) == string(inside.ReplaceAll(got, nil)),
			"%s: run the test with -update", shown)
	}
}

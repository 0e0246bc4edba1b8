//go:build slow

package sim_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands of docs/API.md give the whole repository another path: it builds,
// tests included.
func TestRepositoryMoves(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS("..")))
	for _, line := range []string{block(t, "../docs/API.md", "go mod edit -module"), "go vet ./...", "go test ./sim -run TestAPI", "go vet -tags slow ./sim"} {
		cmd := exec.Command("bash", "-ec", line)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

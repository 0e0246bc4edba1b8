//go:build slow

package sim_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// The commands of docs/API.md give the whole repository another path. It still builds, tests included. When a module
// proxy has it, go install makes a command that runs programs, and builds and exports its page.
func TestRepositoryMoves(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.CopyFS(root, os.DirFS("..")))
	for _, line := range []string{
		block(t, "../docs/API.md", "go mod edit -module"), "go vet ./...",
		"go test ./sim -run TestAPI", "go vet -tags slow ./sim",
	} {
		shell(t, root, line)
	}
	cited, err := os.ReadFile(filepath.Join(root, "CITATION.cff"))
	require.NoError(t, err)
	require.Contains(t, string(cited), "\nrepository-code: https://example.org/emsim\n")

	version := module.Version{Path: "example.org/emsim", Version: "v0.1.0"}
	proxy, away := t.TempDir(), t.TempDir()
	at := filepath.Join(proxy, version.Path, "@v")
	require.NoError(t, os.MkdirAll(at, 0o700))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{"list": version.Version + "\n", version.Version +
		".info": `{"Version":"` + version.Version + `"}`, version.Version + ".mod": string(mod)} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), []byte(text), 0o600))
	}
	file, err := os.Create(filepath.Join(at, version.Version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromDir(file, version, root))
	require.NoError(t, file.Close())

	// The download cache is also a proxy; the module itself must not stay in it.
	cache := strings.TrimSpace(shell(t, root, "go env GOMODCACHE"))
	t.Setenv("GOPROXY", "file://"+proxy+",file://"+filepath.Join(cache, "cache", "download"))
	t.Setenv("GOMODCACHE", filepath.Join(away, "modules"))
	t.Setenv("GOBIN", filepath.Join(away, "bin"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(away, "kept"))
	t.Setenv("GOCACHE", strings.TrimSpace(shell(t, root, "go env GOCACHE")))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-mod=mod -modcacherw")
	t.Setenv("PATH", filepath.Join(away, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	shell(t, away, "go install "+version.Path+"/cmd/emsim@latest")
	var run struct{ Result []int }
	require.NoError(t, json.Unmarshal([]byte(shell(t, away, "emsim run fib 10 --pes 12 --json")), &run))
	require.Equal(t, []int{55}, run.Result)
	t.Setenv("GOPROXY", "off")
	require.Contains(t, shell(t, away, "emsim play --export page"), "Building the engine")
	require.FileExists(t, filepath.Join(away, "page", "engine.wasm.gz"))
	require.NotContains(t, shell(t, away, "PATH=/nonexistent $(command -v emsim) play --export again"),
		"Building the engine", "it is kept")
}

// shell runs a line and returns its output.
func shell(t *testing.T, dir, line string) string {
	cmd := exec.Command("bash", "-ec", line)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

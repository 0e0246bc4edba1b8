package browser

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

//go:embed axe.js
var accessible string

// Axe returns the accessibility errors that axe-core finds on the page in its present state. .ci/page installs
// axe-core. If it is missing, Axe installs it if CI=true is in the environment, and otherwise finds nothing.
func (b *Tab) Axe(t testing.TB) []string {
	t.Helper()
	if !Eval[bool](t, b, `"axe" in globalThis`) {
		_, here, _, _ := runtime.Caller(0)
		check := filepath.Join(filepath.Dir(here), "../../play/check")
		file := filepath.Join(check, "node_modules/axe-core/axe.min.js")
		text, err := os.ReadFile(file)
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); err != nil && ci {
			npm := needs.Tool(t, "npm")
			out, problem := exec.Command(npm, "ci", "--prefix", check, "--ignore-scripts", "--silent").CombinedOutput()
			require.NoError(t, problem, string(out))
			text, err = os.ReadFile(file)
			require.NoError(t, err)
		}
		if err != nil {
			t.Log("without axe-core, which .ci/page installs")
			return nil
		}
		_ = Eval[bool](t, b, string(text)+"; true")
	}
	return Eval[[]string](t, b, accessible)
}

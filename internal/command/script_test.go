package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "emsim-") {
		os.Exit(Main()) // the copy of the executable that a sweep keeps
	}
	debug.SetGCPercent(400) // a fifth of the tests' time would go into collecting little garbage
	testscript.Main(m, map[string]func(){
		"emsim": func() { os.Exit(Main()) },
		"measured": func() { // emsim, and then what Linux says of its process
			status := Main()
			text, _ := os.ReadFile("/proc/self/status")
			_, _ = os.Stderr.Write(text)
			os.Exit(status)
		},
	})
}

// TestScripts runs the command as a user does: one file per subject under
// testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error { // with a cache of its own, a script would compile Go's library anew
			cache, err := exec.Command("go", "env", "GOCACHE").Output()
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"withoutrecipes": func(s *testscript.TestScript, _ bool, files []string) {
				for _, name := range files {
					s.Check(os.WriteFile(s.MkAbs(name), []byte(withoutRecipes(s.ReadFile(name))), 0o600))
				}
			},
		},
	})
}

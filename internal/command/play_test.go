//go:build unix

package command

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/play/engine"
)

// quickGo returns an environment in which a script takes the place of Go, and builds any engine at once.
func quickGo(t *testing.T) []string {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "lib", "wasm"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lib", "wasm", "wasm_exec.js"), []byte("// support"), 0o600))
	script := "#!/bin/sh\nif [ $1 = env ]; then echo " + dir +
		"; exit; fi\nwhile [ \"$1\" != -o ]; do shift; done\necho wasm > \"$2\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700))
	return append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HOME="+dir)
}

// The server answers until a signal ends it, with status 0. The second time, the engine need not be built.
func TestPlayEndsBySignal(t *testing.T) {
	env := quickGo(t)
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "p", "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p", "my.s"),
		[]byte(".include \"sub/a.s\"\n.include \"lib/port.s\"\noops\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p", "sub", "a.s"), []byte("; a\n"), 0o600))
	for i, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		args := []string{
			"play", filepath.Join("p", "my.s"), "5", "--pes", "12", "--set", "hop_clocks=2", "--no-open",
			"--addr", "127.0.0.1:0", "--json",
		}
		out := filepath.Join(dir, s.String())
		file, err := os.Create(out)
		require.NoError(t, err)
		p := launch(t, dir, func(p *process) { p.Env, p.Stdout = env, file }, "emsim", args...)
		var said struct{ URL string }
		require.Eventually(t, func() bool {
			text, err := os.ReadFile(out)
			return err == nil && json.Unmarshal(text, &said) == nil
		}, hung, 10*time.Millisecond)
		get := func(name string) string {
			r, err := http.Get(said.URL + name)
			require.NoError(t, err)
			defer r.Body.Close()
			text, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, r.StatusCode)
			return string(text)
		}
		require.Contains(t, get(""), "<title>emsim")
		require.Equal(t, "// support", get("wasm_exec.js"))
		var first engine.View
		require.NoError(t, json.Unmarshal([]byte(get("start.json")), &first))
		require.Equal(t, engine.Setup{
			Main: "my.s", Args: []string{"5"}, PEs: 12, Seed: 1, Sets: map[string]string{"hop_clocks": "2"},
			Files: map[string]string{
				"my.s":    ".include \"sub/a.s\"\n.include \"lib/port.s\"\noops\n",
				"sub/a.s": "; a\n",
			},
		}, first.Setup, "mistakes are for the page; the library is there")
		require.NoError(t, p.Process.Signal(s))
		p.wait(t)
		require.Zero(t, p.ProcessState.ExitCode(), p.errs.String())
		require.Equal(t, i == 0, strings.Contains(p.errs.String(), "Building the engine"))
	}
}

// An export prints the number of bytes written.
func TestPlayExport(t *testing.T) {
	dir := t.TempDir()
	p := launch(t, dir, func(p *process) { p.Env = quickGo(t) }, "emsim", "play", "queens", "5", "--policy", "line",
		"--vs", "mlpe=on,hop_clocks=1", "--vs", "pes=12", "--export", "site")
	p.wait(t)
	require.Zero(t, p.ProcessState.ExitCode(), p.errs.String())
	require.Regexp(t, `^site: [0-9]+ files, [0-9,]+ bytes\n  Any web server`, p.out.String())
	text, err := os.ReadFile(filepath.Join(dir, "site", "start.json"))
	require.NoError(t, err)
	require.JSONEq(t, `{"setup":{"main":"queens.s","args":["5"],"pes":80,"params":{"policy":"line"},"seed":1},
		"vs":{"main":"queens.s","args":["5"],"pes":12,"params":{"policy":"line","mlpe":"on"},"sets":{"hop_clocks":"1"},"seed":1}}`, string(text))
	for _, name := range []string{
		"index.html", "codemirror.js", "engine.wasm.gz",
		"compiler.wasm.gz", "lessons.json",
	} {
		_, err := os.Stat(filepath.Join(dir, "site", name))
		require.NoError(t, err)
	}
}

// The page as one file contains the compiler if it is requested, or if the program is in Go.
func TestPlayOneFile(t *testing.T) {
	dir, env := t.TempDir(), quickGo(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.go"), []byte("package main // oops\n"), 0o600))
	export := func(status int, args ...string) string {
		p := launch(t, dir, func(p *process) { p.Env = env },
			"emsim", append([]string{"play", "--export", "a.html"}, args...)...)
		p.wait(t)
		require.Equal(t, status, p.ProcessState.ExitCode(), p.errs.String())
		return p.out.String() + p.errs.String()
	}
	for _, x := range []struct {
		args     []string
		compiler bool
	}{{nil, false}, {[]string{"--compiler"}, true}, {[]string{"my.go", "12"}, true}, {[]string{"fib", "12"}, false}} {
		require.Regexp(t, `a\.html: the page, [0-9,]+ bytes\n  Any browser opens it, without a server\.`, export(0,
			x.args...))
		text, err := os.ReadFile(filepath.Join(dir, "a.html"))
		require.NoError(t, err)
		require.Contains(t, string(text), `id="file:engine.wasm.gz"`)
		require.Equal(t, x.compiler, strings.Contains(string(text), `id="file:compiler.wasm.gz"`), x.args)
	}
	require.Contains(t, export(2, "--export", "folder", "--compiler"), "--compiler is for --export FILE.html")
	require.Contains(t, export(2, "--export", "no/such/a.html"), "--export: ")
}

// A program in Go goes to the page unchanged: the page compiles it and shows its mistakes.
func TestPlayGo(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my.go"), []byte("package main // oops\n"), 0o600))
	p := launch(t, dir, func(p *process) { p.Env = quickGo(t) }, "emsim", "play", "my.go", "5", "--pes", "12",
		"--export", "site")
	p.wait(t)
	require.Zero(t, p.ProcessState.ExitCode(), p.errs.String())
	text, err := os.ReadFile(filepath.Join(dir, "site", "start.json"))
	require.NoError(t, err)
	require.JSONEq(t,
		`{"setup":{"main":"my.go","args":["5"],"pes":12,"seed":1,"files":{"my.go":"package main // oops\n"}}}`,
		string(text))
}

package play

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"emsim"
	"emsim/internal/play/engine"
)

// fake returns a site without an engine.
func fake(t *testing.T, first *engine.View) Site {
	s, err := NewSite(map[string][]byte{
		"engine.wasm.gz":   compress([]byte("wasm")),
		"compiler.wasm.gz": compress([]byte("wasm")), "wasm_exec.js": []byte("//"),
	}, first)
	require.NoError(t, err)
	return s
}

// The binary contains the sources of all packages of the engine, and the files that they embed, and no others.
func TestSourcesAreComplete(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f",
		`{{if .Module}}{{if .Module.Main}}{{$d := .ImportPath}}{{range .GoFiles}}{{$d}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}
{{end}}{{end}}{{end}}`, "emsim/internal/play/engine/wasm", "emsim/internal/play/engine/compiler/wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	out, err := cmd.Output()
	require.NoError(t, err)
	folders := map[string]bool{}
	for file := range strings.FieldsSeq(string(out)) {
		file = strings.TrimPrefix(file, "emsim/")
		_, err := fs.Stat(emsim.Sources, file)
		require.NoError(t, err, "the engine needs %s: add its folder to sources.go", file)
		folders[filepath.ToSlash(filepath.Dir(file))] = true
	}
	require.NoError(t, fs.WalkDir(emsim.Sources, ".", func(path string, d fs.DirEntry, err error) error {
		if dir := filepath.ToSlash(filepath.Dir(path)); err == nil && !d.IsDir() && dir != "." {
			require.True(t, folders[dir], "the engine does not need %s: take it out of sources.go", dir)
		}
		return err
	}))
}

// An engine is kept until a source changes; tests do not count as sources.
func TestSourcesKey(t *testing.T) {
	key := func(files ...string) string {
		f := fstest.MapFS{}
		for i := 0; i < len(files); i += 2 {
			f[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
		}
		k, err := sourcesKey(f)
		require.NoError(t, err)
		return k
	}
	one := key("a.go", "x", "b/c.go", "y")
	require.Equal(t, one, key("a.go", "x", "b/c.go", "y", "b/c_test.go", "z"))
	for _, other := range []string{
		key("a.go", "y", "b/c.go", "y"), key("a.go", "x"), key("a.go", "x", "b/d.go", "y"),
		key("a.go", "x", "b/c.go", ""),
	} {
		require.NotEqual(t, one, other)
	}
}

// A built engine is kept. A folder without write permission is no error.
func TestKept(t *testing.T) {
	files := map[string][]byte{
		"engine.wasm.gz": []byte("a"), "compiler.wasm.gz": []byte("c"),
		"wasm_exec.js": []byte("b"),
	}
	dir := filepath.Join(t.TempDir(), "deep", "key")
	keepFiles(dir, files)
	got, err := readKept(os.DirFS(dir))
	require.NoError(t, err)
	require.Equal(t, files, got)
	require.NoError(t, os.Remove(filepath.Join(dir, "wasm_exec.js")))
	_, err = readKept(os.DirFS(dir))
	require.Error(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	keepFiles(filepath.Join(file, "key"), files)
}

// Without Go, or with sources that do not compile, the error says what to do.
func TestUnbuilt(t *testing.T) {
	_, err := build(context.Background(), fstest.MapFS{"go.mod": &fstest.MapFile{Data: []byte("module emsim\n")}},
		func() {})
	require.ErrorContains(t, err, "the engine of the page could not be built: go build: ")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = build(ctx, emsim.Sources, func() {})
	require.ErrorIs(t, err, context.Canceled)
	t.Setenv("PATH", t.TempDir())
	_, err = Engine(context.Background(), "", func() { t.Error("nothing can be built") })
	require.ErrorContains(t, err, "the command go was not found: install Go, add its folder bin to PATH, or "+
		"take emsim from a release")
}

// The bundle of CodeMirror is up to date with the files in codemirror/, and its licences are included.
func TestBundleIsFresh(t *testing.T) {
	hash := sha256.New()
	for _, name := range []string{"index.js", "package.json", "package-lock.json"} {
		text, err := os.ReadFile(filepath.Join("codemirror", name))
		require.NoError(t, err)
		hash.Write(text)
	}
	s := fake(t, nil)
	require.Contains(t, string(s["codemirror.js"][:300]), "sha256 "+hex.EncodeToString(hash.Sum(nil)),
		"in internal/play/codemirror: npm ci && npm run build")
	require.Contains(t, string(s["licences.txt"]), "@codemirror/view 6")
	for _, of := range []string{"the emsim maintainers", "The Go Authors", "go-toml", "Marijn Haverbeke"} {
		require.Contains(t, string(s["licences.txt"]), of)
	}
}

// The page refers to no other origin, and all of its files exist under relative names.
func TestSiteIsClosed(t *testing.T) {
	s := fake(t, nil)
	address := regexp.MustCompile(`(?:href|src)="([^"#]+)"|from "([^"]+)"|import\("([^"]+)"\)|(?:asset|load|script)\("([^"]+)"|importScripts\("([^"]+)"\)`)
	n := 0
	for name, text := range s {
		if name == "codemirror.js" || name == "emsim.js" ||
			!slices.Contains([]string{".html", ".js", ".css"}, filepath.Ext(name)) {
			continue
		}
		require.NotRegexp(t, `https?://`, string(text), name)
		for _, m := range address.FindAllStringSubmatch(string(text), -1) {
			n++
			to := strings.Join(m[1:], "")
			if strings.HasPrefix(to, ".") { // a module's path, relative to its own folder
				to = path.Join(path.Dir(name), to)
			}
			_, there := s[to]
			require.True(t, there, "%s names %s", name, to)
		}
	}
	require.Greater(t, n, 20)
	require.Contains(t, string(s["index.html"]), strings.TrimSuffix(policy, "; frame-ancestors 'none'"))
	require.Equal(t, "null", string(s["start.json"]))
	require.JSONEq(t, `{"setup":{"main":"fib.s","args":["5"]}}`,
		string(fake(t, &engine.View{Setup: engine.Setup{Main: "fib.s", Args: []string{"5"}}})["start.json"]))
}

// The server answers with the files and their types, and ends with its context. An export contains the same files.
func TestServeAndExport(t *testing.T) {
	s := fake(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l, "") }()
	dir := filepath.Join(t.TempDir(), "a", "site")
	n, err := s.Export(dir)
	require.NoError(t, err)
	all := 0
	for name, text := range s {
		r, err := http.Get("http://" + l.Addr().String() + "/" + name)
		require.NoError(t, err)
		got, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusOK, r.StatusCode, name)
		require.Equal(t, string(text), string(got), name)
		require.NotEmpty(t, r.Header.Get("Content-Type"), name)
		require.Equal(t, policy, r.Header.Get("Content-Security-Policy"))
		written, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Equal(t, string(text), string(written), name)
		all += len(text)
	}
	require.Equal(t, all, n)
	for _, path := range []string{"/nothing", "/../go.mod", "/lessons"} {
		r, err := http.Get("http://" + l.Addr().String() + path)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusNotFound, r.StatusCode, path)
	}
	cancel()
	require.NoError(t, <-done)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = s.Export(file)
	require.ErrorContains(t, err, "--export: ")
}

package main

import (
	"context"
	"encoding/json"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/browser"
)

var repository = os.DirFS("../..")

// nothing is an engine that does not work.
var nothing = map[string][]byte{"engine.wasm.gz": nil, "compiler.wasm.gz": nil, "wasm_exec.js": []byte("//")}

var folder string // the folder of the site, for all tests

// made writes the site once.
var made = sync.OnceValue(func() error { return write(repository, nothing, folder) })

func TestMain(m *testing.M) {
	folder, _ = os.MkdirTemp("", "emsim-site-")
	m.Run()
	browser.Close()
	os.RemoveAll(folder)
}

// pages returns the texts of all pages, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	require.NoError(t, made())
	all := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".html" && name != "play.html" && name != "live.html" {
			text, err := os.ReadFile(filepath.Join(folder, name))
			all[name] = string(text)
			return err
		}
		return err
	}))
	return all
}

var (
	address = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor  = regexp.MustCompile(` id="([^"]*)"`)
)

// Every link leads to an existing file of the site, and to an existing anchor. Every page of the documentation, every
// command and every package is on the site.
func TestLinks(t *testing.T) {
	all := pages(t)
	places := map[string][]string{}
	for name, text := range all {
		for _, m := range anchor.FindAllStringSubmatch(text, -1) {
			places[name] = append(places[name], m[1])
		}
	}
	n := 0
	for name, text := range all {
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			u, err := url.Parse(html.UnescapeString(m[1]))
			require.NoError(t, err)
			if u.Scheme != "" {
				require.Contains(t, []string{"https", "http"}, u.Scheme, "%s: %s", name, m[1])
				require.NotContains(t, m[1], "pkg.go.dev/emsim", name)
				continue
			}
			require.NotRegexp(t, "^/", u.Path, name)
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			_, err = os.Stat(filepath.Join(folder, to))
			require.NoError(t, err, "%s: %s", name, m[1])
			if n++; u.Fragment != "" {
				require.Contains(t, places[to], u.Fragment, "%s: %s", name, m[1])
			}
		}
	}
	require.Greater(t, n, 3000)
	docs, err := fs.Glob(repository, "docs/*.md")
	require.NoError(t, err)
	for _, name := range docs {
		require.NotEmpty(t, all[strings.TrimSuffix(name, ".md")+".html"], name)
	}
	require.Contains(t, all["docs/PARAMETERS.html"],
		`<a href="../commands/emsim-machine-show.html"><code>emsim machine show</code></a>`)
	require.Contains(t, all["commands/emsim-play.html"], `<a href="../docs/PLAY.html">emsim docs PLAY</a>`)
	require.Contains(t, all["commands/emsim.html"], `<a href="emsim-run.html">run</a>`)
	require.Contains(t, all["api/index.html"], `<a href="cluster/rhinet.html">cluster/rhinet</a>`)
	require.Contains(t, all["api/sim.html"], "It prints")
	require.Contains(t, all["emcr/exu.go.html"], `<span class="kd">func</span>`)
	require.Contains(t, all["programs/index.html"], `<a href="fib.s.html">fib.s</a>`)
	require.NotContains(t, all["index.html"], "https://emsim")
}

// The search contains every heading of a page with the text below it, but no source code. Second-level headings link to
// themselves, and pictures link to the picture alone.
func TestParts(t *testing.T) {
	all := pages(t)
	text, err := os.ReadFile(filepath.Join(folder, "search.js"))
	require.NoError(t, err)
	var parts []part
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(string(text), "const parts = ")), &parts))
	at, found := map[string]part{}, map[string]int{}
	for _, p := range parts {
		at[p.At] = p
		page, _, _ := strings.Cut(p.At, "#")
		found[page]++
	}
	for name, n := range map[string]int{
		"docs/MACHINE.html":       strings.Count(all["docs/MACHINE.html"], " id=\"") - 3,
		"commands/emsim-run.html": 1, "emcr/exu.go.html": 0, "programs/index.html": 0,
	} {
		require.Equal(t, n, found[name], name)
	}
	require.Equal(t, "Errors", at["docs/COMMAND.html#errors"].Head)
	require.Equal(t, "The command line", at["docs/COMMAND.html#errors"].Page)
	require.Contains(t, at["docs/COMMAND.html#all-commands"].Text, "exit status meaning 0 done")
	require.NotContains(t, at["docs/COMMAND.html#all-commands"].Text, "Keys of the other commands")
	require.Greater(t, len(at["docs/COMMAND.html#keys-of-the-other-commands"].Text), 1000)
	require.Contains(t, all["docs/COMMAND.html"], `<li><a href="#errors">Errors</a></li>`)
	require.NotContains(t, all["docs/COMMAND.html"], `<li><a href="#the-command-line">`)
	require.Contains(t, all["docs/tour.html"], `<a href="img/machine.svg"><img src="img/machine.svg"`)
}

// show opens a page of the site with a file:// address.
func show(t *testing.T, b *browser.Tab, name string) {
	t.Helper()
	b.Do(t, chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(folder) + "/" + name}).String()))
}

// The search finds parts of pages, with file:// addresses and in a folder of a server.
func TestSearch(t *testing.T) {
	require.NoError(t, made())
	server := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir(folder))))
	t.Cleanup(server.Close)
	b := browser.Open(t, 1280, 800, time.Minute)
	for _, root := range []string{(&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String(), server.URL +
		"/some/where"} {
		b.Do(t, chromedp.Navigate(root+"/docs/tour.html"))
		find := func(words string) []string {
			return browser.Eval[[]string](t, b, `(async () => { $("query").value = "`+words+
				`"; await show(); return [...$("hits").children].map(li => li.innerText); })()`)
		}
		found := find("hop_clocks range")
		require.NotEmpty(t, found)
		require.True(t, slices.ContainsFunc(found,
			func(hit string) bool { return strings.HasPrefix(hit, "Parameters") }), found)
		require.Equal(t, []string{"Nothing is found."}, find("xyzzy"))
		_ = find("checkpoint")
		symbols := browser.Eval[[]bool](t, b,
			`[...$("hits").querySelectorAll("a")].map(a => a.pathname.includes("/api/"))`)
		require.False(t, symbols[0], "pages come before symbols")
		require.NotContains(t, symbols[slices.Index(append(symbols, true), true):], false)
		require.Equal(t, "emsim play", strings.Split(find("play")[0], "\n")[0])
		require.NotContains(t, strings.Join(find("play"), "\n"), "displaywidth", "a part of a word, in a licence")
		require.True(t, strings.HasPrefix(find("emsim play")[0], "emsim play"))
		b.Do(t, chromedp.Focus("#query"), chromedp.KeyEvent("\r"))
		require.Eventually(t, func() bool {
			return browser.Eval[bool](t, b, `location.href === "`+root+
				`/commands/emsim-play.html#help" && document.readyState === "complete"`)
		}, time.Minute, 20*time.Millisecond)
		require.Empty(t, browser.Eval[string](t, b, "$('query').value"))
	}
}

// The front page begins with the picture. It loads the machine unless the user prefers reduced motion.
func TestFront(t *testing.T) {
	require.NoError(t, made())
	b := browser.Open(t, 1280, 800, time.Minute)
	b.Expect("autofocusing") // about a dialog that is not open
	for value, n := range map[string]int{"reduce": 0, "no-preference": 1} {
		b.Prefer(t, "prefers-reduced-motion", value)
		show(t, b, "index.html")
		require.Equal(t, n, browser.Eval[int](t, b, "document.querySelectorAll('iframe').length"), value)
		require.Equal(t, 1, browser.Eval[int](t, b,
			"[...document.querySelectorAll('#live img')].filter(e => e.checkVisibility() && e.naturalWidth > 0).length"))
	}
}

// For a module with an address, the page says how to get it.
func TestAddress(t *testing.T) {
	s := &site{module: "example.org/a/emsim", files: map[string][]byte{}}
	s.add("a.html", "<h1 id=\"a\">A &amp; B</h1>", false)
	require.NoError(t, s.err)
	require.Contains(t, string(s.files["a.html"]),
		`<a href="https://example.org/a/emsim">example.org/a/emsim</a>: <code>go install example.org/a/emsim/cmd/emsim@latest</code>`)
	require.Contains(t, string(s.files["a.html"]), "<title>A &amp; B · emsim</title>")
	require.Equal(t, []part{{"A & B", "A & B", "a.html#a", ""}}, s.found)
}

// Errors are reported.
func TestWrong(t *testing.T) {
	var errs strings.Builder
	require.Equal(t, 2, run(context.Background(), repository, nil, &errs))
	require.Contains(t, errs.String(), "expected a folder: ")
	require.ErrorContains(t, write(fstest.MapFS{}, nothing, t.TempDir()), "start it in the root of the repository: ")
	broken := fstest.MapFS{"go.mod": {Data: []byte("module x\n")}, "README.md": {Data: []byte("[x](missing.md)\n")}}
	require.ErrorContains(t, write(broken, nothing, t.TempDir()), ".md: file does not exist")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, write(repository, nothing, file))
}

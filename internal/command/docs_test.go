package command

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/lists"
)

// docs/COMMAND.md names every key, column and counter that the EM-4 commands print.
func TestCommandPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/COMMAND.md")
	require.NoError(t, err)
	known := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(page), -1) {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(code, -1) {
			known[word] = true
		}
	}
	stats, series := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b.csv")
	for _, args := range [][]string{
		{"run", "fib", "5", "--stats", stats, "--series", series},
		{"net"},
		{"net", "traffic", "--clocks", "100"},
		{"machine", "show"},
		{"net", "traffic", "--curve", "--pes", "12", "--clocks", "10", "--warm", "10"},
	} {
		names(jsonOf(t, args...), func(name string) { require.True(t, known[name], "%q of emsim %v", name, args) })
	}
	for _, args := range [][]string{
		{"run", "fib", "18", "--max-clocks", "2000"},
		{"run", "fib", "18", "--set", "segments=16"},
		{"run", "fib", "18", "--policy", "random", "--set", "banks=1"},
	} {
		_, out, _ := emsim(append(args, "--json")...)
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &v))
		for name := range v["error"].(map[string]any) {
			require.True(t, known[name], "%q of emsim %v", name, args)
		}
	}
	_, out, _ := emsim("verify", "002.c", "000.exact.4", "--json")
	var rows []any
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	names(rows, func(name string) { require.True(t, known[name], "%q of emsim verify", name) })
	for _, h := range append(columnsOf("stats"), columnsOf("series")...) {
		require.True(t, known[h], h)
	}
	for _, r := range readCSV(t, stats, columnsOf("stats")) {
		require.True(t, known[r["unit"]] && known[r["counter"]], r["counter"])
	}
}

// Every page is shown as text without Markdown syntax, and no line is wider than necessary.
func TestDocs(t *testing.T) {
	status, list, errs := emsim("docs")
	require.Zero(t, status, errs)
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	pages, err := docPages()
	require.NoError(t, err)
	require.Len(t, pages, len(files)-1, "all but docs/README.md")
	markup := regexp.MustCompile(`\]\(|\*\*|^#+ |^\|-|<!--|&[a-z]+;`)
	for _, p := range pages {
		name := p.name
		require.Regexp(t, `(?m)^`+name+` +`+regexp.QuoteMeta(p.title)+`$`, list)
		status, text, errs := emsim("docs", strings.ToLower(name))
		require.Zero(t, status, errs)
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "    ") {
				continue // code
			}
			require.NotRegexp(t, markup, line, name)
			if !strings.Contains(line, "  ") && !strings.HasPrefix(line, "---") { // except in a table with many columns
				require.LessOrEqual(t, ansi.StringWidth(line), 81, "%s: %s", name, line)
			}
		}
		_, text, _ = emsim("docs", "docs/"+name+".md", "--json")
		var page struct{ Page, Title, Text string }
		require.NoError(t, json.Unmarshal([]byte(text), &page))
		require.Equal(t, name, page.Page)
		require.True(t, strings.HasPrefix(page.Text, "# "+page.Title+"\n"), name)
	}
	status, _, errs = emsim("docs", "balanse")
	require.Equal(t, wrong, status)
	require.Equal(t, "emsim: there is no page \"balanse\"; 'emsim docs' lists them; did you mean \"BALANCE\"?\n", errs)
	_, out, _ := emsim("__complete", "docs", "")
	require.Contains(t, out, "BALANCE\tAll balancing policies on common ground\n")
}

// The elements of a page have their text form.
func TestReadable(t *testing.T) {
	var b strings.Builder
	readable(&b, "# A *page*\n\nOne `two`, [three](OTHER.md#x), [FOUR.md](FOUR.md), <https://x.org>, "+
		"[five](https://y.org), [six](../six.go), **seven**.\nEight\n\n## Part\n\n"+
		"- a\n- b, which is a long item that needs more lines than one\n  1. c\n  2. d\n\n    text\n\n```sh\nemsim "+
		"run    fib\n```\n\n> quoted\n\n![A picture](x.svg)\n\n"+
		"| name | long words |\n|---|---|\n| x | a cell that does not fit into one line of this page |\n| `y` | "+
		"short |\n\n<!-- hidden -->\n", 40)
	require.Equal(t, `A page
======

One `+"`two`"+`, three (OTHER.md), FOUR.md,
https://x.org, five (https://y.org),
six, seven. Eight

Part
----

* a
* b, which is a long item that needs
  more lines than one
  1. c
  2. d

  text

    emsim run    fib

  quoted

(picture: A picture)

name  long words
---------------------------------------
x     a cell that does not fit into one
      line of this page

`+"`y`"+`   short
`, b.String())
}

// Texts of the program never refer to a file of the repository, which a release does not contain. The pages that they
// name can be shown.
func TestTextsNamePages(t *testing.T) {
	pages, err := docPages()
	require.NoError(t, err)
	shown := lists.Of(pages, func(p docPage) string { return p.name })
	file, page, named := regexp.MustCompile(`docs/\w+\.md`), regexp.MustCompile(`emsim docs\s+([A-Z]+)`), 0
	read := func(name, text string) {
		require.NotRegexp(t, file, text, name)
		for _, m := range page.FindAllStringSubmatch(text, -1) {
			named++
			require.Contains(t, append(shown, "PAGE"), m[1], name)
		}
	}
	require.NoError(t, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "dev" || d.Name() == "testdata" || d.Name() == "node_modules" ||
			d.Name() == ".git" || d.Name() == "tools" || d.Name() == "docs"):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				read(name, lit.Value)
			}
			return true
		})
		return nil
	}))
	for _, folder := range []string{"../../programs/start", "../draw/report"} {
		require.NoError(t, filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".s", ".html"}, filepath.Ext(name)) ||
				strings.Contains(name, "testdata") {
				return err
			}
			text, err := os.ReadFile(name)
			read(name, string(text))
			return err
		}))
	}
	require.Greater(t, named, 40)
}

// names calls f with every key of a JSON value, except the keys inside params and knobs, which depend on the program
// and the machine, and inside recipe, which docs/FORMATS.md describes.
func names(v any, f func(name string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			f(name)
			if name != "params" && name != "knobs" && name != "recipe" {
				names(x, f)
			}
		}
	case []any:
		for _, x := range v {
			names(x, f)
		}
	}
}

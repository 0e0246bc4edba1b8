package play

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// Words of the document, and imports from outside of the folder.
var ofDocument = regexp.MustCompile(`\b(document|window|page|getComputedStyle|HTML\w+|\w*Event|\w*Observer|` +
	`\w*EventListener|querySelector\w*|style\.\w+|client(?:Width|Height))\b|from "(?:\.\./|[^."])[^"]*"`)

// The modules that draw get a context, a size and data: they do not know the document, its parts or the rest of the
// page.
func TestDrawingKnowsNoDocument(t *testing.T) {
	names, err := fs.Glob(page, "page/draw/*.js")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := page.ReadFile(name)
		require.NoError(t, err)
		require.Empty(t, ofDocument.FindAllString(string(comments.ReplaceAll(text, nil)), -1), name)
	}
	for _, line := range []string{
		`import {page} from "../state/page.js";`, `import {x} from "codemirror";`, `document.body.dataset.mode`,
		`canvas.clientWidth`, `new ResizeObserver(f)`, `e.addEventListener("click", f)`,
	} {
		require.NotEmpty(t, ofDocument.FindString(line), line)
	}
}

// No module has more than 300 lines, and no line of the page's scripts and style more than 100 columns.
func TestModulesAreShort(t *testing.T) {
	err := fs.WalkDir(page, "page", func(name string, _ fs.DirEntry, err error) error {
		if ext := path.Ext(name); err != nil || ext != ".js" && ext != ".css" {
			return err
		}
		text, err := page.ReadFile(name)
		lines := strings.Split(string(text), "\n")
		if path.Ext(name) == ".js" {
			require.LessOrEqual(t, len(lines), 301, name)
		}
		for i, line := range lines {
			require.LessOrEqual(t, utf8.RuneCountInString(line), 100, "%s:%d", name, i+1)
		}
		return err
	})
	require.NoError(t, err)
}

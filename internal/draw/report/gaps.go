package report

import (
	"html/template"
	"regexp"
	"strings"

	"emsim/verify/explain"
)

// gapNotes are the gaps of docs/DEVIATIONS.md by their numbers.
func gapNotes() map[int]Gap {
	notes := map[int]Gap{}
	for n, g := range explain.Gaps() {
		notes[n] = Gap{Number: n, Said: marked(g.Rows), Tried: marked(g.Tried)}
	}
	return notes
}

var (
	codeSpan = regexp.MustCompile("`([^`]*)`")
	linkSpan = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// marked turns a cell of Markdown into HTML: code spans, and links as their
// text. Everything else is text.
func marked(cell string) template.HTML {
	safe := template.HTMLEscapeString(strings.TrimSpace(cell))
	safe = linkSpan.ReplaceAllString(safe, "$1")
	return template.HTML(codeSpan.ReplaceAllString(safe, "<code>$1</code>"))
}

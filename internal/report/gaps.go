package report

import (
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"emsim/docs"
)

// gapNotes reads the gaps' tables of docs/DEVIATIONS.md: lines of five cells
// that begin with a number. A gap without such a line has no text.
func gapNotes() map[int]Gap {
	notes := map[int]Gap{}
	for line := range strings.Lines(docs.Deviations) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) < 5 {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(cells[0]))
		if err != nil {
			continue
		}
		notes[n] = Gap{Number: n, Said: marked(cells[1]), Tried: marked(strings.Join(cells[4:], " | "))}
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

package explain

import (
	"regexp"
	"strconv"
	"strings"

	"emsim/docs"
)

// Gap is a known disagreement as docs/DEVIATIONS.md describes it, in Markdown.
type Gap struct {
	Number int
	Rows   string // the rows, and how they disagree
	Tried  string // what was tried to close it
}

// Gaps parses the tables of docs/DEVIATIONS.md, and returns the gaps by number. The lines have five cells and begin
// with a number. A gap without such a line is not returned.
func Gaps() map[int]Gap {
	gaps := map[int]Gap{}
	for line := range strings.Lines(docs.Deviations) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) < 5 {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(cells[0]))
		if err != nil {
			continue
		}
		gaps[n] = Gap{n, strings.TrimSpace(cells[1]), strings.TrimSpace(strings.Join(cells[4:], " | "))}
	}
	return gaps
}

var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plain returns the Markdown text of a table's cell as plain text.
func plain(cell string) string {
	return strings.ReplaceAll(link.ReplaceAllString(cell, "$1"), "`", "")
}

package command

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// grid is a table for people: names on the left, numbers to the right.
type grid struct {
	rows [][]string // the first holds the heads
	most int        // rows that are printed; 0: all
}

func newGrid(heads ...string) *grid { return &grid{rows: [][]string{heads}} }

// addRow adds a row.
func (g *grid) addRow(cells ...string) { g.rows = append(g.rows, cells) }

// write prints the table, and how many rows it leaves out.
func (g *grid) write(w io.Writer) error {
	shown := g.rows
	if g.most > 0 && len(shown)-1 > g.most {
		shown = shown[:1+g.most]
	}
	wide := make([]int, len(shown[0]))
	for _, r := range shown {
		for i, c := range r {
			wide[i] = max(wide[i], utf8.RuneCountInString(c))
		}
	}
	for _, r := range shown {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(c))
			if i == 0 {
				b.WriteString(c + pad)
			} else {
				b.WriteString("  " + pad + c)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	if n := len(g.rows) - len(shown); n > 0 {
		_, err := fmt.Fprintf(w, "... and %d more (--top 0 prints all)\n", n)
		return err
	}
	return nil
}

// wrapText breaks a text into lines of at most so many columns, between words.
// Japanese has no spaces and is broken anywhere, as is a word that is longer
// than a line.
func wrapText(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		wide := columns(word) > utf8.RuneCountInString(word)
		if line != "" && (!wide && columns(line)+1+columns(word) > width || columns(line)+3 > width) {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		for _, r := range word {
			if columns(line)+columns(string(r)) > width {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}

// columns is the width of a text on a terminal, where Japanese characters take
// two columns each.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x2e80 && r <= 0xffdc {
			n++
		}
	}
	return n
}

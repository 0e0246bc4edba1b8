package terminal

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
)

// Columns is a table for people: names on the left, numbers to the right.
type Columns struct {
	rows [][]string // the first holds the heads
}

// NewColumns returns a table with these heads.
func NewColumns(heads ...string) *Columns { return &Columns{rows: [][]string{heads}} }

// Add adds a row, with a cell for each head.
func (c *Columns) Add(cells ...string) { c.rows = append(c.rows, cells) }

// Write writes the table, at most a number of rows of it, and how many it leaves out; 0: all.
func (c *Columns) Write(w io.Writer, most int) {
	shown := c.rows
	if most > 0 && len(shown)-1 > most {
		shown = shown[:1+most]
	}
	wide := make([]int, len(shown[0]))
	for _, r := range shown {
		for i, text := range r {
			wide[i] = max(wide[i], ansi.StringWidth(text))
		}
	}
	for _, r := range shown {
		line := padRight(r[0], wide[0])
		for i, text := range r[1:] {
			line += "  " + padLeft(text, wide[i+1])
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	if n := len(c.rows) - len(shown); n > 0 {
		fmt.Fprintf(w, "... and %d more (--top 0 prints all)\n", n)
	}
}

// WriteLists writes lists, each after a blank line, at most a number of rows of each; 0: all.
func WriteLists(w io.Writer, all []answer.List, most int) {
	for _, l := range all {
		fmt.Fprintln(w)
		c := NewColumns(l.Heads...)
		for _, row := range l.Rows {
			c.Add(lists.Of(row, Cell)...)
		}
		if l.Whole {
			c.Write(w, 0)
			continue
		}
		c.Write(w, most)
	}
}

// Cell writes a cell of a list.
func Cell(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case answer.Percent:
		return answer.InPercent(float64(v))
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

func padRight(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(text))) + text
}

// writeNote writes the start of a line and a note, which is wrapped below itself.
func writeNote(w io.Writer, start, note string, width int) {
	at := ansi.StringWidth(start) + 2
	if note == "" {
		fmt.Fprintln(w, strings.TrimRight(start, " "))
		return
	}
	const narrowest = 24 // columns that a note needs [chosen]
	for i, line := range Wrap(note, max(narrowest, width-at)) {
		if i > 0 {
			start = strings.Repeat(" ", at-2)
		}
		fmt.Fprintln(w, start+"  "+line)
	}
}

// Wrap breaks a text into lines of at most width columns, between words.
// Japanese has no spaces and is broken anywhere, as is a word that is longer
// than a line.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		wide := ansi.StringWidth(word) > utf8.RuneCountInString(word)
		if line != "" && (!wide && ansi.StringWidth(line)+1+ansi.StringWidth(word) > width || ansi.StringWidth(line)+
			3 > width) {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		if ansi.StringWidth(line)+ansi.StringWidth(word) <= width {
			line += word
			continue
		}
		for _, r := range word {
			if ansi.StringWidth(line)+ansi.StringWidth(string(r)) > width {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
	}
	return append(lines, line)
}

package terminal

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
)

// WriteLists writes the lists that are not empty, each after a blank line.
func WriteLists(w io.Writer, all []answer.List, layout Layout) {
	for i := range all {
		if l := &all[i]; l.Heads != nil || l.Rows != nil || l.Notes != nil {
			fmt.Fprintln(w)
			writeList(w, l, layout)
		}
	}
}

// writeList writes a table, at most layout.Most rows of it, and how many rows it leaves out. Words are aligned left and
// numbers right. The table fits the terminal if its words can be broken. A list with a title and no heads is indented.
func writeList(w io.Writer, l *answer.List, layout Layout) {
	writeSentence(w, "", l.Title, layout)
	indent := map[bool]string{true: "  "}[l.Title != "" && l.Heads == nil]
	shown := l.Rows
	if layout.Most > 0 && !l.Whole && len(shown) > layout.Most {
		shown = shown[:layout.Most]
	}
	var rows [][]string
	if l.Heads != nil {
		rows = [][]string{l.Heads}
	}
	rows = append(rows, lists.Of(shown, func(row []any) []string { return lists.Of(row, Cell) })...)
	width := map[bool]int{false: layout.columns() - len(indent), true: math.MaxInt}[l.Unbroken]
	for _, lines := range Table(rows, min(1, len(l.Heads)), width) {
		fmt.Fprintln(w, indent+strings.Join(lines, "\n"+indent))
	}
	if n := len(l.Rows) - len(shown); n > 0 {
		fmt.Fprintf(w, "... and %d more (--top 0 prints all)\n", n)
	}
	for _, note := range l.Notes {
		writeSentence(w, indent, note, layout)
	}
}

// writeSentence writes a sentence, wrapped into lines. It writes nothing for "".
func writeSentence(w io.Writer, indent, text string, layout Layout) {
	if text == "" {
		return
	}
	for _, line := range Wrap(text, layout.columns()-len(indent)) {
		fmt.Fprintln(w, indent+line)
	}
}

// Table returns the lines of each row of a table, whose first rows are heads. Words are aligned left and numbers right.
// The table has at most width columns if its words can be broken.
func Table(rows [][]string, heads, width int) (all [][]string) {
	if len(rows) == 0 {
		return nil
	}
	words, wide := make([]bool, len(rows[0])), make([]int, len(rows[0]))
	for i := range words {
		words[i] = i == 0 || ofWords(rows[heads:], i)
		for _, r := range rows {
			wide[i] = max(wide[i], ansi.StringWidth(r[i]))
		}
	}
	gap := strings.Repeat(" ", narrow(wide, words, rows, width))
	for _, r := range rows {
		cells, height := make([][]string, len(r)), 1
		for i, text := range r {
			if cells[i] = []string{text}; ansi.StringWidth(text) > wide[i] {
				cells[i] = Wrap(text, wide[i])
			}
			height = max(height, len(cells[i]))
		}
		lines := make([]string, height)
		for y := range lines {
			for i, cell := range cells {
				pad := padLeft
				if words[i] {
					pad = padRight
				}
				lines[y] += pad(strings.Join(cell[min(y, len(cell)):min(y+1, len(cell))], ""), wide[i]) + gap
			}
			lines[y] = strings.TrimRight(lines[y], " ")
		}
		all = append(all, lines)
	}
	return all
}

// ofWords reports whether most cells of a column are words. A number, with its unit, begins with a digit or a sign and
// has few words; "-" and "n/a" count as neither.
func ofWords(rows [][]string, column int) bool {
	const fewWords = 6 // [chosen: "85 % (84 to 87) *"]
	words := 0
	for _, r := range rows {
		switch text := r[column]; {
		case text == "" || text == "-" || text == "n/a":
		case strings.ContainsAny(text[:1], "0123456789+-.") && len(strings.Fields(text)) <= fewWords:
			words--
		default:
			words++
		}
	}
	return words > 0
}

// narrow narrows columns until the table fits the terminal, and returns the gap between columns. It begins with columns
// whose cells need less than their heads, and continues with columns of words. Then it closes the gaps to one blank,
// and narrows words further. It breaks a number from its unit only if nothing else helps.
func narrow(wide []int, words []bool, rows [][]string, width int) (gap int) {
	const narrowest, longWord = 8, 16 // least width of words, and the longest unbroken word [chosen]
	gap = 2
	total := gap * (len(wide) - 1)
	for _, w := range wide {
		total += w
	}
	longest := func(texts []string) (least int) {
		for _, text := range texts {
			least = max(least, ansi.StringWidth(text))
		}
		return least
	}
	for step := 0; step < 5 && total > width; step++ {
		if step == 2 {
			gap, total = 1, total-(len(wide)-1)
		}
		room := make([]int, len(wide)) // by how much a column can become narrower
		for i := range wide {
			column := lists.Of(rows, func(r []string) string { return r[i] })
			switch word := longest(strings.Fields(strings.Join(column, " "))); {
			case step == 0:
				room[i] = wide[i] - longest(append(column[1:], strings.Fields(column[0])...))
			case step == 1 && words[i]:
				room[i] = wide[i] - longWord
			case step == 2 && words[i]:
				room[i] = wide[i] - max(narrowest, min(word, longWord))
			case step == 4 || step == 3 && words[i]:
				room[i] = wide[i] - word
			}
		}
		for ; total > width; total-- {
			most := slices.Index(room, slices.Max(room))
			if room[most] <= 0 {
				break
			}
			room[most]--
			wide[most]--
		}
	}
	return gap
}

// Cell returns the text of a cell of a list.
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

// writeNote writes the start of a line and then a note. Further lines of the note are aligned with its first line.
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

// measured matches the blank between a number and its unit.
var measured = regexp.MustCompile(`(\d) (%|m?s\b|pt\b|points\b)`)

// Wrap breaks text between words into lines of at most width columns, but not between a number and its unit. Japanese,
// which has no spaces, and words longer than a line are broken anywhere.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	const blank = "\x00" // unbroken
	for _, word := range strings.Fields(measured.ReplaceAllString(text, "$1"+blank+"$2")) {
		word = strings.ReplaceAll(word, blank, " ")
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

package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
)

// RunPage is a page about runs that a user chose: one, and others next to it.
type RunPage struct {
	Title, Version string
	Runs           []Seen
	Timeline       *Timeline // of the EM-4; nil for other machines
	Sections       []Section
}

// Seen is a run on a page.
type Seen struct {
	Name   string         // distinguishes it from the others
	Length string         // of the run, in words
	Answer *answer.Answer // nil if the run failed before it had one
	Knobs  []knob.Row     // of its machine
}

// Section is a part of a page: a figure, or tables.
type Section struct {
	ID, Title string
	Reads     string // how to read it
	SVG       template.HTML
	Parts     []Part
}

// Part is what a section says of one run, or of all.
type Part struct {
	Run    string // its name; "" for all runs
	Says   []string
	Tables []Table
}

// Table is a list as a page shows it: words to the left, numbers to the right, and a bar under each percentage of a
// column of percentages.
type Table struct {
	Caption string
	Heads   []Cell
	Rows    [][]Cell
	Notes   []string
}

// Cell is a cell of a table.
type Cell struct {
	Text   string
	Number bool   // its column has numbers
	Bar    string // length of the bar under it in per cent; "" for none
}

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *RunPage) Write(w io.Writer) error { return writeShown(w, "run.html", p) }

// newRunPage returns a page with the results of runs.
func newRunPage(title, version string, runs []Seen) *RunPage {
	p := &RunPage{Title: title, Version: version, Runs: runs}
	result := Section{ID: "numbers", Title: "Result"}
	for i, r := range runs {
		x := r.Answer
		if x == nil {
			continue
		}
		said := answer.List{Title: "in short", Whole: true}
		for _, row := range terminal.Head(x) {
			said.Add(row.Label, row.Value, row.Note)
		}
		came := x.Ran()
		if x.Result != "" {
			came += " = " + x.Result
		}
		result.Parts = append(result.Parts, p.part(i, append([]string{came + " on " + x.Machine}, x.Says...), said))
	}
	if numbers := p.numbers(); numbers.Rows != nil {
		result.Parts = append(result.Parts, Part{Tables: []Table{tableOf("", numbers)}})
	}
	if result.Parts != nil {
		p.Sections = []Section{result}
	}
	return p
}

// byRun returns a table with a column for each run, without rows.
func (p *RunPage) byRun(title, first string, last ...string) answer.List {
	names := lists.Of(p.Runs, func(r Seen) string { return r.Name })
	return answer.List{Title: title, Heads: slices.Concat([]string{first}, names, last), Whole: true}
}

// numbers returns a table of the runs' numbers. It leaves out numbers that are 0 in all runs, unless they are always
// shown. It has no rows if a run has no answer.
func (p *RunPage) numbers() answer.List {
	l := p.byRun("what the machine counted", "count", "meaning")
	if slices.ContainsFunc(p.Runs, func(r Seen) bool { return r.Answer == nil }) {
		return l
	}
	for _, f := range p.Runs[0].Answer.Numbers() {
		row, shown := []any{f.Name()}, f.Shown
		for _, r := range p.Runs {
			own := cmp.Or(r.Answer.Field(f.Key), f)
			v, _ := own.Float()
			row, shown = append(row, own.Cell(v)), shown || v != 0
		}
		if shown {
			l.Rows = append(l.Rows, append(row, f.Doc))
		}
	}
	return l
}

// settings returns the knobs of the machines after other rows.
func (p *RunPage) settings(rows [][]any) Section {
	l := p.byRun("parameters and knobs", "setting", "meaning")
	l.Rows = rows
	for i, k := range p.Runs[0].Knobs {
		values := lists.Of(p.Runs, func(r Seen) any { return r.Knobs[i].Text() })
		l.Rows = append(l.Rows, slices.Concat([]any{strings.ReplaceAll(k.Key, "_", " ")}, values, []any{k.Doc}))
	}
	return Section{ID: "settings", Title: "Settings", Parts: []Part{{Tables: []Table{tableOf("", l)}}}}
}

// part returns what a section says of the i-th run.
func (p *RunPage) part(i int, says []string, lists ...answer.List) Part {
	x, name := Part{Says: says}, ""
	if len(p.Runs) > 1 {
		name = p.Runs[i].Name
		x.Run = name
	}
	for _, l := range lists {
		x.Tables = append(x.Tables, tableOf(name, l))
	}
	return x
}

// mostRows is the largest number of rows that a page shows of a table that need not be whole.
const mostRows = 60

var (
	numeric = regexp.MustCompile(`^[-+]?[0-9][0-9.,]*( [^ ]+)?$|^[-–]?$`)
	perCent = regexp.MustCompile(`^(?:([0-9.]+) %|-)$`)
)

// tableOf returns a list of a run as a table; run is "" for a list of all runs.
func tableOf(run string, l answer.List) Table {
	t := Table{Caption: cmp.Or(l.Title, append(l.Heads, "")[0]), Notes: l.Notes}
	if run != "" {
		t.Caption = run + ": " + t.Caption
	}
	shown := l.Rows
	if !l.Whole && len(shown) > mostRows {
		shown = shown[:mostRows]
		t.Caption += fmt.Sprintf("; %d more rows", len(l.Rows)-mostRows)
	}
	for _, row := range shown {
		t.Rows = append(t.Rows, lists.Of(row, func(v any) Cell { return Cell{Text: terminal.Cell(v)} }))
	}
	t.Heads = lists.Of(l.Heads, func(head string) Cell { return Cell{Text: head} })
	for i := range len(append(t.Rows, nil)[0]) {
		every := func(is *regexp.Regexp) bool {
			return !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return !is.MatchString(row[i].Text) })
		}
		numbers, parts := every(numeric), every(perCent)
		for _, row := range append([][]Cell{t.Heads}, t.Rows...) {
			if len(row) == 0 { // without heads
				continue
			}
			row[i].Number = numbers
			if part := perCent.FindStringSubmatch(row[i].Text); parts && part != nil {
				row[i].Bar = part[1] // "" of "-"
			}
		}
	}
	return t
}

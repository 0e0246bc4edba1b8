package report

import (
	_ "embed"
	"html/template"
	"io"
)

// Page is everything that a report shows.
type Page struct {
	Version     string
	Papers      []*Paper
	Sensitivity *Sensitivity // nil without paper 003
	Timeline    *Timeline    // nil without paper 003
}

// Paper is the part of one paper.
type Paper struct {
	Seed    string // its number
	Title   string
	Machine string   // what was run on which machine, in a few sentences
	Command string   // that runs it
	Page    string   // of the documentation
	Knobs   []Knob   // of the machine
	Runs    []EM4Run // paper 003: each run that a row is measured on
	Rows    []Line
	Gaps    []Gap
	Figures []Figure

	OK, Gap, Bad int // rows: inside, known gap, neither

	prefix string // of its figures' names
}

// Machine is how one paper's machine is run.
type Machine struct {
	Seed    string // the paper
	Command string
	Knobs   []Knob
}

// Knob is one parameter of a machine.
type Knob struct {
	Key, Value, Unit, Range, Source, Doc string
}

// Figure is a plot inside the page.
type Figure struct {
	Name, Title, Source string
	SVG                 template.HTML
}

// Gap is a known disagreement [docs/DEVIATIONS.md].
type Gap struct {
	Number int
	Rows   []string
	Said   template.HTML // what it is about
	Tried  template.HTML // what was tried
}

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed timeline.js
var timelineJS string

// page is the template of the whole page.
var page = template.Must(template.New("page").Parse(pageHTML))

// Write writes the page as HTML. The same page is the same bytes.
func (p *Page) Write(w io.Writer) error {
	return page.Execute(w, struct {
		*Page
		Font, CSS template.CSS
		Script    template.JS
	}{p, figureFont(), template.CSS(pageCSS), template.JS(timelineJS)})
}

// Rows counts the rows of all papers: inside, known gaps, and those that are
// not ok.
func (p *Page) Rows() (ok, gap, bad int) {
	for _, x := range p.Papers {
		ok, gap, bad = ok+x.OK, gap+x.Gap, bad+x.Bad
	}
	return ok, gap, bad
}

// All is the number of rows of all papers.
func (p *Page) All() int {
	ok, gap, bad := p.Rows()
	return ok + gap + bad
}

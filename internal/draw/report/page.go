package report

import (
	_ "embed"
	"html/template"
	"io"

	"emsim/verify"
)

// Page is everything that a report shows.
type Page struct {
	Version     string
	Papers      []*Paper
	Sensitivity *Sensitivity // nil without paper 003
	Timeline    *Timeline    // nil without paper 003
}

// Paper is the page's part for one paper.
type Paper struct {
	Number  string // as in "003"
	Title   string
	Machine string   // what was run on which machine, in a few sentences
	Command string   // the command that runs it
	Page    string   // of the documentation
	Knobs   []Knob   // of the machine
	Runs    []EM4Run // paper 003: each run that a row is measured on
	Rows    []Line   // figures and claims of the paper
	Derived []Line   // what follows from the paper's figures
	Ours    []Line   // regressions: numbers of our own
	Gaps    []Gap
	Figures []Figure

	verify.Counts // of the rows, by class

	prefix string // of its figures' names
}

// Machine describes the machine of one paper.
type Machine struct {
	Paper   string // its number
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

//go:embed timeline.html
var timelineHTML string

// page is the template of the whole page.
var page = template.Must(template.Must(template.New("page").Parse(timelineHTML)).Parse(pageHTML))

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *Page) Write(w io.Writer) error {
	return page.Execute(w, struct {
		*Page
		Font, CSS template.CSS
		Script    template.JS
	}{p, figureFont(), template.CSS(pageCSS), template.JS(timelineJS)})
}

// Counts counts the rows of all papers by class.
func (p *Page) Counts() verify.Counts {
	all := verify.Counts{}
	for _, x := range p.Papers {
		for class, n := range x.Counts {
			all[class] = all[class].Plus(n)
		}
	}
	return all
}

package report

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"emsim/internal/base/escape"
	"emsim/internal/draw/figures"
	"emsim/verify"
	"emsim/verify/explain"
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
	Machine string // what was run on which machine, in a few sentences
	Command string // the command that runs it
	Page    string // of the documentation
	Knobs   []Knob // of the machine
	Rows    []Line // figures and claims of the paper
	Derived []Line // what follows from the paper's figures
	Ours    []Line // regressions: numbers of our own
	Gaps    []Gap
	Figures []Figure

	verify.Counts // of the rows, by class

	prefix string // of its figures' names
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

// paint draws the figure.
func (f *Figure) paint(ctx context.Context, x figures.Figure) error {
	svg, err := figures.Encode(ctx, x, x.Name+".svg")
	if err != nil {
		return fmt.Errorf("report: figure %s: %w", x.Name, err)
	}
	f.SVG, err = inline(svg, x.Title)
	return err
}

// paintRuns adds the figures of runs to their page, with the texts that say how to read them.
func paintRuns[R any](ctx context.Context, p *RunPage, list []figures.RunFigure[R], runs []R) error {
	for _, f := range list {
		x := Figure{Name: f.Name, Title: f.Title}
		if err := x.paint(ctx, f.FigureOf(runs, figures.OwnSize{})); err != nil {
			return err
		}
		p.Sections = append(p.Sections, Section{ID: "figure-" + f.Name, Title: f.Title, Reads: f.Reads, SVG: x.SVG})
	}
	return nil
}

// Gap is a known disagreement [docs/DEVIATIONS.md].
type Gap struct {
	Number int
	Rows   []string
	Said   template.HTML // what it is about
	Tried  template.HTML // what was tried
}

//go:embed *.html
var pages embed.FS

//go:embed page.css
var pageCSS string

//go:embed run.css
var runCSS string

//go:embed timeline.js
var timelineJS string

// templates are the pages. All have the figures' palette, and rules that use it.
var templates = template.Must(template.New("pages").Funcs(template.FuncMap{
	"css":    func() template.CSS { return template.CSS(figures.PageTheme() + pageCSS) },
	"runCSS": func() template.CSS { return template.CSS(runCSS) },
	"script": func() template.JS { return template.JS(timelineJS) },
}).ParseFS(pages, "*.html"))

// Write writes the page as HTML. Equal pages have equal bytes.
func (p *Page) Write(w io.Writer) error {
	return writeShown(w, "page.html", p)
}

// writeShown writes a page by the template with that name. The page's names and titles may be of unknown origin, so
// unprintable characters become escapes.
func writeShown(w io.Writer, name string, page any) error {
	plain := &escape.Writer{To: w}
	return errors.Join(templates.ExecuteTemplate(plain, name, page), plain.Flush())
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

// gapNotes returns the gaps of docs/DEVIATIONS.md by their numbers.
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

// size matches the size of an SVG in points, which the page replaces with the available room.
var size = regexp.MustCompile(`<svg width="([0-9.]+)pt" height="[0-9.]+pt"`)

// inline makes a stand-alone SVG part of a page: as wide as the page, and with a name for screen
// readers.
func inline(svg []byte, title string) (template.HTML, error) {
	at := size.FindSubmatchIndex(svg)
	if at == nil {
		return "", fmt.Errorf("report: the figure %q is not an SVG of the expected form", title)
	}
	width := svg[at[2]:at[3]]
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg role="img" aria-label="%s" style="width:100%%;max-width:%spt;height:auto"`,
		template.HTMLEscapeString(title), width)
	b.Write(svg[at[1]:])
	return template.HTML(b.String()), nil
}

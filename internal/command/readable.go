package command

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"emsim/internal/base/answer/terminal"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfm "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// readable writes Markdown as text, wrapped at some number of columns. It does not wrap code.
func readable(w io.Writer, markdown string, columns int) {
	r := &manual{source: []byte(markdown), columns: columns}
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(r.source))
	r.blocks(root, "")
	_, _ = io.WriteString(w, strings.TrimLeft(r.out.String(), "\n")) // the stream keeps its error
}

// manual formats the blocks of a page as lines.
type manual struct {
	source  []byte
	columns int
	mark    string // the mark of a list item, until its first line is written
	out     strings.Builder
}

// line writes a line, with the item's mark if it is the first line of an item.
func (r *manual) line(indent, text string) {
	indent = indent[:len(indent)-len(r.mark)] + r.mark
	r.mark = ""
	r.out.WriteString(strings.TrimRight(indent+text, " ") + "\n")
}

// space writes an empty line, except before the first block of an item.
func (r *manual) space() {
	if r.mark == "" {
		r.out.WriteString("\n")
	}
}

// blocks writes the blocks in a node, with an indent before each line.
func (r *manual) blocks(of ast.Node, indent string) {
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		switch x := n.(type) {
		case *ast.Heading:
			r.heading(r.inline(x), x.Level)
		case *ast.Paragraph:
			r.space()
			r.wrapped(r.inline(x), indent)
		case *ast.TextBlock:
			r.wrapped(r.inline(x), indent)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			r.space()
			for i := range n.Lines().Len() {
				at := n.Lines().At(i)
				r.line(indent, "    "+strings.TrimRight(string(at.Value(r.source)), "\n"))
			}
		case *ast.List:
			r.list(x, indent)
		case *ast.Blockquote:
			r.blocks(x, indent+"  ")
		case *gfm.Table:
			r.space()
			r.table(x, indent)
		}
	}
}

// heading writes a heading. It underlines the titles of the page and of its sections.
func (r *manual) heading(title string, level int) {
	r.space()
	r.wrapped(title, "")
	if level <= 2 {
		r.line("", strings.Repeat(string("=-"[level-1]), min(ansi.StringWidth(title), r.columns)))
	}
}

// wrapped writes text, wrapped to the page's width.
func (r *manual) wrapped(text, indent string) {
	for _, l := range terminal.Wrap(text, max(20, r.columns-len(indent))) {
		r.line(indent, l)
	}
}

// list writes the items of a list, and indents their further lines.
func (r *manual) list(x *ast.List, indent string) {
	if _, nested := x.Parent().(*ast.ListItem); !nested {
		r.space()
	}
	number := x.Start
	for item := x.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "* "
		if x.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		r.mark = mark
		r.blocks(item, indent+strings.Repeat(" ", len(mark)))
	}
}

// table writes a table, and makes its columns fit the page.
func (r *manual) table(x *gfm.Table, indent string) {
	var rows [][]string
	for row := x.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, r.inline(cell))
		}
		rows = append(rows, append(cells, make([]string, len(x.Alignments)-len(cells))...))
	}
	all, wide := terminal.Table(rows, 1, r.columns-len(indent)), 0
	isTall := func(lines []string) bool { return len(lines) > 1 }
	for _, line := range slices.Concat(all...) {
		wide = max(wide, ansi.StringWidth(line))
	}
	for i, lines := range all {
		if i > 1 && slices.ContainsFunc(all, isTall) {
			r.space() // if a row has several lines
		}
		for _, line := range lines {
			r.line(indent, line)
		}
		if i == 0 {
			r.line(indent, strings.Repeat("-", wide))
		}
	}
}

// inline returns the text in a block as one line. A link becomes its words and its target.
func (r *manual) inline(of ast.Node) string {
	var b strings.Builder
	for n := of.FirstChild(); n != nil; n = n.NextSibling() {
		switch x := n.(type) {
		case *ast.Text:
			b.Write(x.Segment.Value(r.source))
			if x.SoftLineBreak() || x.HardLineBreak() {
				b.WriteString(" ")
			}
		case *ast.String:
			b.Write(x.Value)
		case *ast.CodeSpan:
			b.WriteString("`" + r.inline(x) + "`")
		case *ast.AutoLink:
			b.Write(x.URL(r.source))
		case *ast.Image:
			b.WriteString("(picture: " + r.inline(x) + ")")
		case *ast.Link:
			words := r.inline(x)
			b.WriteString(words + leads(words, string(x.Destination)))
		case *ast.RawHTML:
		default:
			b.WriteString(r.inline(n))
		}
	}
	return b.String()
}

// leads returns the target of a link, a page or an address, unless the words already contain it.
func leads(words, to string) string {
	file, _, _ := strings.Cut(to, "#")
	switch {
	case strings.Contains(words, file):
		return ""
	case strings.Contains(to, "://"):
		return " (" + to + ")"
	case path.Ext(file) == ".md":
		return " (" + path.Base(file) + ")"
	}
	return ""
}

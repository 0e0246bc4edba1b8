package command

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"emsim/docs"
	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
)

// A docPage is a page of the documentation.
type docPage struct {
	name, title, text string // the text is Markdown
}

// docPages returns all pages by name, with the tour first, as an introduction.
func docPages() ([]docPage, error) {
	var list []docPage
	files, err := docs.Pages()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		if file == "README.md" {
			continue // the list of the pages itself
		}
		head, _, _ := strings.Cut(string(text), "\n")
		list = append(list, docPage{strings.TrimSuffix(file, ".md"), strings.TrimPrefix(head, "# "), string(text)})
	}
	i := slices.IndexFunc(list, func(p docPage) bool { return p.name == "tour" })
	return slices.Concat(list[i:i+1], list[:i], list[i+1:]), nil
}

func newDocsCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "docs [PAGE]", Annotations: aboutEmsim,
		Short: "Show a page of the documentation; without a page, list them",
		Long: `docs shows a page of the documentation, which is built into emsim, as text for the
terminal. PAGE is a name from the list, in upper or lower case. With --json the text
is the page's Markdown source.`,
		Example: "  emsim docs\n  emsim docs tour\n  emsim docs balance | less",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (list []cobra.Completion,
			_ cobra.ShellCompDirective,
		) {
			if pages, err := docPages(); err == nil && len(args) == 0 {
				list = described(pages, func(p docPage) (string, string) { return p.name, p.title })
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			pages, err := docPages()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listDocs(pages)
			}
			name := strings.TrimSuffix(path.Base(args[0]), ".md")
			p, known := lists.Find(pages, func(p docPage) bool { return strings.EqualFold(p.name, name) })
			if !known {
				return usagef("there is no page %q; 'emsim docs' lists them%s", args[0],
					suggest.DidYouMean(name, lists.Of(pages, func(p docPage) string { return p.name })))
			}
			answer := object{"page", p.name, "title", p.title, "text", p.text}
			return a.answer(answer, func(w io.Writer) { readable(w, p.text, a.columns()) })
		},
	}
}

// pageColumns describes the rows of 'emsim docs'.
var pageColumns = answer.Columns[docPage]{
	{Key: "page", Head: "page", Of: func(p docPage) any { return p.name }},
	{Key: "title", Head: "title", Of: func(p docPage) any { return p.title }},
}

// listDocs prints the list of pages.
func (a *app) listDocs(pages []docPage) error {
	x := &answer.Answer{
		Title: plural.Of(len(pages), "page"), Lists: []answer.List{pageColumns.List(pages)},
		Next: answer.Next{Command: "emsim docs PAGE", Why: "prints one"},
	}
	return a.answer(pageColumns.Objects(pages), a.shown(x))
}

// columns returns the width of text output: the width of the terminal, at most 100, or 80 if there is no terminal.
func (a *app) columns() int {
	if f := terminalOf(a.out); f != nil {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 20 {
			return min(width, 100) // chosen: longer lines are hard to read
		}
	}
	return 80
}

package main

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	chroma "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lead returns the page of a file or folder of the repository. The page is written later.
func (s *site) lead(name string) string {
	if page, known := s.pages[name]; known {
		return page
	}
	info, err := fs.Stat(s.root, name)
	if err != nil {
		s.fail(err)
		return ""
	}
	page := name + ".html"
	switch ext := path.Ext(name); {
	case info.IsDir():
		if _, err := fs.Stat(s.root, path.Join(name, "README.md")); err == nil {
			return s.lead(path.Join(name, "README.md"))
		}
		page = path.Join(name, "index.html")
	case name == "README.md":
		page = "index.html"
	case ext == ".md":
		page = strings.TrimSuffix(name, ext) + ".html"
	case slices.Contains([]string{".svg", ".csv", ".json", ".ipynb"}, ext): // browsers show these files directly
		page = name
	}
	s.pages[name] = page
	s.links = append(s.links, name)
	return page
}

// file writes the page of a file or folder of the repository.
func (s *site) file(name string) {
	to := s.pages[name]
	if entries, err := fs.ReadDir(s.root, name); err == nil {
		list := "# " + name + "\n\n"
		for _, e := range entries {
			list += fmt.Sprintf("* [%s](%[1]s)\n", e.Name())
		}
		s.markdown(to, name, list, true)
		return
	}
	content, err := fs.ReadFile(s.root, name)
	s.fail(err)
	switch {
	case to == name:
		s.files[to] = content
	case path.Ext(name) == ".md":
		s.markdown(to, path.Dir(name), string(content), false)
	default:
		s.markdown(to, path.Dir(name), fmt.Sprintf("# %s\n\n~~~~~~~~%s\n%s\n~~~~~~~~\n", name,
			strings.TrimPrefix(path.Ext(name), "."), content), true)
	}
}

// markdown adds a page. Its links are relative to the folder from.
func (s *site) markdown(to, from, source string, isSource bool) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM,
			highlighting.NewHighlighting(highlighting.WithFormatOptions(chroma.WithClasses(true)))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute(),
			parser.WithASTTransformers(util.Prioritized(&linker{s, to, from}, 0))),
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()), // the pages are our own
	)
	var body bytes.Buffer
	s.fail(md.Convert([]byte(source), &body))
	s.add(to, body.String(), isSource)
}

// linker rewrites the links of a page to links in the site, and adds links: from a picture to the picture alone, and
// from the name of a command to its help.
type linker struct {
	*site
	to, from string
}

// Transform implements parser.ASTTransformer.
func (l *linker) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var nodes []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range nodes {
		around := ""
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = l.address(n.Destination)
		case *ast.Image:
			n.Destination = l.address(n.Destination)
			around = string(n.Destination)
		case *ast.CodeSpan:
			if words := strings.Fields(codeOf(n, reader.Source())); len(words) > 1 && words[0] == "emsim" {
				if c, _, err := l.commands.Find(words[1:]); err == nil && c.HasParent() {
					around = relative(l.to, help(c))
				}
			}
		}
		if _, linked := n.Parent().(*ast.Link); around != "" && !linked {
			link := ast.NewLink()
			link.Destination = []byte(around)
			n.Parent().ReplaceChild(n.Parent(), n, link)
			link.AppendChild(link, n)
		}
	}
}

// codeOf returns the text of a code span.
func codeOf(n *ast.CodeSpan, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.Write(c.(*ast.Text).Segment.Value(source)) // a code span has no other nodes
	}
	return b.String()
}

// address returns the address on the site for a link on the page.
func (l *linker) address(link []byte) []byte {
	target, anchor, named := strings.Cut(string(link), "#")
	if target == "" || strings.Contains(target, ":") || strings.HasSuffix(target, ".html") {
		return link
	}
	to := relative(l.to, l.lead(path.Join(l.from, target)))
	if named {
		to += "#" + anchor
	}
	return []byte(to)
}

// relative returns the relative path from one page to another.
func relative(from, to string) string {
	way, _ := filepath.Rel(filepath.Dir(from), to)
	return filepath.ToSlash(way)
}

// help returns the path of a command's page.
func help(c *cobra.Command) string {
	return "commands/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".html"
}

// pageName matches the reference to a page in a help text.
var pageName = regexp.MustCompile(`emsim docs ([A-Z]+)\b`)

// command adds the help of a command and of its subcommands, with links to these and to the pages that it names.
func (s *site) command(c *cobra.Command) {
	text := pageName.ReplaceAllStringFunc(html.EscapeString(c.Long+"\n\n"+c.UsageString()), func(words string) string {
		return fmt.Sprintf("<a href=%q>%s</a>",
			relative(help(c), s.lead("docs/"+pageName.FindStringSubmatch(words)[1]+".md")), words)
	})
	for _, sub := range c.Commands() {
		text = strings.Replace(text, "\n  "+sub.Name()+
			" ", fmt.Sprintf("\n  <a href=%q>%s</a> ", relative(help(c), help(sub)), sub.Name()), 1)
		s.command(sub)
	}
	s.add(help(c), fmt.Sprintf("<h1 id=\"help\">%s</h1>\n<p>%s</p>\n<pre>%s</pre>", c.CommandPath(),
		html.EscapeString(c.Short), text), false)
}

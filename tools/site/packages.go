package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
)

// packages adds a page for each public package, with its examples, and a list of the packages.
func (s *site) packages() error {
	list := "# Packages\n\nThe models are packages of Go that programs may import; [emsim from Go and from " +
		"Python](docs/API.md) begins with a program.\n" +
		"What stays from version to version is in [the list of changes](CHANGELOG.md).\n\n| package | what it " +
		"is |\n|---|---|\n"
	err := fs.WalkDir(s.root, ".", func(folder string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || folder == "." {
			return err
		}
		if slices.Contains([]string{"internal", "cmd", "docs", "tools", "testdata"}, d.Name()) ||
			strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		short, err := s.pkg(folder)
		if short != "" {
			list += fmt.Sprintf("| [%s](%[1]s.html) | %s |\n", folder, short)
		}
		return err
	})
	s.markdown("api/index.html", ".", list, false)
	return err
}

// pkg adds the page of the package in a folder, and returns its description in one sentence. It returns "" if the
// folder has no package, or a program.
func (s *site) pkg(folder string) (short string, err error) {
	names, err := fs.Glob(s.root, path.Join(folder, "*.go"))
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		text, err := fs.ReadFile(s.root, name)
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return "", err
		}
		files = append(files, f)
	}
	if err != nil || len(files) == 0 || files[0].Name.Name == "main" {
		return "", err
	}
	p, err := doc.NewFromFiles(set, files, s.module+"/"+folder)
	if err != nil {
		return "", err
	}
	printer := p.Printer()
	printer.DocLinkBaseURL = "https://pkg.go.dev"
	view, err := template.New("package.md").Funcs(template.FuncMap{
		"comment": func(text string) string { return string(printer.Markdown(p.Parser().Parse(text))) },
		"code": func(node any) (string, error) {
			var out bytes.Buffer
			err := format.Node(&out, set, node)
			return out.String(), err
		},
	}).ParseFS(look, "look/package.md")
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = view.Execute(&out, p)
	s.markdown("api/"+folder+".html", ".", out.String(), false)
	return p.Synopsis(p.Doc), err
}

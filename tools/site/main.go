// Command site writes emsim's site into a folder: the pages of the documentation with
// their figures and every file that they name, the help of each command, the packages
// with their examples, a search, and the machine in the browser. It works on any web
// server, in any folder, and opened as files.
//
//	.ci/site FOLDER
//
//	main.go      the folder, the front page, the search
//	pages.go     pages of the documentation, their links, the help of commands
//	packages.go  packages with their examples
package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/command"
	"emsim/internal/play"
)

// main runs the command, whose working directory is the folder tools.
func main() { os.Exit(run(context.Background(), os.DirFS(".."), os.Args[1:], os.Stderr)) }

// run writes the site and returns the exit status. root is the repository.
func run(ctx context.Context, root fs.FS, args []string, errs io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(errs, "expected a folder: .ci/site FOLDER")
		return 2
	}
	engine, err := play.Engine(ctx, play.Cache(),
		func() { fmt.Fprintln(errs, "Building the engine that runs in the browser ...") })
	if err == nil {
		err = write(root, engine, args[0])
	}
	if err != nil {
		fmt.Fprintln(errs, "site:", err)
		return 1
	}
	return 0
}

//go:embed look/page.html look/package.md
var look embed.FS

//go:embed look/site.css
var style []byte

//go:embed look/site.js
var script []byte

var layout = template.Must(template.ParseFS(look, "look/page.html"))

// site holds the site's files by path. A file of the repository becomes a page when the first link to it is found.
type site struct {
	root     fs.FS
	module   string // the module's path
	commands *cobra.Command
	files    map[string][]byte
	pages    map[string]string // by file or folder of the repository
	links    []string          // these files and folders, in the order of their first links
	found    []part
	err      error // the first error
}

// part is a result of the search: a heading of a page, and the text below it.
type part struct {
	Page string `json:"page"`
	Head string `json:"head"`
	At   string `json:"at"`
	Text string `json:"text"`
}

// write writes the site of a repository into a folder. engine holds the engine's files.
func write(root fs.FS, engine map[string][]byte, folder string) error {
	mod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return fmt.Errorf("start it in the root of the repository: %w", err)
	}
	machine, err := play.NewSite(engine, nil)
	if err != nil {
		return err
	}
	s := &site{
		root: root, module: strings.Fields(string(mod))[1], commands: command.CommandTree(),
		files: map[string][]byte{}, pages: map[string]string{},
	}
	s.files["icon.svg"], s.files["site.css"], s.files["site.js"] = machine["icon.svg"], style, script
	for name, compiler := range map[string]bool{"play.html": true, "live.html": false} {
		s.files[name], err = machine.OneFile(compiler)
		s.fail(err)
	}
	s.lead("README.md")
	s.command(s.commands)
	for i := 0; i < len(s.links); i++ {
		s.file(s.links[i])
	}
	s.fail(s.packages())
	index, err := json.Marshal(s.found)
	s.fail(err)
	s.files["search.js"] = append([]byte("const parts = "), index...)
	for name, text := range s.files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		s.fail(os.MkdirAll(filepath.Dir(file), 0o777))
		s.fail(os.WriteFile(file, text, 0o666))
	}
	return s.err
}

func (s *site) fail(err error) { s.err = cmp.Or(s.err, err) }

// headings matches headings with an ID, to which the site and the search can link.
var (
	headings = regexp.MustCompile(`(?s)<h([1-4]) id="([^"]*)">(.*?)</h[1-4]>`)
	tags     = regexp.MustCompile(`<[^>]*>`)
)

// plain returns the text of a part of a page.
func plain(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(text, " "))), " ")
}

// add adds a page with its contents. The search omits pages of source code.
func (s *site) add(name, body string, source bool) {
	view := struct {
		Title, Root, Address string
		Front                bool
		Heads                []part
		Body                 template.HTML
	}{Title: name, Root: strings.Repeat("../",
		strings.Count(name, "/")), Front: name == "index.html", Body: template.HTML(body)}
	if host, _, _ := strings.Cut(s.module, "/"); strings.Contains(host, ".") {
		view.Address = s.module
	}
	at := append(headings.FindAllStringSubmatchIndex(body, -1), []int{len(body)})
	for i, m := range at[:len(at)-1] {
		p := part{Head: plain(body[m[6]:m[7]]), At: name + "#" + body[m[4]:m[5]], Text: plain(body[m[1]:at[i+1][0]])}
		if i == 0 {
			view.Title = p.Head
		}
		if p.Page = view.Title; !source {
			s.found = append(s.found, p)
		}
		if body[m[2]:m[3]] == "2" {
			view.Heads = append(view.Heads, part{Head: p.Head, At: "#" + body[m[4]:m[5]]})
		}
	}
	var out bytes.Buffer
	s.fail(layout.Execute(&out, view))
	s.files[name] = out.Bytes()
}

// Command modpath changes the module's path in every file of the repository:
//
//	go run ./internal/dev/modpath example.org/emsim
//
// It changes go.mod, the import paths in Go files, other Go strings that begin
// with the path and a slash, and the lines of README.md and docs that name the
// module in a go mod command. Look at the difference and run the tests.
package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() { os.Exit(run(".", os.Args[1:], os.Stdout, os.Stderr)) }

// run changes the repository below root, and returns the exit status.
func run(root string, args []string, out, errs io.Writer) int {
	if len(args) != 1 || strings.ContainsAny(args[0], " \t\"'`\\") || strings.Trim(args[0], "/") != args[0] || args[0] == "" {
		fmt.Fprintln(errs, "expected the new path of the module, for example: go run ./internal/dev/modpath example.org/emsim")
		return 2
	}
	n, err := changePath(root, args[0])
	if err != nil {
		fmt.Fprintln(errs, "modpath:", err)
		return 1
	}
	fmt.Fprintf(out, "%d files changed; run: gofmt -l . ; go vet ./... ; go test ./...\n", n)
	return 0
}

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// changePath changes the path in the tree below root and counts the files
// changed.
func changePath(root, path string) (changed int, err error) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	m := moduleLine.FindSubmatch(mod)
	if m == nil {
		return 0, fmt.Errorf("go.mod has no module line")
	}
	old := string(m[1])
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		var edit func(text []byte, old, path string) []byte
		switch ext := filepath.Ext(file); {
		case file == filepath.Join(root, "go.mod"):
			edit = func(text []byte, old, path string) []byte {
				return moduleLine.ReplaceAll(text, []byte("module "+path))
			}
		case ext == ".go":
			edit = goFile
		case ext == ".md":
			edit = changePage
		default:
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		next := edit(text, old, path)
		if bytes.Equal(text, next) {
			return nil
		}
		changed++
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(file, next, info.Mode())
	})
	return changed, err
}

// goFile changes the strings that begin with the path: imports, and the names of
// packages in tests and tools.
func goFile(text []byte, old, path string) []byte {
	var out bytes.Buffer
	var scan scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	scan.Init(file, text, nil, 0)
	imports := map[int]bool{} // where the path itself is imported
	if f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly); err == nil {
		for _, spec := range f.Imports {
			imports[int(spec.Path.Pos())-1] = true
		}
	}
	done := 0
	inner := regexp.MustCompile(`"` + regexp.QuoteMeta(old) + `/`) // in a text that is Go itself
	for {
		pos, tok, lit := scan.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		if tok != token.STRING || !strings.Contains(lit, old) {
			continue
		}
		next := lit
		switch {
		case lit == `"`+old+`"` && imports[at]:
			next = `"` + path + `"`
		case strings.HasPrefix(lit, `"`+old+`/`):
			next = `"` + path + strings.TrimPrefix(lit, `"`+old)
		case strings.HasPrefix(lit, "`"):
			next = inner.ReplaceAllString(lit, `"`+path+`/`)
		}
		out.Write(text[done:at])
		out.WriteString(next)
		done = at + len(lit)
	}
	out.Write(text[done:])
	return out.Bytes()
}

// changePage changes go mod commands, and imports in Go programs that a page
// shows.
func changePage(text []byte, old, path string) []byte {
	q := regexp.QuoteMeta(old)
	text = regexp.MustCompile(`(-require=|-replace=)`+q+`([@=])`).ReplaceAll(text, []byte("${1}"+path+"${2}"))
	return regexp.MustCompile(`(?m)^(\t"|import ")`+q+`/`).ReplaceAll(text, []byte("${1}"+path+"/"))
}

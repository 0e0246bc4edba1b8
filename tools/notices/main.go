// Command notices writes THIRD_PARTY_NOTICES.md with the licences of everything that is linked into emsim. 'go generate
// .' runs it.
//
//	main.go     the linked modules, from go list
//	licence.go  their licence texts, from the module cache
//	page.go     the page
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the page to the file in args, and returns the exit status.
func run(args []string, errs io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(errs, "usage: notices FILE (run it as: go generate .)")
		return 2
	}
	text, err := noticesPage()
	if err == nil {
		err = os.WriteFile(args[0], []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	return 0
}

// systems lists the systems for which emsim is built; they link different packages.
var systems = []string{"linux", "darwin", "windows"}

// A module is a module linked into emsim on some system.
type module struct {
	Path, Version, Dir string
	packages           map[string]bool // directories of the linked packages
}

// linked returns the modules, sorted by path.
func linked() ([]*module, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "emsim").Output()
	if err != nil {
		return nil, fmt.Errorf("go list of the module emsim: %w", err)
	}
	all := map[string]*module{}
	for _, system := range systems {
		list := exec.Command("go", "list", "-deps", "-json=Dir,Module", "emsim/cmd/emsim")
		list.Dir = strings.TrimSpace(string(root)) // the module tools may choose other versions
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		var problem strings.Builder
		list.Stderr = &problem
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w: %s", system, err, problem.String())
		}
		if err := collect(all, strings.NewReader(string(out))); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *module) int { return cmp.Compare(a.Path, b.Path) }), nil
}

// collect adds the modules in the output of go list. Packages without a module belong to the standard library.
func collect(all map[string]*module, out io.Reader) error {
	for d := json.NewDecoder(out); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
				Replace            *struct{ Path string }
			}
		}
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("the output of go list: %w", err)
		case p.Module == nil || p.Module.Main:
			continue
		case p.Module.Replace != nil:
			return fmt.Errorf("%s is replaced by %s; say here whose licence counts", p.Module.Path,
				p.Module.Replace.Path)
		}
		m := all[p.Module.Path]
		if m == nil {
			m = &module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir, packages: map[string]bool{}}
			all[m.Path] = m
		}
		m.packages[p.Dir] = true
	}
}

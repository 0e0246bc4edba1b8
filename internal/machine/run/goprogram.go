//go:build !js

package run

import (
	"bytes"
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/compile"
	"emsim/internal/compile/cut"
	"emsim/internal/compile/ir"
	"emsim/programs"
)

// policyText describes the file of a policy.
var policyText = input.Want{
	What: "a policy", Kinds: []input.Kind{input.Assembly}, Most: 1 << 20,
	Why: "a hundred times what a PE's memory holds",
}

// goText describes the file of a Go program.
var goText = input.Want{
	What: "a Go program", Kinds: []input.Kind{}, Most: 1 << 20,
	Why: "a hundred times what a PE's memory holds",
}

// GoProgram is a compiled Go program.
type GoProgram struct {
	Name, Text string            // the file, and its assembly text
	Params     map[string]string // parameters of the assembly text
	Options    compile.Options
	Plan       *Placement // of placement auto or measured; otherwise nil

	source []byte
}

// CompileGo compiles the program of the run. The run's parameters are options of the compiler and parameters of the
// assembly text. CompileGo chooses the values that they leave open, unless Plan already holds that choice.
func (s *Spec) CompileGo() (*GoProgram, error) {
	opt, rest, err := compile.TakeOptions(s.Params)
	if err != nil {
		return nil, err
	}
	src, err := ReadGo(s.Program)
	if err != nil {
		return nil, err
	}
	if s.Plan == nil && opt.Placement != "" && opt.Placement != compile.Given {
		if s.Plan, err = s.place(src); err != nil {
			return nil, err
		}
	}
	g := &GoProgram{Name: s.Program, Params: rest, Options: opt, Plan: s.Plan, source: src}
	if s.Plan != nil {
		g.Options = s.Plan.Options
		g.Params = map[string]string{"policy": s.Plan.Policy, "mlpe": s.Plan.MLPE}
		maps.Copy(g.Params, rest)
	}
	g.Text, err = compile.Compile(s.Program, src, g.Options)
	return g, besides(s.Program, err)
}

// GoGraph cuts a Go program into its strongly connected blocks.
func GoGraph(name string, params map[string]string) (*cut.Graph, error) {
	return madeOf(name, params, compile.NewGraph)
}

// GoForm returns the intermediate representation of a Go program.
func GoForm(name string, params map[string]string) (*ir.Program, error) {
	p, err := madeOf(name, params, compile.IR)
	return p, besides(name, err)
}

// madeOf calls compiled for a Go program, with the compiler options among its parameters.
func madeOf[T any](name string, params map[string]string,
	compiled func(name string, src []byte, opt compile.Options) (T, error),
) (made T, err error) {
	opt, _, err := compile.TakeOptions(params)
	if err != nil {
		return made, err
	}
	src, err := ReadGo(name)
	if err != nil {
		return made, err
	}
	return compiled(name, src, opt)
}

// ReadGo reads a Go program: a file, the files in a folder that form its package, as for go run, or several files
// separated by spaces.
func ReadGo(name string) ([]byte, error) {
	if err := exists(name); err != nil {
		return nil, err
	}
	files, err := GoFiles(name)
	if err != nil {
		return nil, simerr.Usagef("cannot read the program: %w", err)
	}
	var texts [][]byte
	for _, file := range files {
		text, err := goText.Read(file)
		if err != nil {
			return nil, simerr.Usagef("cannot read the program: %w", err)
		}
		texts = append(texts, text)
	}
	if len(files) == 1 && files[0] == name {
		return texts[0], nil
	}
	return compile.Bundle(files, texts), nil
}

// GoFiles returns the files of a Go program, which is a file, a folder, or several files separated by spaces. It
// returns a file system error, or an error if the folder has no such files.
func GoFiles(name string) (files []string, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return strings.Split(name, " "), nil
	case !info.IsDir():
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	context := build.Default
	context.OpenFile = func(name string) (io.ReadCloser, error) {
		text, err := goText.Read(name)
		return io.NopCloser(bytes.NewReader(text)), err
	}
	for _, e := range entries {
		mine, unread := context.MatchFile(name, e.Name())
		if mine = mine || unread != nil; mine && filepath.Ext(e.Name()) == ".go" &&
			!strings.HasSuffix(e.Name(), "_test.go") {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s is a folder without Go files: expected a package, or the name of a program", name)
	}
	return files, err
}

// besides adds a hint to an "undefined" error: the name may be in another file of the same folder.
func besides(name string, err error) error {
	var wrong asm.Errors
	dir := filepath.Dir(name)
	files, _ := GoFiles(dir)
	if !errors.As(err, &wrong) || len(files) < 2 || !slices.Contains(files, filepath.Clean(name)) {
		return err
	}
	for _, e := range wrong.List {
		if strings.HasPrefix(e.Message, "undefined: ") {
			e.Message += fmt.Sprintf(". As with go run, only this file is compiled: name the others as well, or "+
				"the folder, emsim run %s", filepath.ToSlash(dir))
		}
	}
	return err
}

// Assemble assembles the output of the compiler.
func (g *GoProgram) Assemble() (*asm.Object, error) {
	made := g.Name + ".s"
	o, _, err := asm.Assemble(made, asm.Options{
		Params: g.Params, Library: programs.Library(), OpenValue: OpenPolicy,
		Made: &asm.Made{File: g.Name, Text: g.source},
		Open: func(path string) ([]byte, error) {
			if path != made {
				return nil, fs.ErrNotExist
			}
			return []byte(g.Text), nil
		},
	})
	return o, err
}

// OpenPolicy reads a policy file. If the policy is in Go, OpenPolicy compiles it.
func OpenPolicy(name string) ([]byte, error) {
	text, err := policyText.Read(name)
	if err != nil || filepath.Ext(name) != ".go" {
		return text, err
	}
	made, err := compile.Policy(filepath.ToSlash(name), text)
	return []byte(made), err
}

// loadGoFrom works like LoadFrom, for a program in Go, which reads no other file.
func loadGoFrom(files fs.FS, name string) (*asm.Object, error) {
	text, err := goText.ReadIn(files, name)
	if err != nil {
		return nil, simerr.Usagef("cannot read the program: %w", err)
	}
	g := &GoProgram{Name: name, source: text}
	if g.Text, err = compile.Compile(name, text, g.Options); err != nil {
		return nil, err
	}
	return g.Assemble()
}

func (s *Spec) loadGo() (*asm.Object, error) {
	g, err := s.CompileGo()
	if err != nil {
		return nil, err
	}
	return g.Assemble()
}

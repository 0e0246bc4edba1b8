// Package programs holds the dataflow programs included in emsim, and turns
// object files into what a machine loads.
//
//	*.s          the programs: docs/PROGRAMS.md
//	lib/*.s      files that they include: placement, calls, trees, initial phases on all PEs, remote reads
//	lib/policy   placement policies
//	go/*/*.go    some of the programs in Go
//	start/*      small programs for users to start from
//	programs.go  assembling, loading
//	start.go     the table of the programs in start
//	policy.go    policies in users' files
//	table.go     the table of the programs
//	answer.go    the answer of each program, computed in Go
//
// Chosen: everything except fib and the policies [003 §3.2, §4.1].
package programs

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/gotype"
)

//go:embed *.s lib/*.s lib/policy/*.s
var sources embed.FS

//go:embed lib/*.s lib/policy/*.s
var library embed.FS

//go:embed go/*/*.go
var goSources embed.FS

// Library returns the files that every program can include by name, such as lib/place.s; see docs/MACROS.md.
func Library() fs.FS { return library }

// Assemble assembles a built-in program with the given values of its parameters.
func Assemble(name string, params map[string]string) (*asm.Object, error) {
	return AssembleWith(name, asm.Options{Params: params})
}

// AssembleWith works like Assemble, with parameters and OpenValue from opt.
func AssembleWith(name string, opt asm.Options) (*asm.Object, error) {
	opt.Open = func(p string) ([]byte, error) { return sources.ReadFile(path.Clean(p)) }
	o, _, err := asm.Assemble(name+".s", opt)
	return o, err
}

// Source returns the text of a file of a built-in program, and whether there is one. file is the name in an object.
func Source(file string) (string, bool) {
	text, err := sources.ReadFile(path.Clean(file))
	return string(text), err == nil
}

// GoSource returns the text of a built-in program in Go, such as fib.go, and whether there is one.
func GoSource(file string) (string, bool) {
	name, _ := strings.CutSuffix(file, ".go")
	text, err := goSources.ReadFile("go/" + name + "/" + file)
	return string(text), err == nil
}

// Load converts an object into the contents of every PE's memory.
func Load(o *asm.Object) (em4.Program, error) {
	p := em4.Program{Init: o.Init, PerPE: o.PerPE, Name: func(addr uint32) string { return nameOf(o, addr) }}
	for i := range o.Sections {
		s := &o.Sections[i]
		p.Words = max(p.Words, s.End())
		for j, w := range s.Words {
			cell := em4.Cell{Addr: s.Start + uint32(j), Word: w}
			if s.Kind == asm.Code {
				p.Code = append(p.Code, cell)
			} else if w != 0 {
				p.Data = append(p.Data, cell)
			}
		}
	}
	for _, s := range o.Symbols {
		if s.Kind == asm.Template {
			p.Templates = append(p.Templates, em4.Template{Name: s.Name, Reach: s.Reach})
		}
	}
	for _, a := range o.Args {
		p.Args = append(p.Args, a.Entry)
	}
	if o.Start != nil {
		p.Args = append(p.Args, *o.Start)
	}
	if len(p.Args) == 0 {
		return p, fmt.Errorf("the program declares neither .arg nor .start: nothing says where it begins")
	}
	if FromGo(o) {
		p.Results, _ = gotype.Words(o.Result)
		if i := slices.IndexFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == "go.size" }); i >= 0 {
			at := uint32(o.Symbols[i].Value)
			p.Size = &at
		}
	}
	return p, nil
}

// FromGo reports whether a program is made of Go: the block that gets the start packet comes from a Go file.
func FromGo(o *asm.Object) bool {
	start := o.Start
	if n := len(o.Args); n > 0 {
		start = &o.Args[n-1].Entry
	}
	if start == nil {
		return false
	}
	file, _, _ := o.LineAt(*start)
	return path.Ext(file) == ".go"
}

// nameOf returns the name of an address by the nearest symbol or the source line.
func nameOf(o *asm.Object, addr uint32) string {
	name, offset, ok := o.SymbolAt(addr)
	file, line, known := o.LineAt(addr)
	switch {
	case ok && offset > 0:
		name = fmt.Sprintf("%s + %d", name, offset)
	case !ok:
		name = "no symbol"
	}
	if known {
		name += fmt.Sprintf(", line %d of %s", line, file)
	}
	return name
}

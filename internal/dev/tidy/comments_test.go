package tidy

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

func checkComments(r *repo) []finding {
	var out []finding
	documented, first := map[string]bool{}, map[string]*source{}
	var order []string
	for _, s := range r.goFiles(func(s *source) bool { return !s.isTest() && !within(s.dir(), "tools") }) {
		if first[s.dir()] == nil {
			first[s.dir()] = s
			order = append(order, s.dir())
		}
		documented[s.dir()] = documented[s.dir()] || s.code.Doc != nil
		if s.code.Name.Name == "main" {
			continue // it is never imported
		}
		for _, d := range s.code.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if wantsComment(d) && d.Doc == nil {
					out = append(out, undocumented(r, d.Name.Pos(), funcName(d)))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					out = append(out, checkSpec(r, d, spec)...)
				}
			}
		}
	}
	for _, dir := range order {
		if !documented[dir] {
			out = append(out, r.find(first[dir].code.Package,
				"package %s has no comment; say in doc.go what it models and list its files", dir))
		}
	}
	return out
}

// wellKnown lists methods whose names explain them.
var wellKnown = []string{"Error", "String", "Unwrap"}

// wantsComment reports whether a function is exported or a method of an exported type, and so needs a comment.
func wantsComment(f *ast.FuncDecl) bool {
	switch {
	case !ast.IsExported(f.Name.Name):
		return false
	case f.Recv == nil:
		return true
	}
	return ast.IsExported(typeName(f.Recv.List[0].Type)) && !slices.Contains(wellKnown, f.Name.Name)
}

func undocumented(r *repo, at token.Pos, name string) finding {
	return r.find(at, "exported %s has no doc comment; say what it means, its unit, range and errors", name)
}

// checkSpec requires a comment above or next to every exported name of a declaration. A comment on a group of constants
// or variables counts for all.
func checkSpec(r *repo, d *ast.GenDecl, spec ast.Spec) []finding {
	var out []finding
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if !ast.IsExported(spec.Name.Name) {
			return nil
		}
		if spec.Doc == nil && (d.Lparen.IsValid() || d.Doc == nil) && spec.Comment == nil {
			out = append(out, undocumented(r, spec.Name.Pos(), spec.Name.Name))
		}
		if i, ok := spec.Type.(*ast.InterfaceType); ok {
			out = append(out, checkMethods(r, spec.Name.Name, i)...)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if ast.IsExported(name.Name) && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				out = append(out, undocumented(r, name.Pos(), name.Name))
			}
		}
	}
	return out
}

// checkMethods requires a comment on the methods of an interface that has
// several; a single one is explained by the interface's own comment.
func checkMethods(r *repo, name string, i *ast.InterfaceType) []finding {
	var out []finding
	if len(i.Methods.List) < 2 {
		return nil
	}
	for _, m := range i.Methods.List {
		for _, n := range m.Names {
			if ast.IsExported(n.Name) && m.Doc == nil && m.Comment == nil {
				out = append(out, undocumented(r, n.Pos(), name+"."+n.Name))
			}
		}
	}
	return out
}

func TestCommentsCanFail(t *testing.T) {
	expect(t, checkComments, `
-- mnc/doc.go --
// Package mnc is documented.
package mnc
-- mnc/m.go --
package mnc
// F is.
func F() {}
func f() {}
type t int
func (t) Do() {}
// X is.
type X int
func (X) String() string { return "" }
// Kinds.
const (
	A = 1
	B = 2
)
var (
	C = 1 // beside
	// D is above.
	D = 2
)
// One has one method.
type One interface{ Do() }
-- mnc/m_test.go --
package mnc
func Test() {}
-- cmd/emsim/main.go --
// Command emsim.
package main
func Exported() {}
`)
	expect(t, checkComments, `
-- mnc/m.go --
package mnc
func F() {}
type T struct{}
func (t *T) M() {}
const A = 1
var B, C = 1, 2
// Two has two methods.
type Two interface {
	Do()
	Undo() // takes back
}
type (
	U int
)
`,
		"mnc/m.go:2: exported F has no doc comment; say what it means",
		"mnc/m.go:3: exported T has",
		"mnc/m.go:4: exported T.M has",
		"mnc/m.go:5: exported A has",
		"mnc/m.go:6: exported B has",
		"mnc/m.go:6: exported C has",
		"mnc/m.go:9: exported Two.Do has",
		"mnc/m.go:13: exported U has",
		"mnc/m.go:1: package mnc has no comment",
	)
}

package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A program's file contains more than the program: func main, code that prints the answer, and code for its
// author's tests. Only the declarations that the entry and func init reach are compiled. The others are for Go
// alone, and may use any package and any type.

// reach removes the declarations that the entry and func init do not reach. It returns the type errors in the rest, and
// errors about names that are declared twice.
func (c *compiler) reach(wrong []types.Error) []types.Error {
	at := map[types.Object]ast.Node{} // the declarations of the package and its methods
	var due []ast.Node
	for _, d := range c.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			at[c.info.Defs[d.Name]] = d
			if isEntry(d) || d.Name.Name == "init" && d.Recv == nil {
				due = append(due, d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						at[c.info.Defs[name]] = s
					}
				case *ast.TypeSpec:
					at[c.info.Defs[s.Name]] = s
				}
			}
		}
	}
	delete(at, nil) // unknown names have no object
	reached := map[ast.Node]bool{}
	for ; len(due) > 0; due = due[1:] {
		if reached[due[0]] {
			continue
		}
		reached[due[0]] = true
		ast.Inspect(due[0], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if to := at[origin(c.info.Uses[id])]; to != nil {
					due = append(due, to)
				}
			}
			return true
		})
	}
	var left []ast.Node // in the order of the text
	leave := func(n ast.Node) bool {
		if _, isImport := n.(*ast.ImportSpec); isImport || reached[n] {
			return false
		}
		left = append(left, n)
		return true
	}
	c.file.Decls = slices.DeleteFunc(c.file.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			return leave(d)
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return leave(s) })
		return len(g.Specs) == 0
	})
	return slices.DeleteFunc(wrong, func(e types.Error) bool {
		i, found := slices.BinarySearchFunc(left, e.Pos, func(n ast.Node, at token.Pos) int { return int(n.Pos() - at) })
		return (found || i > 0 && e.Pos < left[i-1].End()) && !strings.Contains(e.Msg, "redeclared in this block")
	})
}

// origin returns the declared function of a function with type arguments, and other objects themselves.
func origin(o types.Object) types.Object {
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

// isEntry reports whether a function has a directive that makes it the entry.
func isEntry(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(line *ast.Comment) bool {
		rest, ok := strings.CutPrefix(line.Text, "//emsim:")
		return ok && !strings.HasPrefix(rest, "at")
	})
}

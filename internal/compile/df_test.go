package compile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler's declarations are those of the package.
func TestDfIsThePackage(t *testing.T) {
	src, err := os.ReadFile("../../df/df.go")
	require.NoError(t, err)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "df.go", src, 0)
	require.NoError(t, err)
	conf := types.Config{IgnoreFuncBodies: true, DisableUnusedImportCheck: true, Error: func(error) {}}
	whole, _ := conf.Check(dfPath, fset, []*ast.File{f}, nil)
	ours, err := dfImporter{}.Import(dfPath)
	require.NoError(t, err)
	exported := func(p *types.Package) (list []string) {
		for _, name := range p.Scope().Names() {
			if o := p.Scope().Lookup(name); o.Exported() {
				list = append(list, types.ObjectString(o, nil))
			}
		}
		return list
	}
	require.Equal(t, exported(whole), exported(ours))
	_, err = dfImporter{}.Import("fmt")
	require.Error(t, err)
}

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
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range []string{"df.go", "array.go"} {
		src, err := os.ReadFile("../../df/" + name)
		require.NoError(t, err)
		f, err := parser.ParseFile(fset, name, src, 0)
		require.NoError(t, err)
		files = append(files, f)
	}
	conf := types.Config{IgnoreFuncBodies: true, DisableUnusedImportCheck: true, Error: func(error) {}}
	whole, _ := conf.Check(dfPath, fset, files, nil)
	ours, err := dfImporter{}.Import(dfPath)
	require.NoError(t, err)
	exported := func(p *types.Package) (list []string) {
		for _, name := range p.Scope().Names() {
			if o := p.Scope().Lookup(name); o.Exported() {
				list = append(list, types.ObjectString(o, nil))
				set := types.NewMethodSet(types.NewPointer(o.Type()))
				for i := range set.Len() {
					list = append(list, set.At(i).String())
				}
			}
		}
		return list
	}
	require.Equal(t, exported(whole), exported(ours))
	_, err = dfImporter{}.Import("fmt")
	require.Error(t, err)
}

package compile_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/internal/dev/golden"
)

// Programs with one mistake each get one message, as recorded. Files of testdata/refused have the programs without the
// lines that all of them need.
func TestRefusals(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var b strings.Builder
		for _, program := range strings.Split(string(text), "----\n") {
			src := complete(program)
			e := refused(t, src)
			isRefusal := slices.ContainsFunc(compile.Language(), func(r compile.Refusal) bool { return r.Says(e.Message) })
			if !strings.Contains(e.Message+e.Source, "//emsim:") {
				require.Equal(t, goAccepts(src), isRefusal, "%v\n%s", e, src)
			}
			fmt.Fprintf(&b, "%s\n\n", strings.TrimRight(e.Text(), "\n"))
		}
		golden.Check(t, "refused/"+strings.TrimSuffix(filepath.Base(file), ".txt")+".golden", []byte(b.String()))
	}
}

// refused returns the only error of a program.
func refused(t *testing.T, src string) *asm.Error {
	t.Helper()
	_, err := compile.Compile("p.go", []byte(src), compile.Options{})
	var list asm.Errors
	require.True(t, errors.As(err, &list), "accepted: %v\n%s", err, src)
	require.Equal(t, 1, len(list.List)+list.More, "%v\n%s", err, src)
	require.Contains(t, list.List[0].Text(), "^", src)
	return list.List[0]
}

var withImports = importer.ForCompiler(token.NewFileSet(), "source", nil)

// goAccepts reports whether Go accepts a program, on a machine whose words have 32 bits.
func goAccepts(src string) bool {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	conf := types.Config{Importer: withImports, Sizes: types.SizesFor("gc", "386")}
	if err != nil || f.Name.Name != "main" {
		return false
	}
	_, err = conf.Check("main", fset, []*ast.File{f}, nil)
	return err == nil && !slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		x, isFunc := d.(*ast.FuncDecl)
		return isFunc && x.Body == nil
	})
}

// complete adds the package, the import of df and the entry's directive to a program where they are missing.
func complete(program string) string {
	if !strings.Contains(program, "//emsim:") {
		program = strings.Replace(program, "func f(", "//emsim:arg n 0 9\nfunc f(", 1)
	}
	if strings.Contains(program, "df.") {
		program = "import \"emsim/df\"\n\n" + program
	}
	if !strings.HasPrefix(program, "package ") {
		program = "package main\n\n" + program
	}
	return program
}

// DATAFLOW.md lists all parts of Go that have no translation. The program of each is refused for this part alone, and
// Go accepts it.
func TestLanguage(t *testing.T) {
	want := "| no translation | as in | what the compiler says, and what to write |\n|---|---|---|\n"
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for i, r := range compile.Language() {
		src := r.Program
		if body, rest, _ := strings.Cut(src, "\n"); !strings.Contains(src, "func f(") && !strings.Contains(src, "//emsim:") {
			src = "func f(n int32) int32 {\n\t" + body + "\n\treturn n\n}\n" + rest
		}
		src = complete(src)
		e := refused(t, src)
		for _, x := range compile.Language() {
			require.Equal(t, x.Part == r.Part, x.Says(e.Message), "%s: %s\n%s", x.Part, e.Message, src)
		}
		write(fmt.Sprintf("p%d.go", i), besideOthers(t, src, i))
		lines := strings.FieldsFunc(r.Program, func(r rune) bool { return r == '\n' })
		shown := "`" + strings.Join(lines, "`<br>`") + "`"
		want += fmt.Sprintf("| %s | %s | %s |\n", r.Part, bars.Replace(shown), bars.Replace(e.Message))
	}
	inPage(t, "refused", want)
	write("main.go", "package main\n\nfunc main() {}\n")
	write("go.mod", "module emsim\n\ngo 1.26.0\n")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "df"), os.DirFS("../../df")))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOARCH=386", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// bars writes what would end the cell of a table.
var bars = strings.NewReplacer("|", `\|`)

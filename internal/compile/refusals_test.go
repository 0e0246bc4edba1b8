package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/internal/dev/golden"
)

// Programs with mistakes get the recorded errors. Files of testdata/refused have the programs without the lines
// that all of them need.
func TestRefusals(t *testing.T) {
	files, err := filepath.Glob("testdata/refused/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var b strings.Builder
		for _, program := range strings.Split(string(text), "----\n") {
			src := complete(program)
			_, err := compile.Compile("p.go", []byte(src), compile.Options{})
			var list asm.Errors
			if !errors.As(err, &list) {
				t.Errorf("accepted: %v\n%s", err, program)
			}
			for _, e := range list.List {
				require.Contains(t, e.Text(), "^", src)
				fmt.Fprintln(&b, strings.TrimRight(e.Text(), "\n"))
			}
			fmt.Fprintln(&b)
		}
		golden.Check(t, "refused/"+strings.TrimSuffix(filepath.Base(file), ".txt")+".golden", []byte(b.String()))
	}
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

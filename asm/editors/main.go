// Command editors writes the syntax files of docs/syntax from the table of
// instructions and the list of directives: go generate ./asm
//
//	main.go        writes all files
//	rules.go       the words of the language, as regular expressions
//	vscode.go      Visual Studio Code: an extension with a TextMate grammar
//	codemirror.go  CodeMirror 6
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"emsim/internal/base/wholefile"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// run writes the files and returns the exit status.
func run(args []string, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: editors FOLDER (run it as: go generate ./asm)")
		return 2
	}
	if err := write(args[0]); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// files returns the texts of all files, by their paths in the folder.
func files() map[string]string {
	all := map[string]string{"codemirror/emsim.js": codeMirror()}
	maps.Copy(all, vsCode())
	return all
}

func write(folder string) error {
	all := files()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := wholefile.WriteFile(file, []byte(all[name]), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Command editors writes the syntax files of docs/syntax from the table of
// instructions and the list of directives: go generate ./asm
//
//	rules.go       the words of the language, as regular expressions
//	vscode.go      Visual Studio Code: an extension with a TextMate grammar
//	vim.go         Vim
//	codemirror.go  CodeMirror 6
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"emsim/internal/wholefile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: editors FOLDER (run it as: go generate ./asm)")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// files are the texts of all files, by their paths in the folder.
func files() map[string]string {
	all := map[string]string{"codemirror/emsim.js": codeMirror()}
	maps.Copy(all, vim())
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

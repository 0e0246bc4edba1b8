package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/compile"
	"emsim/internal/run"
	"emsim/internal/wholefile"
)

// buildAnswer is what 'emsim build' says about the text it wrote.
type buildAnswer struct {
	File   string `json:"file"`
	Output string `json:"output"`
	Blocks string `json:"blocks"`
	Guards string `json:"guards"`
	Words  int    `json:"words"` // of the program, assembled with the defaults
	Lines  int    `json:"lines"` // of the text
}

func newBuildCmd(a *app) *cobra.Command {
	var output, blocks, guards string
	cmd := &cobra.Command{
		Use:   "build FILE.go",
		Short: "Compile a Go program into assembly text",
		Long: `build translates a Go program into the assembly language of the EM-4 and writes
the text, in which comments give the Go line of every block. 'emsim run' and all
other commands that take a program compile a .go file themselves; build shows
what they run. docs/DATAFLOW.md says which part of Go can be used.

--blocks says how long strongly connected blocks are: largest, up to a value
that is under way; medium, also up to every call and return; finest, up to every
statement. --guards says who tests whether a call ends at once: the caller, who
then makes no instance, or the callee, as in the paper.`,
		Example: "  emsim build fib.go -o fib.s\n  emsim build fib.go -o - --blocks finest --guards callee",
		Args:    exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.build(args[0], output, compile.Options{Blocks: compile.Blocks(blocks), Guards: compile.Guards(guards)})
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "file to write, - for standard output (default FILE with .s)")
	cmd.Flags().StringVar(&blocks, "blocks", string(compile.Largest), "length of strongly connected blocks: largest|medium|finest")
	cmd.Flags().StringVar(&guards, "guards", string(compile.Caller), "who tests whether a call ends at once: caller|callee")
	return cmd
}

// notGo refuses a Go program where assembly text is expected.
func notGo(file string) error {
	if filepath.Ext(file) == ".go" {
		return usagef("%s is a Go program: emsim build makes assembly text of it, and emsim run runs it as it is", file)
	}
	return nil
}

func (a *app) build(file, to string, opt compile.Options) error {
	if err := opt.Check(); err != nil {
		return usagef("%w", err)
	}
	if filepath.Ext(file) != ".go" {
		return usagef("%s is no Go program: expected a file with the ending .go", file)
	}
	if to == "" {
		to = strings.TrimSuffix(file, ".go") + ".s"
	}
	if to == "-" && a.json {
		return usagef("-o - and --json both use standard output: give the text a file name")
	}
	if to != "-" {
		if err := claim([]output{{flag: "-o", name: to}}, file); err != nil {
			return err
		}
	}
	text, err := run.CompileGo(file, opt)
	if err != nil {
		return err
	}
	o, err := run.AssembleGo(file, text, nil)
	if err != nil {
		return err
	}
	if to == "-" {
		_, err := io.WriteString(a.out, text)
		return err
	}
	if err := wholefile.WriteFile(to, []byte(text), 0o666); err != nil {
		return usagef("-o: %w", err)
	}
	code, data, space := o.Words()
	x := buildAnswer{file, to, string(opt.Blocks), string(opt.Guards), code + data + space, strings.Count(text, "\n")}
	return a.emit(x, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %d lines, %d words (%d code, %d data, %d space)\n", to, x.Lines, x.Words, code, data, space)
		return err
	})
}

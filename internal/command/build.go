package command

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/internal/base/interrupt"
	"emsim/internal/compile"
	"emsim/internal/machine/run"
)

// buildFlags holds the flags of 'emsim build'.
type buildFlags struct {
	machineFlags
	output  string
	explain bool
	show    string
}

func newBuildCmd(a *app) *cobra.Command {
	f := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "build FILE.go [ARG...]",
		Short: "Compile a Go program into assembly text",
		Long: `build translates a Go program into the assembly language of the EM-4 and writes
the text, in which comments give the Go line of every block. 'emsim run' and all
other commands that take a program compile a .go file themselves, with the same
options; build shows what they run. 'emsim docs DATAFLOW' says which part of Go
can be used.

--blocks says where strongly connected blocks end: largest, only where a value has
to be waited for; medium, also after every statement and before every call and return,
unless the block would be empty; finest, there in any case. --guards says which side
tests whether a call ends at once: the caller, which then makes no instance, or the
callee, as in the paper.

--placement auto lets the compiler choose what the command line does not: blocks, guards,
policy and MLPE. It tries them on the machine of the command line with its
arguments, or with smaller ones where these take too long, and --explain reports the
result; on its own it writes no file. --placement measured tries them with the
arguments of the command line, however long that takes.

--show ir writes the program's intermediate form to standard output, and no file:
functions as trees of regions and instructions. What package df does is a call.`,
		Example: "  emsim build fib.go -o fib.s\n  emsim build fib.go -o - --blocks finest --guards callee\n  emsim " +
			"build queens.go 8 --pes 80 --explain\n  emsim build fib.go --show ir",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("which program? For example: emsim build fib.go -o fib.s\nsee '%s --help'",
					cmd.CommandPath())
			}
			return a.build(cmd, f, args)
		},
	}
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "file to write, - for standard output (default FILE with .s)")
	cmd.Flags().BoolVar(&f.explain, "explain", false, explainText)
	cmd.Flags().StringVar(&f.show, "show", "",
		"write an intermediate form of the program to standard output: ir")
	addGoFlags(a, cmd, "")
	f.machineFlags.addFlags(a, cmd)
	return cmd
}

const explainText = "say what functions and loops do, and what the compiler chooses and why; without --placement " +
	"this implies --placement auto"

// notGo rejects a Go program where assembly text is expected.
func notGo(file string) error {
	if filepath.Ext(file) == ".go" {
		return usagef("%s is a Go program: emsim build makes assembly text of it, and emsim run runs it as it is", file)
	}
	return nil
}

// runSpec returns the run for which the program is compiled.
func (f *buildFlags) runSpec(cmd *cobra.Command, args []string) (*run.Spec, error) {
	program, rest := run.ProgramOf(args)
	s := &run.Spec{Machine: f.machine(cmd), Program: program, Args: rest, Params: map[string]string{}, Seed: 1}
	for _, name := range compile.OptionNames() {
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			s.Params[name] = flag.Value.String()
		}
	}
	if f.explain {
		explained(s.Params)
	}
	if v := s.Params["placement"]; v != "" && v != string(compile.Given) {
		_, err := s.Config()
		return s, err
	}
	if len(rest) > 0 {
		return nil, usagef("%s has no effect: arguments of the program matter to --placement auto and measured only",
			strings.Join(rest, " "))
	}
	return s, onlyWith(cmd, []string{"machine", "pes", "set"}, "matters to --placement auto and measured only")
}

// explained sets placement to auto for --explain, unless a placement is given.
func explained(params map[string]string) {
	if params["placement"] == "" {
		params["placement"] = string(compile.Auto)
	}
}

func (a *app) build(cmd *cobra.Command, f *buildFlags, args []string) error {
	file, to := args[0], f.output
	if !run.IsGoProgram(file) {
		return usagef("%s is not a Go program: expected a file with the ending .go, or a folder with such files", file)
	}
	s, err := f.runSpec(cmd, args)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("show") {
		return a.show(f, s)
	}
	if to == "" && !f.explain {
		if to = strings.TrimSuffix(file, ".go"); to == file { // a folder: like go build, name the output after it
			folder, err := filepath.Abs(file)
			if err != nil {
				return err
			}
			to = filepath.Base(folder)
		}
		to += ".s"
	}
	if to == "-" && (a.json || f.explain) {
		return usagef("-o - and %s both use standard output: give the text a file name",
			map[bool]string{true: "--json", false: "--explain"}[a.json])
	}
	if to != "-" && to != "" {
		if err := claim([]output{{flag: "-o", name: to}}, file); err != nil {
			return err
		}
	}
	var g *run.GoProgram
	o, err := interrupt.Await(cmd.Context(), func() (o *asm.Object, err error) {
		if g, err = s.CompileGo(); err != nil {
			return nil, err
		}
		return g.Assemble()
	})
	if err != nil {
		return ended(cmd.Context(), err, "while %s was compiled: nothing was written", file)
	}
	switch to {
	case "":
	case "-":
		io.WriteString(a.out, g.Text)
	default:
		if err := writeOutput("-o", to, []byte(g.Text)); err != nil {
			return err
		}
	}
	var reasons []string
	if f.explain {
		if reasons, err = s.Explain(); err != nil {
			return err
		}
	}
	return a.built(g, o, to, reasons)
}

// show writes an intermediate form of the program.
func (a *app) show(f *buildFlags, s *run.Spec) error {
	switch {
	case f.show != "ir":
		return usagef("--show cannot be %q: expected ir, the intermediate form", f.show)
	case a.json || f.explain || f.output != "":
		return usagef("--show writes text to standard output, and nothing else: leave %s out",
			map[bool]string{true: "--json", false: "--explain and -o"}[a.json])
	}
	p, err := run.GoForm(s.Program, s.Params)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, p.String())
	return err
}

// built prints the answer of 'emsim build'.
func (a *app) built(g *run.GoProgram, o *asm.Object, to string, reasons []string) error {
	code, data, space := o.Words()
	lines, v := strings.Count(g.Text, "\n"), o.Chosen()
	mlpe := v["mlpe"] != "" && v["mlpe"] != "off"
	x := &answer.Answer{Title: fmt.Sprintf("%s: %d lines, %d words (%d code, %d data, %d space)", cmp.Or(to, g.Name),
		lines, code+data+space, code, data, space)}
	x.SayAll("file", g.Name, "output", to, "blocks", v["blocks"], "guards", v["guards"], "placement", v["placement"],
		"policy", v["policy"], "mlpe", mlpe)
	x.SayAll("words", code+data+space, "lines", lines) // lines of the text; words if assembled with the defaults
	if reasons != nil {
		x.SayAll("explain", reasons)
	}
	if g.Plan != nil && to != "" {
		x.Next = answer.Next{Command: "emsim run " + shellWord(to) + " ... --policy " + v["policy"]}
		if mlpe {
			x.Next.Command += " --mlpe"
		}
	}
	return a.answer(x, func(w io.Writer) {
		writeReasons(w, reasons)
		a.shown(x)(w)
	})
}

// writeReasons prints the lines of --explain. It wraps long lines, which are sentences.
func writeReasons(w io.Writer, lines []string) {
	const width = 90
	for _, line := range lines {
		if len(line) > width {
			line = strings.Join(terminal.Wrap(line, width), "\n    ")
		}
		fmt.Fprintln(w, line)
	}
}

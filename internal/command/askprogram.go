package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// newProgramAskCmd returns the command that asks about a run of a program.
func newProgramAskCmd(a *app) *cobra.Command {
	f, vs := &targetFlags{}, []string(nil)
	cmd := askCmd("em4", "ask QUESTION [ARG...] PROGRAM [ARG...]",
		"A call is a function instance: it begins on the PE that sends its first operand.\n")
	cmd.Example = "  emsim ask held fib 10\n  emsim ask knew 20 fib 12 --mlpe\n  emsim ask part fib 10 --vs policy=line"
	complete := cmd.ValidArgsFunction
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) (
		[]cobra.Completion, cobra.ShellCompDirective,
	) {
		if len(args) == 0 {
			return complete(cmd, args, word)
		}
		return completePrograms(cmd, args[1:], word)
	}
	f.addBeginning(a, cmd)
	cmd.Flags().StringArrayVar(&vs, "vs", nil, vsText)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		question, program := splitQuestion(args)
		if err := checkQuestion(machines.ModelOf("em4").Terms, question, len(vs)); err != nil {
			return err
		}
		if len(program) == 0 {
			return usagef("which program? For example: emsim ask %s fib 10", strings.Join(question, " "))
		}
		spec, err := f.runSpec(cmd, program)
		if err != nil {
			return err
		}
		runs, err := a.recordPrograms(cmd, spec, vs)
		if err != nil {
			return err
		}
		return a.answerQuestion(runs[0], question, a.made.next("profile", program))
	}
	return cmd
}

// splitQuestion separates a question and its numbers from the program that follows.
func splitQuestion(args []string) (question, program []string) {
	n := min(1, len(args))
	if n == 0 {
		return nil, nil
	}
	for _, q := range instrument.Questions() {
		most := 1 + len(strings.Fields(q.Args))
		for q.Name == args[0] && n < min(most, len(args)) && strings.Trim(args[n], "-.0123456789") == "" {
			n++
		}
	}
	return slices.Clip(args[:n]), args[n:]
}

// recordProgram runs a program and records the run.
func (a *app) recordProgram(cmd *cobra.Command, spec *run.Spec) (*instrument.Run, error) {
	s, err := a.beginRun(cmd, spec)
	if err != nil {
		return nil, err
	}
	line := a.newPart("recording "+s.Call(), 0)
	defer line.end()
	return instrument.RecordProgram(cmd.Context(), s)
}

// recordPrograms records the run of a program, and the runs of --vs. Each run is linked to the next one.
func (a *app) recordPrograms(cmd *cobra.Command, spec *run.Spec, vs []string) (runs []*instrument.Run, err error) {
	specs, names := []*run.Spec{spec}, []string{"this run"}
	if len(vs) > 0 {
		t, err := spec.Load(cmd.Context())
		if err != nil {
			return nil, err
		}
		for _, text := range vs {
			other, err := vsSpec(spec, t, text, new([]string))
			if err != nil {
				return nil, err
			}
			specs, names = append(specs, &other), append(names, text)
		}
	}
	for i, spec := range specs {
		r, err := a.recordProgram(cmd, spec)
		if err != nil {
			return nil, err
		}
		if runs = append(runs, r); len(specs) > 1 {
			r.Label = names[i]
		}
		if i > 0 {
			runs[i-1].Beside = r
		}
	}
	return runs, nil
}

// tellEvents makes a run that has just begun write its moves to the file of --events, until end is called.
func tellEvents(s *run.Batch, c *csvFile) (end func()) {
	if c == nil {
		return func() {}
	}
	return instrument.TellMoves(s, machines.ModelOf("em4").EventLog(c.write))
}

package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/programs"
	"emsim/verify"
)

// Shell completion uses the same tables as the commands. 'emsim completion --help' says how to enable it.

// described returns completions with descriptions.
func described[T any](all []T, of func(T) (name, doc string)) []cobra.Completion {
	return lists.Of(all, func(x T) cobra.Completion {
		name, doc := of(x)
		return cobra.CompletionWithDesc(name, doc)
	})
}

// completePrograms completes built-in programs and files.
func completePrograms(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp // the arguments are numbers
	}
	return described(programs.List(), func(p programs.Program) (string, string) { return p.Name, p.Does }),
		cobra.ShellCompDirectiveDefault
}

// completeMachines completes presets and files, and the kinds of machines for the command show.
func completeMachines(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if cmd.Name() == "show" && len(args) == 0 { // show accepts any machine
		kinds := described(machinefile.Kinds()[1:],
			func(k machinefile.Kind) (string, string) { return k.Name, "the defaults of " + k.Doc })
		presets := described(machinefile.Presets(),
			func(p machinefile.Preset) (string, string) { return p.Name, p.Doc })
		return slices.Concat(presets, kinds), cobra.ShellCompDirectiveDefault
	}
	return described(machinefile.Presets(), func(p machinefile.Preset) (string, string) { return p.Name, p.Doc }),
		cobra.ShellCompDirectiveDefault
}

// completeKnobs completes the KEY= of --set.
func completeKnobs(rows []knob.Row) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return described(rows, func(r knob.Row) (string, string) { return r.Key + "=", r.Doc }),
			cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeParams completes the parameters of the program on the command line: NAME=VALUE or, if `only` is the name of a
// parameter, just the values of that parameter.
func completeParams(only string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
		program := programs.Names()[0]
		if len(args) > 0 {
			program = args[0]
		}
		include, _ := cmd.Flags().GetStringArray("include")
		o, err := run.LoadProgram(program, nil, include...)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, p := range o.Params {
			for _, v := range p.Values {
				if only == "" {
					list = append(list, p.Name+"="+v)
				} else if p.Name == only {
					list = append(list, v)
				}
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeList completes the last word of a comma-separated list.
func completeList(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		return lists.Of(words, func(word string) cobra.Completion { return before + word }),
			cobra.ShellCompDirectiveNoFileComp
	}
}

// completeRows completes the IDs of the papers' rows.
func completeRows(_ *cobra.Command, _ []string, typed string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	rows, _ := verify.Select(verify.Suites(), nil) // a test checks that the tables can be read
	for _, s := range verify.Suites() {
		for _, c := range rows[s.Paper] {
			if strings.HasPrefix(c.ID, typed) {
				list = append(list, cobra.CompletionWithDesc(c.ID, c.Quantity))
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completes sets the completion function of a flag, but only if a shell requests completions, because Cobra keeps the
// function and the whole command until the process ends. It panics if Cobra returns an error: the flag does not exist,
// or already has a completion function.
func (a *app) completes(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if len(a.args) == 0 || !strings.HasPrefix(a.args[0], cobra.ShellCompRequestCmd) {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

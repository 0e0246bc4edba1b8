package command

import (
	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// The shell completes names from the same tables that the commands read
// ('emsim completion --help' says how to switch it on).

// described are completions with what each is.
func described[T any](all []T, of func(T) (name, doc string)) []cobra.Completion {
	return lists.Of(all, func(x T) cobra.Completion {
		name, doc := of(x)
		return cobra.CompletionWithDesc(name, doc)
	})
}

// completePrograms offers the built-in programs, and files.
func completePrograms(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp // numbers
	}
	return described(programs.List(), func(p programs.Program) (string, string) { return p.Name, p.Does }), cobra.ShellCompDirectiveDefault
}

// completeMachines offers the presets, and files.
func completeMachines(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return described(machinefile.Presets(), func(p machinefile.Preset) (string, string) { return p.Name, p.Doc }), cobra.ShellCompDirectiveDefault
}

// completeKnobs offers KEY= for --set.
func completeKnobs(rows []knob.Row) cobra.CompletionFunc {
	list := described(rows, func(r knob.Row) (string, string) { return r.Key + "=", r.Doc })
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
}

// completeParams offers the values of the parameters of the program that the command
// line names: NAME=VALUE, or the values of only one.
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

// completes names the function that completes a flag. Cobra refuses only
// flags that do not exist.
func completes(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

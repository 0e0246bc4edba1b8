package command

import (
	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// The shell completes names from the same tables that the commands read
// ('emsim completion --help' says how to switch it on).

// completePrograms offers the built-in programs, and files.
func completePrograms(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp // numbers
	}
	var list []cobra.Completion
	for _, p := range programs.List() {
		list = append(list, cobra.CompletionWithDesc(p.Name, p.Does))
	}
	return list, cobra.ShellCompDirectiveDefault
}

// completeMachines offers the presets, and files.
func completeMachines(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, p := range machinefile.Presets() {
		list = append(list, cobra.CompletionWithDesc(p.Name, p.Doc))
	}
	return list, cobra.ShellCompDirectiveDefault
}

// completeKnobs offers KEY= for --set.
func completeKnobs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return knobCompletions(knob.Bind(em4.Knobs(), &em4.Config{}))
}

// completeParams offers NAME=VALUE for --param, from the program that the
// command line names.
func completeParams(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return paramValues(cmd, args, func(name, value string) string { return name + "=" + value }), cobra.ShellCompDirectiveNoFileComp
}

// completePolicies offers the values of the parameter policy.
func completePolicies(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return paramValues(cmd, args, func(name, value string) string {
		if name == "policy" {
			return value
		}
		return ""
	}), cobra.ShellCompDirectiveNoFileComp
}

// paramValues lists the values of the program's parameters, formatted by form.
func paramValues(cmd *cobra.Command, args []string, form func(name, value string) string) []cobra.Completion {
	program := programs.Names()[0]
	if len(args) > 0 {
		program = args[0]
	}
	include, _ := cmd.Flags().GetStringArray("include")
	o, err := run.LoadProgram(program, nil, include...)
	if err != nil {
		return nil
	}
	var list []cobra.Completion
	for _, p := range o.Params {
		for _, v := range p.Values {
			if text := form(p.Name, v); text != "" {
				list = append(list, text)
			}
		}
	}
	return list
}

// completes names the function that completes a flag. Cobra refuses only
// flags that do not exist.
func completes(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

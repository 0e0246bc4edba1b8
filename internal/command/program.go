package command

import (
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/compile"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// programFlags choose the values of a program's parameters.
type programFlags struct {
	params []string
	policy string
	mlpe   bool
	goFlags
	includeFlag
}

// goFlags are the options of the compiler of Go programs, by name.
type goFlags map[string]*string

func (f *goFlags) addFlags(cmd *cobra.Command, of string) {
	*f = goFlags{}
	for _, x := range compile.OptionList() {
		(*f)[x.Name] = cmd.Flags().String(x.Name, "", of+x.Does+": "+strings.Join(x.Values, "|")+" (default "+x.Values[0]+")")
		completes(cmd, x.Name, cobra.FixedCompletions(x.Values, cobra.ShellCompDirectiveNoFileComp))
	}
}

// chosen calls set with the values that were given.
func (f goFlags) chosen(cmd *cobra.Command, set func(name, value string) error) error {
	for _, name := range compile.OptionNames() {
		if cmd.Flags().Changed(name) {
			if err := set(name, *f[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *programFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.params, "param", nil, "NAME=VALUE: choose the value of a parameter that the program declares (may be repeated)")
	completes(cmd, "param", completeParams(""))
	f.includeFlag.addFlags(cmd)
	f.goFlags.addFlags(cmd, "of a program in Go: ")
	cmd.Flags().StringVar(&f.policy, "policy", "", "how calls choose their PE (built-in programs: "+strings.Join(programs.Policies(), "|")+"): the same as --param policy=...")
	completes(cmd, "policy", completeParams("policy"))
	cmd.Flags().BoolVar(&f.mlpe, "mlpe", false, "distribute calls by MLPE packets: the same as --param mlpe=on")
}

// values returns the chosen parameters of a program.
func (f *programFlags) values(cmd *cobra.Command, program string) (map[string]string, error) {
	values, err := parsePairs("--param", f.params)
	if err != nil {
		return nil, err
	}
	short := func(name, value string) error {
		if old, twice := values[name]; twice && old != value {
			return usagef("--param %s=%s and --%s contradict each other", name, old, name)
		}
		values[name] = value
		return nil
	}
	if cmd.Flags().Changed("policy") {
		if err := short("policy", f.policy); err != nil {
			return nil, err
		}
	}
	if cmd.Flags().Changed("mlpe") {
		if err := short("mlpe", map[bool]string{true: "on", false: "off"}[f.mlpe]); err != nil {
			return nil, err
		}
	}
	err = f.chosen(cmd, func(name, value string) error {
		if !run.IsGoProgram(program) {
			return usagef("--%s says how a program in Go is compiled, and %s is none: leave it out, or name a file with the ending .go", name, program)
		}
		return short(name, value)
	})
	if err != nil {
		return nil, err
	}
	return values, nil
}

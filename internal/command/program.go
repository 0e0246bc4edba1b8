package command

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/compile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// programFlags choose the parameters of a program.
type programFlags struct {
	params []string
	includeFlag
}

// addGoFlags adds the flags of the compiler for Go programs.
func addGoFlags(a *app, cmd *cobra.Command, of string) {
	for _, x := range compile.OptionList() {
		cmd.Flags().String(x.Name, "", of+x.Does+": "+strings.Join(x.Values, "|")+" (default "+x.Values[0]+")")
		a.completes(cmd, x.Name, cobra.FixedCompletions(x.Values, cobra.ShellCompDirectiveNoFileComp))
	}
}

func (f *programFlags) addFlags(a *app, cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.params, "param", nil,
		"NAME=VALUE: choose the value of a parameter that the program declares (may be repeated)")
	a.completes(cmd, "param", completeParams(""))
	f.includeFlag.addFlags(cmd)
	addGoFlags(a, cmd, "of a program in Go: ")
	cmd.Flags().String("policy", "", "how calls choose their PE (built-in programs: "+
		strings.Join(programs.Policies(), "|")+
		"; NAME.s or NAME.go is one of your own, see 'emsim new --policy'): the same as --param policy=...")
	a.completes(cmd, "policy", completeParams("policy"))
	cmd.Flags().Bool("mlpe", false, "distribute calls by MLPE packets: the same as --param mlpe=on")
}

// checkPolicyFile rejects a value of --policy that is not a file with a policy.
func checkPolicyFile(file string) error {
	if programs.IsPolicyFile(file) {
		return nil
	}
	return usagef("--policy is %q: expected a file that ends in .s or .go, such as 'emsim new --policy NAME' "+
		"writes; %s are built in, and the grids name them", file, strings.Join(programs.Policies(), ", "))
}

// values returns the chosen parameter values for a program.
func (f *programFlags) values(cmd *cobra.Command, program string) (map[string]string, error) {
	values, err := parsePairs("--param", f.params)
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{"policy", "mlpe"}, compile.OptionNames()...) {
		flag := cmd.Flags().Lookup(name)
		value := cmp.Or(map[string]string{"true": "on", "false": "off"}[flag.Value.String()], flag.Value.String())
		old, twice := values[name]
		switch {
		case !flag.Changed:
			continue
		case !run.IsGoProgram(program) && slices.Contains(compile.OptionNames(), name):
			return nil, usagef("--%s says how a program in Go is compiled, and %s is not in Go: leave it out, or "+
				"name a file with the ending .go", name, program)
		case twice && old != value:
			return nil, usagef("--param %s=%s and --%s contradict each other", name, old, name)
		}
		values[name] = value
	}
	return values, nil
}

// includeFlag holds the folders that are searched for included files.
type includeFlag struct{ include []string }

func (f *includeFlag) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.include, "include", "I", nil,
		"folder in which files are looked for that are not next to the file that includes them (may be repeated; "+
			"emsim's library, such as lib/place.s, comes last)")
	if err := cmd.MarkFlagDirname("include"); err != nil {
		panic(err)
	}
}

// check rejects names that are not folders.
func (f *includeFlag) check() error {
	for _, dir := range f.include {
		info, err := os.Stat(dir)
		switch {
		case dir == "":
			return usagef("-I needs the name of a folder")
		case err != nil:
			return usagef("-I: %w", err)
		case !info.IsDir():
			return usagef("-I: %s is a file: expected a folder", dir)
		}
	}
	return nil
}

// options returns the assembler's options for a program on the command line.
func (f *includeFlag) options(params map[string]string) asm.Options {
	return asm.Options{Params: params, Include: f.include, Library: programs.Library(), OpenValue: run.OpenPolicy}
}

// machineFlags choose a machine. Precedence: --pes, --set, the file, the
// preset.
type machineFlags struct {
	name string
	pes  int
	sets []string
}

func (f *machineFlags) addFlags(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "machine", "emc-r", strings.Join(machinefile.PresetNames(), "|")+
		"|FILE.toml: the machine")
	a.completes(cmd, "machine", completeMachines)
	f.addChanges(a, cmd)
}

// addChanges adds the flags that change a machine.
func (f *machineFlags) addChanges(a *app, cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.pes, "pes", 0,
		"processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k (default: the machine's)")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil,
		"KEY=VALUE: change a knob of the machine, see 'emsim machine show' (may be repeated)")
	a.completes(cmd, "set", completeKnobs(knob.Bind(em4.Knobs(), &em4.Config{})))
}

// machine returns the chosen machine.
func (f *machineFlags) machine(cmd *cobra.Command) run.Machine {
	m := run.Machine{Name: f.name, Sets: f.sets}
	if cmd.Flags().Changed("pes") {
		m.PEs = &f.pes
	}
	return m
}

// config returns the machine's configuration.
func (f *machineFlags) config(cmd *cobra.Command) (em4.Config, error) {
	return f.machine(cmd).Config()
}

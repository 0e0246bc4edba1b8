package command

import (
	"strings"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/run"
)

// machineFlags choose a machine. Precedence: --pes, --set, the file, the
// preset.
type machineFlags struct {
	name string
	pes  int
	sets []string
}

func (f *machineFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "machine", "emc-r", strings.Join(machinefile.PresetNames(), "|")+"|FILE.toml: the machine")
	completes(cmd, "machine", completeMachines)
	f.addChanges(cmd)
}

// addChanges adds the flags that change a machine.
func (f *machineFlags) addChanges(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.pes, "pes", 0, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k (default: the machine's)")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "KEY=VALUE: change a knob of the machine, see 'emsim machine show' (may be repeated)")
	completes(cmd, "set", completeKnobs(knob.Bind(em4.Knobs(), &em4.Config{})))
}

// machine returns the chosen machine.
func (f *machineFlags) machine(cmd *cobra.Command) run.Machine {
	m := run.Machine{Name: f.name, Sets: f.sets}
	if cmd.Flags().Changed("pes") {
		m.PEs = &f.pes
	}
	return m
}

// config assembles the machine's parameters.
func (f *machineFlags) config(cmd *cobra.Command) (em4.Config, error) {
	return f.machine(cmd).Config()
}

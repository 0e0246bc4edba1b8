package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/suggest"
	"emsim/machinefile"
)

// machineFlags choose a machine. Precedence: --pes, --set, the file, the
// preset.
type machineFlags struct {
	name string
	pes  int
	sets []string
}

func (f *machineFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "machine", "emc-r", strings.Join(machinefile.PresetNames(), "|")+"|FILE.toml: the machine")
	completes(cmd, "machine", completeMachines)
	f.addChanges(cmd)
}

// addChanges adds the flags that change a machine.
func (f *machineFlags) addChanges(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.pes, "pes", 0, "processing elements: 12, 32, 80, 192, 448, 1024, ... (k+1)·2^k (default: the machine's)")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "KEY=VALUE: change a knob of the machine, see 'emsim machine show' (may be repeated)")
	completes(cmd, "set", completeKnobs)
}

// config puts the machine together.
func (f *machineFlags) config(cmd *cobra.Command) (em4.Config, error) {
	c, err := f.base(cmd)
	if err != nil {
		return c, err
	}
	if err := f.apply(&c); err != nil {
		return c, err
	}
	if cmd.Flags().Changed("pes") {
		c.PEs = f.pes
	}
	if err := c.Validate(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}

// base is the machine before --set and --pes. The EMC-R machines of some
// sizes have presets of their own; when only the size was chosen, its preset
// is meant.
func (f *machineFlags) base(cmd *cobra.Command) (em4.Config, error) {
	c, err := machinefile.Load(f.name)
	if err != nil {
		return c, usageError{err}
	}
	if f.name != "emc-r" {
		return c, nil
	}
	if err := f.apply(&c); err != nil {
		return c, err
	}
	if cmd.Flags().Changed("pes") {
		c.PEs = f.pes
	}
	return machinefile.ForSize(c.PEs), nil
}

// apply makes the changes of --set.
func (f *machineFlags) apply(c *em4.Config) error {
	var known []string
	for _, k := range em4.Knobs() {
		known = append(known, k.Key)
	}
	given := map[string]string{}
	for _, s := range f.sets {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return usagef("--set %s: expected KEY=VALUE, for example --set hop_clocks=2", s)
		}
		if old, twice := given[key]; twice {
			return usagef("--set gives %s two values, %q and %q", key, old, value)
		}
		given[key] = value
		if !slices.Contains(known, key) {
			return usagef("--set %s: a machine has no knob %q: it has %s%s", s, key, strings.Join(known, ", "), suggest.DidYouMean(key, known))
		}
		if err := c.Set(key, value); err != nil {
			return usagef("--set %s: %w", s, err)
		}
	}
	return nil
}

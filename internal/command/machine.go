package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
)

func newMachineCmd(a *app) *cobra.Command {
	cmd := newGroup("machine", "Show the parameters of the machines", "", newMachineShowCmd(a))
	cmd.Example = "  emsim machine show > mine.toml"
	return cmd
}

func newMachineShowCmd(a *app) *cobra.Command {
	f := &machineFlags{}
	cmd := &cobra.Command{
		Use:   "show [" + strings.Join(append(machinefile.PresetNames(), kindNames()...), "|") + "|FILE.toml]",
		Short: "Print a machine as an annotated TOML file",
		Long: `show prints every knob of a machine with its value, unit, range and the source of
the value. The output is a machine file: change it and pass it to 'emsim run
--machine FILE.toml', or to 'emsim mnc run --machine FILE.toml' and so on. The
named machines are

` + presetList() + `
A knob that a file leaves out has its default; for the EM-4 that is the
prototype's value.`,
		Example: "  emsim machine show\n  emsim machine show 1024 --set hop_clocks=2 > mine.toml\n  emsim " +
			"machine show mine.toml --json",
		Args:              someArgs(1, "at most "),
		ValidArgsFunction: completeMachines,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.name = "emc-r"
			if len(args) == 1 {
				f.name = args[0]
			}
			k, ok := machinefile.KindOfName(f.name)
			if !ok || k.Name == "em4" {
				c, err := f.config(cmd)
				if err != nil {
					return err
				}
				return a.showMachine(machinefile.EM4(&c), f.name, f.title(cmd))
			}
			if cmd.Flags().Changed("pes") {
				return usagef("--pes is a flag of the EM-4; use --set pes=%d if %s has that knob", f.pes, k.Doc)
			}
			m := k.NewMachine()
			err := m.Load(f.name)
			if err == nil {
				err = m.Set(f.sets)
			}
			if err == nil {
				err = m.Check()
			}
			if err != nil {
				return &simerr.Usage{Err: err}
			}
			return a.showMachine(m, f.name, f.title(cmd))
		},
	}
	f.addChanges(a, cmd)
	return cmd
}

func presetList() string {
	var b strings.Builder
	for _, p := range machinefile.Presets() {
		fmt.Fprintf(&b, "  %-7s %s\n", p.Name, p.Doc)
	}
	for _, name := range kindNames() {
		k, _ := machinefile.KindOf(name)
		fmt.Fprintf(&b, "  %-7s the defaults of %s\n", name, k.Doc)
	}
	return b.String()
}

// kindNames returns the names of the kinds of machines except the EM-4, which has presets.
func kindNames() []string {
	return lists.Of(machinefile.Kinds()[1:], func(k machinefile.Kind) string { return k.Name })
}

// title returns a line about the origin of a machine.
func (f *machineFlags) title(cmd *cobra.Command) string {
	title := "The machine of " + f.name
	if p, ok := machinefile.Lookup(f.name); ok {
		title = "The machine " + p.Name + ": " + p.Doc
	} else if k, ok := machinefile.KindOf(f.name); ok && k.Name != "em4" {
		title = "The defaults of " + k.Doc
	}
	changes := f.sets
	if cmd.Flags().Changed("pes") {
		changes = append(changes, fmt.Sprintf("pes=%d", f.pes))
	}
	if len(changes) > 0 {
		title += "; with " + strings.Join(changes, ", ")
	}
	return title + "."
}

// showMachine prints a machine of any kind.
func (a *app) showMachine(m *machinefile.Machine, name, title string) error {
	a.made.on(m)
	x := new(answer.Answer).SayAll("machine", name, "knobs", knobKeys.Objects(m.Rows))
	return a.answer(x, func(w io.Writer) { m.Write(w, title) })
}

// knobKeys declare the keys of a knob.
var knobKeys = answer.Columns[knob.Row]{
	{Key: "key", Of: func(r knob.Row) any { return r.Key }},
	{Key: "value", Of: func(r knob.Row) any { return r.JSON() }},
	{Key: "unit", Of: func(r knob.Row) any { return r.Unit }},
	{Key: "range", Of: func(r knob.Row) any { return r.Range() }},
	{Key: "source", Of: func(r knob.Row) any { return r.Source }},
	{Key: "doc", Of: func(r knob.Row) any { return r.Doc }},
}

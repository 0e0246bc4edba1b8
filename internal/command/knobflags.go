package command

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// knobFlags holds the flags of a machine's knobs, and --machine and --set, which choose a file and single knobs.
// Precedence: --vs, an explicit flag, --set, the file, the default.
type knobFlags struct {
	kind  machinefile.Kind
	table []knob.Row // with the defaults
	given map[string]func() any
	file  string
	sets  []string
	vs    []string // changes of --vs, which are applied last
}

func newKnobFlags(kind string) *knobFlags {
	k, ok := machines.KindOf(kind)
	if !ok {
		panic("no machine is called " + kind)
	}
	return &knobFlags{kind: k, table: k.NewMachine().Rows, given: map[string]func() any{}}
}

// register adds the flags of all knobs, and --machine and --set.
func (f *knobFlags) register(a *app, cmd *cobra.Command) {
	f.registerKeys(cmd.Flags(), knob.Keys(f.table)...)
	f.registerMachine(a, cmd)
	for _, r := range f.table {
		if r.Flag != "" && len(r.Values) > 0 {
			files := cobra.ShellCompDirectiveNoFileComp
			if slices.ContainsFunc(machines.FileKinds(f.kind.Name),
				func(k machines.FileKind) bool { return k.Flag == r.Flag }) {
				files = cobra.ShellCompDirectiveDefault
			}
			a.completes(cmd, r.Flag, cobra.FixedCompletions(r.Values, files))
		}
	}
}

// registerMachine adds --machine and --set.
func (f *knobFlags) registerMachine(a *app, cmd *cobra.Command) {
	names, see := []string{f.kind.Name}, "see 'emsim machine show "+f.kind.Name+"'"
	if own := machines.ModelOf(f.kind.Name).Machines; own != nil {
		names, see = own, "see 'emsim machine show'"
		defer a.completes(cmd, "machine", completeMachines)
	} else {
		defer a.completes(cmd, "machine", cobra.FixedCompletions(names, cobra.ShellCompDirectiveDefault))
	}
	cmd.Flags().StringVar(&f.file, "machine", names[0], strings.Join(names, "|")+"|FILE.toml: the machine, "+see)
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "KEY=VALUE: change a knob of the machine, "+see+
		" (may be repeated)")
	a.completes(cmd, "set", completeKnobs(f.table))
}

// registerKeys adds the flags of the given knobs.
func (f *knobFlags) registerKeys(fs *pflag.FlagSet, keys ...string) {
	for _, r := range f.table {
		if r.Flag != "" && slices.Contains(keys, r.Key) {
			f.given[r.Key] = registerKnob(fs, r)
		}
	}
}

// registerKnob adds the flag of a knob, and returns a function that returns the flag's value.
func registerKnob(fs *pflag.FlagSet, r knob.Row) func() any {
	usage := r.Usage()
	switch v := r.Get().(type) {
	case int64:
		if r.IsInt() {
			p := fs.Int(r.Flag, int(v), usage)
			return func() any { return int64(*p) }
		}
		return valueAt(fs.Int64(r.Flag, v, usage))
	case uint64:
		return valueAt(fs.Uint64(r.Flag, v, usage))
	case float64:
		return valueAt(fs.Float64(r.Flag, v, usage))
	case bool:
		return valueAt(fs.Bool(r.Flag, v, usage))
	case string:
		return valueAt(fs.String(r.Flag, v, usage))
	case time.Duration:
		return valueAt(fs.Duration(r.Flag, v, usage))
	case []string:
		return valueAt(fs.StringArray(r.Flag, v, usage))
	}
	panic("the knob " + r.Key + " has a type that no flag has")
}

// valueAt returns a function that returns *p, for use after the flags are parsed.
func valueAt[T any](p *T) func() any { return func() any { return *p } }

// machine returns the machine that the flags describe. The machine's own package checks its values later.
func (f *knobFlags) machine(cmd *cobra.Command) (*machinefile.Machine, error) {
	m := f.kind.NewMachine()
	if f.file != "" {
		if err := m.Load(f.file); err != nil {
			return nil, &simerr.Usage{Err: err}
		}
	}
	if err := m.Set(f.sets); err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	if err := m.CheckRanges(); err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	for _, r := range m.Rows {
		read := f.given[r.Key]
		if read == nil || !cmd.Flags().Changed(r.Flag) {
			continue
		}
		if word, _ := read().(string); r.Key == "policy" && filepath.Ext(word) != "" &&
			!slices.ContainsFunc(machines.FileKinds(f.kind.Name),
				func(k machines.FileKind) bool { return k.Flag == r.Flag }) {
			return nil, usagef("--policy %s: %s takes no policy from a file: choose one of %s, or write a Go program "+
				"(emsim docs API)", word, f.kind.Doc, r.Range())
		}
		err := r.Put(read())
		if _, isTime := r.Get().(time.Duration); err != nil && isTime {
			return nil, usagef("--%s: %w", r.Flag, err)
		}
		if _, isNumber := r.Get().(float64); err != nil && isNumber {
			return nil, usagef("--%s %w", r.Flag, err)
		}
		if err != nil {
			return nil, f.named(cmd, err)
		}
	}
	if err := m.Set(f.vs); err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	return m, nil
}

// noteIdleKnobs prints a note for each knob, among the given keys, that the user has set by a flag, by --set or in the
// file. is says whether these knobs have no effect in this run, and why is the reason.
func (f *knobFlags) noteIdleKnobs(a *app, cmd *cobra.Command, m *machinefile.Machine, is bool, why string,
	keys ...string,
) {
	for _, key := range keys {
		r, _ := knob.Find(m.Rows, key)
		usual, _ := knob.Find(f.table, key)
		set := slices.ContainsFunc(f.sets, func(s string) bool { return strings.HasPrefix(s, key+"=") })
		switch {
		case !is:
		case r.Flag != "" && cmd.Flags().Changed(r.Flag) && f.given[key] != nil:
			a.noteIdleFlags(cmd, true, why, r.Flag)
		case set:
			fmt.Fprintf(a.err, "note: --set %s changes nothing: %s\n", key, why)
		case !reflect.DeepEqual(r.Get(), usual.Get()):
			fmt.Fprintf(a.err, "note: %s of %s changes nothing: %s\n", key, f.file, why)
		}
	}
}

// named replaces the knob's key at the beginning of an error with the knob's flag, if that flag was given.
func (f *knobFlags) named(cmd *cobra.Command, err error) error {
	text := err.Error()
	end := strings.IndexAny(text+" ", " :")
	key, rest := text[:end], text[end:]
	switch r, ok := knob.Find(f.table, key); {
	case !ok || r.Flag == "" || !cmd.Flags().Changed(r.Flag):
		return &simerr.Usage{Err: err}
	case r.Flag == key:
		return usagef("--%w", err) // keeps the error's details
	default:
		return usagef("--%s%s", r.Flag, rest)
	}
}

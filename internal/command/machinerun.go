package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"emsim/internal/base/answer"

	"github.com/spf13/cobra"

	"emsim/internal/base/knob"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// machineRun is the 'run' command of a machine other than the EM-4: the flags from its model, and the flags of all
// machines.
type machineRun struct {
	*knobFlags
	driverFlags
	files   map[string]*string // input files, by flag; the files of knobs are in given
	on      map[string]*bool   // switches
	threads int
	machineCheckpoint

	recorded bool // the command records a single run and writes no other output
}

func newMachineRunCmd(a *app, name string) (*cobra.Command, *machineRun) {
	f := &machineRun{
		knobFlags: newKnobFlags(name), driverFlags: newDriverFlags(name), files: map[string]*string{},
		on: map[string]*bool{},
	}
	cmd := &cobra.Command{
		Use: f.model.Use, Short: f.model.Short, Long: f.model.Long, Example: f.model.Example, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.machineRun(cmd, f) },
	}
	f.register(a, cmd)
	a.addDetails(cmd.Flags())
	return cmd, f
}

func (f *machineRun) register(a *app, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false // by subject, as in the table
	f.knobFlags.register(a, cmd)
	for _, k := range f.model.Files {
		if own := fs.Lookup(k.Flag); own != nil { // the knob's value is a word or a file
			own.Usage = k.Doc
			continue
		}
		f.files[k.Flag] = fs.String(k.Flag, "", k.Doc)
	}
	f.registerRows(cmd)
	if f.seeded() && !f.recorded {
		fs.IntVar(&f.seeds, "seeds", 1, "number of runs to average, with the seeds from --seed up")
	}
	fs.StringArrayVar(&f.beside, "vs", nil,
		"KEY=VALUE[,...]: another run next to it, with other knobs of the machine (may be repeated)")
	for _, s := range f.model.Switches {
		f.on[s.Flag] = fs.Bool(s.Flag, false, s.Doc)
	}
	if f.model.Threads {
		addThreadsFlag(fs, &f.threads)
	}
	if f.model.Saved && !f.recorded {
		f.registerSaving(cmd)
		fs.StringVar(&f.resume, "resume", "",
			"continue the run in this checkpoint, which fixes the machine, its files and the seed")
	}
}

// seeded reports whether the machine has a seed.
func (f *knobFlags) seeded() bool { _, ok := knob.Find(f.table, "seed"); return ok }

// fileOf returns the file that a flag names, or "".
func (f *machineRun) fileOf(cmd *cobra.Command, flag string) string {
	if name := f.files[flag]; name != nil {
		return *name
	}
	i := slices.IndexFunc(f.table, func(r knob.Row) bool { return r.Flag == flag })
	if word, _ := cmd.Flags().GetString(flag); i >= 0 && !slices.Contains(f.table[i].Values, word) {
		return word
	}
	return ""
}

// build returns the machine with its files, and prints notes about flags without effect. Such flags are not an error: a
// script may give them to all its runs.
func (f *machineRun) build(a *app, cmd *cobra.Command) (*machinefile.Machine, error) {
	if err := cmp.Or(f.checkSampling(a, cmd), run.CheckThreads(f.threads)); err != nil {
		return nil, err
	}
	if f.resume != "" {
		return f.resumed(a, cmd)
	}
	m, err := f.machine(cmd)
	if err != nil {
		return nil, err
	}
	var files []machines.File
	for _, k := range f.model.Files {
		name := f.fileOf(cmd, k.Flag)
		if name == "" || slices.ContainsFunc(f.vs,
			func(set string) bool { return strings.HasPrefix(set, k.Flag+"=") }) {
			continue
		}
		text, err := machines.ReadFile(f.kind.Name, k.Flag, name)
		word := ""
		if i := slices.IndexFunc(m.Rows, func(r knob.Row) bool { return r.Flag == k.Flag }); i >= 0 {
			word = fmt.Sprintf("expected %s or a file: ", strings.Join(m.Rows[i].Values, ", "))
			_ = m.Rows[i].Put(m.Rows[i].Values[0]) // any value: the file decides
		}
		if err != nil {
			return nil, usagef("--%s: %s%w", k.Flag, word, err)
		}
		files = append(files, machines.File{Flag: k.Flag, Name: name, Text: text})
		a.noteIdleFlags(cmd, true, "--"+k.Flag+
			" decides it", slices.DeleteFunc(f.flagsOf(k.Decides), func(flag string) bool { return flag == k.Flag })...)
	}
	if err := m.CheckRanges(); err != nil {
		return nil, f.named(cmd, err)
	}
	for _, idle := range f.model.IdleKnobs(m.Config) {
		f.noteIdleKnobs(a, cmd, m, idle.Is, idle.Why, idle.Keys...)
		for _, key := range idle.Keys {
			if usual, _ := knob.Find(f.table, key); idle.Is && cmd.Flags().Changed(usual.Flag) {
				r, _ := knob.Find(m.Rows, key)
				_ = r.Put(usual.Get()) // so that the check of the machine accepts it
			}
		}
	}
	f.start = machines.NewStart(m, files)
	if err := machines.GiveFiles(m, files); err != nil {
		return nil, f.named(cmd, err)
	}
	a.made.on(m)
	if err := f.checkOneRun(); err != nil || f.seeds == 1 && len(f.beside) == 0 {
		return m, err
	}
	for _, s := range f.model.Switches {
		if s.OneRun && *f.on[s.Flag] {
			return nil, usagef("--%s needs a single run; leave --seeds and --vs out", s.Flag)
		}
	}
	return m, nil
}

// flagsOf returns the flags of the knobs with the given keys.
func (f *knobFlags) flagsOf(keys []string) []string {
	var flags []string
	for _, key := range keys {
		r, _ := knob.Find(f.table, key)
		flags = append(flags, r.Flag)
	}
	return flags
}

// noteIdleFlags prints a note for each of the flags that the user has given. is says whether these flags have no effect
// in this run, and why is the reason.
func (a *app) noteIdleFlags(cmd *cobra.Command, is bool, why string, flags ...string) {
	for _, name := range flags {
		if is && cmd.Flags().Changed(name) {
			fmt.Fprintf(a.err, "note: --%s changes nothing: %s\n", name, why)
		}
	}
}

// change returns the machine of the flags, with the changes of one --vs.
func (f *machineRun) change(a *app, cmd *cobra.Command, text string) (*machinefile.Machine, error) {
	defer func(w *stream, was made) { a.err, a.made, f.vs = w, was, nil }(a.err, a.made)
	a.err = &stream{to: io.Discard} // the first run has printed the notes about the flags
	err := eachChange(text, knob.Keys(f.table)[0]+"="+f.table[0].Text(), func(name, value string) error {
		key := strings.ReplaceAll(name, "-", "_")
		for _, k := range f.model.Files {
			if slices.Contains(k.Decides, key) && key != k.Flag && f.fileOf(cmd, k.Flag) != "" {
				return usagef("%s is decided by the file of --%s", name, k.Flag)
			}
		}
		f.vs = append(f.vs, key+"="+value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	m, err := f.build(a, cmd)
	if err != nil {
		return nil, fmt.Errorf("--vs %q: %w", text, err)
	}
	return m, nil
}

func (a *app) machineRun(cmd *cobra.Command, f *machineRun) error {
	if err := f.checkSaving(cmd); err != nil {
		return err
	}
	m, err := f.build(a, cmd)
	if err != nil {
		return err
	}
	if seed, ok := knob.Find(m.Rows, "seed"); ok {
		if err := checkSeeds(seed.Get().(uint64), f.seeds); err != nil {
			return err
		}
	}
	first := &machineWork{app: a, machineRun: f, m: m, start: f.start}
	return a.drive(cmd.Context(), &f.driverFlags, first, func(vs string) (func() (driven, error), error) {
		m, err := f.change(a, cmd, vs)
		other := &machineWork{app: a, machineRun: f, m: m, start: f.start}
		return func() (driven, error) { return other, nil }, err
	})
}

// addNext adds to the answer what to try next, with the same flags. It adds nothing if this run already has the setting
// to try.
func (f *machineRun) addNext(a *app, x *answer.Answer, m *machinefile.Machine) {
	next := f.model.Next
	change := strings.TrimPrefix(next.Command, "run --vs ")
	same := slices.ContainsFunc(m.Rows, func(r knob.Row) bool { return r.Key+"="+r.Text() == change })
	if next.Command == "" || same || f.resume != "" {
		return
	}
	x.Next = answer.Next{Command: a.made.next(m.Kind.Name+" "+next.Command, a.made.args), Why: next.Why}
}

// addPapers adds a paper's numbers to the answer, unless the user's own files determine the run.
func (f *machineRun) addPapers(x *answer.Answer, m *machinefile.Machine) {
	if len(f.start.Files) == 0 {
		addPapers(x, sameMachine(m))
		addPaperColumns(x)
	}
}

// watch returns the options of a run according to the flags.
func (f *machineRun) watch() machines.Watch {
	w := machines.Watch{Threads: f.threads, On: map[string]bool{}, Rows: map[string]func(cells ...any){}}
	for flag, on := range f.on {
		w.On[flag] = *on
	}
	if f.every != nil {
		w.Every = f.every()
	}
	return w
}

// machineRunCmd returns the command that runs a machine, with no other flags than its model's.
func machineRunCmd(a *app, name string) *cobra.Command {
	cmd, _ := newMachineRunCmd(a, name)
	return cmd
}

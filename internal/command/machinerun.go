package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/plural"
	"emsim/internal/base/wholefile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// machineRun is 'emsim NAME run' of any machine but the EM-4: what its model
// describes, with the flags that all have.
type machineRun struct {
	*knobFlags
	model          *machines.Model
	files          map[string]*string // by flag; one of a knob is in given
	series, events string
	every          func() int64 // clocks or nanoseconds from one sample to the next
	seeds          int
	lists, step    bool
}

func newMachineRunCmd(a *app, name string) *cobra.Command {
	f := &machineRun{knobFlags: newKnobFlags(name), model: machines.ModelOf(name), files: map[string]*string{}, seeds: 1}
	cmd := &cobra.Command{
		Use: "run", Short: f.model.Short, Long: f.model.Long, Example: f.model.Example, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.machineRun(cmd, f) },
	}
	f.register(cmd)
	return cmd
}

func (f *machineRun) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false // by subject, as in the table
	f.knobFlags.register(cmd)
	for _, k := range f.model.Files {
		if own := fs.Lookup(k.Flag); own != nil { // a word of the knob, or a file
			own.Usage = k.Doc
			continue
		}
		f.files[k.Flag] = fs.String(k.Flag, "", k.Doc)
	}
	fs.StringVar(&f.series, "series", "", "write what each worker holds and does over time to this CSV `FILE`")
	sample := "from one sample of --series to the next"
	switch usual := f.model.Sampling.Usual.(type) {
	case time.Duration:
		d := fs.Duration(f.model.Sampling.Flag, usual, "time "+sample)
		f.every = func() int64 { return int64(*d) }
	case int64:
		n := fs.Int64(f.model.Sampling.Flag, usual, "clocks "+sample)
		f.every = func() int64 { return *n }
	}
	fs.StringVar(&f.events, "events", "", "write the events of the run to this CSV `FILE`")
	if f.seeded() {
		fs.IntVar(&f.seeds, "seeds", 1, "number of runs to average, with the seeds from --seed up")
	}
	if list := f.model.ListFlag; list[0] != "" {
		fs.BoolVar(&f.lists, list[0], false, list[1])
	}
	if f.model.Steps {
		fs.BoolVar(&f.step, "step", false, "step through every clock instead of skipping those without an event (same result, slower)")
	}
}

// seeded reports whether runs of the machine differ by a seed.
func (f *knobFlags) seeded() bool { _, ok := knob.Find(f.rows, "seed"); return ok }

// fileOf is the file of a flag, or "".
func (f *machineRun) fileOf(cmd *cobra.Command, flag string) string {
	if name := f.files[flag]; name != nil {
		return *name
	}
	i := slices.IndexFunc(f.rows, func(r knob.Row) bool { return r.Flag == flag })
	if word, _ := cmd.Flags().GetString(flag); i >= 0 && !slices.Contains(f.rows[i].Values, word) {
		return word
	}
	return ""
}

// build puts the machine together, with its files, and tells of flags that change
// nothing. They are no mistake: a loop over settings has them for all.
func (f *machineRun) build(a *app, cmd *cobra.Command) (*machinefile.Machine, error) {
	if unit := f.timeUnit(); f.every() < unit {
		return nil, usagef("--%s %v: expected %s or more", f.model.Sampling.Flag, cmd.Flag(f.model.Sampling.Flag).Value, map[int64]string{1: "1 clock", 1000: "1us"}[unit])
	}
	m, err := f.machine(cmd)
	if err != nil {
		return nil, err
	}
	var files []machines.File
	reads := []string{f.file}
	for _, k := range f.model.Files {
		name := f.fileOf(cmd, k.Flag)
		if name == "" {
			continue
		}
		text, err := machines.ReadFile(f.kind.Name, k.Flag, name)
		word := ""
		if i := slices.IndexFunc(m.Rows, func(r knob.Row) bool { return r.Flag == k.Flag }); i >= 0 {
			word = fmt.Sprintf("expected %s or a file: ", strings.Join(m.Rows[i].Values, ", "))
			_ = m.Rows[i].Put(m.Rows[i].Values[0]) // any word: the file decides
		}
		if err != nil {
			return nil, usagef("--%s: %s%w", k.Flag, word, err)
		}
		files, reads = append(files, machines.File{Flag: k.Flag, Name: name, Text: text}), append(reads, name)
		a.noteIdleFlags(cmd, true, "--"+k.Flag+" decides it", slices.DeleteFunc(f.flagsOf(k.Decides), func(flag string) bool { return flag == k.Flag })...)
	}
	a.noteIdleFlags(cmd, f.series == "", "there is no --series FILE", f.model.Sampling.Flag)
	if err := m.CheckRanges(); err != nil {
		return nil, f.named(cmd, err)
	}
	for _, idle := range f.model.IdleKnobs(m.Config) {
		a.noteIdleFlags(cmd, idle.Is, idle.Why, f.flagsOf(idle.Keys)...)
		for _, key := range idle.Keys {
			if usual, _ := knob.Find(f.rows, key); idle.Is && cmd.Flags().Changed(usual.Flag) {
				r, _ := knob.Find(m.Rows, key)
				_ = r.Put(usual.Get()) // so that no rule about it is broken
			}
		}
	}
	if err := machines.GiveFiles(m, files); err != nil {
		return nil, f.named(cmd, err)
	}
	if f.seeds != 1 && f.watches() {
		return nil, usagef("--series and --events are of one run; leave --seeds out")
	}
	if f.seeds != 1 && f.lists {
		return nil, usagef("--%s is of one run; leave --seeds out", f.model.ListFlag[0])
	}
	return m, claim([]output{{flag: "--series", name: f.series}, {flag: "--events", name: f.events}}, reads...)
}

// flagsOf are the flags of knobs.
func (f *knobFlags) flagsOf(keys []string) []string {
	var flags []string
	for _, key := range keys {
		r, _ := knob.Find(f.rows, key)
		flags = append(flags, r.Flag)
	}
	return flags
}

// noteIdleFlags tells of flags that were set and change nothing.
func (a *app) noteIdleFlags(cmd *cobra.Command, is bool, why string, flags ...string) {
	for _, name := range flags {
		if is && cmd.Flags().Changed(name) {
			fmt.Fprintf(a.err, "note: --%s changes nothing: %s\n", name, why)
		}
	}
}

func (f *machineRun) watches() bool { return f.series != "" || f.events != "" }

// timeUnit is the least time from one sample to the next.
func (f *machineRun) timeUnit() int64 {
	if _, ok := f.model.Sampling.Usual.(time.Duration); ok {
		return int64(time.Microsecond)
	}
	return 1
}

func (a *app) machineRun(cmd *cobra.Command, f *machineRun) error {
	m, err := f.build(a, cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.seeds != 1 {
		return a.machineSeeds(ctx, f, m)
	}
	x, err := f.runOnce(ctx, m)
	if x == nil {
		return err
	}
	table := func(w io.Writer) error { return answerTable(w, m, x, f.lists || f.model.ListFlag[0] == "") }
	switch {
	case errors.As(err, new(*wholefile.Error)):
		return a.unwritten(err, x, table)
	case interrupt.Ended(err):
		so, keys := x.Progress()
		end := interrupt.Of(ctx, "%s", so)
		for key, v := range keys {
			end = end.With(key, v)
		}
		return a.failed(end, map[string]any{"statistics": x}, table)
	case err != nil:
		return err
	}
	return a.emitAnswer(x, table)
}

// runOnce runs the machine once and writes the files, up to where the run ends.
func (f *machineRun) runOnce(ctx context.Context, m *machinefile.Machine) (machines.Answer, error) {
	series, err1 := createCSV("series", f.series, f.model.Sampling.Columns)
	events, err2 := createCSV("events", f.events, f.model.Events)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	w := machines.Watch{Every: f.every(), Step: f.step, Lists: f.lists}
	if f.series != "" {
		w.Sample = series.write
	}
	if f.events != "" {
		w.Event = events.write
	}
	x, err := machines.Run(ctx, m, w)
	if files := errors.Join(series.close(), events.close()); files != nil {
		err = files
	}
	return x, err
}

// machineSeeds runs the machine with several seeds.
func (a *app) machineSeeds(ctx context.Context, f *machineRun, m *machinefile.Machine) error {
	seed, _ := knob.Find(m.Rows, "seed")
	first := seed.Get().(uint64)
	if err := checkSeeds(first, f.seeds); err != nil {
		return err
	}
	line := a.newProgress(int64(f.seeds))
	defer line.erase()
	var runs []machines.Answer
	for i := range f.seeds {
		line.showStep(i, "run %d of %d", i+1, f.seeds)
		_ = seed.Put(first + uint64(i)) // as its first value
		x, err := machines.Run(ctx, m, machines.Watch{})
		if interrupt.Ended(err) {
			err = interrupt.Of(ctx, "after %d of %s", i, plural.Of(f.seeds, "run"))
			if i == 0 {
				return err
			}
			mean := machines.MeanOf(runs)
			return a.partial(err, mean, func(w io.Writer) error { return meanTable(w, m, mean) })
		}
		if err != nil {
			return err
		}
		runs = append(runs, x)
	}
	mean := machines.MeanOf(runs)
	return a.emitAnswer(mean, func(w io.Writer) error { return meanTable(w, m, mean) })
}

package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/checkpoint"
	"emsim/internal/machine/machines"
)

// driverFlags holds the flags that 'run' of every machine has: the CSV files of rows, their sampling interval, the
// number of runs, the runs to compare with, and the checkpoint.
type driverFlags struct {
	model  *machines.Model
	run    string             // the command that runs the machine
	rows   map[string]*string // files to write
	every  func() int64       // clocks or nanoseconds between samples
	seeds  int
	beside []string // the values of --vs

	checkpoint string
	at         func() int64 // in the machine's unit; nil if the machine has no checkpoints
	atGiven    bool
}

func newDriverFlags(machine string) driverFlags {
	kind, _ := machines.KindOf(machine)
	return driverFlags{model: machines.ModelOf(machine), run: kind.Run(), rows: map[string]*string{}, seeds: 1}
}

// registerRows adds a flag for each CSV file that a run can write, and for --series also the flag of the sampling
// interval.
func (f *driverFlags) registerRows(cmd *cobra.Command) {
	for _, r := range f.model.Rows {
		f.rows[r.Flag] = new(string)
		outFlag(cmd, f.rows[r.Flag], r.Flag, r.Doc)
		if r.Flag == "series" {
			f.registerSampling(cmd.Flags())
		}
	}
}

func (f *driverFlags) registerSampling(fs *pflag.FlagSet) {
	const sample = "from one sample of --series to the next"
	switch usual := f.model.Sampling.Usual.(type) {
	case time.Duration:
		d := fs.Duration(f.model.Sampling.Flag, usual, "time "+sample)
		f.every = func() int64 { return int64(*d) }
	case int64:
		n := fs.Int64(f.model.Sampling.Flag, usual, "clocks "+sample)
		f.every = func() int64 { return *n }
	}
}

// registerSaving adds the flags that save a run.
func (f *driverFlags) registerSaving(cmd *cobra.Command) {
	fs, doc := cmd.Flags(), "of the run's time at which --checkpoint is written; the run continues"
	outFlag(cmd, &f.checkpoint, "checkpoint",
		"write the state of the run to this file: at --at; without --at when Ctrl-C or a limit stops it", "resume")
	if f.inSeconds() {
		d := fs.Duration("at", 0, "moment "+doc)
		f.at = func() int64 { return f.model.Units(int64(*d)) }
	} else {
		n := fs.Int64("at", 0, "clock "+doc)
		f.at = func() int64 { return *n }
	}
}

// inSeconds reports whether the machine's flags give times in seconds rather than clocks.
func (f *driverFlags) inSeconds() bool {
	_, ok := f.model.Sampling.Usual.(time.Duration)
	return ok
}

// checkSampling rejects an interval between samples that is too short, and prints a note if the interval has no effect.
func (f *driverFlags) checkSampling(a *app, cmd *cobra.Command) error {
	if f.every == nil {
		return nil
	}
	flag, least, unit := f.model.Sampling.Flag, int64(1), "1 clock"
	if f.inSeconds() {
		least, unit = 1000, "1us"
	}
	if f.every() < least {
		return usagef("--%s %v: expected %s or more", flag, cmd.Flag(flag).Value, unit)
	}
	a.noteIdleFlags(cmd, *f.rows["series"] == "", "there is no --series FILE", flag)
	return nil
}

// checkSaving rejects contradictory flags before the run begins.
func (f *driverFlags) checkSaving(cmd *cobra.Command) error {
	if f.at == nil {
		return nil
	}
	f.atGiven = cmd.Flags().Changed("at")
	switch at := cmd.Flag("at").Value; {
	case f.atGiven && f.checkpoint == "":
		return usagef("--at %v is the time of --checkpoint: give that a file name too", at)
	case f.at() < 0:
		return usagef("--at %v: expected 0 or more", at)
	}
	for _, flag := range []string{"checkpoint", "resume"} {
		if cmd.Flags().Changed(flag) && cmd.Flag(flag).Value.String() == "" {
			return usagef("--%s needs a file name", flag)
		}
	}
	if f.checkpoint != "" {
		return checkpoint.Probe(f.checkpoint)
	}
	return nil
}

// checkOneRun rejects single-run flags with --seeds or --vs.
func (f *driverFlags) checkOneRun() error {
	if f.seeds == 1 && len(f.beside) == 0 {
		return nil
	}
	if f.checkpoint != "" {
		return usagef("--checkpoint needs a single run; leave --seeds and --vs out")
	}
	for _, name := range f.rows {
		if *name != "" {
			flags := lists.Of(f.model.Rows, func(r machines.Rows) string { return "--" + r.Flag })
			return usagef("%s %s a single run; leave --seeds and --vs out", strings.Join(flags, " and "),
				plural.Verb(len(flags), "needs", "need"))
		}
	}
	return nil
}

// noteCheckpoint prints what --checkpoint has written.
func (f *driverFlags) noteCheckpoint(a *app, after string) {
	fmt.Fprintf(a.err, "note: %s\n", f.holds(after, "to continue"))
}

// holds describes the contents of the checkpoint, and how to continue the run.
func (f *driverFlags) holds(after, then string) string {
	return fmt.Sprintf("%s holds the run after %s; %s: %s --resume %[1]s", f.checkpoint, after, then, f.run)
}

// rescued saves a run that ended with err, if --checkpoint is given without --at, and adds a note about the checkpoint
// to the error. The function save writes the checkpoint. It returns the length of the saved run, or "" if this error
// leaves nothing to save, and what the saved state can be used for.
func (f *driverFlags) rescued(err error, save func() (after, then string, err error)) error {
	if f.checkpoint == "" || f.atGiven || err == nil {
		return err
	}
	after, then, unsaved := save()
	if unsaved != nil || after == "" {
		return errors.Join(err, unsaved)
	}
	return &failure{
		fmt.Errorf("%w\n%s", err, f.holds(after, then)), map[string]any{"checkpoint": f.checkpoint},
	}
}

// notReached is the error for a run that ended before --at. Its answer is complete.
type notReached struct{ error }

func (e *notReached) Unwrap() error { return e.error }

// notReached returns the error for a run that ended before --at.
func (f *driverFlags) notReached(after string) error {
	return &notReached{usagef("no checkpoint was written: the run ended after %s, before --at %s", after,
		f.lasted(f.at()))}
}

// noteSpeed prints how long the simulation took if standard error is a terminal, except with --json. speed is text to
// append, or "".
func (a *app) noteSpeed(seconds float64, speed string) {
	if !a.json && isTerminal(a.err) {
		fmt.Fprintf(a.err, "simulated in %.2f s%s\n", seconds, speed)
	}
}

// completed returns the errors of a run and of its files. A run that ended before --at is complete, and only its
// checkpoint is missing.
func completed(err, files error) (_, _ error) {
	if early := new(notReached); errors.As(err, &early) {
		return nil, errors.Join(err, files)
	}
	return err, files
}

// lasted formats the duration of a run.
func (f *driverFlags) lasted(at int64) string {
	if f.inSeconds() {
		return f.model.UnitsText(at)
	}
	return count(uint64(at)) + " clocks"
}

// rowFiles lists the CSV files that a run writes.
type rowFiles []*csvFile

// createRows creates the files that the flags name.
func (a *app) createRows(f *driverFlags) (files rowFiles, err error) {
	for _, r := range f.model.Rows {
		c, err := a.createCSV(r.Flag, *f.rows[r.Flag], r.Columns)
		if err != nil {
			return nil, errors.Join(err, files.close())
		}
		if c != nil {
			c.terms = r.Terms(f.model)
			files = append(files, c)
		}
	}
	return files, nil
}

// of returns the file of a flag, or nil.
func (l rowFiles) of(flag string) *csvFile {
	if i := slices.IndexFunc(l, func(c *csvFile) bool { return c.flag == flag }); i >= 0 {
		return l[i]
	}
	return nil
}

// close closes the files.
func (l rowFiles) close() (err error) {
	for _, c := range l {
		err = errors.Join(err, c.close())
	}
	return err
}

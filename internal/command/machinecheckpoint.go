package command

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/knob"
	"emsim/internal/base/state"
	"emsim/internal/machine/checkpoint"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
)

// machineCheckpoint is how a run of a machine other than the EM-4 is saved and resumed.
type machineCheckpoint struct {
	checkpoint, resume string
	at                 func() int64 // in the machine's unit
	atGiven            bool
	start              *machines.Start
	from               *state.Snapshots // of resume; nil: from the beginning

	saved, stopped bool  // the file is written; where the run was stopped
	unwritten      error // it could not be

	kept   []byte // the latest state of a run that may fail, with its time
	keptAt int64
}

func (f *machineCheckpoint) register(cmd *cobra.Command, x *machines.Model) {
	fs, doc := cmd.Flags(), "of the run's time at which --checkpoint is written; the run continues"
	outFlag(cmd, &f.checkpoint, "checkpoint",
		"write the state of the run to this file: at --at; without --at when Ctrl-C or the machine's limit stops it",
		"resume")
	if _, ok := x.Sampling.Usual.(time.Duration); ok {
		d := fs.Duration("at", 0, "moment "+doc)
		f.at = func() int64 { return x.Units(int64(*d)) }
	} else {
		n := fs.Int64("at", 0, "clock "+doc)
		f.at = func() int64 { return *n }
	}
	fs.StringVar(&f.resume, "resume", "",
		"continue the run in this checkpoint, which fixes the machine, its files and the seed")
}

// check refuses flags that contradict each other, before anything is done.
func (f *machineRun) check(cmd *cobra.Command) error {
	if f.at == nil { // it has none of them
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

// again reports whether a flag may stand next to --resume: it is about the rest of the
// run, and not about the machine.
func (f *machineRun) again(flag *pflag.Flag) bool {
	_, isRow := f.rows[flag.Name]
	_, isSwitch := f.on[flag.Name]
	return isRow && flag.Name != "events" || isSwitch || flag.Name == f.model.Sampling.Flag ||
		slices.Contains(f.model.Again, flag.Name) ||
		slices.Contains([]string{"at", "checkpoint", "resume", "json", "no-progress"}, flag.Name)
}

// resumed puts the machine of --resume together.
func (f *machineRun) resumed(a *app, cmd *cobra.Command) (*machinefile.Machine, error) {
	var err error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && !f.again(flag) && cmd.InheritedFlags().Lookup(flag.Name) == nil {
			if err = usagef("--events tells of moves from their beginning, which may be before %s was saved: leave "+
				"it out, or run the whole run", f.resume); flag.Name == "events" {
				return
			}
			err = usagef("--resume continues the run in %s, which fixes the machine, its files and the "+
				"seed: leave out --%s", f.resume, flag.Name)
		}
	})
	if err != nil {
		return nil, err
	}
	if f.start, f.from, err = machines.Resume(f.resume, f.kind.Name); err != nil {
		return nil, err
	}
	m := f.kind.NewMachine()
	err = f.start.Give(m, func() {
		for key, value := range f.given {
			if r, _ := knob.Find(m.Rows, key); cmd.Flags().Changed(r.Flag) {
				_ = r.Put(value()) // which is checked with the machine
			}
		}
	})
	if err != nil {
		return nil, usagef("%s: %w: %w", f.resume, state.ErrMisfit, err)
	}
	if f.atGiven && f.at() < f.from.From {
		return nil, usagef("--at is %v, the run in %s has already reached %s", cmd.Flag("at").Value, f.resume,
			f.model.UnitsText(f.from.From))
	}
	a.made.on(m)
	return m, nil
}

// snapshots returns the times at which the run saves its state, and the state from which it continues.
func (f *machineRun) snapshots(a *app) *state.Snapshots {
	m := &state.Snapshots{At: state.Never}
	if f.from != nil {
		m.Resume, m.From = f.from.Resume, f.from.From
	}
	bytes := func(walk func(*state.Codec)) []byte {
		c := state.Saver(nil)
		walk(c)
		return c.Bytes()
	}
	switch {
	case f.checkpoint == "":
	case f.atGiven:
		m.At = f.at()
		m.Show = func(at int64, walk func(*state.Codec)) int64 {
			f.save(a, at, bytes(walk))
			if f.unwritten == nil {
				a.noteCheckpoint(f.checkpoint, f.lasted(at), f.kind.Run())
			}
			return state.Never
		}
	default:
		m.Stop = func(at int64, walk func(*state.Codec)) {
			f.stopped, f.keptAt = true, at
			a.made.also = " --at " + f.model.UnitsText(at)
			f.save(a, at, bytes(walk))
		}
		m.At = m.From
		m.Show = func(at int64, walk func(*state.Codec)) int64 {
			f.kept, f.keptAt = bytes(walk), at
			return at + at/keptPart + 1
		}
	}
	return m
}

// keptPart is the part of a run's time that is at most done again to come to where it
// failed [chosen].
const keptPart = 8

// save writes the checkpoint.
func (f *machineRun) save(a *app, at int64, saved []byte) {
	f.saved = true
	f.unwritten = f.start.Save(f.checkpoint, f.kind.Name, recipe.Line(a.recipe("--checkpoint")), at, saved)
}

// lasted returns how long a run has lasted, in words.
func (f *machineRun) lasted(at int64) string {
	if _, ok := f.model.Sampling.Usual.(time.Duration); ok {
		return f.model.UnitsText(at)
	}
	return count(uint64(at)) + " clocks"
}

// reached says that a run ended before --at.
func (f *machineRun) reached() error {
	if f.atGiven && !f.saved {
		return usagef("no checkpoint was written: the run ended before %s of --at", f.model.UnitsText(f.at()))
	}
	return nil
}

// ended writes the checkpoint of a run that failed, with its latest state before that, and
// adds to the error what was written and how the run continues.
func (f *machineRun) ended(a *app, err error) error {
	_, status := classify(err)
	then := "to continue"
	switch {
	case errors.Is(err, state.ErrMisfit):
		return usagef("%s: %w", f.resume, err)
	case f.checkpoint == "" || f.atGiven:
		return err
	case err == nil:
		a.noteNoCheckpoint(f.checkpoint)
		return nil
	case !f.stopped && status == failing && f.kept != nil:
		then = "to come to the end again"
		a.made.also = " --at " + f.model.UnitsText(f.keptAt)
		f.save(a, f.keptAt, f.kept)
	}
	switch {
	case !f.saved:
		return err
	case f.unwritten != nil:
		return errors.Join(err, f.unwritten)
	}
	err = fmt.Errorf("%w\n%s holds the run after %s; %s: %s --resume %[2]s", err, f.checkpoint, f.lasted(f.keptAt),
		then, f.kind.Run())
	return &failure{err, map[string]any{"checkpoint": f.checkpoint}}
}

package command

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/answer"
	"emsim/internal/base/knob"
	"emsim/internal/base/state"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
)

// machineCheckpoint holds the state for saving and resuming a run of a machine other than the EM-4.
type machineCheckpoint struct {
	resume string
	start  *machines.Start
	from   *state.Snapshots // from the file of resume; nil means a run from the beginning

	saved, stopped bool  // save was called; the run stopped there
	unwritten      error // why the file could not be written

	kept   []byte // the latest state of a run that may fail, with its time
	keptAt int64
}

// again reports whether a flag may be combined with --resume, because it concerns the rest of the run and not the
// machine.
func (f *machineRun) again(flag *pflag.Flag) bool {
	_, isRow := f.rows[flag.Name]
	_, isSwitch := f.on[flag.Name]
	return isRow && flag.Name != "events" || isSwitch || flag.Name == f.model.Sampling.Flag ||
		slices.Contains(f.model.Again, flag.Name) ||
		slices.Contains([]string{"at", "checkpoint", "resume", "json", "no-progress"}, flag.Name)
}

// resumed returns the machine in the checkpoint of --resume. It rejects flags that the checkpoint determines, and a
// time --at that is already over.
func (f *machineRun) resumed(a *app, cmd *cobra.Command) (*machinefile.Machine, error) {
	var err error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err == nil && !f.again(flag) && cmd.InheritedFlags().Lookup(flag.Name) == nil {
			if err = usagef("--events follows moves from their beginning, which may be before %s was saved: "+
				"leave it out, or repeat the run from its start", f.resume); flag.Name == "events" {
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
				_ = r.Put(value()) // the value is checked with the machine
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

// snapshots returns the times at which the run saves its state, and the state from which it starts.
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
				f.noteCheckpoint(a, f.lasted(at))
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

// keptPart limits how much of a failed run must be repeated: the next state is kept after a further 1/keptPart of the
// time simulated so far [chosen].
const keptPart = 8

// save writes the checkpoint.
func (f *machineRun) save(a *app, at int64, saved []byte) {
	f.saved = true
	f.unwritten = f.start.Save(f.checkpoint, f.kind.Name, recipe.Line(a.recipe("--checkpoint")), at, saved)
}

// reached returns an error if the run ended before --at; the answer x contains its length.
func (f *machineRun) reached(x *answer.Answer) error {
	if !f.atGiven || f.saved {
		return nil
	}
	return f.notReached(x.Field(f.model.Time).String())
}

// ended writes the checkpoint of a failed run, with the latest state before the failure. It adds to the error what was
// written and how to continue the run.
func (f *machineRun) ended(a *app, err error) error {
	if errors.Is(err, state.ErrMisfit) {
		return usagef("%s: %w", f.resume, err)
	}
	return f.rescued(err, func() (after, then string, _ error) {
		then = "to continue"
		if _, status := classify(err); !f.stopped && status == failing && f.kept != nil {
			then = "to reach the failure again"
			a.made.also = " --at " + f.model.UnitsText(f.keptAt)
			f.save(a, f.keptAt, f.kept)
		}
		if f.saved {
			after = f.lasted(f.keptAt)
		}
		return after, then, f.unwritten
	})
}

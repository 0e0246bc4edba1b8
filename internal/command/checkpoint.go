package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
)

// checkCheckpoint refuses flags that contradict each other.
func (f *runFlags) checkCheckpoint(cmd *cobra.Command) error {
	f.atGiven = cmd.Flags().Changed("at")
	switch {
	case f.atGiven && f.checkpoint == "":
		return usagef("--at %d is the clock of --checkpoint: give that a file name too", f.at)
	case cmd.Flags().Changed("checkpoint") && f.checkpoint == "":
		return usagef("--checkpoint needs a file name")
	case f.atGiven && f.maxClocks > 0 && f.at > f.maxClocks:
		return usagef("--at %d is beyond --max-clocks %d: no checkpoint would be written", f.at, f.maxClocks)
	}
	return nil
}

// checkResumed refuses flags that need what the checkpoint lacks.
func (f *runFlags) checkResumed(s *run.Batch) error {
	switch {
	case f.stats != "" && !s.KeepCounters:
		return usagef("--stats: the checkpoint %s was made without --stats and has no counters by PE: leave it out", f.resume)
	case f.series != "" && !s.KeepSeries:
		return usagef("--series: the checkpoint %s was made without --series and has no windows: leave it out", f.resume)
	case f.atGiven && f.at < s.Current.Clock():
		return usagef("--at is %d, the run in %s has already reached clock %d", f.at, f.resume, s.Current.Clock())
	}
	return nil
}

// stopped writes the requested checkpoint of a run that the user or the clock
// limit stopped, and names it in the error.
func (r *runs) stopped(err error) error {
	var limit *em4.ClockLimit
	var user *interrupt.Error
	if r.flags.checkpoint == "" || r.flags.atGiven || !errors.As(err, &limit) && !errors.As(err, &user) {
		return err
	}
	if user != nil {
		r.app.made.also = fmt.Sprintf(" --at %d", r.Current.Clock()) // where the user stopped it
	}
	if e := r.save(); e != nil {
		return fmt.Errorf("%w\n%w", err, e)
	}
	return &saved{err, r.flags.checkpoint}
}

// save writes the checkpoint.
func (r *runs) save() error {
	return r.Save(r.flags.checkpoint, recipe.Line(r.app.recipe("--checkpoint")))
}

// saved is the error of a stopped run that can continue.
type saved struct {
	error
	file string
}

func (e *saved) Error() string {
	return fmt.Sprintf("%v\nto continue: emsim run --resume %s", e.error, e.file)
}
func (e *saved) Unwrap() error { return e.error }

// Details returns the keys of the error that stopped the run, and the file.
func (e *saved) Details() map[string]any {
	all := simerr.Details(e.error)
	all["checkpoint"] = e.file
	return all
}

package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
)

// snapshot is the state of a run at some clock, and the time when it was taken.
type snapshot struct {
	state    []byte
	counters []em4.Counters
	taken    time.Time
}

// keepEvery is the interval between snapshots, and so the most time to simulate again after a failure [chosen: a
// snapshot takes a small part of it].
const keepEvery = 20 * time.Second

// keep takes a snapshot of the run every keepEvery, if --checkpoint is given without --at. The checkpoint after a fault
// is made from the snapshot, because a fault leaves a PE in the middle of an instruction, from which a run cannot
// continue.
func (r *runs) keep() {
	if r.flags.checkpoint == "" || r.flags.atGiven || time.Since(r.before.taken) < keepEvery ||
		r.CheckMemory("the snapshot of a machine", 3) != nil {
		return
	}
	r.before = snapshot{r.Snapshot(), slices.Clone(r.Counters), time.Now()}
}

// stopped writes the requested checkpoint of a run that was stopped by the user, the clock limit or a failure. It adds
// a note about the checkpoint to the error.
func (r *runs) stopped(ctx context.Context, err error) error {
	return r.flags.rescued(err, func() (after, then string, _ error) {
		var limit *em4.ClockLimit
		var user *interrupt.Error
		var fault *emcr.Fault
		saved, then := r.Batch, "to continue"
		switch kind := simerr.Kind(err); {
		case errors.As(err, &user):
			r.app.made.also = fmt.Sprintf(" --at %d", r.Current.Clock()) // the clock at which the user stopped it
		case errors.As(err, &limit):
		case errors.As(err, &fault):
			then = "from the clock before"
			r.app.made.also = fmt.Sprintf(" --at %d", fault.Clock-r.Current.StartClock())
			var again error
			if saved, again = r.back(ctx, fault.Clock); again != nil {
				return "", "", fmt.Errorf("no checkpoint was written: %w", again)
			}
		case kind == simerr.KindDeadlock || kind == "no_result":
			then = "to look into it"
		default:
			return "", "", nil
		}
		return count(saved.Current.Clock()) + " clocks", then, r.save(saved)
	})
}

// back returns the run as it was at the beginning of a clock of the machine.
func (r *runs) back(ctx context.Context, clock uint64) (*run.Batch, error) {
	if r.before.state == nil {
		return nil, r.CheckMemory("the snapshot of a machine", 3)
	}
	b, err := r.Fork(r.before.state)
	if err != nil {
		return nil, err
	}
	b.Counters = r.before.counters
	return b, b.Advance(ctx, clock-b.Current.StartClock())
}

// save writes the checkpoint.
func (r *runs) save(b *run.Batch) error {
	return b.Save(r.flags.checkpoint, recipe.Line(r.app.recipe("--checkpoint")))
}

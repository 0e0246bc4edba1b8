package rhinet

import (
	"fmt"

	"emsim/internal/base/simerr"
)

// The error types of this package, which all machines share.
type (
	// Usage is the error for an invalid parameter.
	Usage = simerr.Usage
	// Deadlock is the error of a run in which no event is left although a rank still waits. Its keys are "rank",
	// "peer" (whose message the rank waits for), "loop" (from 1) and "clock" (when it began to wait, in ticks of 8
	// ns).
	Deadlock = simerr.Deadlock
	// Limit is the error of a run that would last longer than the model counts ("max_clocks"; keys "clock", the
	// limit, and "loop", of rank 0), or of a solver that did not converge ("no_convergence"; key "loops": the number
	// of loops done).
	Limit = simerr.Limit
)

func usagef(format string, args ...any) error { return simerr.Usagef("rhinet: "+format, args...) }

// deadlocked returns the error of a deadlock in which r is the first waiting rank.
func deadlocked(r *rank) error {
	return &Deadlock{
		Machine: "rhinet", Clock: r.since,
		Waits: []simerr.Wait{{
			Who: fmt.Sprintf("rank %d", r.id),
			For: fmt.Sprintf("a message from rank %d", r.waitFor),
		}},
		Keys: simerr.Keys{"rank": r.id, "peer": r.waitFor, "loop": r.loop, "clock": r.since},
		Err: fmt.Errorf("rhinet: deadlock: rank %d has been waiting in loop %d since %.6f s for a message from "+
			"rank %d, and no message is in flight",
			r.id, r.loop, Seconds(r.since), r.waitFor),
	}
}

// tooLong returns the error of a run that would last longer than the model counts.
func tooLong(loop int) error {
	return &Limit{
		Machine: "rhinet", Name: simerr.KindMaxClocks, Clock: maxTicks,
		Keys: simerr.Keys{"clock": int64(maxTicks), "loop": loop},
		Err: fmt.Errorf("rhinet: after %.0f years of the model's time the run is still in loop %d; take fewer rows, "+
			"a smaller row cost or a larger share of the CPU",
			Seconds(maxTicks)/(365*86400), loop),
	}
}

// noConvergence returns the error of a solver that did not converge in the given number of loops. delta is the
// largest change since the last exchange; it is not finite if the solver diverged.
func noConvergence(loops int, delta, tolerance float64) error {
	return &Limit{
		Machine: "rhinet", Name: "no_convergence", Keys: simerr.Keys{"loops": loops},
		Err: fmt.Errorf("rhinet: no convergence: after %d loops the largest change is %g, expected below %g; a "+
			"smaller omega, a larger dominance or a smaller exchange interval helps",
			loops, delta, tolerance),
	}
}

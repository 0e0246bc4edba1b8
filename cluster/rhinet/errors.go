package rhinet

import "fmt"

// A ConfigError is a parameter that no machine could have.
type ConfigError struct{ msg string }

func (e *ConfigError) Error() string { return "rhinet: " + e.msg }

// Kind says that the user must correct the parameters.
func (e *ConfigError) Kind() string { return "usage" }

func configErrorf(format string, args ...any) error {
	return &ConfigError{fmt.Sprintf(format, args...)}
}

// A DeadlockError is a run in which nothing more can happen although a rank
// still waits.
type DeadlockError struct {
	Rank int   // the first rank that waits
	Peer int   // whose message it waits for
	Loop int   // the loop it is in, from 1
	Tick int64 // when it began to wait, in ticks of 8 ns
}

func (e *DeadlockError) Error() string {
	return fmt.Sprintf("rhinet: deadlock: rank %d waits in loop %d since %.6f s for a message from rank %d, and nothing is under way",
		e.Rank, e.Loop, Seconds(e.Tick), e.Peer)
}

// Kind names the failure.
func (e *DeadlockError) Kind() string { return "deadlock" }

// Details says which rank waits for which.
func (e *DeadlockError) Details() map[string]any {
	return map[string]any{"rank": e.Rank, "peer": e.Peer, "loop": e.Loop, "clock": e.Tick}
}

// A TimeError is a run that would last longer than the model counts.
type TimeError struct {
	Loop int // loop that rank 0 was in
}

func (e *TimeError) Error() string {
	return fmt.Sprintf("rhinet: after %.0f years of the model's time the run is still in loop %d; take fewer rows, a smaller row cost or a larger share of the CPU",
		Seconds(maxTicks)/(365*86400), e.Loop)
}

// Kind names the failure.
func (e *TimeError) Kind() string { return "max_clocks" }

// Details tells when.
func (e *TimeError) Details() map[string]any {
	return map[string]any{"clock": int64(maxTicks), "loop": e.Loop}
}

// A ConvergenceError is a solver that did not converge.
type ConvergenceError struct {
	Loops int     // loops done
	Delta float64 // last largest change between exchanges; not finite if the solver diverged
	Limit float64 // the change that counts as converged
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("rhinet: no convergence: after %d loops the largest change is %g, wanted below %g; a smaller omega, a larger dominance or a smaller exchange interval helps",
		e.Loops, e.Delta, e.Limit)
}

// Kind names the failure.
func (e *ConvergenceError) Kind() string { return "no_convergence" }

// Details says how far the solver got.
func (e *ConvergenceError) Details() map[string]any { return map[string]any{"loops": e.Loops} }

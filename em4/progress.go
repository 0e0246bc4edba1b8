package em4

import (
	"context"
	"errors"

	"emsim/emcr"
	"emsim/internal/base/simerr"
)

// ToEnd is the clock limit for Run.Advance that lets the run continue to its end.
const ToEnd = ^uint64(0)

// leastDrain is the fewest clocks that a program gets after its answer to end by itself, unless the run reaches its
// clock limit before [chosen: more than the servers of a short run need].
const leastDrain = 10_000

// Run is a run in progress. If it is saved together with its machine (State) and restored elsewhere, it continues
// exactly as it would have here.
type Run struct {
	RunOptions
	m *Machine

	what         string   // "run", or "init" for the init blocks
	start        uint64   // the machine's clock at the start of the run
	hostWords    int      // words to the host so far
	size         int      // number of words of which the program has computed that they end the run; 0: not known yet
	lastWordAt   uint64   // clock by which the last of these words was out
	totalsAtWord Totals   // totals up to that clock
	windows      []Totals // totals since the start of the run, at the end of each window
	ended        bool
	err          error // why the run failed, or nil
}

// Resume returns a run of m, to be restored by State. m is a new machine with the Config and Program of the saved one.
// Of o only MaxWindows, Progress and Snapshot are used.
func (m *Machine) Resume(o RunOptions) *Run { return &Run{RunOptions: o, m: m, what: "run"} }

// Begin begins a Run that the caller advances, and can stop before its end.
func (m *Machine) Begin(args []uint64, o RunOptions) (*Run, error) {
	if err := m.Start(args); err != nil {
		return nil, err
	}
	return m.begin(o, "run"), nil
}

func (m *Machine) begin(o RunOptions, what string) *Run {
	m.lastMove = m.clock
	return &Run{RunOptions: o, m: m, what: what, start: m.clock}
}

// Clock returns the number of clocks of this run so far.
func (r *Run) Clock() uint64 { return r.m.clock - r.start }

// StartClock returns the machine's clock at the start of the run.
func (r *Run) StartClock() uint64 { return r.start }

// Ended reports whether the run is over: the machine is quiet, deadlocked or has a fault, the program has answered and
// did not end in time after that, or there are too many windows. A fault of a lazy PE (schedule.go) may be noticed some
// clocks later. It still has its own clock, and the run reports the earliest fault.
func (r *Run) Ended() bool { return r.ended }

// Advance steps until the run is over or has reached its clock `to`, and returns the error of a run that failed. After
// a *Limit, or the error of a cancelled context, the run can continue. The clocks at which a run stops do not affect
// it.
func (r *Run) Advance(ctx context.Context, to uint64) error {
	m := r.m
	m.startThreads()
	defer m.endThreads()
	if m.choice != nil {
		m.choice.Begin(m.clock)
	}
	for check := false; !r.hasEnded(); {
		switch {
		case r.Clock() >= to:
			return nil
		case r.MaxClocks > 0 && r.Clock() >= r.MaxClocks:
			return &Limit{
				Machine: "em4", Name: simerr.KindMaxClocks, Clock: int64(r.Clock()),
				Err: &ClockLimit{r.what, r.explain()},
			}
		case check:
			m.chooseThreads()
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.Progress != nil {
				r.Progress(r.Clock(), m.Busy)
			}
		}
		r.stepTowards(to)
		check = m.clock&m.pollMask() == 0
	}
	return r.err
}

// hasEnded reports whether the run has ended, and sets err if it failed.
func (r *Run) hasEnded() bool {
	m := r.m
	switch {
	case r.ended:
	case m.faulted:
		r.ended, r.err = true, r.faultBeforeEnd()
	case m.clock-m.lastMove > quietClocks:
		if m.catchUpAll(); m.clock-m.lastMove <= quietClocks {
			break // a lazy PE was active in the meantime
		}
		r.ended = true
		switch {
		case r.answered():
		case !m.Quiet():
			r.err = m.Explain(maxListed).Deadlock()
		case r.hostWords == 0 && r.what == "run" && (m.prog.Size == nil || len(m.HalfMatched(1)) > 0):
			r.err = &Fault{Machine: "em4", Name: "no_result", Err: &NoResult{r.explain()}}
		}
	case r.answered() && m.clock >= r.drained():
		if m.catchUpAll(); m.faulted {
			r.err = r.faultBeforeEnd()
		}
		r.ended = true
	}
	return r.ended
}

// answered reports whether a program that declares or computes its number of results has sent all of them, and the last
// one is out. What happens after that is not part of the run. A program that computes the number has done so before its
// first word.
func (r *Run) answered() bool {
	if r.what != "run" || r.hostWords == 0 || r.m.clock < r.lastWordAt {
		return false
	}
	if at := r.m.prog.Size; at != nil && r.size == 0 {
		pe := r.m.PE(0)
		r.size = int(pe.Word(*at)) * int(pe.Word(*at+1))
	}
	n := max(r.m.prog.Results, r.size)
	return n > 0 && r.hostWords >= n
}

// drained returns the clock in which a run that has answered ends even if the machine is not quiet. Until then the
// machine continues, so that a program that ends by itself leaves it clean for the next run.
func (r *Run) drained() uint64 {
	end := r.lastWordAt + max(leastDrain, 2*(r.lastWordAt-r.start))
	if r.MaxClocks > 0 {
		end = min(end, max(r.lastWordAt, r.start+r.MaxClocks))
	}
	return end
}

// faultBeforeEnd returns the machine's fault, unless the run had answered before it.
func (r *Run) faultBeforeEnd() error {
	err := r.m.fault()
	var f *emcr.Fault
	if r.answered() && errors.As(err, &f) && f.Clock >= r.lastWordAt {
		return nil
	}
	return err
}

func (r *Run) explain() Hang {
	h := r.m.Explain(maxListed)
	h.Clock = r.Clock()
	return h
}

// stepTowards simulates up to the next clock in which the run has something to do, at most to the run's clock `to`, and
// updates the run.
func (r *Run) stepTowards(to uint64) {
	m := r.m
	m.stepTo(r.nextStop(to))
	if n := len(m.Net.HostWords()); n > r.hostWords {
		r.hostWords, r.lastWordAt = n, m.Net.HostWords()[n-1].Clock
	}
	if m.clock == r.lastWordAt {
		r.totalsAtWord = r.totals()
	}
	if r.Window > 0 && r.Clock()%r.Window == 0 && !r.answered() {
		r.windows = append(r.windows, m.totals(r.start))
		if r.MaxWindows > 0 && len(r.windows) >= r.MaxWindows {
			r.ended, r.err = true, &Usage{Err: &WindowLimit{Clock: r.Clock(), Window: r.Window, Windows: r.MaxWindows}}
		}
	}
}

// nextStop returns the first clock of the machine in which the run may have something to do: the end of this advance, a
// limit, the end of a window of totals, a word that is out, a check of the context, or silence for so long that the run
// is over.
func (r *Run) nextStop(to uint64) uint64 {
	m, now := r.m, r.Clock()
	clocks := min(to-now, (m.clock|m.pollMask())+1-m.clock, m.lastMove+quietClocks+1-m.clock)
	if r.MaxClocks > 0 {
		clocks = min(clocks, r.MaxClocks-now)
	}
	if r.Window > 0 {
		clocks = min(clocks, r.Window-now%r.Window)
	}
	if r.lastWordAt > m.clock {
		clocks = min(clocks, r.lastWordAt-m.clock)
	} else if r.answered() {
		clocks = min(clocks, r.drained()-m.clock)
	}
	return m.clock + clocks
}

func (r *Run) totals() Totals {
	t := r.m.totals(r.start) // this also updates the counters of lazy PEs, for Snapshot
	if r.Snapshot != nil {
		r.Snapshot()
	}
	return t
}

// Result returns the result of the run. If the run ended without an error and sent words to the host, the result covers
// the clocks up to the last word; otherwise it covers the clocks so far.
func (r *Run) Result() Result {
	x := Result{Totals: r.totalsAtWord}
	if r.hostWords == 0 || !r.ended || r.err != nil {
		x.Totals = r.totals()
	}
	if r.Window > 0 {
		x.Series = series(append([]Totals(nil), r.windows...), x.Totals)
	}
	for _, w := range r.m.Net.HostWords() {
		x.Words = append(x.Words, w.Data)
	}
	return x
}

package em4

import "context"

// ToEnd is the clock to which Run.Advance steps when nothing but the run's end
// shall stop it.
const ToEnd = ^uint64(0)

// Run is a run in progress. It is plain data beside its machine: both visited
// by State, they go on elsewhere as they would have gone on here.
type Run struct {
	RunOptions
	m *Machine

	what         string   // run, or init for the init blocks
	start        uint64   // the machine's clock at the beginning
	hostWords    int      // host words seen
	lastWordAt   uint64   // clock at which the last of them was out
	totalsAtWord Totals   // up to that clock
	windows      []Totals // since the beginning, at the end of each window
	ended        bool
	err          error // why it ended, when not well
}

// Resume returns a run of m for State to fill; m is a new machine of the Config
// and Program that the saved one had. Of o only MaxWindows, Progress and Snapshot count.
func (m *Machine) Resume(o RunOptions) *Run { return &Run{RunOptions: o, m: m, what: "run"} }

// Begin is the beginning of Run, for callers that stop on the way.
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

// Clock returns the clocks of this run so far.
func (r *Run) Clock() uint64 { return r.m.clock - r.start }

// StartClock returns the machine's clock at the beginning of the run.
func (r *Run) StartClock() uint64 { return r.start }

// Ended reports whether the run is over: the machine is quiet, stuck or has a
// fault. A PE that is late (late.go) has its fault noticed some clocks later;
// the fault names the clock in which it came about, and is the first one.
func (r *Run) Ended() bool { return r.ended }

// Advance steps until the run is over or has reached its clock `to`. Its error
// is that of a run that did not end well: a *Limit at the clock limit and the
// context's error when that ended, after both of which the run can go on.
// Where a run stops on its way changes nothing about it.
func (r *Run) Advance(ctx context.Context, to uint64) error {
	m := r.m
	defer m.startThreads()()
	for look := false; !r.over(); {
		switch {
		case r.Clock() >= to:
			return nil
		case r.MaxClocks > 0 && r.Clock() >= r.MaxClocks:
			return limited(r.Clock(), r.what, m.Explain(maxListed))
		case look:
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.Progress != nil && m.clock&0xf == 0 { // it looks at every PE
				r.Progress(r.Clock(), m.Busy())
			}
		}
		r.step()
		look = m.clock&m.poll() == 0
	}
	return r.err
}

// over finds out whether the run has ended, and why.
func (r *Run) over() bool {
	m := r.m
	switch {
	case r.ended:
	case m.faulted:
		r.ended, r.err = true, m.fault()
	case m.clock-m.lastMove > quietClocks:
		if m.catchUpAll(); m.clock-m.lastMove <= quietClocks {
			break // a PE was late
		}
		r.ended = true
		if !m.Quiet() {
			r.err = m.deadlock()
		} else if r.hostWords == 0 && r.what == "run" {
			r.err = &Fault{Machine: "em4", Name: "no_result", Err: &NoResult{Clock: r.Clock(), Hang: m.Explain(maxListed)}}
		}
	}
	return r.ended
}

// step is one clock and what the run notes of it.
func (r *Run) step() {
	m := r.m
	m.Step()
	if n := len(m.Net.Host()); n > r.hostWords {
		r.hostWords, r.lastWordAt = n, m.Net.Host()[n-1].Clock
	}
	if m.clock == r.lastWordAt {
		r.totalsAtWord = r.totals()
	}
	if r.Window > 0 && r.Clock()%r.Window == 0 {
		r.windows = append(r.windows, m.totals(r.start))
		if r.MaxWindows > 0 && len(r.windows) >= r.MaxWindows {
			r.ended, r.err = true, &Usage{Err: &WindowLimit{Clock: r.Clock(), Window: r.Window, Windows: r.MaxWindows}}
		}
		if r.Windowed != nil {
			r.Windowed()
		}
	}
}

func (r *Run) totals() Totals {
	t := r.m.totals(r.start) // brings the counters of sleeping PEs up to date
	if r.Snapshot != nil {
		r.Snapshot()
	}
	return t
}

// Result returns what the run gave: until the last host word when it ended
// well and there was one, otherwise until now.
func (r *Run) Result() Result {
	x := Result{Totals: r.totalsAtWord}
	if r.hostWords == 0 || !r.ended || r.err != nil {
		x.Totals = r.totals()
	}
	if r.Window > 0 {
		x.Series = series(append([]Totals(nil), r.windows...), x.Totals)
	}
	for _, w := range r.m.Net.Host() {
		x.Words = append(x.Words, w.Data)
	}
	return x
}

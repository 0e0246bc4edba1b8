package run

import (
	"context"
	"errors"
	"time"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/state"
	"emsim/omega"
	"emsim/trace"
)

// Batch is a series of runs on one machine, whose memories keep what earlier
// runs left there. Part of it is in a checkpoint: see State.
type Batch struct {
	*Target
	Plan

	Current  *em4.Run       // the run in progress; nil between two
	Counters []em4.Counters // of it, at its last word to the host, when they are kept
	Done     []em4.Totals   // of the complete runs
	Best     OneRun         // the fastest of them
	Rows     []Rows         // of all of them, when KeepRows
	Leaks    []em4.Leak     // operand segments that no word can reach after the last run

	// Progress is called now and then with the clocks of the run in progress;
	// it may be nil.
	Progress func(clock uint64, busy int)

	snapshot int // bytes that a Snapshot may need

	stepped uint64 // in the run in progress, by this process
	single  uint64 // PE-clocks of these that were simulated one by one
	wall    time.Duration
}

// Bounds of what a session keeps in memory.
const (
	MaxRuns     = 100_000 // their totals: some 16 MB
	MaxCounters = 1 << 21 // of a PE and a run, with KeepCounters and KeepRows: some 400 MB
	maxWindows  = 1 << 19 // of a run: some 100 MB
)

// Plan says what a session does and keeps.
type Plan struct {
	Runs       int
	StartDelay uint64 // clocks that the machine waits before the first run
	MaxClocks  uint64 // of a run; 0: no limit
	Window     uint64 // clocks of one element of OneRun.Series
	Overtaken  bool   // OneRun.Overtakings are counted

	KeepCounters bool // by PE and link
	KeepSeries   bool // totals by window
	KeepRows     bool // both of every complete run, for checkpoints
}

// OneRun is the result of a run and what it cost to simulate.
type OneRun struct {
	em4.Result
	Start   uint64        // the machine's clock at its beginning
	Stepped uint64        // clocks until the machine was quiet
	Single  uint64        // PE-clocks of them that were simulated one by one
	Wall    time.Duration // that they took

	Overtakings *omega.Overtakings // in these clocks; nil unless they are counted
}

// Rows are the counters and windows of one run.
type Rows struct {
	Counters []em4.Counters
	Series   []em4.Totals
}

// New begins a session on a machine whose init blocks are done.
func New(t *Target, p Plan) *Batch { return &Batch{Target: t, Plan: p} }

// Limit sets MaxClocks, for the run in progress too.
func (s *Batch) Limit(clocks uint64) {
	s.MaxClocks = clocks
	if s.Current != nil {
		s.Current.MaxClocks = clocks
	}
}

// options observe the run in progress.
func (s *Batch) options() em4.RunOptions {
	o := em4.RunOptions{MaxClocks: s.MaxClocks, Progress: func(clock uint64, busy int) {
		if s.Progress != nil {
			s.Progress(clock, busy)
		}
	}}
	if s.KeepCounters {
		o.Snapshot = func() { s.Counters = snapshot(s.Machine, s.Counters) }
	}
	if s.KeepSeries {
		o.Window, o.MaxWindows = s.Window, maxWindows
	}
	return o
}

// Begin begins a run, unless one is in progress.
func (s *Batch) Begin() error {
	if s.Current != nil {
		return nil
	}
	for n := s.StartDelay; n > 0 && len(s.Done) == 0; n-- {
		s.Machine.Step()
	}
	var err error
	s.Current, err = s.Machine.Begin(s.Words, s.options())
	if err == nil && s.Overtaken {
		s.Net.CountOvertakings()
	}
	return err
}

// Advance steps until the run in progress is over or has reached its clock
// `to`: see em4.Run.Advance. Places in its errors have their names, and the
// end of ctx is *Interrupted.
func (s *Batch) Advance(ctx context.Context, to uint64) error {
	clock, single, begin := s.Clock(), s.Stepped(), time.Now()
	err := s.Located(s.Current.Advance(ctx, to))
	s.stepped += s.Clock() - clock
	s.single += s.Stepped() - single
	s.wall += time.Since(begin)
	if interrupt.Ended(err) {
		return s.Interrupted(ctx)
	}
	return err
}

// Interrupted says where the run in progress is when ctx has ended.
func (s *Batch) Interrupted(ctx context.Context) error {
	return s.interrupted(ctx, "run", s.Current.Clock())
}

// EndRun ends the run in progress and returns what it gave, with the rows that
// are kept of it. It counts as complete when err, of its last Advance, is nil.
func (s *Batch) EndRun(err error) (OneRun, Rows) {
	one := OneRun{
		Result: s.Current.Result(), Start: s.Current.StartClock(), Stepped: s.stepped, Single: s.single,
		Wall: s.wall,
	}
	if s.Overtaken {
		x := s.Net.Overtakings(s.Clock())
		one.Overtakings = &x
	}
	rows := Rows{s.Counters, one.Series}
	if s.KeepRows {
		s.Rows = append(s.Rows, rows)
	}
	s.Current, s.Counters, s.stepped, s.single, s.wall = nil, nil, 0, 0, 0
	if err == nil {
		s.Done = append(s.Done, one.Totals)
		if len(s.Done) == 1 || one.Clocks < s.Best.Clocks {
			s.Best = one
		}
		if len(s.Done) == s.Runs {
			s.Leaks = s.leaks()
		}
	}
	return one, rows
}

// Snapshot returns the run in progress as bytes, for Fork. A run that has ended
// cannot continue from them: what ended it is not in a state.
func (s *Batch) Snapshot() []byte {
	if s.snapshot == 0 { // the first one is counted before: a slice that grows takes twice its room
		var size counter
		c := state.Writer(&size)
		s.Current.State(c)
		_ = c.Flush() // a counter has no errors
		s.snapshot = int(size) + int(size)>>4
	}
	c := state.Saver(make([]byte, 0, s.snapshot))
	s.Current.State(c)
	s.snapshot = len(c.Bytes()) + len(c.Bytes())>>4
	return c.Bytes()
}

// counter counts the bytes that are written to it.
type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// Fork returns a session of its own whose run in progress is where this one's
// was at a Snapshot, which this process has taken. Counters by PE are kept from there on.
func (s *Batch) Fork(snapshot []byte) (*Batch, error) {
	n := *s
	var err error
	if n.Target, err = s.Fresh(); err != nil {
		return nil, err
	}
	n.Counters = nil
	n.Current = n.Machine.Resume(n.options())
	c := state.Reloader(snapshot)
	n.Current.State(c)
	return &n, c.Err()
}

// State visits a complete run, without what it cost on this computer.
func (r *OneRun) State(c *state.Codec) {
	r.Totals.State(c)
	state.List(c, &r.Words, 1<<40, func(w *uint64) { state.Num(c, w) })
	state.Num(c, &r.Start)
}

// State visits the rows.
func (r *Rows) State(c *state.Codec) {
	state.List(c, &r.Counters, maxPEs, func(p *em4.Counters) { p.State(c) })
	state.List(c, &r.Series, 1<<40, func(t *em4.Totals) { t.State(c) })
}

// Observe does the rest of the run in progress twice: first at full speed, to
// learn how it ends, and then again with every event for the Sink that open
// returns. open gets the clocks of the machine that the Sink will see, from..end-1:
// those up to the last word to the host, or up to where the run fails. The error
// of a failed run comes with its answer; without an answer nothing was observed. An
// error of open ends it all.
// threads is the number for Share, of the first of the two runs.
func (s *Batch) Observe(ctx context.Context, threads int, open func(from, end uint64) (trace.Sink, error)) (*Answer,
	error,
) {
	// A second machine, and the state that it begins with.
	if err := s.CheckRoom("watching a machine", 3); err != nil {
		return nil, err
	}
	first, err := s.Fork(s.Snapshot())
	if err != nil {
		return nil, err
	}
	first.Share(threads)
	runErr := first.Advance(ctx, em4.ToEnd)
	one, _ := first.EndRun(runErr)
	var stopped *Interrupted
	if errors.As(runErr, &stopped) {
		return nil, runErr
	}
	end := one.Start + one.Clocks
	sink, err := open(s.Clock(), end)
	if err != nil {
		return nil, err
	}
	pes := s.Config().PEs
	s.Watch(trace.NewRecorder(sink, pes, trace.All(pes)), s.Clock(), end)
	// Whatever ends this run has ended the first one too, except for Ctrl-C.
	if err := s.Advance(ctx, one.Clocks); errors.As(err, &stopped) {
		return nil, err
	}
	s.Watch(nil, 0, 0)
	if err := sink.Close(end); err != nil {
		return nil, err
	}
	s.Done, s.Leaks = first.Done, first.Leaks
	return s.Answer(one), runErr
}

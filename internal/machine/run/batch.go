package run

import (
	"context"
	"errors"
	"time"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
	"emsim/omega"
	"emsim/trace"
)

// Batch is a session: a series of runs on one machine, whose memories keep the contents left by earlier runs. A
// checkpoint includes a part of it; see State.
type Batch struct {
	*Target
	Plan

	Current  *em4.Run       // the run in progress; nil between runs
	Counters []em4.Counters // of the current run, at its last word to the host, if KeepCounters
	Done     []em4.Totals   // of the complete runs
	Best     OneRun         // the fastest complete run
	Rows     []Rows         // of all complete runs, if KeepRows
	Leaks    []em4.Leak     // operand segments that cannot be reached after the last run

	// Progress, if not nil, is called now and then with the clocks of the run in progress. The function busy counts
	// the PEs with work.
	Progress func(clock uint64, busy func() int)

	snapshot int // estimated size of a Snapshot in bytes

	stepped uint64 // clocks of the run in progress that this process stepped
	single  uint64 // PE-clocks of these clocks that were simulated one by one
	wall    time.Duration
}

// Bounds of the data that a session keeps in memory.
const (
	MaxRuns     = 100_000 // totals: some 20 MB
	MaxCounters = 1 << 21 // one per PE and run, with KeepCounters and KeepRows: some 400 MB
	maxWindows  = 1 << 19 // per run: some 100 MB
)

// Plan says what a session does and which data it keeps.
type Plan struct {
	Runs       int
	StartDelay uint64 // clocks that the machine steps before the first run
	MaxClocks  uint64 // per run; 0 means no limit
	Window     uint64 // clocks of one element of OneRun.Series
	Overtaken  bool   // count OneRun.Overtakings

	KeepCounters bool // counters by PE and link
	KeepSeries   bool // totals by window
	KeepRows     bool // both for every complete run, for checkpoints
}

// OneRun is the result of a run and the cost of its simulation.
type OneRun struct {
	em4.Result
	Start   uint64        // the machine's clock at the beginning of the run
	Stepped uint64        // clocks that this process stepped, until the machine was quiet
	Single  uint64        // PE-clocks of these clocks that were simulated one by one
	Wall    time.Duration // of the simulation

	Overtakings *omega.Overtakings // in the stepped clocks; nil unless counted
}

// Rows are the counters and windows of one run.
type Rows struct {
	Counters []em4.Counters
	Series   []em4.Totals
}

// New returns a session on a machine whose init blocks are done.
func New(t *Target, p Plan) *Batch { return &Batch{Target: t, Plan: p} }

// Limit sets MaxClocks, also for the run in progress.
func (s *Batch) Limit(clocks uint64) {
	s.MaxClocks = clocks
	if s.Current != nil {
		s.Current.MaxClocks = clocks
	}
}

// options returns the options for a run, which observe it as the plan says.
func (s *Batch) options() em4.RunOptions {
	o := em4.RunOptions{MaxClocks: s.MaxClocks, Progress: func(clock uint64, busy func() int) {
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

// Begin begins a run, unless a run is in progress.
func (s *Batch) Begin() error {
	if s.Current != nil {
		return nil
	}
	if len(s.Done) > 0 && !s.Quiet() {
		return simerr.Usagef("run %d cannot begin: goroutines of the run before it have not ended, and both are on "+
			"one machine. Let them end, or give each run a machine of its own (--seeds)", len(s.Done)+1)
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

// Advance steps until the run in progress ends or reaches its clock `to`; see em4.Run.Advance. It names the code
// addresses in errors. If ctx ends, it returns an *Interrupted.
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

// Interrupted returns an error that says that ctx has ended, and how far the run in progress has come.
func (s *Batch) Interrupted(ctx context.Context) error {
	return s.interrupted(ctx, "run", s.Current.Clock())
}

// EndRun ends the run in progress and returns its result, with the rows that are kept. The run counts as complete if
// err, the error of its last Advance, is nil.
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
		if len(s.Done) == s.Runs && s.Quiet() {
			s.Leaks = s.leaks()
		}
	}
	return one, rows
}

// Snapshot returns the state of the run in progress, for Fork. A run that has ended cannot continue from it, because
// the state does not include the end.
func (s *Batch) Snapshot() []byte {
	if s.snapshot == 0 { // the first snapshot is measured first: a growing slice takes twice the memory
		var size counter
		c := state.Writer(&size)
		s.Current.State(c)
		_ = c.Flush() // a counter returns no errors
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

// Fork returns a separate session whose run in progress has the state of a Snapshot. This process must have taken the
// snapshot. Counters by PE are kept from there on.
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

// State visits a complete run, without the cost of its simulation.
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

// Trace does the rest of the run in progress twice. The first time is at full speed, to find out how the run ends.
// The second time reports every event to the Sink that open returns. The function open gets the range of machine
// clocks, from..end-1, that the Sink will see. The range ends at the last word to the host, or where the run fails. For
// a failed run, Trace returns both the answer and the run's error. Without an answer nothing was observed. An error
// of open ends Trace. The number threads is passed to Share for the first of the two runs.
func (s *Batch) Trace(ctx context.Context, threads int, open func(from, end uint64) (trace.Sink, error)) (*Answer,
	error,
) {
	// Memory for the second machine, and for the state from which it begins.
	if err := s.CheckMemory("watching a machine", 3); err != nil {
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
	// Whatever ends this run has also ended the first one, except for an interruption.
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

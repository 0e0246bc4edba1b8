package debug

import (
	"context"
	"errors"
	"fmt"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// advance steps to a clock of the machine, to the first clock in which a stop is hit, or to the end of the run,
// whichever comes first. Without stops it runs at full speed.
func (d *Debugger) advance(ctx context.Context, to uint64, stops []*stop) error {
	if d.s.Current.Ended() && to > d.clock() {
		return d.runIsOver()
	}
	d.hits = nil
	d.armStops(stops)
	for first := true; d.clock() < to && len(d.hits) == 0 && !d.s.Current.Ended(); first = false {
		// A machine that advances a few clocks at a time may never check ctx.
		if (!first || len(stops) > 0) && ctx.Err() != nil {
			return d.s.Interrupted(ctx)
		}
		next := min(to, d.hist.nextSnapshot(d.clock()))
		if at := d.series.nextSample(); at > d.clock() {
			next = min(next, at)
		}
		if len(stops) > 0 {
			next = d.clock() + 1
		}
		for _, s := range stops {
			s.noteBefore(d)
		}
		if err := d.stepTo(ctx, next); err != nil {
			return err
		}
		for _, s := range stops {
			s.lookAfter(d)
		}
	}
	return d.notice(ctx)
}

// stepTo goes to a clock of the machine and takes the snapshot and the sample due there. It returns no error for the
// end of the run, even if the run fails.
func (d *Debugger) stepTo(ctx context.Context, to uint64) error {
	if err := d.ended(d.s.Advance(ctx, to-d.s.Current.StartClock())); err != nil {
		return err
	}
	d.series.takeSample(d)
	if d.clock() != d.hist.nextSnapshot(d.clock()-1) {
		return nil
	}
	err := d.notice(ctx)
	d.hist.takeSnapshot(d.s)
	return err
}

// ended records how the run ended. It returns any other error.
func (d *Debugger) ended(err error) error {
	var user *interrupt.Error
	var limit *em4.ClockLimit
	if errors.As(err, &user) || errors.As(err, &limit) || !d.s.Current.Ended() {
		return err
	}
	d.fail = err
	return nil
}

// notice checks whether a PE has a fault that the machine has not noticed yet, because it evaluates PEs only when it
// must. In that case notice goes to the clock of the fault.
func (d *Debugger) notice(ctx context.Context) error {
	d.s.InFlight() // evaluates every PE
	if err := d.ended(d.s.Advance(ctx, d.s.Current.Clock())); err != nil {
		return err
	}
	var fault *emcr.Fault
	if !errors.As(d.fail, &fault) {
		return nil
	}
	d.pe = d.s.Net.Index(fault.PE)
	if d.clock() == fault.Clock+1 {
		return nil
	}
	d.forget()
	s, err := d.hist.before(fault.Clock).forkSession(d.s)
	if err != nil {
		return err
	}
	if err := s.Advance(ctx, fault.Clock-s.Current.StartClock()); err != nil {
		return err
	}
	s.Watch(trace.NewRecorder(trace.Func(func(*trace.Event) {}), s.Config().PEs, trace.All(s.Config().PEs)), 0,
		em4.ToEnd) // evaluate every PE in every clock
	d.s, d.rec = s, nil
	return d.ended(s.Advance(ctx, s.Current.Clock()+1))
}

// forget drops the hits of the last clock, and removes them from the stops' counts.
func (d *Debugger) forget() {
	for _, h := range d.hits {
		h.stop.hits -= h.many
	}
	d.hits = nil
}

// runIsOver returns the error of a command that needs a run in progress.
func (d *Debugger) runIsOver() error {
	return errorf("the run is over: 'back' and 'goto' go back, 'quit' leaves")
}

// armStops prepares the stops for the next motion. Events are recorded only if a stop needs them.
func (d *Debugger) armStops(stops []*stop) {
	events := false
	for _, s := range stops {
		s.begin(d)
		events = events || s.event != nil
	}
	switch {
	case !events && d.rec != nil:
		d.rec = nil
		d.s.Watch(nil, 0, 0)
	case events && d.rec == nil:
		d.rec = trace.NewRecorder(trace.Func(d.event), d.s.Config().PEs, trace.All(d.s.Config().PEs))
		d.s.Watch(d.rec, 0, em4.ToEnd)
	}
	d.armed = stops
}

// event passes an event to the stops.
func (d *Debugger) event(e *trace.Event) {
	for _, s := range d.armed {
		s.seeEvent(d, e)
	}
}

// countHit counts hits of a stop, and records them if the stop applies to one of them.
func (d *Debugger) countHit(s *stop, pe, many int, text string) {
	if s.hits += many; s.hits%s.times >= many {
		return
	}
	if s.number > 0 {
		text = fmt.Sprintf("stop %d: %s", s.number, text)
	}
	if s.times > 1 {
		text += fmt.Sprintf(" (time %d)", s.hits)
	}
	if len(d.hits) == 0 {
		d.pe = pe
	}
	d.hits = append(d.hits, hit{s, many, text})
}

// moveTo makes a motion that the user requested. The motion ends at the enabled stops and at the stops in `more`;
// moveTo prints where and why it ended.
func (d *Debugger) moveTo(ctx context.Context, to uint64, more ...*stop) error {
	more = append(more, lists.Where(d.stops, func(s *stop) bool { return s.on })...)
	before := d.clock()
	err := d.advance(ctx, to, more)
	var wrong *simerr.Usage
	if errors.As(err, &wrong) {
		return err
	}
	const most = 20
	for i, h := range d.hits {
		if i == most {
			d.printf("and %d more\n", len(d.hits)-most)
			break
		}
		d.printf("clock %d: %s\n", d.clock()-1, h.text)
	}
	d.arrive(before)
	return err
}

// arrive finishes a motion that began at clock from: it prints the run's end, if the run ended, and the machine's
// position.
func (d *Debugger) arrive(from uint64) {
	if d.s.Current.Ended() && d.clock() != from {
		d.ending()
		var fault *emcr.Fault
		if errors.As(d.fail, &fault) {
			d.printf("the prompt is at %v, the PE that failed\n", fault.PE)
		}
	}
	d.printHere()
}

// ending prints how the run ended.
func (d *Debugger) ending() {
	if d.fail != nil {
		d.printf("the run has failed: %v\n", d.fail)
		return
	}
	r := d.s.Current.Result()
	d.printf("the run is over: result %s, after %s\n", d.s.ResultText(r.Words, run.MostValues),
		plural.Of(r.Clocks, "clock"))
}

// stepClocks runs the command step.
func (d *Debugger) stepClocks(x call) error {
	return d.moveTo(x.ctx, d.clock()+min(x.number, em4.ToEnd>>1))
}

// until runs the command until, which continues to a clock or to a breakpoint's event.
func (d *Debugger) until(x call) error {
	if len(x.words) == 1 && isClock(x.words[0]) && !peForm.MatchString(x.words[0]) {
		to, err := d.readClock(x.words[0])
		if err != nil {
			return err
		}
		if to <= d.clock() {
			return errorf("clock %d is over: the machine is at %d; 'goto' goes back", to, d.clock())
		}
		return d.moveTo(x.ctx, to)
	}
	s, err := d.readStop(x.words)
	if err != nil {
		return err
	}
	return d.moveTo(x.ctx, em4.ToEnd, s)
}

// finish runs the command finish, which continues to the end of the block in progress.
func (d *Debugger) finish(x call) error {
	at := d.address(x.pe)
	if !d.peAt(x.pe).EXU().Busy {
		return errorf("the EXU of %v runs no block: 'until block %v' goes to its next one", at, at)
	}
	s := &stop{pes: []int{x.pe}, times: 1, event: func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Ended {
			return ""
		}
		return fmt.Sprintf("%v the block has ended at %s", at, d.label(e.PC))
	}}
	return d.moveTo(x.ctx, em4.ToEnd, s)
}

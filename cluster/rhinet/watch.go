package rhinet

import (
	"context"

	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

// Record is the record of what moved in a run, and why.
type Record = moves.Record

// Snapshots are the times at which a run saves its state, and the state from which it continues.
type Snapshots = state.Snapshots

// Entry is an event that is passed to Record.Tell.
type Entry = moves.Entry

// A Watch observes a run. It changes nothing.
type Watch struct {
	Every  int64                                // ticks from one sample to the next, 1 or more
	Sample func(at int64, ranks []SampleOfRank) // called at 0, every Every ticks and at the end; may be nil
	Record *Record                              // records which rows moved in the whole run, and why; may be nil

	Snapshots *Snapshots // ticks at which the state is saved, and the state from which to continue; may be nil

	// Progress is called now and then with the current tick and loop; it may be nil. loops is the number of loops of
	// the run, 0 if unknown.
	Progress func(now, loop, loops int64)
}

// SampleOfRank is the state of a rank at a tick. Times are ticks since the start and include the operation in
// progress.
type SampleOfRank struct {
	Rows  int
	Doing string // its operation: compute, send, receive, wait, ...; done after its end
	Calc  int64  // in compute, including slices of a competing process
	Wait  int64  // waiting for messages
}

// opNames are the names of the operations.
var opNames = [...]string{
	opCompute: "compute", opBurn: "burn", opProbe: "probe", opSend: "send", opRecv: "receive", opTest: "test",
	opPublish: "publish", opPhase: "phase", opDecide: "decide", opAdopt: "split", opResume: "resume", opDone: "done",
}

// RunWatched works like Run, with a watch.
func RunWatched(ctx context.Context, c Config, w Watch) (*Result, error) {
	s, err := newSim(c)
	if err != nil {
		return nil, err
	}
	if w.Sample != nil && w.Every < 1 {
		return nil, usagef("a sample every %d ticks: expected 1 or more", w.Every)
	}
	s.watch = w
	if err := s.start(); err != nil {
		return nil, err
	}
	if err := s.runEvents(ctx); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return s.result(), ctx.Err()
}

func (s *sim) tellSample(at int64) {
	list := make([]SampleOfRank, len(s.ranks))
	for i := range s.ranks {
		r := &s.ranks[i]
		times := r.timesAt(at)
		x := SampleOfRank{Rows: times.Rows, Doing: opNames[opDone], Calc: times.Calc, Wait: times.Wait}
		switch {
		case r.done:
		case r.waitFor >= 0:
			x.Doing = "wait"
		case r.pc < len(r.ops):
			x.Doing = opNames[r.ops[r.pc].kind]
		}
		list[i] = x
	}
	s.watch.Sample(at, list)
}

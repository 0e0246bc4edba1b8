package rhinet

import (
	"context"

	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

// Record is what moved in a run, and why.
type Record = moves.Record

// Snapshots are the times at which a run shows its state, and the one from which it continues.
type Snapshots = state.Snapshots

// Entry is what a Record's Tell is told.
type Entry = moves.Entry

// A Watch is told what happens in a run. It changes nothing.
type Watch struct {
	Every  int64                                // ticks from one sample to the next, 1 or more
	Sample func(at int64, ranks []SampleOfRank) // nil for none; at 0, and last at the end of the run
	Record *Record                              // which rows moved, and why; nil for none; of a whole run

	Snapshots *Snapshots // ticks at which the state is shown, and the one to continue from; nil for none

	// Look is told now and then at which tick the run is, and in which loop; loops is
	// how many there will be, 0 if unknown. nil for none.
	Look func(now, loop, loops int64)
}

// SampleOfRank is the state of a rank at a tick. Times are ticks since the start,
// the operation in progress included.
type SampleOfRank struct {
	Rows  int
	Doing string // what it does: compute, send, receive, wait, ...; done after its end
	Calc  int64  // in compute, a competing process's slices included
	Wait  int64  // waiting for messages
}

// opNames are the operations in words.
var opNames = [...]string{
	opCompute: "compute", opBurn: "burn", opProbe: "probe", opSend: "send", opRecv: "receive", opTest: "test",
	opPublish: "publish", opPhase: "phase", opDecide: "decide", opAdopt: "split", opResume: "resume", opDone: "done",
}

// RunWatched works as Run with a watch.
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
		x := SampleOfRank{Rows: r.ownRows().rowCount(), Doing: opNames[opDone], Calc: r.calc, Wait: r.wait}
		switch {
		case r.done:
		case r.waitFor >= 0:
			x.Doing = "wait"
			x.Wait += at - r.since
		case r.pc < len(r.ops):
			kind := r.ops[r.pc].kind
			x.Doing = opNames[kind]
			if kind == opCompute && r.busy {
				x.Calc += at - r.began
			}
		}
		list[i] = x
	}
	s.watch.Sample(at, list)
}

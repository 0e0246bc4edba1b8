package spmd

import (
	"context"

	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

// Record is what moved in a run, and why.
type Record = moves.Record

// Entry is what a Record's Tell is told.
type Entry = moves.Entry

// Snapshots are when a run shows its state, and the state from which it continues; times are
// microseconds.
type Snapshots = state.Snapshots

// A Watch is told what happens in a run. It changes nothing.
type Watch struct {
	EveryUS   int64                                            // from one sample to the next, 1 or more
	Sample    func(atUS int64, processors []SampleOfProcessor) // nil for none; at 0, and last at the end of the run
	Record    *Record                                          // which tasks moved, and why; nil for none; of a whole run
	Snapshots *Snapshots                                       // nil for none

	Look func(nowUS, done, tasks int64) // is told now and then how many of all tasks are done; nil for none
}

// SampleOfProcessor is the state of a processor at a time.
type SampleOfProcessor struct {
	Tasks  int    // that it holds, the one in progress included
	Doing  string // task, wait (for an answer) or done
	BusyUS int64  // spent on tasks so far, the one in progress included
}

// RunWatched works as Run with a watch.
func RunWatched(ctx context.Context, c Config, w Watch) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if w.Sample != nil && w.EveryUS < 1 {
		return nil, badValue("", "a sample every %d us: expected 1 or more", w.EveryUS)
	}
	m := newMachine(c, w)
	if err := m.begin(); err != nil {
		return nil, err
	}
	return m.runEvents(ctx)
}

func (m *machine) tellSample(at int64) {
	list := make([]SampleOfProcessor, len(m.procs))
	for i := range m.procs {
		p := &m.procs[i]
		x := SampleOfProcessor{Tasks: p.last - p.next + len(p.active), Doing: "wait", BusyUS: m.result.BusyUS[i]}
		switch {
		case p.ended:
			x.Doing = "done"
		case p.running >= 0:
			x.Doing = "task"
			x.Tasks++
			x.BusyUS -= p.until - at
		}
		list[i] = x
	}
	m.watch.Sample(at, list)
}

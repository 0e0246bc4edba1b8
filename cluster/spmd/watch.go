package spmd

import (
	"context"

	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

// Record is the record of what moved in a run, and why.
type Record = moves.Record

// Entry is an event that is passed to Record.Tell.
type Entry = moves.Entry

// Snapshots are the times at which a run saves its state, and the state from which it continues. Times are in
// microseconds.
type Snapshots = state.Snapshots

// A Watch observes a run. It changes nothing.
type Watch struct {
	EveryUS   int64                                            // time between two samples, 1 or more
	Sample    func(atUS int64, processors []SampleOfProcessor) // called at 0, every EveryUS and at the end; may be nil
	Record    *Record                                          // gets the moves of a whole run; may be nil
	Snapshots *Snapshots                                       // may be nil

	Progress func(nowUS, done, tasks int64) // is called now and then with the number of finished tasks; may be nil
}

// SampleOfProcessor is the state of a processor at a time.
type SampleOfProcessor struct {
	Tasks  int    // number of tasks that it holds, including the running one
	Doing  string // task, wait (for an answer) or done
	BusyUS int64  // time spent on tasks so far, including the running one
}

// RunWatched works like Run, with a watch.
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

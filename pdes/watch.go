package pdes

import (
	"context"
	"slices"

	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
	"emsim/pdes/lpgraph"
)

// Record is the record of what moved in a run, and why.
type Record = moves.Record

// Snapshots are the times at which a run saves its state, and the state from which it continues.
type Snapshots = state.Snapshots

// Entry is an event that is passed to Record.Tell.
type Entry = moves.Entry

// A Watch observes a run. It changes nothing.
type Watch struct {
	Every  int64                               // clocks from one sample to the next, 1 or more
	Sample func(clock int64, pps []SampleOfPP) // called at 0, every Every clocks and at the end; may be nil
	Record *Record                             // records which LPs moved in the whole run, and why; may be nil

	// Snapshots are the clocks at which the state is saved, and the state from which to continue; it may be nil. The
	// state of a Handler cannot be saved, because only its Go code knows it.
	Snapshots *Snapshots

	// Progress is called now and then with the current clock, the number of slots that every LP has run, and
	// Config.Slots; it may be nil.
	Progress func(clock, done, slots int64)
}

// SampleOfPP is the state of a PP at a clock.
type SampleOfPP struct {
	LPs     int    // number of LPs on the PP
	Doing   string // its operation: slot, cell, null, credit, stop, ...; or idle
	Slotted int64  // clocks of slots so far, including the current one
	Inbox   int    // packets waiting to be received
}

// RunWatched works like Run, with a watch.
func RunWatched(ctx context.Context, cfg Config, w Watch) (*Result, error) {
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if w.Sample != nil && w.Every < 1 {
		return nil, simerr.Usagef("a sample every %d clocks: expected 1 or more", w.Every)
	}
	m.watch = w
	if w.Snapshots != nil && cfg.Graph != nil &&
		slices.ContainsFunc(cfg.Graph.LPs, func(lp lpgraph.LP) bool { return lp.Start != nil }) {
		return nil, simerr.Usagef("the graph has LPs with handlers in Go, whose state a checkpoint does not contain: " +
			"such a run can neither be saved nor continue from a saved state")
	}
	return m.Run(ctx)
}

// operation is a PP's current operation, for the watch.
type operation struct {
	kind  string
	lp    int32
	began int64
	slot  int64 // clocks of the slot
	peer  int   // the PP whose message is received, or moves.Outside
	sent  int64 // when the message left that PP
}

func (m *Machine) tellSample(clock int64) {
	list := make([]SampleOfPP, len(m.pps))
	for i := range m.pps {
		p := &m.pps[i]
		x := SampleOfPP{LPs: len(p.hosted), Doing: "idle", Slotted: p.slots, Inbox: p.inbox.Len()}
		if p.busy {
			x.Doing = p.now.kind
			x.Slotted -= max(0, p.now.slot-(clock-p.now.began))
		}
		list[i] = x
	}
	m.watch.Sample(clock, list)
}

package pdes

import (
	"context"
	"slices"

	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
	"emsim/internal/base/state"
	"emsim/pdes/lpgraph"
)

// Record is what moved in a run, and why.
type Record = moves.Record

// Snapshots are the times at which a run shows its state, and the one from which it continues.
type Snapshots = state.Snapshots

// Entry is what a Record's Tell is told.
type Entry = moves.Entry

// A Watch is told what happens in a run. It changes nothing.
type Watch struct {
	Every  int64                               // clocks from one sample to the next, 1 or more
	Sample func(clock int64, pps []SampleOfPP) // nil for none; at 0, and last at the end of the run
	Record *Record                             // which LPs moved, and why; nil for none; of a whole run

	// Snapshots are clocks at which the state is shown, and the one from which to continue; nil for
	// none. A Graph with a Handler has no state that can be shown: only its Go code knows it.
	Snapshots *Snapshots

	// Look is told now and then at which clock the run is, and how many of its slots every
	// LP has run. nil for none.
	Look func(clock, done, slots int64)
}

// SampleOfPP is the state of a PP at a clock.
type SampleOfPP struct {
	LPs     int    // that it hosts
	Doing   string // its operation: slot, cell, null, credit, stop, ...; idle for none
	Slotted int64  // clocks of slots so far, the slot in progress included
	Inbox   int    // packets that wait to be received
}

// RunWatched works as Run with a watch.
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
		return nil, simerr.Usagef("the graph has LPs with handlers in Go, whose state only they know: such a run can " +
			"neither be saved nor continue from a saved state")
	}
	return m.Run(ctx)
}

// operation is what a PP does now, for the watch.
type operation struct {
	kind  string
	lp    int32
	began int64
	slot  int64 // clocks of the slot
	peer  int   // the PP whose message is received, moves.Outside for none
	sent  int64 // when it had left there
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

package figures

import (
	"context"

	"emsim/em4"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
	"emsim/omega"
	"emsim/trace"
)

// A Motion is a stretch of a run, clock by clock, to be drawn as a moving picture.
type Motion struct {
	Program string
	Length  uint64 // clocks of the whole run, or 0 if unknown
	From    uint64 // first clock, counted in the run

	topology  omega.Topology
	hopClocks int
	fifoWords int
	frames    []motionFrame // by clock
	hops      []motionHop   // in the order in which they begin
}

// motionFrame is the state of the machine at a clock.
type motionFrame struct {
	states []debug.Activity // by PE
	fifo   []int            // words
	held   map[heldAt]bool  // packets that cannot continue
}

// heldAt identifies a held packet: the n-th packet that arrived at a PE by an input, or that its EXU cannot send
// (omega.Own).
type heldAt struct{ pe, in, n int }

// motionHop is the passage of a packet over a link.
type motionHop struct {
	clock    int // of the stretch, negative if it set out before
	pe, port int // where it sets out
	search   bool
}

// RecordMotion advances a begun run to clock `from` of the run, and records it from there for a
// number of clocks or to its end.
func RecordMotion(ctx context.Context, b *run.Batch, from, clocks uint64) (*Motion, error) {
	c := b.Config()
	m := &Motion{
		Program: b.Call(), From: from, topology: b.Net.Topology, hopClocks: c.HopClocks, fifoWords: c.FIFOWords,
	}
	before := make([][omega.Own]int, c.PEs) // the PE before each input
	for i := range before {
		for port := range omega.Own {
			before[m.topology.Index(m.topology.Next(m.topology.Address(i), port))][port] = i
		}
	}
	over := map[trace.ID]bool{} // packets on links
	for k := range clocks {
		if err := b.Advance(ctx, from+k); err != nil || b.Current.Ended() {
			return m, err
		}
		m.frames = append(m.frames, motionFrame{
			states: make([]debug.Activity, c.PEs), fifo: make([]int, c.PEs), held: map[heldAt]bool{},
		})
		f := &m.frames[k]
		was := over
		over = map[trace.ID]bool{}
		for i := range c.PEs {
			f.states[i], f.fifo[i] = debug.ShownAt(b.PE(i), b.Clock()), b.PE(i).IBU().FIFOWords()
			held := [omega.Own + 1]int{}
			for _, s := range b.Net.Slots(i, b.Clock()) {
				switch id := trace.IDOf(&s.Packet); {
				case s.Input < omega.Own && s.Ready > b.Clock():
					over[id] = true
					if !was[id] {
						m.hops = append(m.hops, motionHop{
							int(k) - m.hopClocks + int(s.Ready-b.Clock()), before[i][s.Input], s.Input,
							s.Packet.Kind.Search(),
						})
					}
				case s.Stuck():
					f.held[heldAt{i, s.Input, held[s.Input]}] = true
					held[s.Input]++
				}
			}
		}
	}
	return m, nil
}

// BusyWindow returns the index of the window of a run in which its PEs worked most.
func BusyWindow(series []em4.Totals) int {
	best := 0
	for i := range series {
		if series[i].Counters.Clocks[0] > series[best].Counters.Clocks[0] {
			best = i
		}
	}
	return best
}

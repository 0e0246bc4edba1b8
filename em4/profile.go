package em4

import (
	"context"

	"emsim/emcr"
	"emsim/omega"
)

// Profile says what every PE did in a run, window by window, and what every link
// carried. It covers the clocks of the run's Result.
type Profile struct {
	Ends     []uint64                    // clocks from the start of the run to the end of each window; the last window ends with the result
	Activity [][][emcr.Activities]uint32 // by window and PE: the window's clocks by activity
	Hops     [][2]uint64                 // by PE: packets over its in-group and its out-of-group link during the whole run
}

// RunProfile is Run with a profile in windows of o.Window clocks, at least 1.
// With a window of 1 it says what every PE did in every clock.
func (m *Machine) RunProfile(ctx context.Context, args []uint64, o RunOptions) (Result, Profile, error) {
	o.Window = max(1, o.Window)
	var p, kept Profile
	start := m.clock
	last := make([][emcr.Activities]uint64, len(m.pe)) // counters at the end of the last window
	// since returns the clocks since the last window's end.
	since := func() [][emcr.Activities]uint32 {
		row := make([][emcr.Activities]uint32, len(m.pe))
		for i := range m.pe {
			for s, n := range m.pe[i].Clocks {
				row[i][s] = uint32(n - last[i][s])
			}
		}
		return row
	}
	windowed, snapshot := o.Windowed, o.Snapshot
	o.Windowed = func() {
		p.Ends, p.Activity = append(p.Ends, m.clock-start), append(p.Activity, since())
		for i := range m.pe {
			last[i] = m.pe[i].Clocks
		}
		if windowed != nil {
			windowed()
		}
	}
	o.Snapshot = func() {
		// Later windows are appended to p and must not appear in kept: the full
		// slice expressions ensure that.
		n := len(p.Ends)
		kept = Profile{Ends: p.Ends[:n:n], Activity: p.Activity[:n:n]}
		if n == 0 || p.Ends[n-1] < m.clock-start {
			kept.Ends, kept.Activity = append(kept.Ends, m.clock-start), append(kept.Activity, since())
		}
		for i := range m.pe {
			kept.Hops = append(kept.Hops, [2]uint64{m.Net.Hops(i, omega.InGroup), m.Net.Hops(i, omega.OutGroup)})
		}
		if snapshot != nil {
			snapshot()
		}
	}
	r, err := m.Run(ctx, args, o)
	return r, kept, err
}

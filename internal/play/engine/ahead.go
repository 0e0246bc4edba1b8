package engine

import (
	"context"

	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/internal/base/memlimit"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// ahead is a second run that advances ahead of the session.
type ahead struct {
	run   *run.Batch
	every uint64 // clocks between samples; they double whenever there are too many samples
	found Ahead
	shown [][]byte // by sample: the letters of all PEs, see Frame.State
}

// Strip holds what every PE does at the clocks of Ahead.
type Strip struct {
	Clocks []uint64 `json:"clocks"`
	States []string `json:"states"` // by clock: a letter for each PE, see Frame.State
}

// Strip returns what has been found by Ahead so far.
func (s *Session) Strip() (*Strip, error) {
	if err := s.checkPE(0); err != nil {
		return nil, err
	}
	x := &Strip{Clocks: []uint64{}, States: []string{}}
	if a := s.ahead; a != nil {
		x.Clocks = a.found.Clocks
		x.States = lists.Of(a.shown, func(row []byte) string { return string(row) })
	}
	return x, nil
}

// Ahead holds what the PEs do over the run, as far as it has been computed.
type Ahead struct {
	Clocks []uint64                  `json:"clocks"`
	States [][emcr.Activities]uint64 `json:"states"` // PE-clocks since the run began, by activity
	Length uint64                    `json:"length"` // clocks up to the result; 0 if it is unknown, or if there is none
	Ended  bool                      `json:"ended"`  // the computation has ended
}

// The largest number of samples of a run, and the clocks after which a run that does not end is given up [chosen: finer
// than a screen, and two minutes in a browser].
const (
	mostAhead  = 2048
	giveUpHere = 2_000_000
)

// Ahead advances the second run by a number of clocks, whatever the session's own clock is, and returns the results so
// far.
func (s *Session) Ahead(ctx context.Context, clocks uint64) (*Ahead, error) {
	if err := s.checkPE(0); err != nil {
		return nil, err
	}
	if s.ahead == nil {
		b, err := s.d.Beginning()
		if err != nil {
			return nil, err
		}
		s.ahead = &ahead{
			run: b, every: max(1, uint64(b.Config().PEs/128)), // each sample looks at every PE
			found: Ahead{Clocks: []uint64{}, States: [][emcr.Activities]uint64{}},
		}
		s.ahead.sample()
	}
	a := s.ahead
	if a.found.Ended {
		return &a.found, nil
	}
	for to := a.run.Current.Clock() + clocks; !a.found.Ended && a.run.Current.Clock() < to; {
		if memlimit.HeapBytes() > s.memoryLimit() {
			a.found.Ended = true // there is no memory for it
			break
		}
		last := a.found.Clocks[len(a.found.Clocks)-1]
		err := a.run.Advance(ctx, min(last+a.every, to))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		over := a.run.Current.Ended()
		if over || a.run.Current.Clock() >= last+a.every {
			a.sample()
		}
		if over && err == nil {
			a.found.Length = a.run.Current.Result().Totals.Clocks
			s.length = a.found.Length
		}
		a.found.Ended = over || err != nil || a.run.Current.Clock() > giveUpHere ||
			len(a.run.Net.HostWords()) > mostHost
	}
	if a.found.Ended {
		a.run = nil // frees the memory of the second run
	}
	x := a.found
	return &x, nil
}

// sample records the PEs' activities up to now. If there are too many samples, it drops every second one.
func (a *ahead) sample() {
	var sum [emcr.Activities]uint64
	row := make([]byte, a.run.Config().PEs)
	for i := range row {
		p := a.run.PE(i)
		for state, n := range p.Clocks {
			sum[state] += n
		}
		row[i] = byte(debug.ShownAt(p, a.run.Clock()))
	}
	a.shown = append(a.shown, row)
	f := &a.found
	f.Clocks, f.States = append(f.Clocks, a.run.Current.Clock()), append(f.States, sum)
	if len(f.Clocks) < mostAhead {
		return
	}
	kept := 0
	for i := range f.Clocks {
		if i%2 == 0 || i == len(f.Clocks)-1 {
			f.Clocks[kept], f.States[kept], a.shown[kept] = f.Clocks[i], f.States[i], a.shown[i]
			kept++
		}
	}
	f.Clocks, f.States, a.shown = f.Clocks[:kept], f.States[:kept], a.shown[:kept]
	a.every *= 2
}

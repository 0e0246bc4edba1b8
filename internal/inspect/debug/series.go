package debug

import (
	"context"
	"slices"

	"emsim/emcr"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
)

// The bounds of a series [chosen: fine enough for a picture, cheap enough to be
// kept always].
const (
	firstSample = 16
	mostSamples = 1024
)

// Sample says what the PEs had done when the run came to a clock: PE-clocks by
// activity, and packets written to a MIB, since the run began.
type Sample struct {
	Clock   uint64
	States  [emcr.Activities]uint64
	Spilled uint64
}

// series is samples of a run at equal distances, and one where the run is now.
// When they become too many, every second one is dropped. A run repeats itself,
// so going back changes nothing about them.
type series struct {
	every   uint64
	samples []Sample
}

func (s *series) begin(d *Debugger) {
	s.every = firstSample
	s.samples = []Sample{d.sample()}
}

func (d *Debugger) sample() Sample {
	x := Sample{Clock: d.clock(), Spilled: spilled(d.s)}
	for pe := range d.s.Config().PEs {
		for state, n := range d.at(pe).Clocks {
			x.States[state] += n
		}
	}
	return x
}

// next returns the clock of the next sample.
func (s *series) next() uint64 { return s.samples[len(s.samples)-1].Clock + s.every }

// take takes the sample that is due.
func (s *series) take(d *Debugger) {
	if d.clock() != s.next() {
		return
	}
	if s.samples = append(s.samples, d.sample()); len(s.samples) <= mostSamples {
		return
	}
	kept := s.samples[:0]
	for i, x := range s.samples {
		if i%2 == 0 {
			kept = append(kept, x)
		}
	}
	s.samples, s.every = kept, 2*s.every
}

// Series returns what the PEs did over the run so far, from its beginning to the
// furthest clock that was reached, in equal steps but for the last one.
func (d *Debugger) Series() []Sample {
	list := d.series.samples[:len(d.series.samples):len(d.series.samples)]
	if d.clock() > list[len(list)-1].Clock {
		list = append(list, d.sample())
	}
	return list
}

func spilled(s *run.Batch) uint64 {
	sum := uint64(0)
	for pe := range s.Config().PEs {
		sum += s.PE(pe).IBU().Spilled
	}
	return sum
}

// SpillClock returns the clock in which the n-th packet of the run was written to a
// MIB, which has happened by now. It repeats the run from the sample before.
func (d *Debugger) SpillClock(ctx context.Context, n uint64) (uint64, error) {
	list := d.Series()
	i := slices.IndexFunc(list, func(x Sample) bool { return x.Spilled >= n })
	if i < 1 {
		return 0, errorf("the PEs have not spilled %s yet", plural.Of(n, "packet"))
	}
	s, err := d.hist.before(list[i-1].Clock).fork(d.s)
	if err != nil {
		return 0, err
	}
	for to := list[i-1].Clock; spilled(s) < n; to = s.Clock() + 1 {
		if err := ctx.Err(); err != nil {
			return 0, interrupt.Of(ctx, "during the search for a spill")
		}
		// Whatever ends this run has ended the debugger's too.
		_ = s.Advance(ctx, to-s.Current.StartClock())
	}
	return s.Clock() - 1, nil
}

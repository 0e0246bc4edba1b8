package debug

import "emsim/emcr"

// The bounds of a series [chosen: fine enough for a picture, cheap enough to be
// kept always].
const (
	firstSample = 16
	mostSamples = 1024
)

// Sample says what the PEs had done when the run came to a clock: PE-clocks by
// activity since the run began.
type Sample struct {
	Clock  uint64
	States [emcr.Activities]uint64
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
	x := Sample{Clock: d.clock()}
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

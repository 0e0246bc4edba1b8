package state

// Shown is what is seen of a machine that goes from event to event: samples at multiples of
// Every, and states at Snapshots. It is the one rule by which a run ends: the last sample is at the
// end of the run, or just before the event at which the context or a limit stopped it, and there
// the state is shown, too.
type Shown struct {
	Every     int64          // time from one sample to the next
	Sample    func(at int64) // nil for none
	Snapshots *Snapshots     // nil for none

	next, last int64 // of the samples
}

// NewShown returns what is seen of a run of a machine with that walk, whose state it restores
// if the run continues from one; the first sample is at 0, or the first one from then on.
func NewShown(every int64, sample func(at int64), m *Snapshots, walk func(*Codec)) (Shown, error) {
	return Shown{Every: every, Sample: sample, Snapshots: m, next: m.FirstSample(every), last: -1}, m.Restore(walk)
}

// Before shows all samples and states before the time of the next event.
func (s *Shown) Before(event int64, walk func(*Codec)) {
	for ; s.Sample != nil && s.next < event; s.next += s.Every {
		s.sample(s.next)
	}
	s.Snapshots.Reach(event, walk)
}

// Stop shows the last sample and the state of a run that is stopped before the next event.
func (s *Shown) Stop(event int64, walk func(*Codec)) {
	s.End(event - 1)
	s.Snapshots.Stopped(event-1, walk)
}

// End shows the last sample of a run that has ended at a time.
func (s *Shown) End(at int64) {
	if s.Sample != nil && s.last < at {
		s.sample(at)
	}
}

func (s *Shown) sample(at int64) {
	s.last = at
	s.Sample(at)
}

package state

// Shown is the output of an event-driven machine's run: samples at multiples of Every, and states at the times in
// Snapshots. It alone decides how the output ends. The last sample is at the end of the run. If the context or a limit
// stopped the run, the last sample and a state are just before the next event.
type Shown struct {
	Every     int64          // time between samples
	Sample    func(at int64) // nil for no samples
	Snapshots *Snapshots     // nil for no states

	walk       func(*Codec) // visits the state of the machine
	next, last int64        // times of the next and the last sample
}

// NewShown returns the Shown of a run of a machine whose state walk visits. If m continues a run, NewShown restores the
// state. The first sample is at 0, or at the first multiple of every after the restored state.
func NewShown(every int64, sample func(at int64), m *Snapshots, walk func(*Codec)) (Shown, error) {
	s := Shown{Every: every, Sample: sample, Snapshots: m, walk: walk, next: m.FirstSample(every), last: -1}
	return s, m.Restore(walk)
}

// Before shows all samples and states that are due before the next event.
func (s *Shown) Before(event int64) {
	for ; s.Sample != nil && s.next < event; s.next += s.Every {
		s.sample(s.next)
	}
	s.Snapshots.Reach(event, s.walk)
}

// Stop shows the last sample and the state of a run that is stopped before the next event, and returns the time until
// which the run has gone.
func (s *Shown) Stop(event int64) (at int64) {
	at = event - 1
	s.End(at)
	s.Snapshots.Stopped(at, s.walk)
	return at
}

// End shows the last sample of a run that has ended at the given time.
func (s *Shown) End(at int64) {
	if s.Sample != nil && s.last < at {
		s.sample(at)
	}
}

func (s *Shown) sample(at int64) {
	s.last = at
	s.Sample(at)
}

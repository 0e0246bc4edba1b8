package balance

import "math/rand/v2"

// full is the speed of an undisturbed worker.
const full = 1000

// speed is how fast a worker computes over time: at a constant rate, or in
// slices of full speed between slices of a competing process.
type speed struct {
	rate            int64 // thousandths of full speed
	on, off, jitter int64 // ticks; off = 0 means no slices
	rng             *rand.Rand
	// edges are the times at which the worker gets (even index) and loses (odd index) the CPU. They are drawn when
	// they are needed.
	edges []int64
	at    int // index of the last edge found
}

// timeShared returns a speed with time slices and a random phase.
func timeShared(on, off, jitter int64, rng *rand.Rand) speed {
	s := speed{rate: full, on: on, off: off, jitter: jitter, rng: rng}
	first := s.drawOnTime()
	into := int64(rng.Float64() * float64(first+off))
	s.edges = []int64{-into, first - into}
	return s
}

func (s *speed) drawOnTime() int64 { return s.on + int64(float64(s.jitter)*(2*s.rng.Float64()-1)) }

// edgeIndex returns the index of the last edge that is not after t.
func (s *speed) edgeIndex(t int64) int {
	for s.edges[len(s.edges)-1] <= t {
		begin := s.edges[len(s.edges)-1] + s.off
		s.edges = append(s.edges, begin, begin+s.drawOnTime())
	}
	for s.at > 0 && s.edges[s.at] > t {
		s.at--
	}
	for s.edges[s.at+1] <= t {
		s.at++
	}
	return s.at
}

// advance returns the time at which work that begins at from is done.
func (s *speed) advance(from, work int64) int64 {
	switch {
	case s.off == 0 && s.rate == full:
		return from + work
	case s.off == 0:
		return from + (work*full+s.rate-1)/s.rate
	}
	for work > 0 {
		k := s.edgeIndex(from)
		end := s.edges[k+1]
		if k%2 == 0 {
			if work <= end-from {
				return from + work
			}
			work -= end - from
		}
		from = end
	}
	return from
}

// share returns the fraction of full speed that the worker has in the long run.
func (s *speed) share() float64 {
	if s.off == 0 {
		return float64(s.rate) / full
	}
	return float64(s.on) / float64(s.on+s.off)
}

// capacity returns the work that the worker could do from 0 to t.
func (s *speed) capacity(t int64) int64 {
	if s.off == 0 {
		return t * s.rate / full
	}
	last, sum := s.edgeIndex(t), int64(0)
	for k := 0; k <= last; k += 2 {
		sum += max(0, min(t, s.edges[k+1])-max(0, s.edges[k])) // the first slices began before 0
	}
	return sum
}

// Package rng is the random generator of the machines: SplitMix64 by Steele, Lea and Flood. Its state is one 64-bit
// counter, so a stream can be saved, hashed and moved like any other number, and every platform draws the same numbers.
// Two packages have generators of their own. The published numbers of cluster/spmd were drawn from PCG, and pdes/oracle
// shares no code with the model that it checks.
package rng

// A Stream is a stream of random numbers. Its value is its whole state, and any
// value is a valid start.
type Stream uint64

// New returns a separate stream for every seed and purpose.
func New(seed, purpose uint64) Stream {
	s := Stream(seed*0x632be59bd9b4e019 + purpose*0x2545f4914f6cdd1d)
	s.Next()
	return s
}

// Next returns 64 random bits.
func (s *Stream) Next() uint64 {
	*s += Golden
	return Mix(uint64(*s))
}

// Golden is the step of the counter: 2^64 divided by the golden ratio, made odd.
const Golden = 0x9e3779b97f4a7c15

// Mix scatters the bits of z; different arguments give different results.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns a number from 0 to n-1; n is 1 to 2^31.
func (s *Stream) Below(n int) int { return int((s.Next() >> 33) % uint64(n)) }

// Unit returns a number of at least 0 and below 1, in steps of 2^-53.
func (s *Stream) Unit() float64 { return float64(s.Next()>>11) / (1 << 53) }

// Exponential returns an integer from the exponential distribution with the given mean. Von Neumann's method needs only
// comparisons, and no logarithm, which platforms round differently.
func (s *Stream) Exponential(mean int64) int64 {
	for whole := int64(0); ; whole++ {
		first := s.Next() >> 32
		run, last := 1, first
		for {
			v := s.Next() >> 32
			if v >= last {
				break
			}
			last = v
			run++
		}
		if run%2 == 1 {
			return whole*mean + int64(uint64(mean)*first>>32)
		}
	}
}

// Shuffle permutes a slice randomly.
func Shuffle[T any](s *Stream, x []T) {
	for i := len(x) - 1; i > 0; i-- {
		j := s.Below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}

package rng

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Mean and spread of the exponential distribution are its parameter.
func TestExponential(t *testing.T) {
	s := New(1, 1)
	const n, mean = 200_000, 1000
	sum, squares := 0.0, 0.0
	for range n {
		v := float64(s.Exponential(mean))
		sum += v
		squares += v * v
	}
	m := sum / n
	require.InDelta(t, mean, m, 0.01*mean)
	require.InDelta(t, mean*mean, squares/n-m*m, 0.03*mean*mean)
	require.Zero(t, s.Exponential(0))
}

// The published first output of SplitMix64 from state 0.
func TestSplitMix64(t *testing.T) {
	s := Stream(0)
	require.Equal(t, uint64(0xe220a8397b1dcdaf), s.Next())
}

package apportion

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShares(t *testing.T) {
	require.Equal(t, []int{43, 42}, Shares(85, []float64{1, 1}))
	require.Equal(t, []int{1, 3}, Shares(4, []float64{1, 3}))
	require.Equal(t, []int{2, 3, 5}, Shares(10, []float64{0.23, 0.26, 0.51}))
	require.Equal(t, []int{0, 10}, Shares(10, []float64{0, 2}))
	require.Equal(t, []int{3, 3, 3, 2}, Shares(11, []float64{1, 1, 1, 1}))
	require.Equal(t, []int{2, 3, 4, 1}, Shares(10, []float64{2, 2.9, 3.7, 1.4}), "a unit each to the fractions .9 and .7")
	require.Equal(t, []int{0}, Shares(0, []float64{1}))
}

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
	require.Equal(t, []int{0}, Shares(0, []float64{1}))
}

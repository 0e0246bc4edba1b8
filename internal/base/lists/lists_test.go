package lists

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, []string{"3", "1", "3"}, Of([]int{3, 1, 3}, strconv.Itoa))
	require.Empty(t, Of(nil, strconv.Itoa))
}

func TestWhereFindAndSum(t *testing.T) {
	list := []int{3, 1, 4, 2}
	even := func(x int) bool { return x%2 == 0 }
	require.Equal(t, []int{4, 2}, Where(list, even))
	require.Nil(t, Where(list[:2], even))
	first, found := Find(list, even)
	require.True(t, found)
	require.Equal(t, 4, first)
	first, found = Find(list[:2], even)
	require.False(t, found)
	require.Zero(t, first)
	require.Equal(t, 5.0, Sum(list, func(x int) float64 { return float64(x) / 2 }))
}

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

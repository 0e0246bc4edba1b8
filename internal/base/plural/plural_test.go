package plural

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	require.Equal(t, "0 packets", Of(0, "packet"))
	require.Equal(t, "1 packet", Of(uint64(1), "packet"))
	require.Equal(t, "2 packets", Of(int64(2), "packet"))
	require.Equal(t, "18,446,744,073,709,551,615 clocks", Of(uint64(math.MaxUint64), "clock"))
}

func TestVerb(t *testing.T) {
	require.Equal(t, "waits", Verb(1, "waits", "wait"))
	require.Equal(t, "wait", Verb(0, "waits", "wait"))
	require.Equal(t, "wait", Verb(2, "waits", "wait"))
}

func TestCommas(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 123456: "123,456",
		1234567: "1,234,567", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		require.Equal(t, want, Commas(n))
	}
}

func TestRanges(t *testing.T) {
	for want, list := range map[string][]int{
		"": nil, "3": {3}, "1-3 7 9-10": {1, 2, 3, 7, 9, 10},
		"0 2 4-6": {0, 2, 4, 5, 6}, "1-2 4 6-9": {1, 2, 4, 6, 7, 8, 9},
	} {
		require.Equal(t, want, strings.Join(Ranges(list), " "))
	}
}

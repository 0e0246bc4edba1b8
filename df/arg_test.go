package df

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An argument is a number of 32 bits; what is wrong with another one is said.
func TestArg(t *testing.T) {
	list := []string{"pi", "60", "-2147483648", "x", "2147483648"}
	for i, want := range map[int]int32{1: 60, 2: -1 << 31} {
		n, err := arg(list, i)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for i, want := range map[int]string{
		0: "argument 0 is missing: there are 4", 5: "argument 5 is missing", 3: `argument 3 is "x": expected a whole number from -2147483648 to 2147483647`, 4: `argument 4 is "2147483648"`,
	} {
		_, err := arg(list, i)
		require.ErrorContains(t, err, want)
	}
}

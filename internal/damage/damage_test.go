package damage

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/state"
)

func TestTable(t *testing.T) {
	c := state.Saver(nil)
	for _, v := range []uint64{2, 7, 1} {
		state.Num(c, &v)
	}
	var names Names
	names.Add("low")
	names.Omit(1)
	names.Add("high*1")
	got := Table(c.Bytes(), names, []uint64{100}, func(b []byte) error {
		l := state.Loader(b)
		var low, skipped, high uint64
		for _, p := range []*uint64{&low, &skipped, &high} {
			state.Num(l, p)
		}
		if low > 100 {
			return fmt.Errorf("low is %d", low)
		}
		if high == 0 || int64(high) < 0 {
			return fmt.Errorf("high is %d", int64(high))
		}
		return nil
	})
	require.Equal(t, `low = 2
  0 .. 100: fine
  101 .. -1: low is 101
high[0] = 1
  0: high is 0
  1 .. 0x7fffffffffffffff: fine
  -9223372036854775808 .. -1: high is -9223372036854775808
`, got)
	names.Omit(1)
	require.Equal(t, "4 names for 3 words\n", Table(c.Bytes(), names, nil, nil))
	names = nil
	names.Packet("p")
	require.Len(t, names, 10)
}

// A struct has a name for the first word of every field that is given one.
func TestFields(t *testing.T) {
	var names Names
	names.Fields(struct {
		A    uint64
		B    [2]uint64
		C, D uint64
	}{}, map[string]string{"B": "b", "D": "d"})
	require.Equal(t, Names{"", "b", "", "", "d"}, names)
}

package damage

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
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
	require.Len(t, names, 11)
}

// Small numbers are printed in decimal, large ones in hexadecimal, and numbers in the upper half as negative ones.
func TestNumber(t *testing.T) {
	for v, want := range map[uint64]string{
		0: "0", 1<<16 - 1: "65535", 1 << 16: "0x10000", 1<<62 +
			5: "0x4000000000000005", 1<<63 - 1: "0x7fffffffffffffff",
		1 << 63: "-9223372036854775808", ^uint64(0): "-1",
	} {
		require.Equal(t, want, number(v))
	}
}

// Every word is set to small numbers, to numbers around the limits of the widths in a state, and to numbers around the
// caller's values.
func TestValues(t *testing.T) {
	require.Equal(t, []uint64{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 31, 32, 63, 64, 255, 256, 0xffff, 0x10000, 0x3ffff, 0x40000,
		0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x100000000, 1<<63 - 1, 1 << 63, ^uint64(0),
	}, values([]uint64{0x7fffffff, 0x80000000}))
}

// Fields names the first word of every field that has a name in the map.
func TestFields(t *testing.T) {
	var names Names
	names.Fields(struct {
		A    uint64
		B    [2]uint64
		C, D uint64
	}{}, map[string]string{"B": "b", "D": "d"})
	require.Equal(t, Names{"", "b", "", "", "d"}, names)
}

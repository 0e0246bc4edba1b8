package df_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/df"
)

// Every turn counts once, also at the ends of what an int32 holds.
func TestSum(t *testing.T) {
	one := func(int32) int32 { return 1 }
	for _, r := range [][2]int32{{0, 1}, {0, 1000}, {-5, 7}, {2147483640, 2147483647}, {-2147483648, -2147483600}} {
		require.Equal(t, r[1]-r[0], df.Sum(r[0], r[1], one))
	}
	require.Zero(t, df.Sum(3, 3, one))
	require.Zero(t, df.Sum(3, -3, one))
	require.Equal(t, uint32(499500), df.Sum(0, 1000, func(i int32) uint32 { return uint32(i) }))
}

// Floats are added in pairs, halves of the range first.
func TestSumOfFloats(t *testing.T) {
	v := []float32{1e8, 1, -1e8, 1, 0.5}
	want := (v[0] + v[1]) + (v[2] + (v[3] + v[4]))
	require.Equal(t, want, df.Sum(0, 5, func(i int32) float32 { return v[i] }))
}

func TestPEs(t *testing.T) {
	t.Setenv("EMSIM_PES", "12")
	require.Equal(t, int32(12), df.PEs())
	t.Setenv("EMSIM_PES", "-1")
	require.Equal(t, int32(80), df.PEs())
}

// An array has the words that it is filled with, and those that Set writes.
func TestArray(t *testing.T) {
	var a df.Array[int32]
	require.Panics(t, func() { a.Get(0, 0) })
	a.Fill(3, 2, func(piece, word int32) int32 { return piece*10 + word })
	require.Equal(t, []int32{0, 1, 10, 11, 20, 21}, a.Words())
	a.Set(1, 0, 7)
	require.Equal(t, int32(7), a.Get(1, 0))
	var got []int32
	for w := range a.Stream(1) {
		got = append(got, w)
	}
	require.Equal(t, []int32{7, 11}, got)
	require.Panics(t, func() { a.Set(1, 2, 7) })
	require.Panics(t, func() { a.Stream(3) })
	const negative = "an array of package df has a negative number of pieces or words"
	require.PanicsWithValue(t, negative, func() { a.Fill(-1, 2, nil) })
	require.PanicsWithValue(t, negative, func() { a.Fill(2, -1, nil) })
}

package state

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Fields visits a struct's numbers in the order of the fields, and restores them.
func TestFields(t *testing.T) {
	type Inner struct{ A, B uint64 }
	type outer struct {
		First uint64
		Many  [3]uint64
		Inner
		Below int
		Reals []float64
	}
	x := outer{1, [3]uint64{2, 3, 4}, Inner{5, 6}, -7, []float64{0.5}}
	c, want := Saver(nil), Saver(nil)
	Fields(c, &x)
	Nums(want, []uint64{1, 2, 3, 4, 5, 6, 1<<64 - 7, math.Float64bits(0.5)})
	require.Equal(t, want.Bytes(), c.Bytes())

	y := outer{Reals: make([]float64, 1)}
	l := Loader(c.Bytes())
	Fields(l, &y)
	require.NoError(t, l.Err())
	require.Equal(t, x, y)
	require.Zero(t, l.BytesLeft())

	l = Loader(c.Bytes()[:40])
	Fields(l, &y)
	require.ErrorIs(t, l.Err(), ErrTruncated)
	require.Panics(t, func() { Fields(c, &struct{ N int32 }{}) })
	require.Zero(t, testing.AllocsPerRun(10, func() { c.buf = c.buf[:0]; Fields(c, &x) }))
}

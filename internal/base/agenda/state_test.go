package agenda

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
)

// A restored agenda and queue equal the saved ones. A restore rejects an agenda that is out of order.
func TestState(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	now := int64(0)
	var a Agenda[int]
	var f FIFO[int]
	for k := range 300 {
		a.Add(Item[int]{At: rng.Int64N(50), Order: uint64(k), What: k})
		f.Push(k)
		if k%3 == 0 {
			a.Next()
			f.PopOldest()
		}
	}
	walk := func(c *state.Codec) {
		number := func(x *int) { state.Num(c, x) }
		a.State(c, now, number)
		f.State(c, 1000, number)
	}
	c := state.Saver(nil)
	walk(c)
	wantA, wantF := append(Agenda[int]{}, a...), append([]int{}, f.items[f.head:]...)
	a, f = nil, FIFO[int]{}
	require.NoError(t, (&state.Snapshots{Resume: c.Bytes()}).Restore(walk))
	require.Equal(t, wantA, a)
	require.Equal(t, FIFO[int]{items: wantF}, f)

	now = wantA[0].At + 1
	require.ErrorIs(t, (&state.Snapshots{Resume: c.Bytes()}).Restore(walk), state.ErrMisfit,
		"an item before the present")
	now = 0

	b := c.Bytes()
	b[8], b[8+24*len(wantA)-24] = 60, 0 // the first item becomes the last
	require.ErrorIs(t, (&state.Snapshots{Resume: b}).Restore(walk), state.ErrMisfit)
}

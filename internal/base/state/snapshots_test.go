package state

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A state is shown once for every time before the next event, even if events are far apart, and at the end of the run.
func TestSnapshots(t *testing.T) {
	var shown []int64
	var last string
	m := &Snapshots{At: 3, Show: func(at int64, _ func(*Codec)) int64 {
		shown = append(shown, at)
		if at == 9 {
			return Never
		}
		return at + 3
	}, Stop: func(at int64, walk func(*Codec)) {
		c := Saver(nil)
		walk(c)
		last = string(c.Bytes())
		shown = append(shown, -at)
	}}
	walk := func(c *Codec) { n := 'x'; Num(c, &n) }
	for _, next := range []int64{1, 3, 4, 10, 100} {
		m.Reach(next, walk)
	}
	m.Stopped(100, walk)
	require.Equal(t, []int64{3, 6, 9, -100}, shown)
	require.Equal(t, "x\x00\x00\x00\x00\x00\x00\x00", last)
	var none *Snapshots
	none.Reach(5, walk)
	none.Stopped(5, walk)
	(&Snapshots{}).Reach(5, walk)
	require.NoError(t, none.Restore(walk))
	require.False(t, none.Resumed())
}

// A restore accepts only the bytes that the machine would save.
func TestRestore(t *testing.T) {
	n, most := 7, 9
	walk := func(c *Codec) {
		Index(c, &n, 2, 10)
		n = min(n, most)
	}
	c := Saver(nil)
	walk(c)
	good := c.Bytes()
	require.NoError(t, (&Snapshots{Resume: good}).Restore(walk))
	for _, bad := range [][]byte{
		{},
		good[:7], append(good[:8:8], 0),
		{1, 0, 0, 0, 0, 0, 0, 0},
		{10, 0, 0, 0, 0, 0, 0, 0},
	} {
		require.ErrorIs(t, (&Snapshots{Resume: bad}).Restore(walk), ErrMisfit)
	}
	most = 6
	require.ErrorIs(t, (&Snapshots{Resume: good}).Restore(walk), ErrMisfit, "it would save 6")
}

// A run that panics after a restore returns ErrMisfit. A run from the beginning panics.
func TestGuard(t *testing.T) {
	run := func(m *Snapshots) (err error) {
		defer m.Guard(&err)
		panic("no such rank")
	}
	err := run(&Snapshots{Resume: []byte{}})
	require.ErrorIs(t, err, ErrMisfit)
	require.ErrorContains(t, err, "no such rank")
	require.Panics(t, func() { _ = run(&Snapshots{}) })
	require.Panics(t, func() { _ = run(nil) })
}

// Samples of a resumed run begin at the first multiple after the state's time.
func TestFirstSample(t *testing.T) {
	var none *Snapshots
	require.EqualValues(t, 0, none.FirstSample(10))
	for from, want := range map[int64]int64{0: 10, 9: 10, 10: 20, 11: 20} {
		require.Equal(t, want, (&Snapshots{Resume: []byte{}, From: from}).FirstSample(10))
	}
}

package state

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// record has a field of every kind.
type record struct {
	a     int8
	b     uint64
	c     bool
	list  []uint16
	fixed [3]int32
	raw   []byte
	text  string
}

func (r *record) State(c *Codec) {
	Num(c, &r.a)
	Num(c, &r.b)
	Bool(c, &r.c)
	List(c, &r.list, 100_000, func(x *uint16) { Num(c, x) })
	Nums(c, r.fixed[:])
	Bytes(c, &r.raw, 200_000)
	Text(c, &r.text, 100)
}

// oneByte reads a byte at a time.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(1, len(b))]) }

// What was saved is restored, from memory and through streams of any manner;
// with bytes missing it is an error.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := record{
			a: rapid.Int8().Draw(t, "a"), b: rapid.Uint64().Draw(t, "b"), c: rapid.Bool().Draw(t, "c"),
			list: rapid.SliceOfN(rapid.Uint16(), 0, 20).Draw(t, "list"), fixed: [3]int32{-1, 0, math.MaxInt32},
			raw: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "raw"), text: rapid.StringN(0, 5, 20).Draw(t, "text"),
		}
		if len(r.list) > 0 { // more than a stream holds
			r.list = append(r.list, make([]uint16, rapid.SampledFrom([]int{0, 9000, 20000}).Draw(t, "more"))...)
		}
		c := Saver(nil)
		r.State(c)
		var out bytes.Buffer
		s := Writer(&out)
		r.State(s)
		require.NoError(t, s.Flush())
		require.Equal(t, c.Bytes(), out.Bytes())
		want, size := c.Bytes(), out.Len()
		for _, c := range []*Codec{Loader(want), Reader(&out, size), Reader(oneByte{bytes.NewReader(want)}, size)} {
			var got record
			got.State(c)
			require.NoError(t, c.Err())
			require.Zero(t, c.Left())
			again := Saver(nil)
			got.State(again)
			require.True(t, bytes.Equal(want, again.Bytes()))
		}
		cut := rapid.IntRange(0, size-1).Draw(t, "cut")
		for _, c := range []*Codec{Loader(want[:cut]), Reader(bytes.NewReader(want[:cut]), cut), Reader(bytes.NewReader(want[:cut]), size)} {
			var got record
			got.State(c)
			require.ErrorIs(t, c.Err(), ErrTruncated)
		}
	})
}

// Counts that the bytes cannot hold take no memory.
func TestHugeCounts(t *testing.T) {
	count := func(n uint64) *Codec {
		c := Saver(nil)
		Num(c, &n)
		return Loader(append(c.Bytes(), make([]byte, 64)...))
	}
	var list []uint64
	c := count(1 << 40)
	List(c, &list, 1<<50, func(x *uint64) { Num(c, x) })
	require.ErrorIs(t, c.Err(), ErrTruncated)
	require.LessOrEqual(t, len(list), 9)
	c = count(1 << 40)
	Len(c, &list, 1<<50)
	require.ErrorIs(t, c.Err(), ErrTruncated)
	require.Empty(t, list)
	for _, n := range []uint64{11, math.MaxUint64} {
		var raw []byte
		c = count(n)
		Bytes(c, &raw, 10)
		require.ErrorContains(t, c.Err(), "outside 0..10")
		c = count(n)
		List(c, &list, 10, func(x *uint64) { Num(c, x) })
		require.ErrorContains(t, c.Err(), "outside 0..10")
		c = count(n)
		Len(c, &list, 10)
		require.ErrorContains(t, c.Err(), "outside 0..10")
	}
	var raw []byte
	c = count(1 << 40)
	Bytes(c, &raw, 1<<50)
	require.ErrorIs(t, c.Err(), ErrTruncated)
	var small int8
	c = count(300)
	Num(c, &small)
	require.ErrorContains(t, c.Err(), "300 does not fit")
	var truth bool
	c = count(2)
	Bool(c, &truth)
	require.ErrorContains(t, c.Err(), "2 is no truth value")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
func (failing) Read([]byte) (int, error)  { return 0, errors.New("bad sector") }

func TestStreamErrors(t *testing.T) {
	c := Writer(failing{})
	n := uint64(1)
	for range 20000 {
		Num(c, &n)
	}
	require.ErrorContains(t, c.Flush(), "disk full")
	c = Reader(failing{}, 100)
	Num(c, &n)
	require.ErrorContains(t, c.Err(), "bad sector")
}

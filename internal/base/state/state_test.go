package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
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

// oneByte reads one byte at a time.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(b []byte) (int, error) { return o.r.Read(b[:min(1, len(b))]) }

// A saved state can be restored from memory and through any stream. Missing bytes are an error.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := record{
			a: rapid.Int8().Draw(t, "a"), b: rapid.Uint64().Draw(t, "b"), c: rapid.Bool().Draw(t, "c"),
			list: rapid.SliceOfN(rapid.Uint16(), 0, 20).Draw(t, "list"), fixed: [3]int32{-1, 0, math.MaxInt32},
			raw: rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "raw"), text: rapid.StringN(0, 5, 20).Draw(t, "text"),
		}
		if len(r.list) > 0 { // longer than a stream's buffer
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
			require.Zero(t, c.BytesLeft())
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

// A restore allocates nothing for counts that exceed the bytes.
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
	require.ErrorContains(t, c.Err(), "2 is not a truth value")
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

// Every type of field has a fixed encoding, and a restore reports wrong values.
func TestForm(t *testing.T) {
	c := Saver([]byte("x"))
	r := record{a: -2, b: 3, c: true, list: []uint16{7, 8}, fixed: [3]int32{1, 2, 3}, raw: []byte("123456789"), text: "abc"}
	r.State(c)
	want := []byte("x")
	for _, v := range []int64{-2, 3, 1, 2, 7, 8, 1, 2, 3, 9} {
		want = binary.LittleEndian.AppendUint64(want, uint64(v))
	}
	want = append(want,
		"123456789\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00abc\x00\x00\x00\x00\x00"...)
	require.Equal(t, want, c.Bytes())
	require.NoError(t, c.Err())
	require.Equal(t, uint64(0xaf63dc4c8601ec8c), Hash([]byte("a")), "FNV-1a of 64 bits")

	for _, x := range []struct {
		c               *Codec
		loading, digest bool
		left            int
	}{{Saver(nil), false, false, 0}, {Hasher([]byte{1}), false, true, 1}, {Loader(make([]byte, 5)), true, false, 5}, {Writer(nil), false, false, 0}, {Reader(nil, 7), true, false, 7}} {
		require.Equal(t, x.loading, x.c.Loading())
		require.Equal(t, x.digest, x.c.Digest())
		require.Equal(t, x.left, x.c.BytesLeft())
	}
	require.Equal(t, []byte{1}, Hasher([]byte{1}).Bytes())
}

// A slice's length is restored with room for its elements, which are visited separately.
func TestLen(t *testing.T) {
	for _, n := range []int{0, 1, 10} {
		for _, spare := range []int{0, 7, 8} {
			c := Saver(nil)
			list := make([]int16, n)
			for i := range list {
				list[i] = int16(i + 1)
			}
			Len(c, &list, 0) // the limit applies only to restoring
			require.Len(t, list, n)
			Nums(c, list)
			c = Loader(append(c.Bytes(), make([]byte, spare)...))
			got := []int16{99}
			Len(c, &got, 10)
			require.NoError(t, c.Err())
			require.Equal(t, make([]int16, n), got)
			Nums(c, got)
			require.Equal(t, list, got)
			require.NoError(t, c.Err())
			require.Equal(t, spare, c.BytesLeft())
		}
	}
	c := Loader([]byte("\x02\x00\x00\x00\x00\x00\x00\x001234567812345670")[:23])
	var list []uint64
	Len(c, &list, 10)
	require.ErrorIs(t, c.Err(), ErrTruncated, "one byte less than two numbers")
	require.Empty(t, list)
	require.Zero(t, c.BytesLeft())
}

// Limits are inclusive.
func TestLimits(t *testing.T) {
	for _, n := range []int{10, 11} {
		c := Saver(nil)
		list, raw, text := make([]uint8, n), make([]byte, n), string(make([]byte, n))
		each := func(x *uint8) { Num(c, x) }
		List(c, &list, 0, each)
		Bytes(c, &raw, 0)
		Text(c, &text, 0)
		all := c.Bytes()
		for i, visit := range []func(){
			func() { List(c, &list, 10, each) },
			func() { c.buf = c.buf[8*(1+n):]; Bytes(c, &raw, 10) },
			func() { c.buf = c.buf[8*(1+n)+8+16:]; Text(c, &text, 10) },
		} {
			c = Loader(all)
			visit()
			if n == 10 {
				require.NoError(t, c.Err())
			} else {
				require.EqualError(t, c.Err(), "state: length 11 is outside 0..10", "%d", i)
			}
		}
		require.Len(t, list, n%11)
		require.Len(t, raw, n%11)
		require.Len(t, text, n%11)
	}
}

// The first error is kept, and later reads return zeros.
func TestFirstError(t *testing.T) {
	c := Loader(append(make([]byte, 7), bytes.Repeat([]byte{1}, 20)...))
	c.Fail("no %s", "more")
	c.Fail("later")
	require.EqualError(t, c.Err(), "state: no more")
	x := uint64(9)
	c = Loader(bytes.Repeat([]byte{1}, 15))
	Num(c, &x)
	require.Equal(t, uint64(0x0101010101010101), x)
	Num(c, &x)
	require.Zero(t, x)
	require.Equal(t, ErrTruncated, c.Err())
	c.Fail("later")
	require.Equal(t, ErrTruncated, c.Err())
	x = 9
	Num(c, &x)
	require.Zero(t, x)
	truth := true
	Bool(c, &truth)
	require.False(t, truth)
	list := []uint64{5}
	List(c, &list, 10, func(x *uint64) { Num(c, x) })
	require.Empty(t, list)

	wrong := uint64(2)
	c = Saver(nil)
	Num(c, &wrong)
	c = Loader(c.Bytes())
	truth = true
	Bool(c, &truth)
	require.False(t, truth)

	c = Loader(append(binary.LittleEndian.AppendUint64(nil, 10), 1, 2, 3, 4, 5, 6, 7, 8, 9))
	var raw []byte
	Bytes(c, &raw, 10)
	require.ErrorIs(t, c.Err(), ErrTruncated)
	require.Empty(t, raw, "nothing of what is too short")
	c = Loader(append(binary.LittleEndian.AppendUint64(nil, 9), make([]byte, 9)...)) // no padding
	Bytes(c, &raw, 10)
	require.ErrorIs(t, c.Err(), ErrTruncated)
}

// pieces records the sizes of writes.
type pieces []int

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, len(b))
	return len(b), nil
}

// A stream is written in chunks, and never read past its end.
func TestStreams(t *testing.T) {
	var out pieces
	c := Writer(&out)
	n := uint64(1)
	for range streamChunk/8 - 1 {
		Num(c, &n)
	}
	require.Empty(t, out)
	Num(c, &n)
	require.Equal(t, pieces{streamChunk}, out)
	Num(c, &n)
	require.NoError(t, c.Flush())
	require.Equal(t, pieces{streamChunk, 8}, out)
	require.Empty(t, c.Bytes())

	text := strings.NewReader(strings.Repeat("x", 24))
	c = Reader(text, 16)
	Num(c, &n)
	require.Equal(t, 8, c.BytesLeft())
	Num(c, &n)
	require.Equal(t, 8, text.Len(), "what follows is not the codec's")
	require.Zero(t, c.BytesLeft())
	Num(c, &n)
	require.ErrorIs(t, c.Err(), ErrTruncated)
	require.Equal(t, 8, text.Len())

	text = strings.NewReader(strings.Repeat("x", 2*streamChunk))
	c = Reader(text, 2*streamChunk)
	Num(c, &n)
	require.Equal(t, streamChunk, text.Len(), "a chunk at a time")
	require.Equal(t, 2*streamChunk-8, c.BytesLeft())
	for range streamChunk/8 - 1 {
		Num(c, &n)
	}
	require.Equal(t, streamChunk, text.Len(), "nothing is read before it is needed")
	Num(c, &n)
	require.Zero(t, text.Len())

	// After an error nothing more is written, and the error is kept.
	broken := &breaking{}
	c = Writer(broken)
	for range 3 * streamChunk / 8 {
		Num(c, &n)
	}
	require.EqualError(t, c.Flush(), "disk full 1")
	require.EqualError(t, c.Err(), "disk full 1")
	require.Equal(t, 1, broken.calls)
}

type breaking struct{ calls int }

func (b *breaking) Write([]byte) (int, error) {
	b.calls++
	return 0, fmt.Errorf("disk full %d", b.calls)
}

// Pairs writes the same bytes as Num, to memory and to streams.
func TestPairs(t *testing.T) {
	words, tags := []uint64{1, math.MaxUint64, 3}, []uint8{0, 255, 7}
	one := Saver(nil)
	for i := range words {
		Num(one, &words[i])
		Num(one, &tags[i])
	}
	want := one.Bytes()
	c := Saver([]byte("12345678"))
	Pairs(c, words, tags)
	require.Equal(t, want, c.Bytes()[8:])
	var out bytes.Buffer
	w := Writer(&out)
	Pairs(w, words, tags)
	require.NoError(t, w.Flush())
	require.Equal(t, want, out.Bytes())
	for _, c := range []*Codec{Loader(want), Reloader(want), Reader(&out, len(want)), Reader(oneByte{bytes.NewReader(want)}, len(want))} {
		gotWords, gotTags := make([]uint64, 3), make([]uint8, 3)
		Pairs(c, gotWords, gotTags)
		require.NoError(t, c.Err())
		require.Zero(t, c.BytesLeft())
		require.Equal(t, words, gotWords)
		require.Equal(t, tags, gotTags)
	}
	for cut := range want {
		c := Loader(want[:cut])
		Pairs(c, make([]uint64, 3), make([]uint8, 3))
		require.ErrorIs(t, c.Err(), ErrTruncated)
	}
	bad := slices.Clone(want)
	bad[9] = 1
	c = Loader(bad)
	Pairs(c, make([]uint64, 3), make([]uint8, 3))
	require.ErrorContains(t, c.Err(), "256 does not fit its field")
	require.True(t, Reloader(nil).IsOwn())
	require.False(t, Loader(nil).IsOwn())
}

// A Marker hashes as a Hasher does, and records the parts. Other codecs record no parts.
func TestMarks(t *testing.T) {
	walk := func(c *Codec) {
		n := uint64(1)
		c.In("clock")
		Num(c, &n)
		c.Of(3)
		c.In("EXU")
		Num(c, &n)
		Num(c, &n)
		c.Of(4)
		c.In("FMU")
	}
	h, m := Hasher(nil), Marker([]byte("12345678"), []Mark{{9, "old", 9}})
	walk(h)
	walk(m)
	require.True(t, m.Digest())
	require.Equal(t, h.Bytes(), m.Bytes()[8:])
	require.Equal(t, []Mark{{9, "old", 9}, {-1, "clock", 8}, {3, "EXU", 16}, {4, "FMU", 32}}, m.Marks())
}

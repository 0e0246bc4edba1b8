package df_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"emsim/df"
)

// Every call counts once, even at the ends of the range of int32.
func TestSum(t *testing.T) {
	one := func(int32) int32 { return 1 }
	for _, r := range [][2]int32{{0, 1}, {0, 1000}, {-5, 7}, {2147483640, 2147483647}, {-2147483648, -2147483600}} {
		require.Equal(t, r[1]-r[0], df.Sum(r[0], r[1], one))
	}
	require.Zero(t, df.Sum(3, 3, one))
	require.Zero(t, df.Sum(3, -3, one))
	require.Equal(t, uint32(499500), df.Sum(0, 1000, func(i int32) uint32 { return uint32(i) }))
}

// Floats are added in pairs, with each range split into halves.
func TestSumOfFloats(t *testing.T) {
	v := []float32{1e8, 1, -1e8, 1, 0.5}
	want := (v[0] + v[1]) + (v[2] + (v[3] + v[4]))
	require.Equal(t, want, df.Sum(0, 5, func(i int32) float32 { return v[i] }))
}

// halves adds up a range as the machine does: in pairs, the smaller half first.
func halves(v []float32) float32 {
	if len(v) == 1 {
		return v[0]
	}
	return halves(v[:len(v)/2]) + halves(v[len(v)/2:])
}

// For any length of the range, the order of the additions is the same, with goroutines and below them. Every call
// happens once.
func TestSumOrder(t *testing.T) {
	for n := 1; n <= 300; n++ {
		v := make([]float32, n)
		for i := range v {
			v[i] = 1 / float32(i*i+3)
		}
		calls := make([]atomic.Int32, n)
		got := df.Sum(5, int32(5+n), func(i int32) float32 {
			calls[i-5].Add(1)
			return v[i-5]
		})
		require.Equal(t, halves(v), got, "%d turns", n)
		for i := range calls {
			require.EqualValues(t, 1, calls[i].Load())
		}
	}
}

// The upper levels of the tree run in parallel: the first calls of 64 branches can wait for each other. Below these
// levels, calls run one after the other.
func TestSumInParallel(t *testing.T) {
	for turns, together := range map[int32]int32{1: 1, 2: 2, 3: 3, 64: 64, 65: 64, 500: 64} {
		var begun atomic.Int32
		all := make(chan struct{})
		go func() {
			for range 1000 { // after that, there will never be as many
				if time.Sleep(5 * time.Millisecond); begun.Load() >= together {
					break
				}
			}
			time.Sleep(10 * time.Millisecond) // time for one call too many to begin
			assert.Equal(t, together, begun.Load(), "of %d turns", turns)
			close(all)
		}()
		require.Equal(t, turns, df.Sum(0, turns, func(int32) int32 {
			begun.Add(1)
			<-all
			return 1
		}))
	}
}

// Without a number above 0 in the environment, there are as many PEs as in the prototype.
func TestPEs(t *testing.T) {
	for text, want := range map[string]int32{
		"12": 12, "1": 1, "0": 80, "-1": 80, "": 80, "x": 80,
		"2147483647": 2147483647, "2147483648": 80, "0x10": 80,
	} {
		t.Setenv("EMSIM_PES", text)
		require.Equal(t, want, df.PEs(), text)
	}
}

// An array has the words with which it was filled, and the words that Set wrote.
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

// An empty array is valid, and filling an array again makes a new one. Words returns a copy.
func TestArrayAgain(t *testing.T) {
	var a df.Array[float32]
	require.Empty(t, a.Words())
	a.Fill(0, 3, nil)
	require.Empty(t, a.Words())
	a.Fill(2, 0, nil)
	require.Empty(t, a.Words())
	require.Panics(t, func() { a.Get(1, 0) })
	_, more := <-a.Stream(1)
	require.False(t, more)
	for _, size := range []int32{4, 2} {
		a.Fill(size, size, func(piece, word int32) float32 { return float32(piece) + float32(word)/8 })
		require.Len(t, a.Words(), int(size*size))
	}
	require.Equal(t, []float32{0, 0.125, 1, 1.125}, a.Words())
	require.Panics(t, func() { a.Get(0, 2) })
	require.Panics(t, func() { a.Get(-1, 0) })
	list := a.Words()
	list[0] = 9
	require.Zero(t, a.Get(0, 0))
}

package rhinet

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Shares equal equation (1) in exact fractions.
func TestShareIsEquationOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.SliceOfN(rapid.IntRange(1, 3000), 1, 64).Draw(t, "length")
		speeds := make([]float64, len(length))
		exact, sum := make([]*big.Rat, len(length)), new(big.Rat)
		for i, l := range length {
			time := rapid.Int64Range(1, 1e9).Draw(t, "time")
			speeds[i] = float64(l) / float64(time)
			exact[i] = big.NewRat(int64(l), time)
			sum.Add(sum, exact[i])
		}
		rows := rapid.IntRange(len(length), 10_000).Draw(t, "rows")
		got, err := Share(rows, speeds)
		require.NoError(t, err)
		total, raised := 0, 0
		for _, n := range got {
			require.GreaterOrEqual(t, n, 1)
			total += n
		}
		require.Equal(t, rows, total)
		for i := range got {
			q := new(big.Rat).Mul(new(big.Rat).Quo(exact[i], sum), big.NewRat(int64(rows), 1))
			f, _ := q.Float64()
			if f < 1 {
				raised++ // it may have been raised to one row at the expense of the largest share
			}
		}
		for i := range got {
			q, _ := new(big.Rat).Mul(new(big.Rat).Quo(exact[i], sum), big.NewRat(int64(rows), 1)).Float64()
			require.InDelta(t, q, float64(got[i]), 1.001+float64(raised), "rank %d", i)
		}
	})
}

func TestShareByHand(t *testing.T) {
	for _, c := range []struct {
		rows   int
		speeds []float64
		want   []int
	}{
		{8, []float64{1, 1, 1, 1}, []int{2, 2, 2, 2}},
		{10, []float64{1, 1, 1, 1}, []int{3, 3, 2, 2}}, // ties go to the lower rank
		{85, []float64{1, 1}, []int{43, 42}},           // so rank 0 has the odd row
		{10, []float64{1, 2, 4}, []int{1, 3, 6}},       // 1.43 2.86 5.71: INT 1 2 5, then .86 and .71
		{3, []float64{1e-9, 1, 1e9}, []int{1, 1, 1}},   // every rank has a row
		{7, []float64{5}, []int{7}},
	} {
		got, err := Share(c.rows, c.speeds)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
}

func TestShareRefuses(t *testing.T) {
	for _, c := range []struct {
		rows   int
		speeds []float64
	}{{3, nil}, {2, []float64{1, 1, 1}}, {9, []float64{1, 0}}, {9, []float64{1, -1}}, {9, []float64{math.NaN()}}, {
		9,
		[]float64{math.Inf(1), 1},
	}} {
		_, err := Share(c.rows, c.speeds)
		require.Error(t, err, "%v", c)
	}
}

// Inter-group splits keep every rank and every row, for any reports.
func TestGroupSplits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 8).Draw(t, "size")
		n := size * rapid.IntRange(1, 8).Draw(t, "groups")
		rows := rapid.IntRange(n, 9000).Draw(t, "rows")
		known := make([]info, n)
		lo := 0
		for i := range known {
			w := 1
			if i == n-1 {
				w = rows - lo
			} else if spare := rows - lo - (n - i); spare > 0 {
				w += rapid.IntRange(0, spare).Draw(t, "w")
			}
			known[i] = info{
				own:    span{lo, lo + w},
				Report: Report{Rows: w, Loops: 50, Time: rapid.Int64Range(1, 1e10).Draw(t, "time")},
			}
			lo += w
		}
		sp := &split{old: make([]span, n), spans: make([]span, n)}
		require.NoError(t, new(sim).groups(sp, known, size, rows))
		checkSpans(t, sp.spans, rows)
		for i := range known {
			require.Equal(t, known[i].own, sp.old[i])
		}
	})
}

func checkSpans(t require.TestingT, spans []span, rows int) {
	at := 0
	for _, s := range spans {
		require.Equal(t, at, s.lo)
		require.Greater(t, s.hi, s.lo)
		at = s.hi
	}
	require.Equal(t, rows, at)
}

func TestDecideWaiting(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows = 4, 400
	s := &sim{cfg: c}
	report := func(time, wait int64) info {
		return info{Report: Report{Rows: 100, Loops: 10, Time: time, Wait: wait, Longest: time / 5}}
	}
	decide := func(infos ...info) *split {
		lo := 0
		for i := range infos {
			infos[i].own = span{lo, lo + 100}
			lo += 100
		}
		sp := &split{old: make([]span, 4), spans: make([]span, 4)}
		require.NoError(t, s.decideWaiting(sp, infos))
		return sp
	}
	// A slower rank that causes no further waiting gets a smaller share.
	sp := decide(report(1000, 1000), report(1000, 1000), report(1000, 1000), report(2000, 0))
	require.Equal(t, []int{0, 1, 2, 3}, sp.flat)
	checkSpans(t, sp.spans, 400)
	require.Less(t, sp.spans[3].rowCount(), 100)
	// The speeds are the same, but all ranks wait far longer than the speeds explain.
	sp = decide(report(1000, 9000), report(1000, 9000), report(1000, 9000), report(2000, 8000))
	require.Equal(t, []int{0, 1, 2}, sp.flat)
	checkSpans(t, sp.spans[:3], 400)
	require.Zero(t, sp.spans[3].rowCount())
	// The rank does not rest if its loops are all equal: a smaller share is enough.
	steady := report(2000, 8000)
	steady.Longest = 200
	sp = decide(report(1000, 9000), report(1000, 9000), report(1000, 9000), steady)
	require.Len(t, sp.flat, 4)
	// Rank 0 never rests, and equal ranks all stay, however long they wait.
	sp = decide(report(2000, 9000), report(1000, 9000), report(1000, 9000), report(1000, 9000))
	require.True(t, slices.Contains(sp.flat, 0))
	sp = decide(report(1000, 9000), report(1000, 9000), report(1000, 9000), report(1000, 9000))
	require.Len(t, sp.flat, 4)
}

func TestApportion(t *testing.T) {
	require.Equal(t, []int{43, 42}, Apportion(85, []float64{1, 1}))
	require.Equal(t, []int{1, 3}, Apportion(4, []float64{1, 3}))
	require.Equal(t, []int{2, 3, 5}, Apportion(10, []float64{0.23, 0.26, 0.51}))
	require.Equal(t, []int{0, 10}, Apportion(10, []float64{0, 2}))
	require.Equal(t, []int{3, 3, 3, 2}, Apportion(11, []float64{1, 1, 1, 1}))
	require.Equal(t, []int{2, 3, 4, 1}, Apportion(10, []float64{2, 2.9, 3.7, 1.4}),
		"a unit each to the fractions .9 and .7")
	require.Equal(t, []int{0}, Apportion(0, []float64{1}))
}

package agenda

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Next returns items in the order of time, and items with equal times in their order. This holds for any sequence of
// Add and Next.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var a Agenda[int]
		var all []Item[int] // the items in the agenda
		for _, k := range rng.Perm(400) {
			x := Item[int]{At: rng.Int64N(50), Order: uint64(k), What: -k}
			all = append(all, x)
			a.Add(x)
			if rng.IntN(3) == 0 {
				take(t, &a, &all)
			}
			require.Len(t, a, len(all))
		}
		for len(all) > 0 {
			take(t, &a, &all)
		}
		require.Empty(t, a)
	}
}

// take takes an item, which must be the first of all.
func take(t *testing.T, a *Agenda[int], all *[]Item[int]) {
	t.Helper()
	slices.SortFunc(*all, func(x, y Item[int]) int {
		if x.At != y.At {
			return int(x.At - y.At)
		}
		return int(x.Order) - int(y.Order)
	})
	require.Equal(t, (*all)[0], (*a)[0], "the next one")
	require.Equal(t, (*all)[0], a.Next())
	*all = (*all)[1:]
}

// A timeline returns items in the order of time, and items with equal times as they were added. This holds for any
// sequence of Add and Next, and for any distance between times.
func TestTimeline(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		var l Timeline[int]
		var all []timed[int] // the items in the timeline
		now := int64(0)
		take := func() {
			slices.SortStableFunc(all, func(x, y timed[int]) int { return cmp.Compare(x.at, y.at) })
			at, what, ok := l.Next()
			require.True(t, ok)
			require.Equal(t, all[0], timed[int]{at, what})
			all, now = all[1:], at
		}
		for k := range 600 {
			at := now + rng.Int64N(1<<rng.IntN(14))
			if k%50 == 0 {
				at = now + rng.Int64N(math.MaxInt64-now)
			}
			all = append(all, timed[int]{at, k})
			l.Add(at, k)
			if rng.IntN(3) > 0 {
				take()
			}
		}
		for len(all) > 0 {
			take()
		}
		_, _, ok := l.Next()
		require.False(t, ok)
	}
}

// Times are compared before orders.
func TestBefore(t *testing.T) {
	early, late := Item[int]{At: 1, Order: 9}, Item[int]{At: 2, Order: 3}
	require.True(t, early.before(late.At, late.Order))
	require.False(t, late.before(early.At, early.Order))
	require.False(t, early.before(early.At, early.Order))
	require.True(t, (&Item[int]{At: 2, Order: 2}).before(late.At, late.Order))
	for _, a := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		for _, b := range []int64{math.MinInt64, -1, 0, 1, math.MaxInt64} {
			for _, order := range []uint64{0, 1, 1 << 63, math.MaxUint64} {
				x, want := Item[int]{At: a, Order: 1}, int64(0)
				if x.before(b, order) {
					want = -1
				}
				require.Equal(t, want, x.mask(b, order), "%d before %d, %d", a, b, order)
			}
		}
	}
}

// A queue keeps its order when items are taken from both ends and from the middle, and reuses space.
func TestFIFO(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var f FIFO[int32]
	var want []int32
	for k := range int32(3000) {
		switch op := rng.IntN(5); {
		case op < 2 || len(want) == 0:
			f.Push(k)
			want = append(want, k)
		case op == 2:
			require.Equal(t, want[0], *f.At(0))
			require.Equal(t, want[0], f.PopOldest())
			want = want[1:]
		case op == 3:
			require.Equal(t, want[len(want)-1], f.PopNewest())
			want = want[:len(want)-1]
		default:
			u := want[rng.IntN(len(want))]
			require.True(t, f.Remove(u))
			require.False(t, f.Remove(u))
			want = slices.DeleteFunc(slices.Clone(want), func(x int32) bool { return x == u })
		}
		require.Equal(t, len(want), f.Len())
	}
	var few FIFO[int]
	for k := range 1000 {
		few.Push(k)
		few.Push(k)
		few.PopOldest()
		few.PopNewest()
	}
	require.LessOrEqual(t, cap(few.items), 8)
}

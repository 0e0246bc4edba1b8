package rhinet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/knob"
)

// Work in slices ends at the same tick as with a count of the free ticks one by one.
func TestAdvanceCountsFreeTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Default()
		c.Seed = rapid.Uint64().Draw(t, "seed")
		c.Nodes = 8
		c.Load = OneLoad
		c.Host.SliceJitter = time.Duration(rapid.IntRange(0, 500).Draw(t, "jitter")) * TickNs
		c.Host.SliceOn = c.Host.SliceJitter + time.Duration(rapid.IntRange(125, 500).Draw(t, "on"))*TickNs
		c.Host.SliceOff = time.Duration(rapid.IntRange(0, 500).Draw(t, "off")) * TickNs
		rank := 7
		if rapid.Bool().Draw(t, "moves") {
			c.Host.MoveEvery = time.Millisecond
			rank = rapid.IntRange(0, 7).Draw(t, "rank")
		}
		require.NoError(t, c.Validate())
		p := newCPU(&c, rank)
		pattern := p // only the slices, as if the load stayed
		pattern.moveEvery = 0
		free := func(t int64) bool {
			in, _ := pattern.slice(t)
			if every := ticksOf(c.Host.MoveEvery); every > 0 && !c.loaded(rank, int(t/every)) {
				return true
			}
			return in || !p.sliced
		}
		now := int64(0)
		for range 20 {
			now += rapid.Int64Range(0, 100_000).Draw(t, "pause")
			work := rapid.Int64Range(0, 3000).Draw(t, "work")
			want := now
			for left := work; left > 0; want++ {
				if free(want) {
					left--
				}
			}
			// A pause right at the end of a slice does not count as work.
			require.Equal(t, want, p.advance(now, work))
			now = want
		}
	})
}

// Over an hour, a program on a loaded host gets its share of the CPU, SliceOn/(SliceOn+SliceOff). On an unloaded host
// it gets the whole CPU.
func TestSliceShare(t *testing.T) {
	c := Default()
	c.Load = OneLoad
	p := newCPU(&c, 7)
	hour := ticksOf(time.Hour)
	took := p.advance(0, hour)
	require.InDelta(t, 203.0/133, float64(took)/float64(hour), 0.002)
	free := newCPU(&c, 6)
	require.Equal(t, hour, free.advance(0, hour))
}

func TestLoadedRanks(t *testing.T) {
	c := Default()
	list, _ := knob.Find(knob.Bind(Knobs(), &c), "loaded")
	require.NoError(t, list.Set("9, 3"))
	require.Equal(t, Load("3,9"), c.Load)
	require.Equal(t, "3,9", list.Text())
	require.EqualError(t, list.Set("3,x"), `loaded: expected none, one, two or a list such as 1,3,6, not "3,x"`)
	require.EqualError(t, list.Set("oneload"),
		`loaded: expected none, one, two or a list such as 1,3,6, not "oneload"; it is now called "one"`)
	count := func(load Load, k int) (ranks []int) {
		c.Load = load
		for r := range 16 {
			if c.loaded(r, k) {
				ranks = append(ranks, r)
			}
		}
		return ranks
	}
	require.Empty(t, count(NoLoad, 0))
	require.Equal(t, []int{7, 15}, count(OneLoad, 0))
	require.Equal(t, []int{3, 9}, count("3,9", 1))
	require.Equal(t, []int{6, 7, 14, 15}, count(TwoLoad, 0))
	require.Equal(t, []int{0, 8}, count(OneLoad, 1))
	require.Equal(t, []int{0, 1, 8, 9}, count(TwoLoad, 1))
}

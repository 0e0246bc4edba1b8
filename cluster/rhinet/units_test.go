package rhinet

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

func TestTicks(t *testing.T) {
	for d, want := range map[time.Duration]int64{0: 0, 3: 0, 4: 1, 8: 1, 11: 1, 12: 2, time.Second: 125_000_000} {
		require.Equal(t, want, ticksOf(d), "%v", d)
	}
	require.InDelta(t, 2, Seconds(250_000_000), 1e-12)
}

// A host's rows take the right time, on the paper's machine and on one without spread. Times are rounded to whole
// ticks.
func TestWorkByHand(t *testing.T) {
	c := Default()
	c.Host.Spread = 0
	c.Host.RowCost = 100 * time.Nanosecond // 12.5 ticks
	p := newCPU(&c, 3)
	require.EqualValues(t, 100_000, p.picosPerRow)
	for rows, want := range map[int]int64{0: 0, 1: 13, 2: 25, 3: 38, 1000: 12_500} {
		require.Equal(t, want, p.ticksFor(rows), "%d rows", rows)
	}
	c.Network, c.Host.EthernetCost = Ethernet, 1.5
	p = newCPU(&c, 3)
	require.EqualValues(t, 150_000, p.picosPerRow)
	c.Application, c.Heat.RowCost = Heat, 20*time.Nanosecond
	p = newCPU(&c, 3)
	require.EqualValues(t, 30_000, p.picosPerRow)

	c = Default()
	var speeds []int64
	for rank := range 6 {
		p := newCPU(&c, rank)
		require.InDelta(t, 177e6, float64(p.picosPerRow), 0.006*177e6)
		speeds = append(speeds, p.picosPerRow-177_000_000)
	}
	require.Equal(t, []int64{-251734, -924801, -967419, -689740, -930186, 364739}, speeds)
}

// The slices of a loaded host depend on its seed. A run begins somewhere in the first slice, and each slice is
// SliceOn plus or minus the jitter.
func TestSlicesAreDrawn(t *testing.T) {
	c := Default()
	c.Load = OneLoad
	ms := func(ticks int64) float64 { return math.Round(Seconds(ticks)*1e6) / 1e3 }
	p := newCPU(&c, 7)
	var told []float64
	at := int64(0)
	for range 6 {
		free, until := p.slice(at)
		require.Equal(t, len(told)%2 == 1, free)
		told = append(told, ms(until-at))
		at = until
	}
	require.Equal(t, []float64{31.903, 111.262, 70, 146.469, 70, 113.304}, told,
		"seed 1 begins while the competitor runs")
	for range 400 {
		free, until := p.slice(at)
		if free {
			require.InDelta(t, 133, ms(until-at), 30)
		} else {
			require.InDelta(t, 70, ms(until-at), 1e-9)
		}
		at = until
	}
	// A moving load is on a host for one window of eight.
	c.Host.MoveEvery = time.Second
	p = newCPU(&c, 1)
	second := ticksOf(time.Second)
	require.Equal(t, second, p.advance(0, second), "the load begins on host 7, 8 windows away from here but 2")
	took := p.advance(2*second, second)
	require.Greater(t, took, 3*second)
	require.Less(t, took, 3*second+second/2)
}

// All random streams are distinct. Published runs depend on their values.
func TestRanksDrawTheirOwn(t *testing.T) {
	a, b, c := newRandom(1, 0), newRandom(1, 1), newRandom(2, 0)
	require.Equal(t, []uint64{0x61a8bc214da1598c, 0x108944028108c91d, 0x366efeaa1ecf5645},
		[]uint64{a.Next(), b.Next(), c.Next()})
	for range 1000 {
		u := a.Unit()
		require.True(t, u >= 0 && u < 1)
	}
}

func TestSpans(t *testing.T) {
	require.Equal(t, 5, span{3, 8}.rowCount())
	require.Equal(t, span{4, 8}, span{3, 8}.intersect(span{4, 9}))
	require.Equal(t, span{4, 6}, span{3, 8}.intersect(span{4, 6}))
	require.Zero(t, span{3, 8}.intersect(span{8, 9}).rowCount())
	require.Zero(t, span{3, 8}.intersect(span{0, 2}).rowCount())
	require.Zero(t, span{0, 2}.intersect(span{3, 8}).rowCount())
}

// The right ranks are in the tree, and the others communicate through a representative.
func TestTeams(t *testing.T) {
	c := Default()
	c.Nodes, c.Group = 6, 3
	require.Equal(t, team{flat: []int{0, 1, 2, 3, 4, 5}, at: 4, rep: 4}, newTeam(&c, 4), "no groups under CLB")
	c.Policy = GLB
	require.Equal(t, team{flat: []int{0, 3}, at: 0, rep: 0, mates: []int{1, 2}}, newTeam(&c, 0))
	require.Equal(t, team{flat: []int{0, 3}, at: 1, rep: 3, mates: []int{4, 5}}, newTeam(&c, 3))
	require.Equal(t, team{flat: []int{0, 3}, at: -1, rep: 3, mates: []int{3, 4}}, newTeam(&c, 5))
}

// The rows left over by INT go to the right ranks. Ranks without rows get one from the right ranks, and groups
// provide one row per member.
func TestSharesByHand(t *testing.T) {
	for _, c := range []struct {
		rows   int
		speeds []float64
		want   []int
	}{
		{9, []float64{1, 1, 1, 1}, []int{3, 2, 2, 2}},
		{11, []float64{1, 1, 1, 1}, []int{3, 3, 3, 2}},
		{6, []float64{1, 100, 100}, []int{1, 2, 3}}, // 0.03 2.98 2.98: 0 3 3, and the first of the largest gives one
		{6, []float64{100, 1, 1, 100}, []int{2, 1, 1, 2}},
		{5, []float64{1, 1, 1000}, []int{1, 1, 3}},
		{10, []float64{3, 2, 2, 3}, []int{3, 2, 2, 3}},
	} {
		got, err := Share(c.rows, c.speeds)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%d rows for %v", c.rows, c.speeds)
	}
	for _, c := range []struct {
		rows   int
		speeds []float64
		says   string
	}{
		{3, nil, "rhinet: 3 rows for 0 ranks: every rank needs one"},
		{2, []float64{1, 1, 1}, "rhinet: 2 rows for 3 ranks: every rank needs one"},
		{9, []float64{1, 0}, "rhinet: speed of rank 1 is 0: expected a positive number"},
		{9, []float64{-2, 1}, "rhinet: speed of rank 0 is -2: expected a positive number"},
		{9, []float64{1, math.Inf(1)}, "rhinet: speed of rank 1 is +Inf: expected a positive number"},
	} {
		_, err := Share(c.rows, c.speeds)
		require.EqualError(t, err, c.says)
	}
	got, err := Share(2, []float64{1, 1})
	require.NoError(t, err)
	require.Equal(t, []int{1, 1}, got, "as many rows as ranks are enough")
}

// Speed is rows relaxed per tick. Groups get rows by the sum of their members' speeds, and at least one row per
// member.
func TestGroupsByHand(t *testing.T) {
	require.InDelta(t, 2.5, info{Report: Report{Rows: 10, Loops: 5, Time: 20}}.Speed(), 1e-12)
	known := []info{
		{own: span{0, 4}, Report: Report{Rows: 4, Loops: 1, Time: 1}},
		{own: span{4, 8}, Report: Report{Rows: 4, Loops: 1, Time: 3}},
		{own: span{8, 10}, Report: Report{Rows: 2, Loops: 1, Time: 1000}},
		{own: span{10, 12}, Report: Report{Rows: 2, Loops: 1, Time: 1000}},
	}
	sp := &split{old: make([]span, 4), spans: make([]span, 4)}
	require.NoError(t, new(sim).groups(sp, known, 2, 12))
	require.Equal(t, []span{{0, 8}, {8, 10}, {10, 11}, {11, 12}}, sp.spans,
		"the slow group would get one row for its two")
	require.Equal(t, []span{{0, 4}, {4, 8}, {8, 10}, {10, 12}}, sp.old)
	require.NoError(t, new(sim).within(sp, known, 0, 2, 0, 8))
	require.Equal(t, []span{{0, 6}, {6, 8}}, sp.spans[:2])
}

// WLB weighs as follows: rank 2 is slow and jerky. All ranks stay if waiting costs less than its rows contribute. The
// threshold is where the two predictions are equal.
func TestWaitingThreshold(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows = 4, 400
	s := &sim{cfg: c}
	decide := func(wait int64, mean, longest int64) []int {
		infos := make([]info, 4)
		for i := range infos {
			infos[i] = info{
				own:    span{100 * i, 100*i + 100},
				Report: Report{Rows: 100, Loops: 10, Time: 1000, Longest: 100, Wait: wait},
			}
		}
		infos[2].Time, infos[2].Longest = 10*mean, longest
		sp := &split{old: make([]span, 4), spans: make([]span, 4)}
		require.NoError(t, s.decideWaiting(sp, infos))
		return sp.flat
	}
	all, rested := []int{0, 1, 2, 3}, []int{0, 1, 3}
	// Speeds are 1, 1, 0.5 and 1 rows per tick. If all stay, a loop takes
	// 400/3.5 = 114.3 plus the stall; with rank 2 at rest 400/3 = 133.3. The
	// loops take 125 on average, 75 less than the busiest: a wait of 94.05 per
	// loop tips the balance.
	require.Equal(t, all, decide(940, 200, 221))
	require.Equal(t, rested, decide(941, 200, 221))
	require.Equal(t, all, decide(9410, 200, 219),
		"its longest loop is below 1.1 times its mean: a smaller share is enough")
	require.Equal(t, rested, decide(9410, 200, 221))
	require.Equal(t, all, decide(9410, 125, 999), "four fifths of the median is not slow")
	require.Equal(t, rested, decide(9410, 126, 999))

	// A rank rests until its host is as fast as the others.
	infos := make([]info, 4)
	for i := range infos {
		infos[i] = info{own: span{133 * i, 133*i + 133}, Report: Report{Rows: 133, Loops: 10, Time: 1330, Longest: 133}}
	}
	infos[3] = info{own: span{399, 399}, Report: Report{Rows: 2000, Loops: 1, Time: 4000}}
	sp := &split{old: make([]span, 4), spans: make([]span, 4)}
	require.NoError(t, s.decideWaiting(sp, infos))
	require.Equal(t, []int{0, 1, 2}, sp.flat)
	require.Equal(t, []span{{0, 134}, {134, 267}, {267, 400}, {400, 400}}, sp.spans)
	require.Equal(t, infos[1].own, sp.old[1])
	infos[3].Time = 2400
	sp = &split{old: make([]span, 4), spans: make([]span, 4)}
	require.NoError(t, s.decideWaiting(sp, infos))
	require.Equal(t, all, sp.flat)
}

// The times of a result are in seconds, with the names that the tables use.
func TestResultSeconds(t *testing.T) {
	s := ticksOf(time.Second)
	r := Result{Ranks: []RankResult{
		{Calc: 5 * s, LB: 2 * s, Wait: s, Finish: 10 * s},
		{Finish: 13 * s},
		{Finish: 12 * s},
	}}
	require.Equal(t, []float64{10, 5, 2, 3, 5, 13},
		[]float64{r.Total(), r.Calc(), r.LB(), r.Comm(), r.Other(), r.Finish()})
}

// The control of tables 4 and 5 has the same share of the CPU, in short slices.
func TestSteadyShare(t *testing.T) {
	c := Default()
	d := c.SteadyShare()
	require.Equal(t, []time.Duration{1330 * time.Microsecond, 700 * time.Microsecond, 300 * time.Microsecond},
		[]time.Duration{d.Host.SliceOn, d.Host.SliceOff, d.Host.SliceJitter})
	require.Equal(t, 133*time.Millisecond, c.Host.SliceOn, "the original stays as it is")
	require.NoError(t, d.Validate())
}

// Errors name the rank, the loop and the time, in words and as details.
func TestErrorsInWords(t *testing.T) {
	r := &rank{id: 2, loop: 4}
	r.waitFor, r.since = 3, 125_000
	dead := deadlocked(r)
	require.EqualError(t, dead, "rhinet: deadlock: rank 2 has been waiting in loop 4 since 0.001000 s for a message "+
		"from rank 3, and no message is in flight")
	require.Equal(t, map[string]any{"rank": 2, "peer": 3, "loop": 4, "clock": int64(125_000)}, simerr.Details(dead))
	late := tooLong(7)
	require.EqualError(t, late, "rhinet: after 18 years of the model's time the run is still in loop 7; take fewer "+
		"rows, a smaller row cost or a larger share of the CPU")
	require.Equal(t, map[string]any{"clock": int64(1 << 56), "loop": 7}, simerr.Details(late))
	conv := noConvergence(20, 0.5, 1e-8)
	require.EqualError(t, conv, "rhinet: no convergence: after 20 loops the largest change is 0.5, expected below "+
		"1e-08; a smaller omega, a larger dominance or a smaller exchange interval helps")
	require.Equal(t, map[string]any{"loops": 20}, simerr.Details(conv))
	require.Equal(t, []string{"deadlock", "max_clocks", "no_convergence"},
		[]string{simerr.Kind(dead), simerr.Kind(late), simerr.Kind(conv)})
}

func TestKindsOfAlgorithms(t *testing.T) {
	for _, a := range append(PaperPolicies(), WLB) {
		grouped := a == GnoLB || a == GLB || a == IGCLB || a == IGDLB
		require.Equal(t, grouped, a.Grouped(), a)
		require.Equal(t, map[bool]Policy{false: NoLB, true: GnoLB}[grouped], a.Baseline())
		require.Equal(t, a != NoLB && a != GnoLB, a.Balances(), a)
	}
}

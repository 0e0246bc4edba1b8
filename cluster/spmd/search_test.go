//go:build slow

package spmd

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// paperTasks is table 2 of [002], used only for the search; package verify has the official rows.
var paperTasks = map[Policy][]float64{
	Static:   {107, 77, 121, 99, 101, 102, 93},
	Proposed: {150, 30, 116, 95, 119, 121, 69},
}

// noBalancing is the mean error if every processor does 100 tasks.
var noBalancing = map[Policy]float64{Static: 62.0 / 7, Proposed: 212.0 / 7}

// meanError returns the mean of |model - paper| in tasks over the processors. The model's value is the mean of n
// seeds.
func meanError(t require.TestingT, c Config, n int) float64 {
	rs, err := RunSeeds(context.Background(), c, n)
	require.NoError(t, err)
	sum := 0.0
	for i, paper := range paperTasks[c.Policy] {
		sum += math.Abs(MeanOf(rs, func(r *Result) int64 { return int64(r.Tasks[i]) }) - paper)
	}
	return sum / float64(len(c.Topology))
}

// cost returns the mean error over the policies that a search fits.
func cost(t require.TestingT, c Config, policies []Policy, seeds int) float64 {
	sum := 0.0
	for _, m := range policies {
		c.Policy = m
		sum += meanError(t, c, seeds)
	}
	return sum / float64(len(policies))
}

// flip adds or removes the arrow from i to j; readers stay sorted.
func flip(top Topology, i, j int) Topology {
	out := slices.Clone(top)
	out[i] = slices.Clone(top[i])
	if at, found := slices.BinarySearch(out[i], j); found {
		out[i] = slices.Delete(out[i], at, at+1)
	} else {
		out[i] = slices.Insert(out[i], at, j)
	}
	return out
}

// climb flips one arrow at a time while this improves the fit.
func climb(t require.TestingT, c Config, policies []Policy, seeds int) (Topology, float64) {
	best := cost(t, c, policies, seeds)
	for {
		from := c.Topology
		for i := range 7 {
			for _, j := range others(i, 7) {
				d := c
				d.Topology = flip(from, i, j)
				if v := cost(t, d, policies, seeds); v < best {
					best, c.Topology = v, d.Topology
				}
			}
		}
		if &from[0] == &c.Topology[0] {
			return c.Topology, best
		}
	}
}

func randomTopology(r *rand.Rand) Topology {
	top := make(Topology, 7)
	for i := range top {
		for _, j := range others(i, 7) {
			if r.IntN(4) == 0 {
				top[i] = append(top[i], j)
			}
		}
	}
	return top
}

// The neighbours of T* show the effect of one arrow more or less.
func TestSearchAroundTStar(t *testing.T) {
	both := []Policy{Static, Proposed}
	c := Paper(Static)
	base := cost(t, c, both, 64)
	t.Logf("T*: %.2f tasks", base)
	better := 0
	for i := range 7 {
		for _, j := range others(i, 7) {
			d := c
			d.Topology = flip(c.Topology, i, j)
			v := cost(t, d, both, 64)
			require.Greater(t, v, base-0.1, "T* is no local optimum: flip %d>%d", i, j)
			if v < base+0.5 {
				better++
				t.Logf("flip %d>%d: %.2f (static %.2f, proposed %.2f)", i, j, v, cost(t, d, both[:1], 64),
					cost(t, d, both[1:], 64))
			}
		}
	}
	t.Logf("%d of 42 within 0.5 tasks or better", better)
}

// This test measures how well arrows fitted on one policy predict the other. It uses the ten best climbs of each fit,
// chosen only by their fit.
func TestHoldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, fit := range []struct {
		name     string
		policies []Policy
		held     Policy
	}{
		{"proposed", []Policy{Proposed}, Static},
		{"static", []Policy{Static}, Proposed},
		{"both", []Policy{Static, Proposed}, None},
	} {
		type end struct {
			fit float64
			top string
			c   Config
		}
		found := map[string]end{}
		for range 100 {
			c := Paper(Static)
			c.Topology = randomTopology(r)
			c.Topology, _ = climb(t, c, fit.policies, 4)
			found[c.Topology.String()] = end{cost(t, c, fit.policies, 64), c.Topology.String(), c}
		}
		ends := slices.SortedFunc(maps.Values(found), func(a, b end) int {
			return cmp.Or(cmp.Compare(a.fit, b.fit), strings.Compare(a.top, b.top))
		})
		t.Logf("arrows fitted on %s, %d different ends of 100 climbs; the best:", fit.name, len(ends))
		for _, e := range ends[:min(10, len(ends))] {
			line := fmt.Sprintf("  fit %.2f tasks", e.fit)
			if fit.held != None {
				held := cost(t, e.c, []Policy{fit.held}, 64)
				require.Less(t, held, noBalancing[fit.held], "a fit on %s predicts worse than no balancing at all",
					fit.name)
				line += fmt.Sprintf(", held out %.2f", held)
			}
			t.Logf("%s   %s", line, strings.ReplaceAll(e.top, "\n", "; "))
		}
		if fit.held == None {
			require.LessOrEqual(t, cost(t, Paper(Static), fit.policies, 64), ends[0].fit,
				"a climb has found better arrows than T*")
		}
	}
}

// This test tries every way to give the seven processors lines of a Fano plane that they lie on: 30 planes with 24
// assignments each.
func TestAllFano(t *testing.T) {
	tops := allFano()
	require.Len(t, tops, 720)
	both := []Policy{Static, Proposed}
	for _, trial := range []struct {
		send     Send
		interval int64
	}{
		{InTurn, 1_000_000},
		{InTurn, 2_000_000},
		{InTurn, 3_000_000},
		{InTurn, 4_000_000},
		{InTurn, 5_000_000},
		{InTurn, 6_000_000},
		{InTurn, 8_000_000},
		{Broadcast, 3_000_000},
		{Broadcast, 6_000_000},
		{Broadcast, 8_000_000},
		{Broadcast, 10_000_000},
		{Broadcast, 12_000_000},
		{Broadcast, 15_000_000},
	} {
		best, sum, at := math.Inf(1), 0.0, Topology(nil)
		for _, top := range tops {
			c := Paper(Static)
			c.Topology, c.Send, c.IntervalUS = top, trial.send, trial.interval
			v := cost(t, c, both, 4)
			sum += v
			if v < best {
				best, at = v, top
			}
		}
		c := Paper(Static)
		c.Topology, c.Send, c.IntervalUS = at, trial.send, trial.interval
		v := cost(t, c, both, 64)
		require.Greater(t, v, 8.0, "a Fano plane explains the tables after all: %v", at)
		t.Logf("%s, every %d s: best %.2f tasks (64 seeds), mean %.2f (4 seeds)", trial.send, trial.interval/1_000_000,
			v, sum/720)
	}
}

func allFano() []Topology {
	seen := map[string]bool{}
	var out []Topology
	permute([]int{0, 1, 2, 3, 4, 5, 6}, 0, func(name []int) {
		lines := make([][]int, 7)
		for i := range lines {
			lines[i] = []int{name[i], name[(i+1)%7], name[(i+3)%7]}
			slices.Sort(lines[i])
		}
		slices.SortFunc(lines, slices.Compare)
		if key := fmt.Sprint(lines); !seen[key] {
			seen[key] = true
			out = assign(out, lines, nil, 0)
		}
	})
	return out
}

// assign appends every topology in which processor i gets an unused line through i.
func assign(out []Topology, lines [][]int, chosen []int, used int) []Topology {
	i := len(chosen)
	if i == 7 {
		top := make(Topology, 7)
		for p, l := range chosen {
			for _, q := range lines[l] {
				if q != p {
					top[p] = append(top[p], q)
				}
			}
		}
		return append(out, top)
	}
	for l := range lines {
		if used&(1<<l) == 0 && slices.Contains(lines[l], i) {
			out = assign(out, lines, append(slices.Clone(chosen), l), used|1<<l)
		}
	}
	return out
}

func permute(a []int, k int, visit func([]int)) {
	if k == len(a) {
		visit(a)
		return
	}
	for i := k; i < len(a); i++ {
		a[k], a[i] = a[i], a[k]
		permute(a, k+1, visit)
		a[k], a[i] = a[i], a[k]
	}
}

// This test measures the effect of the interval and the way of sending on T*, and how often P3 gains in 64 seeds.
func TestIntervalOnTStar(t *testing.T) {
	for _, send := range Sends() {
		for _, ms := range []int64{
			1000, 1500, 2000, 2500, 2750, 3000, 3250, 3500, 4000, 5000, 6000, 8000, 10_000,
			15_000,
		} {
			c := Paper(Static)
			c.Send, c.IntervalUS = send, 1000*ms
			s := cost(t, c, []Policy{Static}, 64)
			p := cost(t, c, []Policy{Proposed}, 64)
			t.Logf("%s, every %.2f s: static %.2f, proposed %.2f tasks", send, float64(ms)/1000, s, p)
		}
	}
	s, err := RunSeeds(context.Background(), Paper(Static), 64)
	require.NoError(t, err)
	p, err := RunSeeds(context.Background(), Paper(Proposed), 64)
	require.NoError(t, err)
	for _, i := range []int{1, 3, 6} {
		fewer, earlier := 0, 0
		for k := range s {
			if p[k].Tasks[i] < s[k].Tasks[i] {
				fewer++
			}
			if p[k].EndUS[i] < s[k].EndUS[i] {
				earlier++
			}
		}
		t.Logf("P%d: fewer tasks in %d, earlier end in %d of 64 seeds", i, fewer, earlier)
	}
}

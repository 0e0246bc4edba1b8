package balance

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// erlang returns the mean response time of M/M/n in multiples of the work [Erlang 1917]; load is per worker.
func erlang(n int, load float64) float64 {
	offered, term, sum := float64(n)*load, 1.0, 0.0
	for k := range n {
		sum += term
		term *= offered / float64(k+1)
	}
	wait := term / (1 - load) // in multiples of the share of units that wait
	return 1 + wait/(sum+wait)/(float64(n)*(1-load))
}

// The baselines agree with queueing theory if units come independently of each other with exponential work.
//   - Sending to a random worker is M/M/1.
//   - One common queue is M/M/16. So is free stealing, under which no worker is idle while a unit waits, and list
//     scheduling with equal speeds.
//   - One dispatcher in turn is E16/M/1: 1/(1 - s) with s = (1 + (1 - s)/(16·load))^-16.
//   - In the limit of many workers, two choices are the sum of load^(2^i - 2) [Vvedenskaya 1996, Mitzenmacher 2001];
//     16 workers are above it by at most a tenth.
//   - The shortest queue is between the common queue and two choices.
func TestBaselines(t *testing.T) {
	const load, n = 0.8, 16
	s := 0.5
	for range 200 {
		s = math.Pow(1+(1-s)/(n*load), -n)
	}
	two := 0.0
	for i := range 6 {
		two += math.Pow(load, math.Pow(2, float64(i+1))-2)
	}
	got := map[string]Row{}
	for name, want := range map[string][2]float64{
		"free-random":   {1 / (1 - load), 1 / (1 - load)},
		"central-queue": {erlang(n, load), erlang(n, load)}, "list": {erlang(n, load), erlang(n, load)},
		"free-stealing":    {erlang(n, load), erlang(n, load)},
		"free-round-robin": {1 / (1 - s), 1 / (1 - s)}, "free-two": {two, 1.1 * two},
		"shortest-queue": {erlang(n, load), two},
	} {
		policy, ok := FindPolicy(name)
		require.True(t, ok)
		r := freely(t, policy, Workload{Arrivals: Poisson, Load: 100 * load, Law: Exponential, Units: 3000}, n, 8)
		t.Logf("%-16s %.3f to %.3f: %.3f (%.3f-%.3f)", name, want[0], want[1], *r.Response, *r.RespLow, *r.RespHigh)
		require.LessOrEqual(t, *r.RespLow, want[1], name)
		require.GreaterOrEqual(t, *r.RespHigh, want[0], name)
		got[name] = r
	}
	require.Less(t, *got["shortest-queue"].RespHigh, *got["free-two"].RespLow)
	require.Greater(t, *got["shortest-queue"].RespLow, *got["central-queue"].RespHigh)
}

// In a closed bag with equal speeds, no policy takes less time than the longest unit, or than all work divided by the
// workers. List scheduling takes at most 2 - 1/m of the optimum [Graham 1966]. Longest unit first, an upper bound of
// the optimum, takes at most 4/3 - 1/(3m) of it [Graham 1969].
func TestClosedBounds(t *testing.T) {
	for _, m := range []int{2, 5, 16} {
		for seed := range uint64(5) {
			l := Workload{Shape: Bag, Units: 3, Work: 3000, Law: Exponential}
			setup := Setup{Workload: l, Fabric: Common(), Workers: m, Seed: seed}
			none, _ := FindPolicy("none")
			setup.Policy = none
			w := newWorld(&setup)
			sum, longest := int64(0), int64(0)
			var works []int64
			for _, u := range w.units {
				works = append(works, u.work)
				sum, longest = sum+u.work, max(longest, u.work)
			}
			bound := max(longest, (sum+int64(m)-1)/int64(m))
			slices.SortFunc(works, func(a, b int64) int { return cmp.Compare(b, a) })
			ends := make([]int64, m)
			for _, x := range works {
				ends[slices.Index(ends, slices.Min(ends))] += x
			}
			best := float64(slices.Max(ends)) / (4./3 - 1/(3*float64(m))) // lower bound of the optimum
			for _, s := range Policies() {
				if s.Only != "" {
					continue
				}
				setup.Policy = s
				r := sane(t, setup)
				if r.NA != "" {
					continue
				}
				name := fmt.Sprintf("%s, %d workers, seed %d", s.Name, m, seed)
				require.GreaterOrEqual(t, r.Time, bound, name)
				require.GreaterOrEqual(t, float64(r.Time), best, name)
				if s.Name == "list" || s.Name == "central-queue" {
					require.LessOrEqual(t, float64(r.Time), (2-1/float64(m))*float64(slices.Max(ends)), name)
				}
			}
		}
	}
}

// Draws from all other workers without a list equal draws from a list.
func TestDrawnWithoutAList(t *testing.T) {
	all, some := set{me: 2, of: 4}, set{me: 2, list: []int{3, 0, 1}}
	require.Equal(t, some.len(), all.len())
	for k, j := range some.list {
		require.Equal(t, j, all.at(k))
		require.True(t, all.has(j) && some.has(j))
	}
	a, b := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
	for range 50 {
		list := make([]int, 9)
		for i := range list {
			list[i] = i
		}
		d := draws{}
		for k := range 9 {
			j := k + b.IntN(9-k)
			list[k], list[j] = list[j], list[k]
			require.Equal(t, list[k], d.next(k, 9, a))
		}
	}
}

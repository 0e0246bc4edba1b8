package balance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/knob"
)

// planOf returns a comparison of some policies at a workload with 16 workers and grain 3.
func planOf(workload string, seeds int, policies ...string) Plan {
	p := Default(false)
	p.Workers, p.Grains, p.Seeds, p.Policies, p.Workloads = []int{16}, []int{3}, seeds, nil, nil
	for _, name := range policies {
		s, _ := FindPolicy(name)
		p.Policies = append(p.Policies, s)
	}
	for _, l := range Workloads() {
		if l.Name == workload {
			p.Workloads = []Workload{l}
		}
	}
	return p
}

// With its best interval a policy with a timer is no slower; other policies have no interval. A factor stretches the
// interval and the rounds of a loop, to at least one round.
func TestTune(t *testing.T) {
	for workload, policies := range map[string][]string{
		"uneven": {"clb", "power", "stealing"},
		"loop":   {"glb", "none"},
	} {
		p := planOf(workload, 2, policies...)
		before, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		p.Tune(t.Context(), 2)
		after, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		for k, r := range after {
			if r.Policy == "stealing" || r.Policy == "none" {
				require.Nil(t, r.Stretch)
				require.Equal(t, before[k].Mean, r.Mean)
				continue
			}
			require.Contains(t, stretches, *r.Stretch)
			require.LessOrEqual(t, *r.Mean, 1.02**before[k].Mean, r.Policy)
			q := p
			require.NoError(t, knob.Set(Knobs(), &q, "interval", "1000"))
			q.Numbers.Every, q.stretch = 1000, nil
			far, err := q.Compare(t.Context(), 2, nil)
			require.NoError(t, err)
			require.Less(t, *r.Mean, *far[k].Mean, "without any balancing")
		}
	}
	require.Equal(t, Numbers{3.3, 2, 32}, DefaultNumbers().stretched(0.5))
	require.Equal(t, 1, DefaultNumbers().stretched(0.1).Every)
}

// Each number is changed alone, in both directions, and the best intervals come last.
func TestSensitivity(t *testing.T) {
	p := planOf("uneven", 1, "clb", "stealing")
	p.Against = func(a, b []float64) (low, high float64, certain bool) { return a[0] / b[0], a[0] / b[0], true }
	steps := -1
	list, err := p.Sensitivity(t.Context(), 2, func(k, of int) { // called with 0, 1, 2...
		require.Equal(t, 2*len(Knobs())+1, of)
		steps++
		require.Equal(t, steps, k)
	})
	require.NoError(t, err)
	require.Len(t, list, 2*len(Knobs())+1)
	require.Equal(t, Common(), p.Fabric)
	require.Equal(t, DefaultNumbers(), p.Numbers)
	at := map[[2]string]Turn{}
	for _, x := range list {
		require.Equal(t, list[0].Before, x.Before)
		at[[2]string{x.Key, x.Value}] = x
	}
	for _, s := range [][2]string{
		{"message", "20"},
		{"message", "80"},
		{"hold", "50"},
		{"hold", "100"},
		{"interval", "3.3"},
		{"interval", "13.2"},
		{"interval_rounds", "8"},
		{"intervals", "best"},
	} {
		require.Contains(t, at, s)
	}
	slow := at[[2]string{"interval", "13.2"}]
	require.Equal(t, "clb", slow.Best)
	require.Equal(t, slow.Before != "clb", slow.Changes)
}

// A turn is a change if the best policy before is now neither the best nor a tie.
func TestTurns(t *testing.T) {
	row := func(policy string, regret float64, tie bool) Row {
		return Row{
			Policy: policy, Workload: "w", N: 16, Grain: 3, Regret: &regret, RegLow: &regret, RegHigh: &regret,
			Tie: &tie,
		}
	}
	before := []Row{row("b", 0.1, false), row("a", 0, true)}
	for _, c := range []struct {
		after   []Row
		best    string
		ties    string
		changes bool
	}{
		{[]Row{row("a", 0, true), row("b", 0.2, true), row("c", 0.3, true), row("d", 1, false)}, "a", "b c", false},
		{[]Row{row("a", 0.01, true), row("b", 0, true)}, "b", "a", false},
		{[]Row{row("a", 0.01, false), row("b", 0, true)}, "b", "", true},
		{[]Row{{Policy: "a", Workload: "w", N: 16, Grain: 3}, row("b", 0, true)}, "b", "", true},
	} {
		other := row("e", 0, true)
		other.N = 64
		list := turns([2]string{"k", "v"}, before, append(c.after, other))
		require.Len(t, list, 1)
		got := list[0]
		require.Equal(t, []any{"k", "v", "a", c.best, c.ties, c.changes},
			[]any{got.Key, got.Value, got.Before, got.Best, got.Ties, got.Changes})
		require.Equal(t, c.after[0].Regret, got.Regret)
	}
}

package machines

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"emsim/internal/base/answer"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

func TestImbalanceAndShare(t *testing.T) {
	require.InDelta(t, 1.5, imbalance([]int64{3, 2, 1}), 1e-12)
	require.InDelta(t, 1, imbalance([]int64{2, 2}), 1e-12)
	require.InDelta(t, 1, imbalance([]int64{0, 0}), 1e-12, "no work is even")
	require.InDelta(t, 0.5, share([]int64{3, 2, 1}, 4), 1e-12)
	require.Zero(t, share([]int64{3}, 0))
	require.Zero(t, share([]int64{}, 3))
}

// Every machine has the five shared keys, and their general properties hold.
func TestSharedKeys(t *testing.T) {
	for name := range small {
		if name == "net" { // it has no work to balance
			continue
		}
		answer, err := Run(t.Context(), machine(t, name), Watch{})
		require.NoError(t, err)
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		var keys map[string]any
		require.NoError(t, json.Unmarshal(text, &keys))
		number := func(key string) float64 {
			require.IsType(t, 0., keys[key], "%s: %s", name, key)
			return keys[key].(float64)
		}
		if name == "rhinet" {
			require.InDelta(t, number("finish_s"), number("time"), 0)
		} else {
			require.InDelta(t, number(ModelOf(name).Time), number("time"), 0, name)
		}
		require.Positive(t, number("efficiency"), name)
		require.LessOrEqual(t, number("efficiency"), 1., name)
		require.GreaterOrEqual(t, number("imbalance"), 1., name)
		require.Positive(t, number("messages"), name)
		require.GreaterOrEqual(t, number("transfers"), 0., name)
	}
}

// partsOf returns the sum of the parts of the workers' time.
func partsOf(x *answer.Answer) (sum float64) {
	for _, f := range x.Fields {
		if f.Part != "" {
			sum += x.PartOfWhole(f)
		}
	}
	return sum
}

// The work and the other declared parts are the whole time of the workers, on every machine; also of a run that was
// stopped, and of the mean of several runs.
func TestPartsAddUp(t *testing.T) {
	for kind, sets := range map[string][]string{
		"mnc": {"", "policy=naive", "policy=none pes=16", "slow_at=100:1:400"},
		"rhinet": {
			"", "policy=clb loaded=one nodes=8 interval=5", "policy=nolb loaded=two nodes=8",
			"policy=wlb loaded=one nodes=8",
			"network=ethernet policy=igdlb nodes=8", "application=sor policy=glb interval=5",
		},
		"spmd": {"", "policy=static", "policy=none", "request_again=true loaded=0,1"},
		"pdes": {"", "migrate_at=-1", "map=exact", "map=round-robin interval=700", "network=torus", "background=2"},
		"balance": {
			"", "policy=ring workload=uneven workers=16", "policy=clb", "policy=clb workload=loop", "workload=tree",
			"policy=mnc-auto workload=source", "workload=stream", "workload=graph", "policy=igclb workload=loop",
			"policy=power workload=uneven", "policy=two-choices workload=poisson load=0.9",
		},
	} {
		for _, set := range sets {
			m := machine(t, kind)
			require.NoError(t, m.Set(strings.Fields(set)), "%s %s", kind, set)
			x, err := Run(t.Context(), m, Watch{})
			require.NoError(t, err, "%s %s", kind, set)
			require.InDelta(t, 1, partsOf(x), 1e-9, "%s %s", kind, set)
			limits := x.Limits()
			require.NotEmpty(t, limits, "%s %s", kind, set)
			require.NotEmpty(t, limits[0].Cause)

			if kind == "mnc" { // it has no seed
				continue
			}
			later := machine(t, kind)
			require.NoError(t, later.Set(append(strings.Fields(set), "seed=7")), kind)
			y, err := Run(t.Context(), later, Watch{})
			require.NoError(t, err)
			mean := answer.MeanOf([]*answer.Answer{x, y})
			require.InDelta(t, 1, partsOf(mean), 1e-9, "mean of %s %s", kind, set)
			for _, f := range y.Numbers() {
				require.Contains(t, []string{"", f.Cause}, mean.Field(f.Key).Cause, "the cause is about one run")
			}
		}
	}
}

// A stopped run says how far it got: until just before the next event, which is where its checkpoint continues. Its
// parts add up, with what is in progress.
func TestStoppedRunsSayWhen(t *testing.T) {
	for kind, set := range map[string]string{
		"rhinet": "nodes=8 rows=2048 application=sor", "spmd": "tasks=2000", "pdes": "slots=2000",
	} {
		m := machine(t, kind)
		require.NoError(t, m.Set(strings.Fields(set)))
		ctx, stop := context.WithCancel(t.Context())
		looks, at := 0, int64(-1)
		x, err := Run(ctx, m, Watch{
			Progress: func(func() answer.Far) {
				if looks++; looks == 2 {
					stop()
				}
			},
			Snapshots: &state.Snapshots{Stop: func(stopped int64, _ func(*state.Codec)) { at = stopped }},
		})
		require.ErrorIs(t, err, context.Canceled, kind)
		require.Positive(t, at, kind)
		time, _ := x.Float("time")
		terms := ModelOf(kind).Terms
		require.InDelta(t, float64(at)/float64(terms.PerUnit), time, 1e-9, kind)
		require.InDelta(t, 1, partsOf(x), 1e-9, kind)
	}
}

// The declared parts are what the workers did, by the record of the run.
func TestPartsEqualTheRecord(t *testing.T) {
	for kind, c := range map[string]struct {
		set   string
		parts map[string][]moves.Use
	}{
		"mnc": {"", map[string][]moves.Use{"proc_clocks": {moves.Work}}},
		"rhinet": {"policy=clb loaded=one nodes=8 interval=5", map[string][]moves.Use{
			"efficiency": {moves.Work}, "handling": {moves.Exchange},
		}},
		"spmd": {"", map[string][]moves.Use{"efficiency": {moves.Work}}},
		"pdes": {"migrate_at=-1", map[string][]moves.Use{"efficiency": {moves.Work}}},
		"balance": {"policy=ring workload=tree workers=7", map[string][]moves.Use{
			"running": {moves.Work}, "handling": {moves.Exchange, moves.Balance},
		}},
	} {
		m := machine(t, kind)
		require.NoError(t, m.Set(strings.Fields(c.set)))
		rec := &moves.Record{}
		x, err := Run(t.Context(), m, Watch{Record: rec})
		require.NoError(t, err)
		spent := map[moves.Use]float64{}
		for _, s := range rec.Spans {
			spent[s.Use] += float64(s.To - s.From)
		}
		time, _ := x.Float("time")
		all := time * float64(ModelOf(kind).Terms.PerUnit) * float64(rec.Workers)
		for key, uses := range c.parts {
			want := 0.
			for _, use := range uses {
				want += spent[use] / all
			}
			require.Positive(t, want, "%s: %s", kind, key)
			require.InDelta(t, want, x.PartOfWhole(x.Field(key)), 1e-9, "%s: %s", kind, key)
		}
	}
}

package machines

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"emsim/internal/base/answer"

	"github.com/stretchr/testify/require"

	"emsim/cluster/spmd"
	"emsim/internal/dev/golden"
	"emsim/mnc"
	"emsim/pdes"
	"emsim/pdes/mapping"
)

// The numbers of every kind, with units and descriptions, equal the recorded ones.
func TestNumbersAreRecorded(t *testing.T) {
	var all strings.Builder
	for _, k := range Kinds()[1:] {
		fmt.Fprintf(&all, "%s\n", k.Name)
		for _, n := range Numbers(k.Name) {
			fmt.Fprintf(&all, "  %s [%s] %s", n.Key, n.Unit, n.Doc)
			if n.Of != nil {
				fmt.Fprintf(&all, "; part of %s", strings.Join(n.Of, " x "))
			}
			if n.IsShare {
				all.WriteString("; a share")
			}
			all.WriteByte('\n')
		}
	}
	golden.Check(t, "numbers.txt", []byte(all.String()))
}

// A machine that cannot exist is rejected by its own package.
func TestRefused(t *testing.T) {
	for kind, c := range map[string]struct{ set, says string }{
		"mnc": {"pes=0", "mnc: 0 PEs: expected 1 to 1024 (each is held in memory; the paper has up to 128)"},
		"rhinet": {"nodes=65", "rhinet: 65 nodes: the cluster has 1 to 64 (a 4 x 4 torus of switches with " +
			"four hosts each)"},
		"spmd": {"tasks=-1", "tasks is -1, it must be 0..1000000 tasks"},
		"pdes": {"stages=0", "stages"},
		"net":  {"pes=81", "no circular omega network"},
	} {
		k, _ := KindOf(kind)
		m := k.NewMachine()
		require.NoError(t, m.Set([]string{c.set}))
		said, err := Run(t.Context(), m, Watch{})
		require.ErrorContains(t, err, c.says)
		require.Nil(t, said)
	}
	m := machine(t, "mnc")
	m.Config.(*mnc.Setup).Items = -1
	_, err := Run(t.Context(), m, Watch{})
	require.ErrorContains(t, err, "items is -1")
}

// pdesAnswer has the parts of an answer that a test checks.
type pdesAnswer struct {
	Migration *struct {
		Moved                                                  int
		Triggered, Quiet, Decided, Arrived, Ended, Evaluations int64
		CostBefore                                             float64 `json:"cost_before"`
		CostAfter                                              float64 `json:"cost_after"`
		StateBytes                                             int64   `json:"state_bytes"`
		HeldEvents                                             int64   `json:"held_events"`
	} `json:"migration"`
	Moved         int              `json:"moved"`
	PauseClocks   int64            `json:"pause_clocks"`
	Clocks        int64            `json:"clocks"`
	ClocksPerSlot float64          `json:"clocks_per_slot"`
	DelayMean     *float64         `json:"delay_mean_slots"`
	Hash          string           `json:"hash"`
	Placement     mapping.Map      `json:"placement"`
	ByKind        map[string]int64 `json:"messages_by_kind"`

	lists []answer.List
}

func pdesOf(t *testing.T, said *answer.Answer) (x pdesAnswer) {
	t.Helper()
	text, err := json.Marshal(said)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &x))
	x.lists = said.Lists
	return x
}

// A migration is described by its steps. A run without cells has no delay.
func TestPDESAnswers(t *testing.T) {
	run := func(sets ...string) (pdesAnswer, *pdes.Result) {
		m := machine(t, "pdes")
		require.NoError(t, m.Set(sets))
		said, err := Run(t.Context(), m, Watch{})
		require.NoError(t, err)
		s := m.Config.(*pdes.Setup)
		c, err := s.Build()
		require.NoError(t, err)
		require.NoError(t, s.FindMap(t.Context(), &c))
		r, err := pdes.RunWatched(t.Context(), c, pdes.Watch{})
		require.NoError(t, err)
		return pdesOf(t, said), r
	}
	x, r := run()
	require.NotNil(t, x.Migration)
	require.Equal(t, r.Migrations[0].Moves, x.Moved)
	require.Equal(t, x.PauseClocks, x.Migration.Ended-x.Migration.Triggered)
	require.InDelta(t, float64(x.Clocks)/50, x.ClocksPerSlot, 1e-9)
	require.InDelta(t, float64(r.Delay)/float64(r.Sunk), *x.DelayMean, 1e-9)
	require.Len(t, x.Hash, 16)
	require.Equal(t, r.Map, x.Placement)
	for name, n := range x.ByKind {
		require.Positive(t, n, name)
	}
	steps := x.lists[0]
	require.Len(t, steps.Rows, 1)
	require.Len(t, steps.Rows[0], len(steps.Heads))
	require.Equal(t, x.PauseClocks, steps.Rows[0][len(steps.Heads)-1])
	x, r = run("migrate_at=-1")
	require.Nil(t, x.Migration)
	require.Nil(t, x.lists)
	require.Zero(t, x.Moved)
	require.Zero(t, x.PauseClocks)
	require.NotContains(t, x.ByKind, "moved")
	require.Positive(t, r.Sunk)
	x, _ = run("slots=1", "load=0", "migrate_at=-1")
	require.Nil(t, x.DelayMean, "no cell has left")
	require.InDelta(t, float64(x.Clocks), x.ClocksPerSlot, 0)
}

// When the context ends, the answer so far is returned, and says how far the run got. An incomplete simulation has no
// hash.
func TestPartsOfRuns(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name, so := range map[string]string{
		"mnc":    "after 0 clocks, with 0 of 500 results at the sink",
		"rhinet": "in loop 1, after 0.000 s of the cluster's time",
		"spmd":   "after 0.445 s of the cluster's time, with 0 of 35 tasks done",
		"pdes":   "after 399 clocks, in which every LP ran 0 of 50 slots",
	} {
		x, err := Run(ctx, machine(t, name), Watch{})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, so, x.SoFar)
		if name == "pdes" {
			p := pdesOf(t, x)
			require.Empty(t, p.Hash)
			require.InDelta(t, float64(p.Clocks), p.ClocksPerSlot, 0, "no slot is complete")
		}
	}
}

// The mean of several runs has the means and ranges of the numbers and lists, and whatever is the same in all runs. The
// lists of given and received tasks count the same tasks by row and by column.
func TestMeanOfSeeds(t *testing.T) {
	m := machine(t, "spmd")
	require.NoError(t, m.Set([]string{"tasks=40"}))
	var runs []*answer.Answer
	var transfers []float64
	for seed := range uint64(3) {
		m.Config.(*spmd.Setup).Seed = seed + 7
		x, err := Run(t.Context(), m, Watch{})
		require.NoError(t, err)
		moved, _ := x.Float("transfers")
		runs, transfers = append(runs, x), append(transfers, moved)
	}
	of := answer.MeanOf(runs)
	bands := of.Bands
	text, err := json.Marshal(of)
	require.NoError(t, err)
	var x struct {
		Seed      uint64
		Seeds     int
		Topology  string
		Tasks     []float64
		EndS      []float64 `json:"end_s"`
		Given     []float64
		Received  []float64
		Transfers float64
	}
	require.NoError(t, json.Unmarshal(text, &x))
	require.Equal(t, []any{uint64(7), 3, "t-star"}, []any{x.Seed, x.Seeds, x.Topology})
	require.Contains(t, string(text), `{"method":"proposed","topology":"t-star"`)
	given, received := 0., 0.
	for i := range x.Tasks {
		given, received = given+x.Given[i], received+x.Received[i]
		require.InDelta(t, 40+x.Received[i]-x.Given[i], x.Tasks[i], 1e-9)
	}
	require.Positive(t, given)
	require.InDelta(t, x.Transfers, given, 1e-9)
	require.InDelta(t, x.Transfers, received, 1e-9)
	b := bands["transfers"]
	require.Equal(t, []float64{x.Transfers, slices.Min(transfers), slices.Max(transfers)},
		[]float64{b.Mean, b.Min, b.Max})
	require.Less(t, b.Min, b.Max)
	list := of.Lists[0]
	require.Equal(t, []string{"worker", "tasks", "end_s", "given", "received"}, list.Heads)
	require.Equal(t, []any{0, x.Tasks[0], x.EndS[0], x.Given[0], x.Received[0]}, list.Rows[0])
}

// Plain removes rounding errors from costs and changes nothing else.
func TestPlain(t *testing.T) {
	sum := 0.0
	for range 692 {
		sum += 0.1
	}
	require.NotEqual(t, 69.2, sum)
	for x, want := range map[float64]float64{
		sum: 69.2, -sum: -69.2, 0: 0, 1.123456789: 1.123456789,
		1.1234567894: 1.123456789,
	} {
		require.Equal(t, want, Plain(x))
	}
}

// IdleKnobs returns the knobs without effect, for every cause.
func TestIdle(t *testing.T) {
	idle := func(kind string, sets ...string) (keys []string) {
		k, _ := KindOf(kind)
		m := k.NewMachine()
		require.NoError(t, m.Set(sets))
		for _, x := range ModelOf(kind).IdleKnobs(m.Config) {
			require.NotEmpty(t, x.Why)
			if x.Is {
				keys = append(keys, x.Keys...)
			}
		}
		return keys
	}
	require.Empty(t, idle("mnc"))
	loaded := []string{"loaded_host", "move_every", "slice_on", "slice_off", "slice_jitter"}
	require.Equal(t, append([]string{"group"}, append(loaded, "steps")...),
		idle("rhinet", "policy=clb", "loaded=none"))
	require.Equal(t, []string{"steps"}, idle("rhinet", "policy=glb", "loaded=one"))
	require.Equal(t, []string{"group", "interval", "torus_x", "torus_y", "exchange", "omega"},
		idle("rhinet", "policy=nolb", "loaded=two", "network=ethernet", "application=heat"))
	require.Equal(t, []string{"processors"}, idle("spmd", "processors=9"))
	require.Empty(t, idle("spmd", "processors=9", "topology=tree"))
	require.Equal(t, []string{"latency"}, idle("spmd", "policy=none"))
	abilities := []string{"t_pa", "g_pa", "pa_min", "pa_max", "cost_pa"}
	require.Equal(t, append(abilities, "keep_clk"), idle("mnc", "policy=naive"))
	require.Equal(t, abilities, idle("mnc", "policy=naive", "restraint=on"))
	quiet := []string{"background_length", "noise_seed"}
	require.Equal(t, append([]string{"interval", "neighbour", "objective"}, quiet...), idle("pdes"))
	require.Equal(t, append([]string{"interval"}, quiet...), idle("pdes", "map=greedy"))
	require.Equal(t, append(slices.Clone(quiet), "c"), idle("pdes", "migrate_at=5", "objective=load"))
	require.Equal(t, []string{"interval", "neighbour", "objective"},
		idle("pdes", "map=round-robin", "background=2"))
	require.Equal(t, []string{"background_length"}, idle("pdes", "map=greedy", "migrate_at=5", "noise_slow=3"))
}

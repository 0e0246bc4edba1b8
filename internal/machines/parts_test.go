package machines

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/internal/golden"
	"emsim/mnc"
	"emsim/pdes"
)

// The numbers of every kind, with their units and descriptions, are recorded.
func TestNumbersAreRecorded(t *testing.T) {
	var all strings.Builder
	for _, k := range Kinds()[1:] {
		fmt.Fprintf(&all, "%s\n", k.Name)
		for _, n := range Numbers(k.Name) {
			fmt.Fprintf(&all, "  %s [%s] %s\n", n.Key, n.Unit, n.Doc)
		}
	}
	golden.Check(t, "numbers.txt", []byte(all.String()))
}

// A machine that cannot be is refused by its own package.
func TestRefused(t *testing.T) {
	for kind, c := range map[string]struct{ set, says string }{
		"mnc":    {"pes=0", "mnc: 0 PEs: expected 1 to 1024 (each is held in memory; the paper has up to 128)"},
		"rhinet": {"nodes=65", "rhinet: 65 nodes: the cluster has 1 to 64 (a 4 x 4 torus of switches with four hosts each)"},
		"spmd":   {"tasks=-1", "tasks: -1 tasks for each of 7 processors"},
		"pdes":   {"stages=0", "stages"},
		"net":    {"pes=81", "no circular omega network"},
	} {
		k, _ := KindOf(kind)
		m := k.Make()
		require.NoError(t, m.Set([]string{c.set}))
		answer, err := Run(t.Context(), m)
		require.ErrorContains(t, err, c.says)
		require.Nil(t, answer)
	}
	m := machine(t, "mnc")
	m.Config.(*mnc.Setup).Items = -1
	_, err := Run(t.Context(), m)
	require.ErrorContains(t, err, "Items is -1")
}

// A migration is described by its steps; without cells there is no delay.
func TestPDESAnswers(t *testing.T) {
	run := func(sets ...string) (*PDES, *pdes.Result) {
		m := machine(t, "pdes")
		require.NoError(t, m.Set(sets))
		s := m.Config.(*pdes.Setup)
		c, err := s.Build()
		require.NoError(t, err)
		require.NoError(t, s.Place(t.Context(), &c))
		x, r, err := RunPDES(t.Context(), s, c)
		require.NoError(t, err)
		return x, r
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
	x, r = run("migrate_at=-1")
	require.Nil(t, x.Migration)
	require.Zero(t, x.Moved)
	require.Zero(t, x.PauseClocks)
	require.NotContains(t, x.ByKind, "moved")
	require.Positive(t, r.Sunk)
	x, _ = run("slots=1", "load=0", "migrate_at=-1")
	require.Nil(t, x.DelayMean, "no cell has left")
	require.InDelta(t, float64(x.Clocks), x.ClocksPerSlot, 0)
}

// The end of the context comes with the answer so far, which has no hash.
func TestPartsOfRuns(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := machine(t, "pdes").Config.(*pdes.Setup)
	c, err := s.Build()
	require.NoError(t, err)
	require.NoError(t, s.Place(t.Context(), &c))
	x, r, err := RunPDES(ctx, s, c)
	require.ErrorIs(t, err, context.Canceled)
	require.NotNil(t, r)
	require.Empty(t, x.Hash)
	require.Equal(t, int64(50), x.Slots)
	require.InDelta(t, float64(x.Clocks), x.ClocksPerSlot, 0, "no slot is complete")

	y, err := RunRHiNET(ctx, *machine(t, "rhinet").Config.(*rhinet.Config))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 4, y.Nodes)
	require.Len(t, y.Ranks, 4)
}

// The answer of several runs is their mean; given and received count the same
// tasks by row and by column.
func TestMeanOfSeeds(t *testing.T) {
	s := machine(t, "spmd").Config.(*spmd.Setup)
	s.Tasks = 40
	c, err := s.Build()
	require.NoError(t, err)
	rs, err := spmd.RunSeeds(t.Context(), c, 3)
	require.NoError(t, err)
	x := NewSPMD("mine", c, rs, 1500*time.Millisecond)
	require.Equal(t, 3, x.Seeds)
	require.Equal(t, "mine", x.Topology)
	require.InDelta(t, 1.5, x.WallSeconds, 0)
	given, received := 0., 0.
	for i := range x.Tasks {
		given, received = given+x.Given[i], received+x.Received[i]
		require.InDelta(t, 40+x.Received[i]-x.Given[i], x.Tasks[i], 1e-9)
	}
	require.Positive(t, given)
	require.InDelta(t, x.Transfers, given, 1e-9)
	require.InDelta(t, x.Transfers, received, 1e-9)
	text, err := json.Marshal(x)
	require.NoError(t, err)
	require.Contains(t, string(text), `"method":"proposed","topology":"mine"`)
}

// Costs lose their rounding errors and nothing else.
func TestPlain(t *testing.T) {
	sum := 0.0
	for range 692 {
		sum += 0.1
	}
	require.NotEqual(t, 69.2, sum)
	for x, want := range map[float64]float64{sum: 69.2, -sum: -69.2, 0: 0, 1.123456789: 1.123456789, 1.1234567894: 1.123456789} {
		require.Equal(t, want, Plain(x))
	}
}

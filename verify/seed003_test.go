package verify

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
)

// The runs of paper 003 are shared by all its tests.
var rows003 = sync.OnceValues(func() (map[string]Row, error) {
	suites := []Suite{seed003()}
	chosen, err := Select(suites, nil)
	if err != nil {
		return nil, err
	}
	rows, err := Run(context.Background(), suites, chosen)
	byID := map[string]Row{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	return byID, err
})

// hold requires a row of paper 003 to be ok: inside its tolerance, or a gap
// that persists.
func hold(t *testing.T, ids ...string) {
	t.Helper()
	rows, err := rows003()
	require.NoError(t, err)
	for _, id := range ids {
		r, ok := rows["003."+id]
		require.True(t, ok, "no row %s", id)
		if r.Gap != nil {
			require.True(t, r.OK, "%s: gap %d has closed (paper %v, model %v): take its number out of papers/003.csv and docs/DEVIATIONS.md", id, *r.Gap, r.Paper, r.Model)
			continue
		}
		require.True(t, r.OK, "%s: paper %v, model %v", id, r.Paper, r.Model)
	}
}

// Every number of the tables and of figure 8's text, and every claim.
func TestPaper003(t *testing.T) {
	rows, err := rows003()
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	for id := range rows {
		hold(t, id[len("003."):])
	}
}

// A fitted row can never be a gap.
func TestFittedRowsOf003AreNoGaps(t *testing.T) {
	claims, err := Claims("003")
	require.NoError(t, err)
	fitted := 0
	for _, c := range claims {
		if len(c.Note) >= 6 && c.Note[:6] == "fitted" {
			fitted++
			require.Zero(t, c.Gap, c.ID)
		}
	}
	require.Equal(t, 8, fitted, "table 1 rows 1 and 6, table 3 static")
}

// [003 §3.2] "The in-circuit neighbour method is fastest, then round-robin and
// random over the circuits."
func TestCircuitNeighbourIsFastest(t *testing.T) { hold(t, "c.t1.fastest") }

// [003 §3.2] Methods that use the circuits beat those that ignore them.
func TestCircuitsBeatWholeMachine(t *testing.T) { hold(t, "c.t1.circuits") }

// [003 §3.2] The line is several times slower than all others.
func TestLineIsSlowest(t *testing.T) { hold(t, "c.t1.line") }

// [003 §3.2] Round-robin over the circuits balances better than fixed
// neighbours, and is slower all the same.
func TestRoundRobinBalancesBetter(t *testing.T) { hold(t, "c.t1.util", "c.t1.fastest") }

// [003 §4.2, table 2] MLPE makes the line about three times faster.
func TestMLPESpeedsUpTheLine(t *testing.T) { hold(t, "c.f5.faster") }

// [003 §4.2, figure 5] It helps most at the start.
func TestMLPEHelpsMostAtTheStart(t *testing.T) { hold(t, "c.f5.start") }

// [003 §4.2, figure 6] With MLPE more PEs are busy, with less fluctuation.
func TestMLPESteadiesTheRing(t *testing.T) { hold(t, "c.f6.busy", "c.f6.steady") }

// [003 §4.2, figure 7] MLPE packets are used mostly at the start.
func TestMLPEIsUsedAtTheStart(t *testing.T) { hold(t, "c.f7.start") }

// [003 §4.2] About 5 % of the calls use MLPE.
func TestShareOfMLPECalls(t *testing.T) { hold(t, "c.f7.share") }

// [003 §4.2] About 7 % more instructions are executed with MLPE.
func TestInstructionsWithMLPE(t *testing.T) { hold(t, "c.t3.more") }

// [003 §4.2, figure 8] The shares of IBU-only and waiting PEs rise with MLPE.
func TestIBUAndWaitingRiseWithMLPE(t *testing.T) { hold(t, "c.f8.ibu", "c.f8.wait") }

// [003 §4.2] fib(21) overflows on the line, fib(22) runs with MLPE.
func TestOverflowOnTheLine(t *testing.T) { hold(t, "x.line.21", "x.line.22m", "x.line.23m") }

// [003 §4.2] If every packet went through the MIB, the IBU would take 47 %.
func TestWorstCaseOfTheIBU(t *testing.T) { hold(t, "c.f8.worst") }

// [003 §4.1] Balancing by software is possible and costs more time.
func TestSoftwareBalancingCostsMore(t *testing.T) { hold(t, "c.s41.software") }

// The four states of every window sum to its clocks times the PEs, and the
// windows to the run.
func TestSeriesAddUp(t *testing.T) {
	b := newBench003(Standard003())
	r, err := b.best(context.Background(), ring20)
	require.NoError(t, err)
	var clocks, calls uint64
	var states [emcr.States]uint64
	for _, w := range r.Series {
		sum := uint64(0)
		for s, n := range w.States {
			sum += n
			states[s] += n
		}
		require.Equal(t, w.Clocks*uint64(b.setup.Config.PEs), sum)
		clocks += w.Clocks
		calls += w.Calls
	}
	require.Equal(t, r.Clocks, clocks)
	require.Equal(t, r.Calls, calls)
	require.Equal(t, r.States, states)
}

// A gap that has closed is not ok, and neither is a row outside its tolerance.
func TestCompare(t *testing.T) {
	c := Claim{ID: "003.x", Seed: "003", Unit: "ms", Paper: "2", Rule: Within, Tolerance: 0.1}
	require.True(t, Compare(c, Number(2.2)).OK)
	require.False(t, Compare(c, Number(2.21)).OK)
	c.Gap = 9
	require.False(t, Compare(c, Number(2.2)).OK, "a closed gap")
	r := Compare(c, Number(2.21))
	require.True(t, r.OK)
	require.Equal(t, "gap", r.Rule)
	c = Claim{Unit: "%", Paper: "50", Rule: Within, Tolerance: 5}
	require.True(t, Compare(c, Number(55)).OK)
	require.False(t, Compare(c, Number(44.9)).OK)
	c = Claim{Paper: "segment overflow", Rule: Exact}
	require.True(t, Compare(c, Text("segment overflow")).OK)
	require.False(t, Compare(c, Text("runs")).OK)
	require.False(t, Compare(c, Number(1)).OK)
	require.Nil(t, Compare(c, Text("runs")).Deviation)
	c = Claim{Paper: "a < b", Rule: Order}
	require.True(t, Compare(c, Holds(true, "")).OK)
	require.False(t, Compare(c, Holds(false, "%d", 3)).OK)
}

func TestSelect(t *testing.T) {
	chosen, err := Select(Suites(), []string{"003.t1"})
	require.NoError(t, err)
	require.Len(t, chosen["003"], 12)
	_, err = Select(Suites(), []string{"003.t1", "nosuch"})
	require.ErrorContains(t, err, "nosuch")
}

package verify

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/emcr"
)

// hold requires a row of paper 003 to be ok: inside its tolerance, or a gap
// that persists.
func hold(t *testing.T, ids ...string) {
	t.Helper()
	rows := measured(t, "003")
	for _, id := range ids {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.ID == "003."+id })
		require.GreaterOrEqual(t, i, 0, "no row %s", id)
		allOK(t, rows[i:i+1])
	}
}

// Every number of the tables and of figure 8's text, and every claim.
func TestPaper003(t *testing.T) { allOK(t, measured(t, "003")) }

// A fitted row can never be a gap.
func TestFittedRowsOf003AreNoGaps(t *testing.T) {
	claims, err := Claims("003")
	require.NoError(t, err)
	fitted := 0
	for _, c := range claims {
		if c.Class == Fitted {
			fitted++
			require.Zero(t, c.Gap, c.ID)
		}
	}
	require.Equal(t, 12, fitted, "table 1 rows 1 and 6 and their relation, table 3 static and the text's figure, two overflows")
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
	var states [emcr.Activities]uint64
	for _, w := range r.Series {
		sum := uint64(0)
		for s, n := range w.States() {
			sum += n
			states[s] += n
		}
		require.Equal(t, w.Clocks*uint64(b.setup.Config.PEs), sum)
		clocks += w.Clocks
		calls += w.Calls
	}
	require.Equal(t, r.Clocks, clocks)
	require.Equal(t, r.Calls, calls)
	require.Equal(t, r.States(), states)
}

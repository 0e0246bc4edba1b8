package verify

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/study/ensemble"
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

// What a derived row compares with is time × share × PEs / calls of the paper's
// own numbers.
func TestDerivedNumbers(t *testing.T) {
	claims, err := Claims("003")
	require.NoError(t, err)
	paper := func(like Claim, quantity string) float64 {
		i := slices.IndexFunc(claims, func(c Claim) bool {
			return c.Quantity == quantity && c.Cond["program"] == like.Cond["program"] && c.Cond["policy"] == like.Cond["policy"] && c.Cond["mlpe"] == like.Cond["mlpe"]
		})
		require.GreaterOrEqual(t, i, 0, "%s of %s", quantity, like.ID)
		f, ok := claims[i].Number()
		require.True(t, ok)
		return f
	}
	share := map[string]string{"work_per_call": "pe_utilisation", "exu_fmu_per_call": "exu_fmu", "ibu_only_per_call": "ibu_only", "wait_per_call": "network_wait"}
	calls := map[string]float64{"fib(20)": 6764, "fib(24)": 46367}
	rows := 0
	for _, c := range claims {
		if !strings.HasPrefix(c.Cond["source"], derived) {
			continue
		}
		rows++
		const clocks = 80 * 12500 // PE-clocks of the machine in a millisecond
		want := paper(c, "time") * clocks * paper(c, share[c.Quantity]) / 100 / calls[c.Cond["program"]]
		got, ok := c.Number()
		require.True(t, ok)
		require.InDelta(t, want, got, 0.05, c.ID)
	}
	require.Equal(t, 15, rows)
}

// The paper's 6,764 and 46,367 calls are those of 13,529 and 92,735 instances.
func TestCallsOfThePaper(t *testing.T) {
	b := newBench003(Standard003(), ensemble.New(0))
	res, err := b.Best(t.Context(), Run003{Policy: "ring", N: 20})
	require.NoError(t, err)
	require.EqualValues(t, 13_529, res.Calls)
	of, _, err := b.quantity003("calls", ring20)
	require.NoError(t, err)
	require.InDelta(t, 6764, of([]em4.Result{res}), 0)
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
	require.Equal(t, 13, fitted, "table 1 rows 1 and 6 and their relation, table 3 static, four derived from them")
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
	b := newBench003(Standard003(), ensemble.New(0))
	r, err := b.Best(context.Background(), ring20)
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

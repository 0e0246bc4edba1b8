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

// A derived row is compared with time × share × PEs / calls, computed from the paper's own numbers.
func TestDerivedNumbers(t *testing.T) {
	claims, err := Claims("003")
	require.NoError(t, err)
	paper := func(like Claim, quantity string) float64 {
		i := slices.IndexFunc(claims, func(c Claim) bool {
			return c.Quantity == quantity && c.Cond["program"] == like.Cond["program"] &&
				c.Cond["policy"] == like.Cond["policy"] && c.Cond["mlpe"] == like.Cond["mlpe"]
		})
		require.GreaterOrEqual(t, i, 0, "%s of %s", quantity, like.ID)
		f, ok := claims[i].Number()
		require.True(t, ok)
		return f
	}
	share := map[string]string{
		"work_per_call": "pe_utilisation", "exu_fmu_per_call": "exu_fmu",
		"ibu_only_per_call": "ibu_only", "wait_per_call": "network_wait",
	}
	calls := map[string]float64{"fib(20)": 6764, "fib(24)": 46367}
	rows := 0
	for _, c := range claims {
		if !strings.HasPrefix(c.Cond["source"], derived) {
			continue
		}
		rows++
		const clocks = 80 * 12500 // PE-clocks of the machine in one millisecond
		want := paper(c, "time") * clocks * paper(c, share[c.Quantity]) / 100 / calls[c.Cond["program"]]
		got, ok := c.Number()
		require.True(t, ok)
		require.InDelta(t, want, got, 0.05, c.ID)
	}
	require.Equal(t, 15, rows)
}

// The paper's 6,764 and 46,367 calls agree with 13,529 and 92,735 instances.
func TestCallsOfThePaper(t *testing.T) {
	b := newBench003(Standard003(), ensemble.New(0))
	res, err := b.Best(t.Context(), Run003{Policy: "ring", N: 20})
	require.NoError(t, err)
	require.EqualValues(t, 13_529, res.Calls)
	of, _, err := b.quantity003("calls", ring20)
	require.NoError(t, err)
	require.InDelta(t, 6764, of([]em4.Result{res}), 0)
}

// Every number of the tables and of figure 8's text is ok, and so is every claim.
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

// The four states of every window sum to the window's clocks times the PEs, and the windows sum to the run.
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

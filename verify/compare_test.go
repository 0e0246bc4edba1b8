package verify

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// These are the claims of the comparisons, one of each kind.
var (
	within   = Claim{Unit: "ms", Paper: "2", Rule: Within, Tolerance: 0.1}
	share    = Claim{Unit: "%", Paper: "50", Rule: Within, Tolerance: 5}
	below    = Claim{Unit: "s", Paper: "-2", Rule: Within, Tolerance: 0.1}
	zero     = Claim{Unit: "s", Paper: "0.0", Rule: Within, Tolerance: 0.02}
	count    = Claim{Paper: "46367", Rule: Exact}
	outcome  = Claim{Paper: "segment overflow", Rule: Exact}
	relation = Claim{Paper: "a < b", Rule: Order}
	among    = Claim{Paper: "150", Rule: Order} // the run of table 1 that must be among the model's
)

// compared is a claim, a measured value, and the expected verdict.
type compared struct {
	claim Claim
	value Value
	want  Verdict
}

func (c compared) check(t *testing.T) {
	t.Helper()
	what := fmt.Sprintf("%+v against %+v", c.value, c.claim)
	r := Compare(c.claim, c.value)
	require.Equal(t, c.want, r.Verdict, what)
	require.Equal(t, c.want == Inside || c.want == Known, r.OK, what)
	require.Equal(t, c.want == Inside || c.want == Closed, r.Inside(), what)
	require.Equal(t, r.OK, r.Why() == "", what)
	require.Equal(t, c.claim.Gap != 0, r.Gap != nil, what)
}

// Each rule gives its verdict on a measured value.
func TestCompare(t *testing.T) {
	for _, c := range []compared{
		{within, Number(2), Inside},
		{within, Number(2.2), Inside},
		{within, Number(1.8), Inside},
		{within, Number(2.2 + 1e-9), Outside},
		{within, Number(1.8 - 1e-9), Outside},
		{within, TextValue("2"), Outside},
		{within, Number(math.NaN()), Outside},
		{within, Number(math.Inf(1)), Outside},
		{below, Number(-2.2), Inside},
		{below, Number(2), Outside},
		{share, Number(55), Inside},
		{share, Number(45), Inside},
		{share, Number(44.9), Outside},
		{zero, Number(-0.02), Inside},
		{zero, Number(0.021), Outside},
		{zero, TextValue(""), Outside}, // a suite without a result has not measured 0
		{count, Number(46367), Inside},
		{count, Number(46368), Outside},
		{count, Number(46367.001), Outside},
		{outcome, TextValue("segment overflow"), Inside},
		{outcome, TextValue("runs"), Outside},
		{outcome, TextValue(holds), Outside},
		{outcome, Number(1), Outside},
		{outcome, Number(0), Outside},
		{relation, Holds(true, ""), Inside},
		{relation, Holds(false, "%d", 3), Outside},
		{relation, TextValue("a < b"), Outside},
		{relation, Number(0), Outside},
		{among, Number(150), Outside},
		{among, Holds(true, ""), Inside},
	} {
		c.check(t)
	}
}

// A gap is ok inside its band, but neither outside the band nor once its rule holds.
func TestCompareGaps(t *testing.T) {
	gap := func(c Claim, recorded string, band float64) Claim {
		c.Gap, c.Recorded, c.Band = 9, recorded, band
		return c
	}
	for _, c := range []compared{
		{gap(within, "3", 0.5), Number(3), Known},
		{gap(within, "3", 0.5), Number(3.5), Known},
		{gap(within, "3", 0.5), Number(2.5), Known},
		{gap(within, "3", 0.5), Number(3.6), Drifted},
		{gap(within, "3", 0.5), Number(2.4), Drifted},
		{gap(within, "3", 0.5), Number(-3), Drifted},
		{gap(within, "3", 0.5), Number(2.2), Closed},
		{gap(within, "3", 0.5), TextValue("3"), Drifted},
		{gap(within, "3", 0.5), Number(math.NaN()), Drifted},
		{gap(within, "3", 0.5), Number(math.Inf(-1)), Drifted},
		{gap(within, "2.3", 0.5), Number(2.1), Closed}, // inside the band, but the rule holds
		{gap(within, "0", 0.5), TextValue("deadlock"), Drifted},
		{gap(within, "4178", 0), Number(4178), Known},
		{gap(within, "4178", 0), Number(4178.001), Drifted},
		{gap(within, "4178", 0), Number(4177), Drifted},
		{gap(below, "-3", 0.5), Number(-3.5), Known},
		{gap(below, "-3", 0.5), Number(-3.6), Drifted},
		{gap(outcome, "runs", 0), TextValue("runs"), Known},
		{gap(outcome, "runs", 0), TextValue("deadlock"), Drifted},
		{gap(outcome, "runs", 0), TextValue("segment overflow"), Closed},
		{gap(outcome, "runs", 0), Number(0), Drifted},
		{gap(relation, "fails: 3", 0), Holds(false, "%d", 3), Known},
		{gap(relation, "fails: 3", 0), Holds(false, "%d", 4), Drifted},
		{gap(relation, "fails: 3", 0), Holds(true, ""), Closed},
		{gap(relation, "fails: 3", 0), TextValue(""), Drifted},
	} {
		c.check(t)
	}
}

// A row has the fields of its claim, and the measured value.
func TestCompareFills(t *testing.T) {
	c := Claim{
		ID: "003.x", PaperNo: "003", Quantity: "time", Unit: "ms", Paper: "2", Rule: Within, Tolerance: 0.1,
		Class: Guided,
		Gap:   9, Recorded: "3", Band: 0.5, Note: "a note",
	}
	deviation, gap, band := 0.5, 9, 0.5
	require.Equal(t, Row{
		ID: "003.x", PaperNo: "003", Seed: "003", Class: Guided, Quantity: "time", Unit: "ms", Paper: 2.0, Model: 3.0,
		Deviation: &deviation, Rule: "gap",
		Tolerance: 0.1, OK: true, Verdict: Known, Gap: &gap, Recorded: 3.0, Band: &band, Note: "a note",
		Command: "emsim verify 003.x", Reads: "0.model",
	}, Compare(c, Number(3)))
	require.Equal(t, "gap 9 has left its band: 3 ± 0.5", Compare(c, Number(4)).Why())
	require.Equal(t, 2.0, Compare(c, TextValue("deadlock")).Paper)
	require.Equal(t, "gap 9 has closed", Compare(c, Number(2)).Why())

	c.Paper, c.Rule, c.Tolerance, c.Recorded, c.Band = "a < b", Order, 0, "fails: 3", 0
	r := Compare(c, Holds(false, "4"))
	require.Equal(t, "a < b", r.Paper)
	require.Equal(t, "fails: 4", r.Model)
	require.Equal(t, "fails: 3", r.Recorded)
	require.Nil(t, r.Band)
	require.Nil(t, r.Deviation)
	require.Equal(t, "gap 9 has left its band: fails: 3", r.Why())

	c.Gap, c.Recorded = 0, ""
	r = Compare(c, Number(math.NaN()))
	require.Equal(t, "not a number: NaN", r.Model)
	require.Equal(t, "not a number: -Inf", Compare(c, Number(math.Inf(-1))).Model)
	require.Nil(t, r.Recorded)
	require.Equal(t, "outside its rule", r.Why())

	c = Claim{Unit: "%", Paper: "50", Rule: Within, Tolerance: 5}
	require.InDelta(t, -3, *Compare(c, Number(47)).Deviation, 1e-12, "shares differ in points")
	c.Unit = "ms"
	require.InDelta(t, -0.06, *Compare(c, Number(47)).Deviation, 1e-12)
	c.Paper = "0"
	require.InDelta(t, 47, *Compare(c, Number(47)).Deviation, 1e-12, "nothing to divide by")
}

// A corrupted value is never ok: every row of every paper can fail, whatever its rule, tolerance or band.
func TestEveryRowCanFail(t *testing.T) {
	wide := map[string]int{} // by quantity: rows with rule "within" that 0 would satisfy
	for _, s := range Suites() {
		claims, err := Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			wrong := []Value{TextValue("corrupted"), Number(math.NaN()), Number(1e12), Number(-1e12)}
			paper, numeric := c.Number()
			if numeric {
				scale := math.Abs(paper)
				if c.Unit == "%" || paper == 0 {
					scale = 1
				}
				// The values are just beyond the tolerance on both sides. A gap's own value leaves its band if it is
				// shifted by as much.
				for _, sign := range []float64{1, -1} {
					wrong = append(wrong, Number(paper+sign*(c.Tolerance+1e-6)*scale))
				}
				if c.Rule == Within && paper != 0 && c.Tolerance*scale >= math.Abs(paper) {
					wide[c.PaperNo+" "+c.Quantity]++
				}
			} else {
				wrong = append(wrong, Number(0), Holds(false, "corrupted"))
			}
			for _, v := range wrong {
				r := Compare(c, v)
				require.False(t, r.OK, "%s: %+v", c.ID, v)
			}
			if c.Gap == 0 {
				continue
			}
			if recorded := Compare(c, TextValue("")).Recorded; numeric {
				v := recorded.(float64)
				require.Less(t, c.Band, 1e-4*math.Abs(v), "%s: the models are deterministic", c.ID)
				require.True(t, Compare(c, Number(v)).OK, c.ID)
				require.False(t, Compare(c, Number(v*(1+1e-4))).OK, c.ID)
				require.False(t, Compare(c, Number(v*(1-1e-4))).OK, c.ID)
				require.False(t, Compare(c, Number(paper)).OK, "%s has closed", c.ID)
			} else {
				require.True(t, Compare(c, TextValue(c.Recorded)).OK, c.ID)
			}
		}
	}
	require.Empty(t, wide, "0 would be inside")
}

func TestCount(t *testing.T) {
	number := 1
	rows := []Row{
		{Class: Fitted, Verdict: Inside, OK: true},
		{Class: Fitted, Verdict: Known, OK: true, Gap: &number},
		{Class: Guided, Verdict: Outside},
		{Class: Guided, Verdict: Known, OK: true, Gap: &number},
		{Class: Predicted, Verdict: Closed, Gap: &number},
		{Class: Predicted, Verdict: Drifted, Gap: &number},
		{Class: Regression, Verdict: Inside, OK: true},
		{Class: Regression, Verdict: Inside, OK: true},
		{Class: Regression, Verdict: Known, OK: true, Gap: &number},
	}
	c := CountRows(rows)
	require.Equal(t, Counts{
		Fitted: {Rows: 2, Inside: 1, Gaps: 1}, Guided: {Rows: 2, Gaps: 1, NotOK: 1}, Predicted: {Rows: 2, NotOK: 2},
		Regression: {Rows: 3, Inside: 2, Gaps: 1},
	}, c)
	require.Equal(t, Count{Rows: 6, Inside: 1, Gaps: 2, NotOK: 3}, c.Papers())
	require.Equal(t, Count{Rows: 3, Inside: 2, Gaps: 1}, c.Regressions())
	require.Zero(t, c.Derived())
	again := append(rows, Row{Class: Fitted, Derived: true, Verdict: Inside},
		Row{Class: Guided, Derived: true, Verdict: Known})
	require.Equal(t, Count{Rows: 2, Inside: 1, Gaps: 1}, CountRows(again).Derived())
	require.Equal(t, c.Papers(), CountRows(again).Papers(), "derived rows are no evidence of their own")
	require.Equal(t, "1 inside, 2 known gaps, 3 not ok", c.Papers().String())
	require.Equal(t, "2 inside, 1 known gap, 0 not ok", c.Regressions().String())
	require.Equal(t, "0 inside, 0 known gaps, 0 not ok", Count{}.String())
	require.Equal(t, []Class{Fitted, Guided, Predicted, Regression}, Classes())
}

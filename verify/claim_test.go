package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/ensemble"
)

const (
	columns = "id,source,load,quantity,unit,paper,rule,tolerance,class,gap,recorded,band,note\n"
	inOrder = "t.1,table 1,high,time,ms,1.12,within,0.1,fitted,,,,why\n"
)

// Every cell of a line is stored in its field.
func TestParse(t *testing.T) {
	claims, err := parse("009", "# a remark\n"+columns+inOrder+
		`t.2,ours,,outcome,-,"runs, at last",exact,,regression,7,stops,,`+"\n"+
		"t.3,table 2,low,time,ms,5,within,0.15,guided,8,7.5,0.5,\nt.4,text,,relation,,a < "+
		"b,order,,predicted,,,,\nt.5,text,,count,,5,exact,0,predicted,9,6,,\n")
	require.NoError(t, err)
	require.Equal(t, []Claim{
		{
			ID: "009.t.1", PaperNo: "009", Quantity: "time", Unit: "ms", Paper: "1.12", Rule: Within, Tolerance: 0.1,
			Class: Fitted,
			Note:  "why", Cond: map[string]string{"source": "table 1", "load": "high"},
		},
		{
			ID: "009.t.2", PaperNo: "009", Quantity: "outcome", Unit: "-", Paper: "runs, at last", Rule: Exact,
			Class: Regression, Gap: 7,
			Recorded: "stops", Cond: map[string]string{"source": "ours", "load": ""},
		},
		{
			ID: "009.t.3", PaperNo: "009", Quantity: "time", Unit: "ms", Paper: "5", Rule: Within, Tolerance: 0.15,
			Class: Guided, Gap: 8,
			Recorded: "7.5", Band: 0.5, Cond: map[string]string{"source": "table 2", "load": "low"},
		},
		{
			ID: "009.t.4", PaperNo: "009", Quantity: "relation", Paper: "a < b", Rule: Order, Class: Predicted,
			Cond: map[string]string{"source": "text", "load": ""},
		},
		{
			ID: "009.t.5", PaperNo: "009", Quantity: "count", Paper: "5", Rule: Exact, Class: Predicted, Gap: 9,
			Recorded: "6",
			Cond:     map[string]string{"source": "text", "load": ""},
		},
	}, claims)
}

// Lines that could not fail or are incomplete are rejected.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{inOrder, "", "there is no row"},
		{"table 1,high", `table "1,high`, "bare"},
		{"t.1,", ",", "id, quantity and paper must not be empty"},
		{"time,", ",", "id, quantity and paper must not be empty"},
		{"1.12,", ",", "id, quantity and paper must not be empty"},
		{"within", "about", `column rule: "about" is not one of exact, within, order`},
		{"0.1", "", "column tolerance: rule within needs one above 0"},
		{"0.1", "0", "column tolerance: rule within needs one above 0"},
		{"0.1", "-0.1", "column tolerance: -0.1 is not a distance"},
		{"0.1", "NaN", "column tolerance: NaN is not a distance"},
		{"0.1", "Inf", "column tolerance: Inf is not a distance"},
		{"0.1", "wide", "column tolerance: "},
		{"within", "exact", "column tolerance: rule within needs one above 0; the other rules have none"},
		{"1.12,within", "fast,within", "column paper: rule within needs a number"},
		{"fitted", "", `column class: "" is not one of fitted`},
		{"fitted", "lucky", `column class: "lucky" is not one of fitted`},
		{"fitted", "regression", "column class: the source of a regression, and of no other row"},
		{"table 1", "ours", "column class: the source of a regression, and of no other row"},
		{"table 1", "recorded", "column class: the source of a regression, and of no other row"},
		{"fitted,,", "fitted,x,", "column gap: "},
		{"fitted,,", "fitted,-1,", "column gap: expected a number from 1"},
		{"fitted,,,", "fitted,3,,", "column recorded: needed for a gap"},
		{"fitted,,,", "fitted,,1.5,", "column recorded: needed for a gap"},
		{"fitted,,,,", "fitted,,,0.1,", "column band: only a gap has one"},
		{"fitted,,,", "fitted,3,slow,", "column recorded: \"slow\"; expected a number or words"},
		{"fitted,,,,", "fitted,3,1.5,wide,", "column band: "},
		{"fitted,,,,", "fitted,3,1.5,-1,", "column band: -1 is not a distance"},
		{
			"1.12,within,0.1,fitted,,,,", "a < b,order,,fitted,3,1.5,,",
			"column recorded: \"1.5\"; expected a number or words",
		},
		{
			"1.12,within,0.1,fitted,,,,", "150,order,,fitted,3,1.5,,",
			"column recorded: \"1.5\"; expected a number or words",
		},
		{
			"1.12,within,0.1,fitted,,,,", "a < b,order,,fitted,3,fails: b,0.1,",
			"column band: words must equal the recorded ones",
		},
		{inOrder, inOrder + inOrder, "the id occurs twice"},
	} {
		text := columns + inOrder
		require.Contains(t, text, c.from)
		_, err := parse("009", strings.Replace(text, c.from, c.to, 1))
		require.ErrorContains(t, err, c.want, "%s -> %s", c.from, c.to)
	}
	_, err := Claims("005")
	require.ErrorContains(t, err, "no claims of paper 005")
}

// Each class has its number of rows.
func TestClasses(t *testing.T) {
	counts := map[string]map[Class]int{}
	for _, s := range Suites() {
		claims, err := Claims(s.Paper)
		require.NoError(t, err)
		counts[s.Paper] = map[Class]int{}
		for _, c := range claims {
			counts[s.Paper][c.Class]++
		}
	}
	require.Equal(t, map[string]map[Class]int{
		"000": {Guided: 7, Regression: 14},
		"001": {Fitted: 16, Guided: 44, Predicted: 29, Regression: 6},
		"002": {Fitted: 34, Regression: 7},
		"003": {Fitted: 13, Guided: 47, Predicted: 6},
		"004": {Fitted: 11, Guided: 13, Predicted: 1, Regression: 119},
	}, counts)
}

func TestSelect(t *testing.T) {
	ids := func(prefixes ...string) (ids []string) {
		chosen, err := Select(Suites(), prefixes)
		require.NoError(t, err)
		for _, s := range Suites() {
			for _, c := range chosen[s.Paper] {
				require.Equal(t, s.Paper, c.PaperNo)
				ids = append(ids, c.ID)
			}
		}
		return ids
	}
	require.Len(t, ids("003.t1"), 12)
	require.Equal(t, []string{"002.c.p1.tasks", "002.c.p1.end", "003.t1.1.time", "003.t1.1.util"},
		ids("003.t1.1", "002.c.p1", "003.t1.1.time"))
	require.Len(t, ids(), 367)
	require.Len(t, ids(""), 367)
	_, err := Select(Suites(), []string{"003.t1", "nosuch"})
	require.EqualError(t, err, `no row has an id that starts with "nosuch"`)
	_, err = Select(Suites(), []string{"t1.1"})
	require.ErrorContains(t, err, "t1.1", "no id starts with it")
	_, err = Select([]Suite{{Paper: "005"}}, nil)
	require.ErrorContains(t, err, "no claims of paper 005")
}

// kinded is a fault of a modelled machine.
type kinded string

func (kinded) Error() string  { return "a fault" }
func (k kinded) Kind() string { return string(k) }

// Run measures the chosen claims, with one session per suite, and returns them in order. If it must stop, it keeps the
// results so far.
func TestRun(t *testing.T) {
	sessions := 0
	suite := func(paper string) Suite {
		return Suite{Paper: paper, New: func(context.Context, *ensemble.Crew, []Claim) func(context.Context,
			Claim) (Value, error) {
			sessions++
			return func(_ context.Context, c Claim) (Value, error) {
				switch c.ID {
				case "bad":
					return Value{}, errors.New("broken")
				case "full":
					return Value{}, fmt.Errorf("run: %w", kinded("segment_overflow"))
				case "wrong":
					return Value{}, kinded("usage")
				}
				return Number(float64(len(c.ID))), nil
			}
		}}
	}
	claim := func(id string) Claim { return Claim{ID: id, Paper: "3", Rule: Exact, Class: Fitted} }
	suites := []Suite{suite("a"), suite("b"), suite("c")}
	chosen := map[string][]Claim{"c": {claim("one"), claim("three")}, "a": {claim("two")}}
	var told []int
	rows, err := Run(t.Context(), suites, chosen, func(done int) { told = append(told, done) })
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2}, told, "how many are measured")
	require.Equal(t, 2, sessions, "one a suite that is asked for something")
	require.Equal(t, []Row{
		Compare(claim("two"), Number(3)), Compare(claim("one"), Number(3)),
		Compare(claim("three"), Number(5)),
	}, rows)
	require.False(t, rows[2].OK)

	chosen["b"] = []Claim{claim("two"), claim("bad"), claim("one")}
	rows, err = Run(t.Context(), suites, chosen, nil)
	require.EqualError(t, err, "verify: bad: broken")
	require.Contains(t, rows, Compare(claim("two"), Number(3)))
	require.LessOrEqual(t, len(rows), 4, "not the one behind it in its suite")

	// A machine that cannot end a run gives a row that is not ok.
	rows, err = Run(t.Context(), suites, map[string][]Claim{"a": {claim("full"), claim("one")}}, nil)
	require.NoError(t, err)
	require.Equal(t, "segment overflow", rows[0].Model)
	require.Equal(t, []bool{false, true}, []bool{rows[0].OK, rows[1].OK})
	_, err = Run(t.Context(), suites, map[string][]Claim{"a": {claim("wrong")}}, nil)
	require.EqualError(t, err, "verify: wrong: a fault")

	ctx, cancel := context.WithCancel(t.Context())
	_, err = ended(ctx, Value{}, kinded("deadlock"))
	require.NoError(t, err)
	cancel()
	_, err = ended(ctx, Value{}, kinded("deadlock"))
	require.Error(t, err, "who has been told to stop does not judge")
	rows, err = Run(ctx, suites, chosen, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, rows)
}

// The tolerance of a paper's number must be able to fail. Regressions have no limit, because they are our own.
func TestLoosest(t *testing.T) {
	for _, x := range []struct {
		unit, paper string
		widest      float64
	}{
		{"s", "2.00", 0.15},
		{"ms", "1.12", 0.15},
		{"count", "2216", 0.1},
		{"%", "61.4", 5},
		{"%", "8.6", 1.29},
		{"s", "0.02", 0.25},
		{"s", "0.00", 0.005},
		{"%", "0.2", 0.05}, // rounding is larger
	} {
		c := Claim{
			ID: "003.x", PaperNo: "003", Quantity: "q", Unit: x.unit, Paper: x.paper, Rule: Within,
			Class: Predicted, Tolerance: x.widest, Cond: map[string]string{"source": "table 1"},
		}
		require.InDelta(t, x.widest, c.loosest(), 1e-12, x.paper)
		require.NoError(t, c.check(), x.paper)
		c.Tolerance *= 1.01
		require.ErrorContains(t, c.check(), "could hardly fail", x.paper)
		c.Class, c.Cond["source"] = Regression, "ours"
		require.NoError(t, c.check())
	}
}

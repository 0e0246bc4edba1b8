package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/run"
	"emsim/verify"
)

// Papers and regressions are separate tables; a gap is shown as one, and a
// row that is not ok says why.
func TestVerifyTable(t *testing.T) {
	claim := func(id string, class verify.Class, gap int) verify.Claim {
		return verify.Claim{ID: id, Quantity: "time", Unit: "ms", Paper: "2", Rule: verify.Within, Tolerance: 0.1, Class: class, Gap: gap, Recorded: "3", Band: 0.5}
	}
	words := claim("003.e", verify.Guided, 5)
	words.Paper, words.Rule, words.Tolerance, words.Recorded = "a < b", verify.Order, 0, "fails: 1"
	rows := []verify.Row{
		verify.Compare(claim("003.a", verify.Fitted, 0), verify.Number(2.1)),
		verify.Compare(claim("003.b", verify.Predicted, 0), verify.Number(9)),
		verify.Compare(claim("003.r", verify.Regression, 0), verify.Number(2)),
		verify.Compare(claim("003.c", verify.Guided, 7), verify.Number(3.1)),
		verify.Compare(claim("003.d", verify.Guided, 8), verify.Number(4)),
		verify.Compare(words, verify.Holds(false, "1")),
		verify.Compare(claim("003.f", verify.Predicted, 9), verify.Number(2)),
	}
	text := func(rows []verify.Row) string {
		var b bytes.Buffer
		require.NoError(t, verifyTable(&b, rows))
		lines := strings.Split(b.String(), "\n")
		for i, l := range lines {
			lines[i] = strings.Join(strings.Fields(l), " ")
		}
		return strings.Join(lines, "\n")
	}
	require.Equal(t, `id quantity unit paper model deviation rule class verdict
003.a time ms 2 2.1 +5.0 % within 10.0 % fitted ok
003.b time ms 2 9 +350.0 % within 10.0 % predicted NOT OK: outside its rule
003.c time ms 2 3.1 +55.0 % recorded 3 guided gap 7
003.d time ms 2 4 +100.0 % recorded 3 guided NOT OK: gap 8 has left its band: 3 ± 0.5
003.e time ms a < b fails: 1 recorded guided gap 5
003.f time ms 2 2 +0.0 % recorded 3 predicted NOT OK: gap 9 has closed

Regressions: our own numbers, which no paper prints
id quantity unit expected model deviation rule class verdict
003.r time ms 2 2 +0.0 % within 10.0 % regression ok

6 rows of the papers: 1 inside, 2 known gaps, 3 not ok; 1 fitted, 3 guided, 2 predicted
1 regression: 1 inside, 0 known gaps, 0 not ok
`, text(rows))
	require.NotContains(t, text(rows[:1]), "egression")
	require.NotContains(t, text(rows[2:3]), "of the papers")
	require.Contains(t, text(rows[:1]), "1 row of the papers: 1 inside, 0 known gaps, 0 not ok; 1 fitted, 0 guided, 0 predicted\n")
}

// Rows of several runs show their bands; numbers that follow from others are a
// table of their own.
func TestVerifyTableOfBands(t *testing.T) {
	held := 7
	word := verify.Claim{ID: "003.w", Quantity: "relation", Paper: "a < b", Rule: verify.Order, Class: verify.Predicted}
	c := verify.Claim{ID: "003.a", Quantity: "time", Unit: "ms", Paper: "2", Rule: verify.Within, Tolerance: 0.1, Class: verify.Fitted}
	d := c
	d.ID, d.Cond = "003.d", map[string]string{"source": "derived from table 1"}
	band := run.Band{Best: 1.5, Mean: 2.1, Min: 1.25, Max: 3}
	one := verify.Value{Number: 2.1, Spread: &verify.Spread{Band: band, First: 2.5, Runs: 8, Seeds: 1}}
	more := verify.Value{Number: 2.1, Spread: &verify.Spread{Band: band, First: 2.5, Runs: 64, Seeds: 8}}
	words := verify.Value{Text: "holds", Spread: &verify.Spread{Runs: 8, Seeds: 1, Held: &held}}
	var b bytes.Buffer
	require.NoError(t, verifyTable(&b, []verify.Row{verify.Compare(c, one), verify.Compare(word, words), verify.Compare(d, more)}))
	var lines []string
	for l := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(l), " "))
	}
	require.Equal(t, []string{
		"id quantity unit paper best model (mean) min max first runs deviation rule class verdict",
		"003.a time ms 2 1.5 2.1 1.25 3 2.5 8 +5.0 % within 10.0 % fitted ok",
		"003.w relation a < b holds true in 7 of 8 order predicted ok",
		"",
		"Work per call: PE-clocks of each call, derived from the paper's times and shares",
		"id quantity unit derived best model (mean) min max first runs deviation rule class verdict",
		"003.d time ms 2 1.5 2.1 1.25 3 2.5 8 × 8 seeds +5.0 % within 10.0 % fitted ok",
		"",
		"2 rows of the papers: 2 inside, 0 known gaps, 0 not ok; 1 fitted, 0 guided, 1 predicted",
		"1 derived row: 1 inside, 0 known gaps, 0 not ok",
	}, lines)
}

// Every row's command is one that emsim takes.
func TestCommandsOfRows(t *testing.T) {
	seen := map[string]int{}
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			command := verify.Compare(c, verify.Number(0)).Command
			words := strings.Fields(command)
			require.Equal(t, "emsim", words[0])
			cmd, rest, err := newRootCmd(&app{}).Find(words[1:])
			require.NoError(t, err, command)
			require.NotNil(t, cmd.RunE, command)
			require.NoError(t, cmd.ParseFlags(rest), command)
			if cmd.Args != nil {
				require.NoError(t, cmd.Args(cmd, cmd.Flags().Args()), command)
			}
			seen[cmd.CommandPath()]++
		}
	}
	require.Equal(t, map[string]int{
		"emsim mnc run": 10, "emsim rhinet run": 72, "emsim spmd run": 34, "emsim run": 50, "emsim pdes calibrate": 10, "emsim pdes compare": 1,
		"emsim pdes cost": 49, "emsim pdes patterns": 40, "emsim pdes run": 22, "emsim pdes scatter": 18, "emsim verify": 56,
	}, seen)
}

// The commands give the rows' numbers.
func TestCommandsShowRows(t *testing.T) {
	status, out, errs := emsim("verify", "--json", "000.exact.4", "001.t2.8.total", "001.claim.loops.8", "002.t2.static.p0", "002.t1.proposed.p6",
		"003.t1.1", "003.w.t1.1", "003.x.line.21", "004.acc.cost.hxb4x4.exact", "004.acc.cost.hxb4x4.xbar", "004.acc.golden.3.hash", "004.acc.zero.hxb.a")
	require.Zero(t, status, errs)
	var rows []verify.Row
	require.NoError(t, json.Unmarshal([]byte(out), &rows))
	for _, r := range rows {
		args := append(strings.Fields(r.Command)[1:], "--json")
		_, out, _ := emsim(args...)
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &x), r.Command)
		number := func(key string) float64 {
			f, ok := x[key].(float64)
			require.True(t, ok, "%s: %s", r.Command, key)
			return f
		}
		band := func(key, which string) float64 {
			return x["bands"].(map[string]any)[key].(map[string]any)[which].(float64)
		}
		list := func(key string, i int) float64 { return x[key].([]any)[i].(float64) }
		switch r.ID {
		case "000.exact.4":
			require.Equal(t, r.Model, fmt.Sprintf("%.0f/%.0f", number("clocks"), number("transfers")))
		case "001.t2.8.total":
			require.InEpsilon(t, r.Model, number("total_s"), 0.02, "one seed of the mean")
		case "001.claim.loops.8":
			require.GreaterOrEqual(t, number("iterations"), 200.0)
		case "002.t2.static.p0":
			require.Equal(t, r.Model, list("tasks", 0))
		case "002.t1.proposed.p6":
			require.InDelta(t, r.Model, list("end_s", 6), 1e-9)
		case "003.t1.1.time":
			require.InDelta(t, r.Model, band("time_ms", "mean"), 1e-9)
			require.InDelta(t, *r.Best, number("time_ms"), 1e-9)
			require.InDelta(t, *r.Max, band("time_ms", "max"), 1e-9)
		case "003.t1.1.util":
			require.InDelta(t, r.Model, 100*band("pe_utilisation", "mean"), 1e-9)
		case "003.w.t1.1":
			require.InDelta(t, r.Model, band("work_per_call", "mean"), 1e-9)
		case "003.x.line.21":
			require.Equal(t, r.Model, strings.ReplaceAll(x["error"].(map[string]any)["kind"].(string), "_", " "))
		case "004.acc.cost.hxb4x4.exact":
			require.InDelta(t, r.Model, number("exact"), 1e-9)
		case "004.acc.cost.hxb4x4.xbar":
			require.InDelta(t, r.Model, number("greedy"), 1e-9)
		case "004.acc.golden.3.hash":
			require.Equal(t, r.Model, x["hash"])
		case "004.acc.zero.hxb.a":
			require.InDelta(t, r.Model, number("a"), 1e-9)
		default:
			require.True(t, slices.Contains([]string{"004.acc.zero.hxb.a_wire"}, r.ID), r.ID)
		}
	}
}

// Paper 003 is measured with the seed that a run has when nobody chooses one.
func TestPublishedSeedIsTheDefault(t *testing.T) {
	cmd, _, err := newRootCmd(&app{}).Find([]string{"run"})
	require.NoError(t, err)
	require.Equal(t, cmd.Flag("seed").DefValue, verify.Standard003().Value("seed"))
}

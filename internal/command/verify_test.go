package command

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"emsim/internal/base/answer/terminal"
	"emsim/internal/machine/run"
	"emsim/verify"
)

// Papers and regressions are in separate tables. A gap is shown as a gap, and a row that is not ok shows the reason.
func TestVerifyTable(t *testing.T) {
	claim := func(id string, class verify.Class, gap int) verify.Claim {
		return verify.Claim{
			ID: id, PaperNo: "003", Quantity: "time", Unit: "ms", Paper: "2", Rule: verify.Within,
			Tolerance: 0.1, Class: class, Gap: gap, Recorded: "3", Band: 0.5,
		}
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
		writeVerified(&b, rows)
		lines := strings.Split(b.String(), "\n")
		for i, l := range lines {
			lines[i] = strings.Join(strings.Fields(l), " ")
		}
		return strings.Join(lines, "\n")
	}
	require.Equal(t,
		`
003, EM-4: means of 8 runs, of random policies on 8 machines; rows 2 to 5 of table 1: the expected
best of 4
id quantity paper null model off/limit class verdict
003.a time ms 2 2.1 +5.0/10 % fitted ok
003.b time ms 2 9 +350.0/10 % predicted NOT OK
003.c time ms 2 3.1 +55.0/10 % guided gap 7
003.d time ms 2 4 +100.0/10 % guided NOT OK
003.f time ms 2 2 +0.0/10 % predicted NOT OK
003.b is not ok: outside its rule
003.d is not ok: gap 8 has left its band: 3 ± 0.5
003.f is not ok: gap 9 has closed

003 in words
003.e guided gap 5 time: a < b; the model: fails: 1

Regressions: our own numbers, which no paper prints

003, EM-4
id quantity expected model off/limit verdict
003.r time ms 2 2 +0.0/10 % ok

6 rows of the papers: 1 inside, 2 known gaps, 3 not ok; 1 fitted, 3 guided, 2 predicted, 0 by label
1 regression: 1 inside, 0 known gaps, 0 not ok
`, text(rows))
	require.NotContains(t, text(rows[:1]), "egression")
	require.NotContains(t, text(rows[2:3]), "of the papers")
	require.Empty(t, text(nil))
	require.Contains(t, text(rows[:1]), "1 row of the papers: 1 inside, 0 known gaps, 0 not ok; 1 fitted, 0 guided, "+
		"0 predicted, 0 by label\n")
}

// A number is shown with its best null model, with a star if that passes the limit. A predicted number with a star is
// predicted in name only.
func TestVerifyTableOfNulls(t *testing.T) {
	chosen, err := verify.Select(verify.Suites(),
		[]string{"001.t3.32.comm", "001.t5.8.calc", "001.t2.64.other", "001.claim.loops.8"})
	require.NoError(t, err)
	var rows []verify.Row
	for _, c := range chosen["001"] {
		v := verify.TextValue("holds")
		if paper, number := c.Number(); number {
			v = verify.Number(paper)
		}
		c.Gap = 0
		rows = append(rows, verify.Compare(c, v))
	}
	var b bytes.Buffer
	writeVerified(&b, rows)
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"id quantity paper null model", "001.t2.64.other other s 0.02 0.01 0.02",
		"001.t3.32.comm comm s 0.48 1.027 0.48", "001.t5.8.calc calc s 38.57 37.41* 38.57",
		"4 rows of the papers: 4 inside, 0 known gaps, 0 not ok; 0 fitted, 0 guided, 3 predicted, 1 by label",
		"*: it passes the limit, too: 1 of 3 numbers",
		"predicted: 3 numbers by label; no null passes 2 of them, and the model 2 of these",
	} {
		require.Contains(t, text, want)
	}
}

// Rows of several runs show their bands, and derived numbers are in a table of their own.
func TestVerifyTableOfBands(t *testing.T) {
	held := 7
	word := verify.Claim{
		ID: "003.w", PaperNo: "003", Quantity: "relation", Paper: "a < b", Rule: verify.Order,
		Class: verify.Predicted,
	}
	c := verify.Claim{
		ID: "003.a", PaperNo: "003", Quantity: "time", Unit: "ms", Paper: "2", Rule: verify.Within,
		Tolerance: 0.1, Class: verify.Fitted,
	}
	d := c
	d.ID, d.Cond = "003.d", map[string]string{"source": "derived from table 1"}
	band := run.Band{Best: 1.5, Mean: 2.1, Min: 1.25, Max: 3}
	one := verify.Value{Number: 2.1, Spread: &verify.Spread{Band: band, First: 2.5, Runs: 8, Seeds: 1}}
	band.Min, band.Max = 2.1, 2.1
	more := verify.Value{Number: 2.1, Spread: &verify.Spread{Band: band, First: 2.5, Runs: 64, Seeds: 8}}
	words := verify.Value{Text: "holds", Spread: &verify.Spread{Runs: 8, Seeds: 1, Held: &held}}
	var b bytes.Buffer
	writeVerified(&b, []verify.Row{
		verify.Compare(c, one), verify.Compare(word, words),
		verify.Compare(d, more),
	})
	var lines []string
	for l := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(l), " "))
	}
	require.Equal(t, []string{
		"",
		"003, EM-4: means of 8 runs, of random policies on 8 machines; rows 2 to 5 of table 1: the expected",
		"best of 4",
		"id quantity paper null model all runs off/limit class verdict",
		"003.a time ms 2 2.1 1.25–3 +5.0/10 % fitted ok",
		"", "003 in words",
		"003.w predicted ok a < b (in 7 of 8 runs)",
		"",
		"Work per call: PE-clocks of each call, derived from the paper's times and shares",
		"",
		"003, EM-4: means of 8 runs, of random policies on 8 machines; rows 2 to 5 of table 1: the expected",
		"best of 4",
		"id quantity derived null model all runs off/limit class verdict",
		"003.d time ms 2 2.1 equal +5.0/10 % fitted ok",
		"",
		"2 rows of the papers: 2 inside, 0 known gaps, 0 not ok; 1 fitted, 0 guided, 1 predicted, 0 by label",
		"1 derived row: 1 inside, 0 known gaps, 0 not ok",
	}, lines)
}

// The tables are hardly wider than a page of 100 columns, whatever the results: here no row agrees, and the rows of
// paper 003 scatter.
func TestVerifyTableIsNarrow(t *testing.T) {
	var rows []verify.Row
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			n, number := c.Number()
			v := verify.TextValue("fails: " + strings.Repeat("a long reason ", 12))
			if number {
				v = verify.Number(1.123456 * n)
				if s.Paper == "003" && c.Rule != verify.Exact {
					v.Spread = &verify.Spread{Band: run.Band{Min: 1.012345 * n, Max: 1.2345678 * n}, Runs: 64, Seeds: 8}
				}
			}
			rows = append(rows, verify.Compare(c, v))
		}
	}
	var b bytes.Buffer
	writeVerified(&b, rows)
	for l := range strings.Lines(b.String()) {
		require.LessOrEqual(t, ansi.StringWidth(strings.TrimSuffix(l, "\n")), 104, l)
	}
	require.Less(t, len(rows), strings.Count(b.String(), "\n"), "every row is there")
}

// emsim accepts the command of every row.
func TestCommandsOfRows(t *testing.T) {
	seen := map[string]int{}
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		require.NoError(t, err)
		for _, c := range claims {
			how := verify.Reproduce(c)
			for _, command := range append(how.Behind, how.Command) {
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
	}
	require.Equal(t, map[string]int{
		"emsim mnc run": 10, "emsim rhinet run": 72, "emsim spmd run": 46, "emsim run": 83, "emsim pdes calibrate": 10,
		"emsim pdes cost": 48, "emsim pdes patterns": 40, "emsim pdes run": 32, "emsim pdes scatter": 18,
		"emsim verify": 123,
	}, seen)
}

// answerOf runs a row's command and returns its answer.
func answerOf(r verify.Reproduction) []byte {
	_, out, _ := emsim(append(strings.Fields(r.Command)[1:], "--json")...)
	return []byte(out)
}

// rowAnswers caches the answers of the rows' commands, because many commands give several rows.
var rowAnswers = map[string][]byte{}

// gives runs a row's command and returns its value for the row.
func gives(t *testing.T, r verify.Reproduction) any {
	if rowAnswers[r.Command] == nil {
		rowAnswers[r.Command] = answerOf(r)
	}
	v, err := readValue(r.Reading, rowAnswers[r.Command])
	require.NoError(t, err, r.Command)
	return v
}

// sameValue checks that a command gave a row's value.
func sameValue(t *testing.T, r verify.Row, got any) {
	switch want := r.Model.(type) {
	case float64:
		require.InDelta(t, want, got, 1e-9*max(1, math.Abs(want)), "%s: %s", r.ID, r.Command)
	case string:
		if f, number := got.(float64); number { // a claim about loops
			got = strings.Replace(r.Paper.(string), "more than 200", "holds", 1)
			require.Equal(t, strings.HasPrefix(r.Paper.(string), "more"), f >= 200, r.ID)
			return
		}
		require.Equal(t, want, got, "%s: %s", r.ID, r.Command)
	}
}

// The command of a row gives the row's value, with all its runs and seeds. The slow test tries every row.
func TestCommandsGiveRows(t *testing.T) {
	ids := []string{
		"000.exact.4", "001.t2.8.", "001.t5.8.other", "001.t5.8.share", "001.claim.loops.4",
		"002.t2.static.p0", "002.t1.proposed.p6", "003.t1.1.", "003.w.t1.1", "003.x.line.20", "003.x.line.21",
		"004.c.3stage", "004.acc.cost.hxb4x4.exact", "004.acc.cost.hxb4x4.xbar", "004.acc.cost.hxb4x4.grid",
		"004.acc.cost.hxb4x4.conventional",
		"004.acc.cost.hxb4x4.butterfly", "004.acc.golden.3.", "004.acc.zero.hxb.", "004.acc.b.uniform",
		"004.acc.pattern.torus.3",
	}
	suites := verify.Suites()
	chosen, err := verify.Select(suites, ids)
	require.NoError(t, err)
	rows, err := verify.Run(t.Context(), suites, chosen, nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(rows), len(ids))
	claims := slices.Concat(chosen["000"], chosen["001"], chosen["002"], chosen["003"], chosen["004"])
	for i, c := range claims {
		how := verify.Reproduce(c)
		require.NotContains(t, how.Command, "verify", c.ID)
		require.Equal(t, []string{how.Command, how.Reading.String()}, []string{rows[i].Command, rows[i].Reads})
		sameValue(t, rows[i], gives(t, how))
	}
	how := verify.Reproduction{Command: "emsim verify 000.exact.1", Reading: verify.Reading{Key: "0.model"}}
	require.Equal(t, "880656/4000", gives(t, how))
}

// Paper 003 is measured with the default seed of a run.
func TestPublishedSeedIsTheDefault(t *testing.T) {
	cmd, _, err := newRootCmd(&app{}).Find([]string{"run"})
	require.NoError(t, err)
	require.Equal(t, cmd.Flag("seed").DefValue, verify.Standard003().Value("seed"))
}

// writeVerified prints rows as 'emsim verify' does.
func writeVerified(w io.Writer, rows []verify.Row) {
	terminal.WriteLists(w, verifyLists(verify.Suites(), rows), terminal.Layout{})
}

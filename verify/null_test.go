package verify

import (
	"fmt"
	"math"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/lists"
)

// allClaims returns the claims of every paper.
func allClaims(t *testing.T) (all []Claim) {
	for _, s := range Suites() {
		claims, err := Claims(s.Paper)
		require.NoError(t, err)
		all = append(all, claims...)
	}
	return all
}

// Every number of a paper has a null model that does not use the number itself. Words and our own numbers have none.
// Every line and every pattern of nulls.csv applies to some number.
func TestEveryNumberHasANull(t *testing.T) {
	rules, err := nullRules()
	require.NoError(t, err)
	used := map[string]bool{}
	for _, c := range allClaims(t) {
		nulls := Nulls(c)
		_, number := c.Number()
		if !number || c.Class == Regression {
			require.Empty(t, nulls, c.ID)
			require.False(t, lists.Sum(rules, func(r nullRule) int { return one(matches(r.rows, c.ID)) }) > 0,
				"%s has no null, and a line of nulls.csv fits it", c.ID)
			continue
		}
		require.NotEmpty(t, nulls, c.ID)
		for i, n := range nulls {
			if !strings.HasPrefix(n.Rule, "mean ") {
				require.NotContains(t, strings.Fields(n.Rule), strings.TrimPrefix(c.ID, c.PaperNo+"."), c.ID)
			}
			require.Equal(t, math.Abs(n.Deviation) <= c.Tolerance+rounding, n.Inside, c.ID)
			require.True(t, i == 0 || math.Abs(nulls[i-1].Deviation) <= math.Abs(n.Deviation),
				"%s: the best one is the first", c.ID)
		}
		require.Equal(t, &nulls[0], Compare(c, Number(1)).Null, c.ID)
		for _, r := range rules {
			for _, p := range r.rows {
				ok, err := path.Match(p, c.ID)
				require.NoError(t, err)
				used[r.name+p] = used[r.name+p] || ok
			}
		}
	}
	for _, r := range rules {
		for _, p := range r.rows {
			require.True(t, used[r.name+p], "nulls.csv: %s: no number has the pattern %s", r.name, p)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The nulls are computed by hand from the numbers that the papers print.
func TestNullsByHand(t *testing.T) {
	for id, want := range map[string][]Null{
		"001.t2.32.total": {
			{
				Name: "the line between 8 and 64 nodes", Value: 44.33 / math.Pow(44.33/8.83, 2.0/3),
				Inside: true,
			}, // two of three doublings give 15.12
			{Name: "ideal speed-up from 8 nodes", Value: 44.33 / 4},
			{Name: "the other network's value", Value: 11.01},
		},
		"001.t5.16.calc": {
			{Name: "the line between 8 and 64 nodes", Value: 38.57 / math.Cbrt(38.57/5.72), Inside: true},
			{Name: "the value without load", Value: 19.65, Inside: true}, // 4.05 % below 20.48
			{Name: "ideal speed-up from 8 nodes", Value: 19.285, Inside: true},
			{Name: "the other network's value", Value: 24.88},
		},
		"001.t3.32.share": {{Name: "the mean of the column", Value: (0.6 + 1.3 + 4.3) / 3}},
		"002.t2.static.p4": {
			{Name: "the mean of the column", Value: 100, Inside: true},
			{Name: "the other method's value", Value: 119},
		},
		"003.t1.3.time":       {{Name: "the value of the row before", Value: 1.98, Inside: true}},
		"003.t3.static.calls": {{Name: "no effect of MLPE", Value: 46367, Inside: true}},
		"003.t1.2.util": {
			{Name: "the work of row 3 over the time", Value: 40.1 * 1.99 / 1.98, Inside: true},
			{Name: "the value of the next row", Value: 40.1, Inside: true},
			{Name: "the work of row 1 over the time", Value: 54.6 * 1.12 / 1.98},
		},
		"003.c.f8.worst": {
			{
				Name: "the IBU's share of the work with MLPE", Value: 100 * 34.3 / (34.3 + 45.3),
				Inside: true,
			}, // 43.1 %, 3.9 points off
			{Name: "the IBU's share with MLPE", Value: 34.3},
		},
		"004.t1.quiet.ratio": {{Name: "no effect of the map", Value: 1}},
	} {
		c, found := lists.Find(allClaims(t), func(c Claim) bool { return c.ID == id })
		require.True(t, found, id)
		paper, _ := c.Number()
		nulls := Nulls(c)
		require.Len(t, nulls, len(want), id)
		for i, n := range nulls {
			require.Equal(t, want[i].Name, n.Name, id)
			require.InDelta(t, want[i].Value, n.Value, 1e-9, "%s: %s", id, n.Name)
			require.Equal(t, want[i].Inside, n.Inside, "%s: %s", id, n.Name)
			off := want[i].Value - paper
			if c.Unit != "%" {
				off /= paper
			}
			require.InDelta(t, off, n.Deviation, 1e-9, "%s: %s", id, n.Name)
		}
	}
}

// A rule that cannot be evaluated gives the reason.
func TestBadNullRules(t *testing.T) {
	for rule, why := range map[string]string{
		"":                         "the rule is empty",
		"t9.1":                     `the paper has no number "t9.1"`,
		"t2.8.total *":             `expected a number or a row after "*"`,
		"t2.8.total + 1":           `expected * or / and a number other than 0, not "+" 1`,
		"t2.8.total / t2.16.other": `expected * or / and a number other than 0, not "/" 0`,
		"mean t9.*":                `no number matches the pattern "t9.*"`,
		"line t3.8.other t3.64.other nodes 16": "no line through t3.8.other and t3.64.other: logarithms need numbers " +
			"above 0, and two different places",
		"line t3.8.comm t3.64.comm load 16": `row t3.8.comm, condition load: strconv.ParseFloat: parsing "noload": invalid syntax`,
		"line t3.8.comm t3.64.comm nodes":   `the paper has no number "line"`,
		"line t3.8.comm t3.64.comm nodes x": `the condition nodes: strconv.ParseFloat: parsing "x": invalid syntax`,
	} {
		_, err := printed()["001"].value(rule)
		require.EqualError(t, err, why)
	}
	require.Empty(t, Nulls(Claim{ID: "009.t1", PaperNo: "009", Paper: "1", Rule: Within, Class: Guided}),
		"a paper that verify does not have")
}

// Only a predicted number that no null model passes is counted as predicted.
func TestPredictedIsCountedWhereEveryNullFails(t *testing.T) {
	row := func(class Class, passes bool) Row {
		return Row{Class: class, Verdict: Inside, Null: &Null{Inside: passes}}
	}
	counts := CountRows([]Row{
		row(Predicted, false), row(Predicted, true), row(Predicted, true), row(Guided, true),
		{Class: Predicted, Verdict: Known},
	})
	require.Equal(t, Count{Rows: 2, Inside: 1, Gaps: 1}, counts[Predicted], "a claim in words has no null")
	require.Equal(t, Count{Rows: 2, Inside: 2}, counts.ByLabel())
	require.Equal(t, 1, counts[Guided].Rows)
	require.Equal(t, Count{Rows: 5, Inside: 4, Gaps: 1}, counts.Papers())
}

// No row has a higher class than it had when null models were introduced. testdata/classes.csv has the classes of that
// day. With -update, missing rows are added, but no line changes.
func TestNothingIsRelabelledUpwards(t *testing.T) {
	const file = "testdata/classes.csv"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	lines, err := Table(string(text))
	require.NoError(t, err)
	was := map[string]Class{}
	for _, l := range lines[1:] {
		was[l[0]] = Class(l[1])
	}
	rank := map[Class]int{Regression: 0, Fitted: 1, Guided: 2, Predicted: 3}
	added := string(text)
	for _, c := range allClaims(t) {
		before, ok := was[c.ID]
		if !ok {
			added += fmt.Sprintf("%s,%s\n", c.ID, c.Class)
			require.True(t, *update, "%s is new: 'go test ./verify -run Relabelled -update' records its class", c.ID)
			continue
		}
		require.LessOrEqual(t, rank[c.Class], rank[before], "%s was %s, and is called %s", c.ID, before, c.Class)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(added), 0o644))
	}
}

// docs/DEVIATIONS.md has a table of what the rows can show.
func TestNullsInDeviations(t *testing.T) {
	classes := "| of | class | numbers | model inside | best null inside | every null outside | and the model inside " +
		"|\n|---|---|--:|--:|--:|--:|--:|\n"
	predicted := "| predicted by label | paper | model | best null | |\n|---|--:|--:|---|---|\n"
	var remain []string
	agree := 0 // for the last line, which is about all papers
	for _, s := range append(lists.Of(Suites(), func(s Suite) string { return s.Paper }), "all") {
		papers := []string{s}
		if s == "all" {
			papers = lists.Of(Suites(), func(s Suite) string { return s.Paper })
		}
		var rows []Row
		for _, p := range papers {
			rows = append(rows, lists.Where(measured(t, p), func(r Row) bool { return r.Null != nil && !r.Derived })...)
		}
		of := "paper " + s
		if s == "all" {
			of = "all papers"
		}
		for _, class := range []Class{Predicted, Guided, Fitted} {
			own := lists.Where(rows, func(r Row) bool { return r.Class == class })
			if len(own) == 0 {
				continue
			}
			model, passes := lists.Where(own, Row.Inside), lists.Where(own, func(r Row) bool { return r.Null.Inside })
			telling := len(lists.Where(model, func(r Row) bool { return !r.Null.Inside }))
			classes += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d |\n", of, class, len(own), len(model),
				len(passes), len(own)-len(passes), telling)
			if class == Predicted {
				remain = append(remain, fmt.Sprintf("%d of %d in %s", len(own)-len(passes), len(own), of))
				agree = telling
			}
		}
		for _, r := range rows {
			if s == "all" || r.Class != Predicted {
				continue
			}
			says := "by label only"
			if !r.ByLabel() {
				says = "**predicted**"
			}
			if r.Gap != nil {
				says += fmt.Sprintf(", gap %d", *r.Gap)
			}
			predicted += fmt.Sprintf("| `%s` | %v | %s | %s: %s | %s |\n", r.ID, r.Paper, digits(r.Model.(float64)),
				r.Null.Name, digits(r.Null.Value), says)
		}
	}
	classes += fmt.Sprintf("\nPredicted numbers that remain: %s. The model agrees with %d of them.\n",
		strings.Join(remain, ", "), agree)
	tablesOf(t, "../docs/DEVIATIONS.md", map[string]string{"nulls": classes, "predicted": predicted})
}

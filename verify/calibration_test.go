package verify

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/docs"
)

// The first tables of docs/CALIBRATION.md have the results of 'emsim verify 003'.
func TestCalibrationTables(t *testing.T) {
	tablesOf(t, "../docs/CALIBRATION.md", calibrationTables(t, measured(t, "003")))
}

// tablesOf compares the tables of a page. Each table stands between its name and "end" in comments. With -update it
// writes the tables.
func tablesOf(t *testing.T, file string, tables map[string]string) {
	t.Helper()
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(page)
	for name, table := range tables {
		begin, end := "<!-- "+name+" -->\n\n", "\n<!-- end -->"
		_, rest, ok := strings.Cut(text, begin)
		require.True(t, ok, name)
		old, _, ok := strings.Cut(rest, end)
		require.True(t, ok, name)
		if !*update {
			require.Equal(t, table, old, "%s: 'go test ./verify -run %s -update' writes it", name, t.Name())
		}
		text = strings.Replace(text, begin+old, begin+table, 1)
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// The findings at the beginning of the page give the counts of rows in the tables.
func TestCalibrationFindings(t *testing.T) {
	page, err := os.ReadFile("../docs/CALIBRATION.md")
	require.NoError(t, err)
	says := strings.Join(strings.Fields(string(page)), " ")
	type counts struct{ rows, inside, predicted, predictedInside, times int }
	var numbers, work, words counts
	for _, r := range measured(t, "003") {
		c := &numbers
		switch {
		case r.Held != nil:
			c = &words
		case r.Derived:
			c = &work
		}
		c.rows++
		if r.Inside() {
			c.inside++
		}
		if r.Class == Predicted {
			c.predicted++
			if r.Inside() {
				c.predictedInside++
			}
			require.True(t, c != &numbers || r.ByLabel(), "%s: no null passes it", r.ID)
		}
		if r.Unit == "ms" {
			c.times++
			require.Less(t, math.Abs(*r.Deviation), 0.09, r.ID)
		}
	}
	require.Equal(t, counts{numbers.rows, 32, 1, 1, 9}, numbers)
	require.Contains(t, says, fmt.Sprintf("Of the paper's %d numbers %d are within tolerance", numbers.rows,
		numbers.inside))
	require.Contains(t, says, fmt.Sprintf("so are %d of %d numbers that follow from them, and %d of %d claims in "+
		"words hold. All nine times", work.inside, work.rows, words.inside, words.rows))
	require.Equal(t, 1, numbers.rows-numbers.inside+work.rows-work.inside, "one number does not agree")
	require.Contains(t, says, fmt.Sprintf("Of the %d numbers only %d is predicted. It agrees, and so does a [guess",
		numbers.rows, numbers.predicted))
}

// The table of the sensitivity study has the same values as some rows of docs/sensitivity.csv, under each setting.
func TestSensitivityTable(t *testing.T) {
	shown := []string{
		"t1.1.time", "t1.2.time", "t1.4.time", "t1.6.time", "t2.mlpe.time", "t3.static.time",
		"t3.mlpe.time", "f8.static.wait", "f8.mlpe.wait", "t3.mlpe.mlpecalls",
	}
	lines, err := Table(docs.Sensitivity)
	require.NoError(t, err)
	claims, err := Claims("003")
	require.NoError(t, err)
	by := map[string]Claim{}
	for _, c := range claims {
		by[c.ID] = c
	}
	cells, outside, settings := map[[2]string]string{}, map[string]int{}, []string{"published"}
	for _, l := range lines[1:] {
		setting := "published"
		if l[2] != "true" {
			setting = l[0] + " = " + l[1]
		} else if _, again := cells[[2]string{setting, l[3]}]; again {
			continue
		}
		if setting != settings[len(settings)-1] && !slices.Contains(settings, setting) {
			settings = append(settings, setting)
		}
		text := strings.ReplaceAll(l[5], "_", " ")
		if model, err := strconv.ParseFloat(l[5], 64); err == nil {
			if d := by[l[3]].deviation(model); by[l[3]].Unit == "%" {
				text = fmt.Sprintf("%+.1f", d)
			} else {
				text = fmt.Sprintf("%+.0f%%", 100*d)
			}
		}
		if l[7] != "true" {
			text += "*"
			outside[setting]++
		}
		cells[[2]string{setting, l[3]}] = text
	}
	table := "| setting | " + strings.Join(shown, " | ") +
		" | outside |\n| --- |" + strings.Repeat(" --: |", len(shown)+1) + "\n"
	for _, setting := range settings {
		table += "| " + setting + " |"
		for _, id := range shown {
			table += " " + cells[[2]string{setting, "003." + id}] + " |"
		}
		table += fmt.Sprintf(" %d |\n", outside[setting])
	}
	tablesOf(t, "../docs/CALIBRATION.md", map[string]string{"sensitivity": table})
}

// The table of knobs gives the results of the sensitivity study for other values.
func TestKnobsAreMeasured(t *testing.T) {
	lines, err := Table(docs.Sensitivity)
	require.NoError(t, err)
	at := func(setting, id string, column int) float64 {
		for _, l := range lines {
			if l[0]+" = "+l[1] == setting && l[3] == "003."+id {
				x, err := strconv.ParseFloat(l[column], 64)
				require.NoError(t, err)
				return x
			}
		}
		require.Fail(t, "no line", "%s %s", setting, id)
		return 0
	}
	off := func(setting, id string) float64 { return 100 * math.Abs(at(setting, id, 6)) }
	waits := func(setting string) string {
		return fmt.Sprintf("the waiting shares are %.1f and %.1f %%", at(setting, "f8.static.wait", 5),
			at(setting, "f8.mlpe.wait", 5))
	}
	page, err := os.ReadFile("../docs/CALIBRATION.md")
	require.NoError(t, err)
	for _, says := range []string{
		fmt.Sprintf("random is %.0f %% too fast with 2, and %.0f %% too slow with 4.",
			off("hop_clocks = 2", "t1.2.time"), off("hop_clocks = 4", "t1.2.time")),
		fmt.Sprintf("With 2 row 1 is %.0f %% too slow, and %s.", off("inject_clocks = 2", "t1.1.time"),
			waits("inject_clocks = 2")),
		"Without this " + waits("refill_blocks_intake = false"),
		fmt.Sprintf("With 3 rows 1 and 6 of the fitted times are %.0f and %.0f %% too slow, fib(24) %.0f %%, and %s.",
			off("match_clocks = 3", "t1.1.time"), off("match_clocks = 3", "t1.6.time"),
			off("match_clocks = 3", "t3.static.time"), waits("match_clocks = 3")),
		fmt.Sprintf("With 3 little changes but the MLPE calls, %.0f %% too few; 4 makes fib(24) %.0f %% too slow, "+
			"and the line with MLPE %.0f %%.",
			off("getseg_clocks = 3", "t3.mlpe.mlpecalls"), off("getseg_clocks = 4", "t3.static.time"),
			off("getseg_clocks = 4", "t2.mlpe.time")),
		fmt.Sprintf("*in* makes row 1 %.0f %% too slow, and gives %.0f %% too many MLPE calls.",
			off("fib.ring_first = in", "t1.1.time"), off("fib.ring_first = in", "t3.mlpe.mlpecalls")),
	} {
		require.Contains(t, string(page), says)
	}
}

// The published setting in the sensitivity study has the values of verify, because the runs are the same.
func TestSensitivityIsOfTheSameRuns(t *testing.T) {
	lines, err := Table(docs.Sensitivity)
	require.NoError(t, err)
	published := map[string]string{}
	for _, l := range lines[1:] {
		if l[2] == "true" {
			published[l[3]] = l[5]
		}
	}
	for _, r := range measured(t, "003") {
		if model, ok := r.Model.(float64); ok && !r.Derived && r.Quantity != "mips" {
			require.Equal(t, strconv.FormatFloat(model, 'g', 6, 64), published[r.ID], r.ID)
		}
	}
}

// calibrationTables returns the page's tables in Markdown: the paper's numbers, the work for each call that follows
// from them, and the claims in words.
func calibrationTables(t *testing.T, rows []Row) map[string]string {
	claims, err := Claims("003")
	require.NoError(t, err)
	head := "| row | what | paper | null | best | mean | min | max | first | deviation | class " +
		"|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|\n"
	tables := map[string]string{
		"numbers": head, "work": head,
		"words": "| row | claim | held in | class |\n|---|---|--:|---|\n",
		"best":  "| row | paper | mean | best of 2 | best of 4 | best of 8 |\n|---|--:|--:|--:|--:|--:|\n",
	}
	for i, r := range rows {
		id := strings.TrimPrefix(r.ID, "003.")
		cond := claims[i].Cond
		what := strings.TrimSpace(cond["program"] + " " + cond["policy"])
		if cond["mlpe"] == "yes" {
			what += " MLPE"
		}
		class := string(r.Class)
		if r.Gap != nil {
			class += fmt.Sprintf(", gap %d", *r.Gap)
		}
		if r.NeverOut {
			class += ", always"
		}
		if len(r.BestOf) > 0 {
			tables["best"] += fmt.Sprintf("| `%s` | %s | %s |", id, claims[i].Paper, outside(*r.Mean, r.Inside()))
			for _, b := range r.BestOf {
				tables["best"] += " " + outside(b.Model, b.Inside) + " |"
			}
			tables["best"] += "\n"
		}
		if r.Held != nil {
			said := claims[i].Paper
			if r.Quantity == "outcome" {
				said = what + ": " + said
			}
			tables["words"] += fmt.Sprintf("| `%s` | %s | %d of %d | %s |\n", id, said, *r.Held, r.Runs, class)
			continue
		}
		name := "numbers"
		if r.Derived {
			name = "work"
		}
		unit := r.Unit
		if unit == "count" {
			unit = ""
		} else {
			unit = ", " + unit
		}
		null := digits(r.Null.Value)
		if r.Null.Inside {
			null += "\\*"
		}
		tables[name] += fmt.Sprintf("| `%s` | %s: %s%s | %s | %s | %s | **%s** | %s | %s | %s | %s | %s |\n", id, what,
			strings.ReplaceAll(r.Quantity, "_", " "), unit,
			claims[i].Paper, null, digits(*r.Best), digits(*r.Mean), digits(*r.Min), digits(*r.Max), digits(*r.First),
			deviationText(r), class)
	}
	return tables
}

// deviationText returns a row's deviation in per cent, or in points for a share.
func deviationText(r Row) string {
	if r.Unit == "%" {
		return fmt.Sprintf("%+.1f pt", *r.Deviation)
	}
	return fmt.Sprintf("%+.1f %%", 100**r.Deviation)
}

// outside returns a number as text. A number that is outside its row's rule gets a star.
func outside(f float64, inside bool) string {
	if inside {
		return digits(f)
	}
	return digits(f) + "*"
}

// digits returns a number as text, with at most three digits after the point, and at least four digits in all.
func digits(f float64) string {
	if f == math.Trunc(f) && f >= 1000 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.*f", max(0, 3-int(math.Log10(max(1, f)))), f)
}

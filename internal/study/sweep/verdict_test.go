package sweep

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
)

// runAll returns the results of all points, and the table.
func runAll(t *testing.T, p *Plan) (map[string]*Result, [][]string) {
	t.Helper()
	dir := t.TempDir()
	table, err := csv.NewReader(bytes.NewReader(sweep(t, dir, p, 2))).ReadAll()
	require.NoError(t, err)
	return survey(t, store(t, dir), p).Results, table
}

// judged returns the table of a sweep with verdicts, by program, PEs and policy.
func judged(t *testing.T, text, reference string) (map[string]map[string]string, *Plan, [][]string) {
	t.Helper()
	p, err := Read("s.toml", []byte(text))
	require.NoError(t, err)
	require.NoError(t, p.Refer(reference))
	_, table := runAll(t, p)
	rows := map[string]map[string]string{}
	for _, row := range table[1:] {
		r := map[string]string{}
		for i, name := range table[0] {
			r[name] = row[i]
		}
		rows[r["program"]+" "+r["pes"]+" "+r["policy"]] = r
	}
	return rows, p, table
}

func TestVerdicts(t *testing.T) {
	const text = "seeds = 6\n[[grid]]\nprogram = [\"fib 12\", \"loop 3\"]\npes = 12\nparam = { policy = [\"random\", " +
		"\"ring-random\", \"line\", \"ring\"] }\n"
	rows, p, table := judged(t, text, "policy=random")
	require.Contains(t, table[0], "verdict")
	require.Equal(t, spread.Slower, rows["fib 12 line"]["verdict"])
	require.Equal(t, spread.Faster, rows["fib 12 ring"]["verdict"])
	require.Less(t, number(t, rows["fib 12 ring"]["p"]), 0.05)
	require.Equal(t, "", rows["fib 12 random"]["verdict"], "itself")
	require.Equal(t, "1.0000", rows["fib 12 random"]["clocks_ratio_high"])
	told := 0
	for _, r := range rows {
		if r["verdict"] == spread.Untold {
			told++
			require.GreaterOrEqual(t, number(t, r["p"]), 0.05)
		}
		require.Empty(t, r["varied"])
	}
	require.Positive(t, told)
	results, _ := runAll(t, p)
	text2, err := p.CSV(results)
	require.NoError(t, err)
	summary := p.Summary(text2)
	require.Len(t, summary, 9)
	require.Equal(t, []string{
		"program", "policy", "clocks", "clocks_ratio", "clocks_ratio_low", "clocks_ratio_high",
		"verdict",
	}, summary[0])
	require.Equal(t, "fib 12", summary[1][0])

	// The ranking uses the geometric mean of the ratios, which needs all runs to succeed.
	ranks := p.Ranking(text2)
	require.Len(t, ranks, 4)
	for i, r := range ranks {
		fib, loop := rows["fib 12 "+r.Name], rows["loop 12 "+r.Name]
		require.InDelta(t, math.Sqrt(number(t, fib["clocks_ratio"])*number(t, loop["clocks_ratio"])), r.Time, 1e-3)
		work := func(of map[string]string) float64 { return number(t, of["clocks"]) * number(t, of["pe_utilisation"]) }
		require.InDelta(t, math.Sqrt(work(fib)/work(rows["fib 12 random"])*work(loop)/work(rows["loop 12 random"])),
			r.Work, 1e-3)
		require.Equal(t, 2, r.Rows)
		require.True(t, i == 0 || ranks[i-1].Time <= r.Time)
		verdicts := fib["verdict"] + loop["verdict"]
		require.Equal(t, []int{strings.Count(verdicts, spread.Faster), strings.Count(verdicts, spread.Slower)},
			[]int{r.Faster, r.Slower})
	}
	failed := bytes.Replace(text2, []byte(","+rows["fib 12 ring"]["clocks_ratio"]+","), []byte(",,"), 1)
	ranks = p.Ranking(failed)
	require.Equal(t, "ring", ranks[3].Name)
	require.True(t, math.IsNaN(ranks[3].Time) && !math.IsNaN(ranks[2].Time))

	// Pairs consist of runs with the same seeds.
	v, w, paired := p.times(p.Cells[1], results)
	require.True(t, paired)
	require.Len(t, v, len(w))
	_, _, paired = p.times(p.Cells[2], results)
	require.False(t, paired, "the line draws nothing")
}

// The work of machines of different sizes is the ratio of their busy PE-clocks.
func TestRankingOfSizes(t *testing.T) {
	rows, p, _ := judged(t, "seeds = 2\n[[grid]]\nprogram = \"loop 3\"\npes = [12, 32]\nparam = { policy = "+
		"[\"random\"] }\n", "pes=12")
	busy := func(pes string) float64 {
		r := rows["loop "+pes+" random"]
		return number(t, r["clocks"]) * number(t, r["pe_utilisation"]) * number(t, pes)
	}
	results, _ := runAll(t, p)
	text, err := p.CSV(results)
	require.NoError(t, err)
	for _, r := range p.Ranking(text) {
		require.InDelta(t, busy(r.Name)/busy("12"), r.Work, 1e-3, r.Name)
	}
}

// Runs that repeat themselves exactly have that verdict. With vary, the verdict also uses runs with an argument one
// greater or less, and with one column more or fewer.
func TestVary(t *testing.T) {
	const text = "seeds = 2\n%s[[grid]]\nprogram = \"loop 3\"\npes = 12\nparam = { policy = [\"line\", \"ring\"] }\n"
	rows, _, _ := judged(t, "seeds = 2\n"+text[len("seeds = 2\n%s"):], "policy=line")
	require.Equal(t, spread.Repeats, rows["loop 12 ring"]["verdict"])
	require.Empty(t, rows["loop 12 ring"]["p"])

	rows, p, _ := judged(t, "seeds = 2\nvary = true\n"+text[len("seeds = 2\n%s"):], "policy=line")
	r := rows["loop 12 ring"]
	require.Equal(t, "5", r["varied"])
	least, most := number(t, r["varied_min"]), number(t, r["varied_max"])
	require.LessOrEqual(t, least, number(t, r["clocks_ratio"]))
	require.GreaterOrEqual(t, most, number(t, r["clocks_ratio"]))
	require.Equal(t, spread.Verdict(number(t, r["clocks_ratio"]), least > 1 || most < 1), r["verdict"])
	require.Empty(t, r["p"])
	results, _ := runAll(t, p)
	text2, err := p.CSV(results)
	require.NoError(t, err)
	summary := p.Summary(text2)
	require.Equal(t, []string{"policy", "clocks", "clocks_ratio", "clocks_ratio_low", "clocks_ratio_high", "verdict"},
		summary[0])
	require.Equal(t, []string{r["varied_min"], r["varied_max"]}, summary[2][3:5])
	var runs []string
	for _, k := range p.Cells[0].Varied {
		runs = append(runs, p.Points[k].Command())
	}
	require.Equal(t, []string{
		"emsim run loop 3 --pes 12 --param policy=line --start-delay 1",
		"emsim run loop 2 --pes 12 --param policy=line", "emsim run loop 3 --pes 4 --param policy=line",
		"emsim run loop 4 --pes 12 --param policy=line", "emsim run loop 3 --pes 32 --param policy=line",
	}, runs)
	require.Equal(t, 1, p.rowOf()[p.Cells[0].Varied[4]])

	// A number may have any notation.
	_, p, _ = judged(t, "seeds = 2\nvary = true\n[[grid]]\nprogram = \"loop 0x10\"\npes = 12\nparam = { policy = "+
		"[\"line\", \"ring\"] }\n", "policy=line")
	require.Equal(t, "emsim run loop 15 --pes 12 --param policy=line", p.Points[p.Cells[0].Varied[1]].Command())

	// Variations that are not possible are left out.
	_, p, _ = judged(t, "seeds = 2\nvary = true\n[[grid]]\nprogram = \"fib 1\"\npes = 4\nparam = { policy = "+
		"[\"line\", \"ring\"] }\n", "policy=line")
	require.Equal(t, []int{-1, -1}, p.Cells[0].Varied[1:3], "fib 0, and one PE")

	for _, bad := range []string{"vary = true\n", "seeds = 2\nvary = 1\n"} {
		_, err := Read("s.toml", []byte(bad+"[[grid]]\nprogram = \"fib 3\"\n"))
		require.ErrorContains(t, err, "vary is true or false, in a file about the EM-4 with seeds = N")
	}
}

// A program that reads the clock reads another time if it begins a clock later.
func TestStartDelay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clock.s")
	require.NoError(t, os.WriteFile(file, []byte(".arg n, 1, 9, begin\nbegin: rds r1, clock\nout! r1\n"), 0o666))
	p, err := Read("s.toml", []byte("seeds = 2\nvary = true\n[[grid]]\nprogram = \""+file+" 3\"\npes = 12\n"))
	require.NoError(t, err)
	results, _ := runAll(t, p)
	words := func(i int) string { return string(results[p.Points[i].ID].values[resultKey]) }
	require.NotEqual(t, words(p.Cells[0].Points[0]), words(p.Cells[0].Varied[0]))
}

// Policy files are added to the policies of the file, once, and by their names.
func TestPolicyAxis(t *testing.T) {
	_, err := Read("s.toml", []byte("[[grid]]\nprogram = \"fib 3\"\n"), "none.s")
	require.ErrorContains(t, err, "there is no file none.s")
}

package sweep

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/stretchr/testify/require"
)

// runAll are the results of all points, and the table.
func runAll(t *testing.T, p *Plan) (map[string]*Result, [][]string) {
	t.Helper()
	dir := t.TempDir()
	table, err := csv.NewReader(bytes.NewReader(sweep(t, dir, p, 2))).ReadAll()
	require.NoError(t, err)
	return survey(t, store(t, dir), p).Results, table
}

// judged is the table of a sweep with verdicts, by program, PEs and policy.
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
	const text = "seeds = 6\n[[grid]]\nprogram = [\"fib 12\", \"loop 3\"]\npes = 12\nparam = { policy = [\"random\", \"ring-random\", \"line\", \"ring\"] }\n"
	rows, p, table := judged(t, text, "policy=random")
	require.Equal(t, []string{"p", "verdict", "varied", "varied_min", "varied_max"}, table[0][len(table[0])-5:])
	require.Equal(t, Slower, rows["fib 12 line"]["verdict"])
	require.Equal(t, Faster, rows["fib 12 ring"]["verdict"])
	require.Less(t, number(t, rows["fib 12 ring"]["p"]), 0.05)
	require.Equal(t, "", rows["fib 12 random"]["verdict"], "itself")
	require.Equal(t, "1.0000", rows["fib 12 random"]["clocks_ratio_high"])
	told := 0
	for _, r := range rows {
		if r["verdict"] == Untold {
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
	require.Equal(t, []string{"program", "policy", "clocks", "clocks_ratio", "clocks_ratio_low", "clocks_ratio_high", "verdict"}, summary[0])
	require.Equal(t, "fib 12", summary[1][0])

	// Pairs have the same seeds: the interval is another one than that of independent values.
	alone, err := Read("s.toml", []byte(text))
	require.NoError(t, err)
	_, table = runAll(t, alone)
	require.NotContains(t, table[0], "verdict", "nothing was asked")
	v, w, paired := p.times(p.Cells[1], results)
	require.True(t, paired)
	require.Len(t, v, len(w))
	_, _, paired = p.times(p.Cells[2], results)
	require.False(t, paired, "the line draws nothing")
}

// Runs that repeat themselves say so. With vary the verdict is about an argument of one
// more and less, and a column more and fewer.
func TestVary(t *testing.T) {
	const text = "seeds = 2\n%s[[grid]]\nprogram = \"loop 3\"\npes = 12\nparam = { policy = [\"line\", \"ring\"] }\n"
	rows, _, _ := judged(t, "seeds = 2\n"+text[len("seeds = 2\n%s"):], "policy=line")
	require.Equal(t, Repeats, rows["loop 12 ring"]["verdict"])
	require.Empty(t, rows["loop 12 ring"]["p"])

	rows, p, _ := judged(t, "seeds = 2\nvary = true\n"+text[len("seeds = 2\n%s"):], "policy=line")
	r := rows["loop 12 ring"]
	require.Equal(t, "4", r["varied"])
	least, most := number(t, r["varied_min"]), number(t, r["varied_max"])
	require.LessOrEqual(t, least, number(t, r["clocks_ratio"]))
	require.GreaterOrEqual(t, most, number(t, r["clocks_ratio"]))
	require.Equal(t, verdict(number(t, r["clocks_ratio"]), least > 1 || most < 1), r["verdict"])
	require.Equal(t, []string{Untold, Faster, Slower}, []string{verdict(0.5, false), verdict(0.9, true), verdict(1.1, true)})
	require.Empty(t, r["p"])
	var runs []string
	for _, k := range p.Cells[0].Varied {
		runs = append(runs, p.Points[k].Command())
	}
	require.Equal(t, []string{
		"emsim run loop 2 --pes 12 --param policy=line", "emsim run loop 3 --pes 4 --param policy=line",
		"emsim run loop 4 --pes 12 --param policy=line", "emsim run loop 3 --pes 32 --param policy=line",
	}, runs)
	require.Equal(t, 1, p.rowOf()[p.Cells[0].Varied[3]])

	// What does not fit is left out.
	_, p, _ = judged(t, "seeds = 2\nvary = true\n[[grid]]\nprogram = \"fib 1\"\npes = 4\nparam = { policy = [\"line\", \"ring\"] }\n", "policy=line")
	require.Equal(t, []int{-1, -1}, p.Cells[0].Varied[:2], "fib 0, and one PE")

	for _, bad := range []string{"vary = true\n", "seeds = 2\nvary = 1\n"} {
		_, err := Read("s.toml", []byte(bad+"[[grid]]\nprogram = \"fib 3\"\n"))
		require.ErrorContains(t, err, "vary is true or false, in a file about the EM-4 with seeds = N")
	}
}

// Policies that are files are values beside those of the file, once, and by their names.
func TestPolicyAxis(t *testing.T) {
	_, err := Read("s.toml", []byte("[[grid]]\nprogram = \"fib 3\"\n"), "none.s")
	require.ErrorContains(t, err, "there is no file none.s")
}

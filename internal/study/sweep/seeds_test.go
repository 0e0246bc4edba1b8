package sweep

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/study/spread"
	"emsim/programs"
)

// seeded is a sweep of cells: two of its policies draw random numbers, and two do not.
const seeded = `
seeds = 3
[[variant]]
name = "deep"
set = { fifo_words = 256 }
[[grid]]
program = "fib 9"
pes = 12
variant = "*"
param = { policy = ["ring", "random", "round-robin"], mlpe = ["off", "on"] }
seed = 5
`

// measuredClocks returns the clocks of the runs of a cell, measured in single runs.
func measuredClocks(t *testing.T, p *Plan, c Cell) []float64 {
	t.Helper()
	var list []float64
	for _, i := range c.Points {
		x := &p.Points[i]
		target, err := x.Spec.Build(t.Context())
		require.NoError(t, err)
		for range x.Runs {
			got, err := target.Run(t.Context(), target.Words, em4.RunOptions{})
			require.NoError(t, err)
			list = append(list, float64(got.Clocks))
		}
	}
	return list
}

// A cell has runs with other seeds if the program draws random numbers, or else consecutive runs on one machine. The
// table agrees with single runs.
func TestCells(t *testing.T) {
	p := plan(t, seeded)
	require.Len(t, p.Cells, 12)
	require.Equal(t, 12, p.Rows())
	require.Len(t, p.Points, 8+4*3)
	table := sweep(t, t.TempDir(), p, 1)
	list := rows(t, table)
	require.Len(t, list, 12)
	for i, r := range list {
		c := p.Cells[i]
		random := r["policy"] == "random"
		require.Equal(t, map[bool]string{true: bySeed, false: byRun}[random], r["by"],
			"%s reads the seed, and does not use it", r["policy"])
		require.Equal(t, []string{"5", "3", "ok", "0"}, []string{r["seed"], r["samples"], r["outcome"], r["failed"]})
		clocks := measuredClocks(t, p, c)
		s := spread.Of(clocks)
		for name, want := range map[string]float64{
			"": s.Mean, "_sd": s.SD, "_min": s.Min, "_max": s.Max, "_low": s.Low,
			"_high": s.High,
		} {
			require.InEpsilon(t, 1+want, 1+number(t, r["clocks"+name]), 1e-6, name)
		}
		base := measuredClocks(t, p, p.Cells[c.Base])
		ratio, low, high := spread.Ratio(clocks, base, random)
		if r["variant"] == "base" {
			ratio, low, high = 1, 1, 1
		}
		require.Equal(t, r["variant"] == "base", r["verdict"] == "", "of itself there is none")
		for name, want := range map[string]float64{"": ratio, "_low": low, "_high": high} {
			require.Equal(t, strconv.FormatFloat(want, 'f', 4, 64), r["clocks_ratio"+name])
		}
		require.NotEmpty(t, r["packets_sent_high"])
		require.NotContains(t, r, "result")
	}
}

// Equal runs have exactly no spread.
func TestNoSpread(t *testing.T) {
	p := plan(t, "seeds = 4\n[[grid]]\nprogram = \"pi 30\"\npes = 12\n")
	r := rows(t, sweep(t, t.TempDir(), p, 1))[0]
	require.Equal(t, []string{"run", "4", "0"}, []string{r["by"], r["samples"], r["clocks_sd"]})
	for _, ending := range []string{"_min", "_max", "_low", "_high"} {
		require.Equal(t, r["clocks"], r["clocks"+ending])
	}
}

// The table is the same however the runs were shared and stopped. A point with consecutive runs of a cell is not a
// point with 'runs'.
func TestCellsInShares(t *testing.T) {
	p := plan(t, seeded)
	want := sweep(t, t.TempDir(), p, 3)
	dir := t.TempDir()
	s := store(t, dir)
	for i := range 3 {
		x := survey(t, s, p)
		x.LimitTo(Part{3 - i, 3})
		require.NoError(t, s.Run(t.Context(), x, 2, nil))
	}
	x := survey(t, s, p)
	require.Empty(t, x.Missing)
	table, err := p.CSV(x.Results)
	require.NoError(t, err)
	require.Equal(t, string(want), string(table))

	one := plan(t, "[[grid]]\nprogram = \"fib 9\"\npes = 12\nruns = 3\nseed = 5")
	require.NotEqual(t, one.Points[0].ID, p.Points[0].ID)
}

// Cells of the other machines have consecutive seeds of their knob, or one run.
func TestCellsOfMachines(t *testing.T) {
	for kind, text := range others {
		text = "seeds = 3\n" + strings.Replace(text, "seed = [1, 2]", "seed = 7", 1)
		p := plan(t, text)
		one := sweep(t, t.TempDir(), p, 2)
		for i, r := range rows(t, one) {
			c := p.Cells[i]
			if kind == "mnc" {
				require.Equal(t, []string{byNothing, "1", "0"}, []string{r["by"], r["samples"], r["clocks_sd"]})
				continue
			}
			require.Equal(t, []string{bySeed, "3", "7"}, []string{r["by"], r["samples"], r["seed"]}, kind)
			require.Len(t, c.Points, 3)
			for k, j := range c.Points {
				require.Contains(t, p.Points[j].Spec.Sets, "seed="+strconv.Itoa(7+k))
			}
			require.NotEmpty(t, r[p.TimeColumn()+"_high"], kind)
		}
	}
}

// A cell with a failed run has no measurements.
func TestCellsThatFail(t *testing.T) {
	p := plan(t, `
max_clocks = 1405
seeds = 4
[[grid]]
program = "fib 12"
pes = 12
param = { mlpe = "on" }
`)
	table := sweep(t, t.TempDir(), p, 1)
	r := rows(t, table)[0]
	require.Equal(t, "max_clocks", r["outcome"])
	require.NotEqual(t, "0", r["failed"])
	require.Empty(t, r["clocks"])
	require.Empty(t, r["clocks_sd"])
	require.Empty(t, r["clocks_ratio"])
}

func TestSeedsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"seeds = 1\n":     "seeds is 1, it must be at least 2",
		"seeds = 10001\n": "seeds is 10001, it must be 2..10000",
		"seeds = 'x'\n":   "seeds is a whole number, not the string",
		"seeds = 2\n[[grid]]\nprogram = 'fib 5'\nseed = [1, 2]": "with seeds = 2 every cell has consecutive seeds: " +
			"give only the first, seed = 1",
		"seeds = 2\n[[grid]]\nprogram = 'fib 5'\nruns = 2":     "runs cannot be combined with seeds",
		"[[grid]]\nprogram = 'fib 5'\nseeds = 2":               "a grid has no key \"seeds\"",
		"seeds = 2\n[[grid]]\nmachine = 'pdes'\nseed = [1, 2]": "with seeds = 2 every cell",
		"seeds = 10000\n[[grid]]\nprogram = 'fib 5'\nset.hop_clocks = [1,2,3,4,5,6,7,8]\nparam.policy = " +
			"['ring','line','random']\nset.fifo_words = [8,16,32,64,128]": "more than 1000000 points",
	} {
		_, err := Read("f.toml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// A program draws random numbers if it reads the seed, unless it declares that it never uses it.
func TestDraws(t *testing.T) {
	for policy, want := range map[string][2]bool{
		"ring": {}, "random": {true, true}, "ring-random": {true, true},
		"round-robin": {false, true},
	} {
		o, err := programs.Assemble("fib", map[string]string{"policy": policy})
		require.NoError(t, err)
		says := draws(o)
		o.Symbols = nil
		require.Equal(t, want, [2]bool{says, draws(o)}, policy)
	}
}

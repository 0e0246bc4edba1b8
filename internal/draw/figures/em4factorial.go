package figures

import (
	"fmt"
	"math/bits"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/study/spread"
)

// Factor is a remedy of docs/sweeps/factorial.toml: its rows have Value in Column.
type Factor struct{ Name, Column, Value string }

// Factors are the remedies that were tried in all combinations.
var Factors = []Factor{
	{"own memory", "ibu_own_memory", "true"},
	{"open intake", "refill_blocks_intake", "false"},
	{"output buffer", "out_packets", "4"},
	{"priority", "variant", "priority"},
	{"FIFO 128", "fifo_words", "128"},
}

// FactorialCells returns the clocks of each combination among the rows of one program; ok is
// false if one failed or is missing.
func FactorialCells(rows []map[string]string) (cells []spread.Cell, ok bool) {
	for _, r := range rows {
		row, c := sweepRow(r), spread.Cell{}
		for i, f := range Factors {
			if row[f.Column] == f.Value {
				c.Second |= 1 << i
			}
		}
		mean, ran := row.number("clocks")
		samples, _ := row.number("samples")
		c.Spread.N, c.Spread.Mean = int(samples), mean
		c.Spread.SD, _ = row.number("clocks_sd")
		if !ran || samples == 0 {
			return nil, false
		}
		cells = append(cells, c)
	}
	return cells, len(cells) == 1<<len(Factors)
}

// FactorNames returns the names of factors that are given as bits.
func FactorNames(factors uint) string {
	text := ""
	for i, f := range Factors {
		if factors>>i&1 == 1 {
			if text += f.Name; factors>>(i+1) != 0 {
				text += " × "
			}
		}
	}
	return text
}

// SmallGroups returns the factors, then all pairs of them, as bits.
func SmallGroups() (groups []uint) {
	for size := 1; size <= 2; size++ {
		for g := range uint(1) << len(Factors) {
			if bits.OnesCount(g) == size {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// factorialTable draws the effect of each factor and pair on every program, and in the
// geometric mean of the programs.
func factorialTable(rows []sweepRow) Drawing {
	groups := SmallGroups()
	t := shadedTable{title: "80 PEs", rows: lists.Of(groups, FactorNames)}
	programs := distinct(rows, sweepRow.programCall)
	cells := make([][]tableCell, len(groups))
	for _, m := range mlpeNames {
		t.groups, t.columns = append(t.groups, m[1]),
			append(t.columns, append(programs[:len(programs):len(programs)], "all"))
		effects := make([][]spread.Effect, len(groups))
		for _, p := range programs {
			var here []map[string]string
			for _, r := range selectRows(rows, "mlpe", m[0]) {
				if r.programCall() == p {
					here = append(here, r)
				}
			}
			c, ok := FactorialCells(here)
			for i, g := range groups {
				if !ok {
					cells[i] = append(cells[i], tableCell{text: "–"})
					continue
				}
				e := spread.EffectOf(c, g)
				effects[i] = append(effects[i], e)
				cells[i] = append(cells[i], effectCell(e))
			}
		}
		for i := range groups {
			cells[i] = append(cells[i], effectCell(spread.MeanEffect(effects[i])))
		}
	}
	t.cells = slices.Concat(cells...)
	certain := len(lists.Where(t.cells, func(c tableCell) bool { return c.text != "·" && c.text != "–" }))
	return shadedTables{
		title: fmt.Sprintf("%d of %d effects of remedies and their pairs are more than chance", certain, len(t.cells)),
		about: "change of the run time in per cent by a remedy, and by a pair (×) beyond the effects of both; a dot: " +
			"perhaps chance; all: the mean of the programs",
		keys: []key{changeKey}, panels: []shadedTable{t},
	}
}

// effectCell returns an effect in per cent, or a dot if it may be chance or rounds to 0.
func effectCell(e spread.Effect) tableCell {
	ratio, _, _ := e.Ratio()
	text := fmt.Sprintf("%+.0f", 100*(ratio-1))
	if !e.Certain() || text == "+0" || text == "-0" {
		return tableCell{text: "·"}
	}
	return changeCell(text, ratio)
}

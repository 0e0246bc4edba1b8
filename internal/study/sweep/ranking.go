package sweep

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
	"emsim/internal/study/spread"
)

// Rank compares a setting with the reference, over all rows that have the same values in the reference's columns.
type Rank struct {
	Name           string
	Time, Work     float64 // geometric means of the ratios; NaN if a run ended without an answer
	Faster, Slower int     // rows with that verdict
	Rows           int
}

// Ranking ranks the compared settings in a table that CSV has written, fastest first. It returns nil if the sweep
// compares nothing. The work of an EM-4 is the PE-clocks in which a PE is busy; it is NaN for other machines.
func (plan *Plan) Ranking(text []byte) (list []Rank) {
	if !plan.compares() {
		return nil
	}
	table, _ := csv.NewReader(bytes.NewReader(text)).ReadAll()
	number := func(cell int, column string) float64 {
		if k := slices.Index(table[0], column); k >= 0 {
			if x, err := strconv.ParseFloat(table[cell+1][k], 64); err == nil {
				return x
			}
		}
		return math.NaN()
	}
	for i, c := range plan.Cells {
		if c.Base < 0 {
			continue
		}
		cell := func(column string) string { return table[i+1][slices.Index(table[0], column)] }
		name := strings.Join(lists.Of(plan.contends, cell), ", ")
		at := slices.IndexFunc(list, func(r Rank) bool { return r.Name == name })
		if at < 0 {
			at, list = len(list), append(list, Rank{Name: name})
		}
		r, time := &list[at], number(i, plan.TimeColumn()+"_ratio")
		r.Time += portable.Log(time)
		pes := float64(plan.first(c).Config.PEs) / float64(plan.first(plan.Cells[c.Base]).Config.PEs)
		r.Work += portable.Log(time * pes * number(i, "pe_utilisation") / number(c.Base, "pe_utilisation"))
		r.Rows++
		switch cell("verdict") {
		case spread.Faster:
			r.Faster++
		case spread.Slower:
			r.Slower++
		}
	}
	for i, r := range list {
		list[i].Time, list[i].Work = portable.Exp(r.Time/float64(r.Rows)), portable.Exp(r.Work/float64(r.Rows))
	}
	slices.SortStableFunc(list, func(a, b Rank) int { return cmp.Compare(-b.Time, -a.Time) }) // NaN comes last
	return list
}

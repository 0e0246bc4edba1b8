package sweep

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
	"emsim/internal/study/spread"
)

// Rank is how a contender did beside the reference in all rows that it has: contenders
// have different values in the columns that the reference names.
type Rank struct {
	Name           []string // these values
	Time, Work     float64  // geometric means of the ratios; NaN if a run ended without an answer
	Faster, Slower int      // rows with that verdict
	Rows           int
}

// Contends are the columns whose values are the names of contenders.
func (plan *Plan) Contends() []string { return plan.contends }

// Ranking ranks the contenders of a table that CSV has written, the fastest first. The
// work of an EM-4 is the PE-clocks in which a PE is busy; other machines have none.
func (plan *Plan) Ranking(text []byte) (list []Rank) {
	table, _ := csv.NewReader(bytes.NewReader(text)).ReadAll()
	column := func(name string) int { return slices.Index(table[0], name) }
	names := lists.Of(plan.contends, column)
	number := func(row int, name string) float64 {
		if k := column(name); k >= 0 {
			if x, err := strconv.ParseFloat(table[row+1][k], 64); err == nil {
				return x
			}
		}
		return math.NaN()
	}
	for i, c := range plan.Cells {
		if c.Base < 0 {
			continue
		}
		row := table[i+1]
		name := lists.Of(names, func(k int) string { return row[k] })
		at := slices.IndexFunc(list, func(r Rank) bool { return slices.Equal(r.Name, name) })
		if at < 0 {
			at, list = len(list), append(list, Rank{Name: name})
		}
		r := &list[at]
		time := number(i, plan.TimeColumn()) / number(c.Base, plan.TimeColumn())
		busy := number(i, "pe_utilisation") / number(c.Base, "pe_utilisation")
		r.Time, r.Work, r.Rows = r.Time+portable.Log(time), r.Work+portable.Log(float64(time*busy)), r.Rows+1
		switch row[column("verdict")] {
		case spread.Faster:
			r.Faster++
		case spread.Slower:
			r.Slower++
		}
	}
	for i := range list {
		r := &list[i]
		r.Time, r.Work = portable.Exp(r.Time/float64(r.Rows)), portable.Exp(r.Work/float64(r.Rows))
	}
	slices.SortStableFunc(list, func(a, b Rank) int { return cmp.Compare(-b.Time, -a.Time) }) // NaN is last
	return list
}

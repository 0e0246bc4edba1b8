package sweep

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"emsim/internal/study/spread"
)

// numberOf returns a measured value as a number, if it is a number or a boolean: true is 1, false is 0.
func numberOf(value json.RawMessage) (x float64, ok bool) {
	if is := string(value) == "true"; is || string(value) == "false" {
		return map[bool]float64{true: 1}[is], true
	}
	ok = string(value) != "null" && json.Unmarshal(value, &x) == nil
	return x, ok
}

// TimeColumn returns the name of the column with the time that a run took.
func (plan *Plan) TimeColumn() string {
	return plan.subject().time()
}

// measuredNumbers returns the measured columns that hold numbers.
func (plan *Plan) measuredNumbers() []Column {
	return slices.DeleteFunc(plan.subject().measured(plan.Knobs),
		func(c Column) bool { return c.Name == resultKey }) // the result is the same in every run
}

// numbers returns the numbers that the runs of a cell measured, by column.
func (plan *Plan) numbers(c Cell, results map[string]*Result) map[string][]float64 {
	all := map[string][]float64{}
	for _, i := range c.Points {
		p := &plan.Points[i]
		r := results[p.ID]
		if p.Each {
			return r.Each
		}
		for key, value := range r.values {
			if v, ok := numberOf(value); ok {
				all[key] = append(all[key], v)
				if c.By == byNothing { // a repetition would give the same: the value is exact
					all[key] = append(all[key], v)
				}
			}
		}
	}
	return all
}

// The columns for a measured number, each with its meaning.
var spreadColumns = []struct {
	ending, doc string
	of          func(s spread.Spread) float64
}{
	{"", "mean", func(s spread.Spread) float64 { return s.Mean }},
	{"_sd", "standard deviation", func(s spread.Spread) float64 { return s.SD }},
	{"_min", "least", func(s spread.Spread) float64 { return s.Min }},
	{"_max", "greatest", func(s spread.Spread) float64 { return s.Max }},
	{"_low", "low end of the mean's 95 % interval", func(s spread.Spread) float64 { return s.Low }},
	{"_high", "high end of the mean's 95 % interval", func(s spread.Spread) float64 { return s.High }},
}

// cellColumns returns the last columns of a sweep with seeds, starting with the variant.
func (plan *Plan) cellColumns() (list []Column) {
	list = append(plan.subject().cellColumns(),
		Column{"samples", "", "runs of the cell"},
		Column{"by", "", "what they differ by: seed; run, their place in a series on one machine; or nothing"},
		Column{"outcome", "", "ok if all runs are ok, or else how the first other one ended; then the measurements " +
			"are left out"},
		Column{"failed", "", "runs that are not ok"},
	)
	if plan.compares() {
		list = append(list, plan.comparedColumns()...)
	}
	for _, m := range plan.measuredNumbers() {
		for _, s := range spreadColumns {
			list = append(list, Column{m.Name + s.ending, m.Unit, s.doc + ": " + m.Doc})
		}
	}
	return list
}

// comparedColumns returns the columns that compare a row with its reference.
func (plan *Plan) comparedColumns() []Column {
	t := plan.TimeColumn()
	return []Column{
		{t + "_ratio", "", "mean divided by the mean of " + plan.Against() + " with all else equal"},
		{t + "_ratio_low", "", "low end of its 95 % interval"},
		{t + "_ratio_high", "", "high end of its 95 % interval"},
		{"p", "", "the chance of such a difference in time if there were no real one: Student's t, in pairs where " +
			"both have the same seeds, corrected for all rows of the table by Holm"},
		{"verdict", "", "faster or slower than " + plan.Against() +
			" (p below 0.05, or in all varied runs, too), or cannot be told; or repeats exactly, if the runs do not " +
			"vary"},
		{"varied", "", "runs with an irrelevant value changed by one; they decide the verdict where there is no p"},
		{"varied_min", "", "least ratio of these times, including the row's own"},
		{"varied_max", "", "greatest"},
	}
}

// cellRow appends the last columns to the row of a cell with seeds.
func (plan *Plan) cellRow(row []string, c Cell, results map[string]*Result, to *comparison) []string {
	outcome, failed := plan.ended(c, results)
	row = append(row, strconv.Itoa(plan.runsOf(c)), c.By, outcome, strconv.Itoa(failed))
	if plan.compares() {
		row = append(row, to.columns()...)
	}
	values := map[string][]float64{}
	if outcome == OK {
		values = plan.numbers(c, results)
	}
	for _, m := range plan.measuredNumbers() {
		v := values[m.Name]
		var s spread.Spread
		if len(v) > 0 && len(v) >= plan.runsOf(c) {
			s = spread.Of(v)
		}
		for _, column := range spreadColumns {
			cell := ""
			if s.N > 0 {
				cell = significant(column.of(s))
			}
			row = append(row, cell)
		}
	}
	return row
}

// significant formats a number with seven digits, without trailing zeros. It returns "" for NaN.
func significant(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	text := strconv.FormatFloat(x, 'e', 6, 64)
	y, _ := strconv.ParseFloat(text, 64)
	return strconv.FormatFloat(y, 'f', -1, 64)
}

package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/machine/run"
)

// Column is a column of the table.
type Column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc"`
}

// measured is a column of measured values; its cell is empty if the point
// failed.
type measured struct {
	Column
	cell func(a *run.Answer) string
}

// decimals prints six decimals: shares are exact to a millionth.
func decimals(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

// measures lists the columns of 'emsim run --json' that are the model's.
func measures() []measured {
	list := []measured{
		{Column{"result", "", "the words that the program sent to the host; of more than four the first ones and their number"}, func(a *run.Answer) string { return short(a.Result) }},
		{Column{"clocks", "clocks", "from the entry of the start packet to the last word to the host"}, func(a *run.Answer) string { return strconv.FormatUint(a.Clocks, 10) }},
		{Column{"time_ms", "ms", "the same at the machine's clock"}, func(a *run.Answer) string { return decimals(a.TimeMS) }},
	}
	for _, s := range em4.StatisticsIn(em4.InSweep) {
		list = append(list, measured{Column{s.Key, s.MachineUnit(), s.MachineDoc()}, func(a *run.Answer) string {
			if share, is := a.Values[s.Key].(float64); is {
				return decimals(share)
			}
			return fmt.Sprint(a.Values[s.Key])
		}})
	}
	return list
}

// Columns lists the columns of a plan's table: definition of a point,
// outcome, measurements.
func (plan *Plan) Columns() []Column {
	if plan.Seeds > 0 {
		return plan.cellColumns()
	}
	if plan.Kind != "" {
		return plan.machineColumns()
	}
	list := []Column{
		{"program", "", "its name or file"},
		{"args", "", "its arguments"},
		{"machine", "", "preset or file that the machine was made from"},
		{"pes", "PEs", "its processing elements"},
	}
	ends := []Column{
		{"variant", "", "the named change of machine and program"},
		{"seed", "", "of random choices"},
		{"runs", "", "consecutive runs on one machine, of which the fastest counts"},
		{"outcome", "", "ok, or the kind of error that stopped the run; then what was measured is left out"},
		{"clocks_ratio", "", "clocks by those of the variant base with all else equal"},
	}
	for _, m := range measures() {
		ends = append(ends, m.Column)
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(list, ends), func(c Column) bool { return c.Name == name })
	}
	var params []Column
	for _, name := range plan.Params {
		title := name
		if taken(name) || slices.Contains(plan.Knobs, name) {
			title = "param_" + name
		}
		params = append(params, Column{title, "", "the program's parameter " + name + "; empty where it has none"})
	}
	for _, name := range plan.Knobs {
		params = append(params, Column{name, "", "the machine's knob"})
	}
	return slices.Concat(list, params, ends)
}

// CSV returns the table: one point per row, or with seeds one cell, in the plan's order. Every point
// must have a result.
func (plan *Plan) CSV(results map[string]*Result) ([]byte, error) {
	for i := range plan.Points {
		if p := &plan.Points[i]; results[p.ID] == nil {
			return nil, fmt.Errorf("the point %q has no result", p.Command())
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var head []string
	for _, c := range plan.Columns() {
		head = append(head, c.Name)
	}
	_ = w.Write(head)              // into memory
	for _, c := range plan.Cells { // with seeds
		_ = w.Write(plan.cellRow(c, results))
	}
	for i := range plan.Points {
		if p := &plan.Points[i]; plan.Seeds == 0 {
			_ = w.Write(plan.row(p, results[p.ID], results))
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func (plan *Plan) row(p *Point, r *Result, results map[string]*Result) []string {
	if plan.Kind != "" {
		return plan.machineRow(p, r, results)
	}
	row := append(plan.named(p), p.Variant, strconv.FormatUint(p.Spec.Seed, 10), strconv.Itoa(p.Runs), r.Outcome, plan.ratio(p, r, results))
	for _, m := range measures() {
		cell := ""
		if r.Outcome == OK {
			cell = m.cell(r.Answer)
		}
		row = append(row, cell)
	}
	return row
}

// named are the cells of a row up to the variant: they say what runs where.
func (plan *Plan) named(p *Point) []string {
	if plan.Kind != "" {
		return plan.machineNamed(p)
	}
	name, args, _ := strings.Cut(p.Program, " ")
	row := []string{name, args, p.Machine, strconv.Itoa(p.Config.PEs)}
	for _, name := range plan.Params {
		row = append(row, p.Chosen[name])
	}
	values := knobs(p.Config)
	for _, name := range plan.Knobs {
		text := string(values[name])
		var s string
		if json.Unmarshal(values[name], &s) == nil {
			text = s
		}
		row = append(row, text)
	}
	return row
}

// ratio compares a point with its base; empty if either has no time.
func (plan *Plan) ratio(p *Point, r *Result, results map[string]*Result) string {
	if p.Base < 0 || r.Outcome != OK {
		return ""
	}
	b := p.took(results[plan.Points[p.Base].ID])
	if b == 0 {
		return ""
	}
	return strconv.FormatFloat(p.took(r)/b, 'f', 4, 64)
}

// maxDifferences bounds what Differences lists.
const maxDifferences = 10

// withoutNew returns a table without the columns at its end that an older table
// lacks: statistics that were added after that was made.
func withoutNew(table []byte, older int) []byte {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return table
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range rows {
		_ = w.Write(row[:older]) // into memory
	}
	w.Flush()
	return b.Bytes()
}

// Differences compares a table with another one, cell by cell, and reports at
// most ten differences, or none if the bytes are equal, apart from columns at
// the end that the first table lacks.
func Differences(have, want []byte) []string {
	head, _, _ := bytes.Cut(have, []byte{'\n'})
	if bytes.HasPrefix(want, append(slices.Clone(head), ',')) {
		want = withoutNew(want, bytes.Count(head, []byte{','})+1)
	}
	if bytes.Equal(have, want) {
		return nil
	}
	a, errA := csv.NewReader(bytes.NewReader(have)).ReadAll()
	b, errB := csv.NewReader(bytes.NewReader(want)).ReadAll()
	switch {
	case errA != nil || len(a) == 0:
		return []string{fmt.Sprintf("the file is not a table: %v", errA)}
	case errB != nil || len(b) == 0:
		return []string{fmt.Sprintf("the results are not a table: %v", errB)}
	case !slices.Equal(a[0], b[0]):
		return []string{fmt.Sprintf("its columns are %s; the results have %s", strings.Join(a[0], ","), strings.Join(b[0], ","))}
	}
	var list []string
	for i := 1; i < min(len(a), len(b)); i++ {
		for c := range a[i] {
			if a[i][c] != b[i][c] {
				list = append(list, fmt.Sprintf("row %d (%s): %s is %q; the results have %q", i, strings.Join(a[i][:4], " "), a[0][c], a[i][c], b[i][c]))
			}
		}
	}
	if len(a) != len(b) {
		list = append(list, fmt.Sprintf("it has %d rows; the results have %d", len(a)-1, len(b)-1))
	}
	if len(list) == 0 {
		list = append(list, "the same cells, written differently")
	}
	if n := len(list); n > maxDifferences {
		list = append(list[:maxDifferences], fmt.Sprintf("and %d more", n-maxDifferences))
	}
	return list
}

package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
)

// Column is a column of the table.
type Column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
	Doc  string `json:"doc"`
}

// Columns returns the columns of a plan's table: definition of a row, outcome, measurements.
func (plan *Plan) Columns() []Column {
	list := plan.subject().defining()
	ends := plan.ending()
	taken := func(name string) bool {
		return slices.Contains(plan.Knobs, name) ||
			slices.ContainsFunc(slices.Concat(list, ends), func(c Column) bool { return c.Name == name })
	}
	for _, name := range plan.Params {
		title := name
		if taken(name) { // parameters whose names are taken get other names
			title = "param_" + name
		}
		list = append(list, Column{title, "", "the program's parameter " + name + "; empty where it has none"})
	}
	list = append(list, lists.Of(plan.Knobs, plan.subject().knobColumn)...)
	list = append(list, lists.Of(plan.Files,
		func(name string) Column { return Column{name, "", "the file of --" + name} })...)
	return append(list, ends...)
}

// ending returns the last columns, starting with the variant.
func (plan *Plan) ending() []Column {
	if plan.Seeds > 0 {
		return plan.cellColumns()
	}
	list, t := plan.subject().rowColumns(), plan.TimeColumn()
	list = append(list, Column{
		"outcome", "",
		"ok, or the kind of error that stopped the run; then what was measured is left out",
	})
	if plan.compares() {
		list = append(list, Column{
			t + "_ratio", "", t + " divided by " + t + " of " + plan.Against() + " with all else equal",
		})
	}
	return slices.Concat(list, plan.subject().measured(plan.Knobs))
}

// CSV returns the table. It has one row for each Cell, in the plan's order. Every point must have a result.
func (plan *Plan) CSV(results map[string]*Result) ([]byte, error) {
	for i := range plan.Points {
		if p := &plan.Points[i]; results[p.ID] == nil {
			return nil, fmt.Errorf("the point %q has no result", p.Command())
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := lists.Of(plan.Columns(), func(c Column) string { return c.Name })
	_ = w.Write(head) // to memory, so without errors
	compared := make([]*comparison, len(plan.Cells))
	if plan.Seeds > 0 {
		compared = plan.comparisons(results)
	}
	for i, c := range plan.Cells {
		_ = w.Write(plan.tableRow(c, results, compared[i]))
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func (plan *Plan) tableRow(c Cell, results map[string]*Result, to *comparison) []string {
	row := plan.labels(c)
	if plan.Seeds > 0 {
		return plan.cellRow(row, c, results, to)
	}
	r := results[plan.first(c).ID]
	if row = append(row, r.Outcome); plan.compares() {
		row = append(row, plan.ratio(c, results))
	}
	for _, m := range plan.subject().measured(plan.Knobs) {
		cell := ""
		if r.Outcome == OK {
			cell = plan.subject().cell(r, m.Name)
		}
		row = append(row, cell)
	}
	return row
}

// labels returns the first cells of a row, which identify its runs.
func (plan *Plan) labels(c Cell) []string {
	p := plan.first(c)
	return append(append(plan.cellsBefore(p), p.Variant), plan.subject().labels(p, plan.Seeds > 0)...)
}

// labelNames returns the names of the columns of labels.
func (plan *Plan) labelNames() []string {
	return lists.Of(plan.Columns()[:len(plan.labels(plan.Cells[0]))], func(c Column) string { return c.Name })
}

// cellsBefore returns the cells of a row before the variant: the program, the machine and their settings.
func (plan *Plan) cellsBefore(p *Point) []string {
	var d struct {
		Knobs map[string]json.RawMessage `json:"knobs"`
		Files map[string]OwnFile         `json:"files"`
	}
	_ = json.Unmarshal(p.definition, &d) // valid, because the plan wrote it
	row := append(plan.subject().identity(p), lists.Of(plan.Params, func(name string) string { return p.Chosen[name] })...)
	row = append(row, lists.Of(plan.Knobs, func(name string) string { return cellText(d.Knobs[name]) })...)
	row = append(row, lists.Of(plan.Files, func(name string) string { return d.Files[name].Name })...)
	return row
}

// ratio returns the time of a row divided by its reference's time, or "" if either has no time.
func (plan *Plan) ratio(c Cell, results map[string]*Result) string {
	r := results[plan.first(c).ID]
	if c.Base < 0 || r.Outcome != OK {
		return ""
	}
	b := results[plan.first(plan.Cells[c.Base]).ID]
	if b == nil || b.Outcome != OK || b.number(plan.TimeColumn()) == 0 {
		return ""
	}
	return strconv.FormatFloat(r.number(plan.TimeColumn())/b.number(plan.TimeColumn()), 'f', 4, 64)
}

// maxDifferences is the largest number of differences that Differences lists.
const maxDifferences = 10

// withoutNew truncates every row to the number of columns of an older table. Statistics added later are the last
// columns.
func withoutNew(table []byte, older int) []byte {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return table
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range rows {
		_ = w.Write(row[:older]) // to memory, so without errors
	}
	w.Flush()
	return b.Bytes()
}

// Differences compares two tables cell by cell, and returns at most ten differences. It ignores columns at the end of
// want that are missing in have. It returns nil if the rest is equal, byte by byte.
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
		return []string{fmt.Sprintf("its columns are %s; the results have %s", strings.Join(a[0], ","),
			strings.Join(b[0], ","))}
	}
	var list []string
	for i := 1; i < min(len(a), len(b)); i++ {
		for c := range a[i] {
			if a[i][c] != b[i][c] {
				list = append(list, fmt.Sprintf("row %d (%s): %s is %q; the results have %q", i,
					strings.Join(a[i][:4], " "), a[0][c], a[i][c], b[i][c]))
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

// Sidecar documents a table: the machine, version and command of every point. Only the sidecar has wall times.
type Sidecar struct {
	Sweep       string                       `json:"sweep"` // the file
	SweepSHA256 string                       `json:"sweep_sha256"`
	Title       string                       `json:"title"`
	Table       string                       `json:"table"` // the CSV file
	Command     string                       `json:"command"`
	Version     Version                      `json:"version"` // of emsim, for all results
	Columns     []Column                     `json:"columns"`
	Machines    []map[string]json.RawMessage `json:"machines"` // knobs
	Points      []SidecarPoint               `json:"points"`
	Recipe      json.RawMessage              `json:"recipe,omitempty"` // of the table
}

// SidecarPoint is one row of the table, or one run of a row with seeds.
type SidecarPoint struct {
	Row         int                `json:"row"`                      // from 1
	ID          string             `json:"id"`                       // of the result's file, without .json
	Machine     int                `json:"machine"`                  // index in Machines, from 0
	Program     string             `json:"program_sha256,omitempty"` // of the EM-4
	Params      map[string]string  `json:"params,omitzero"`          // of the EM-4
	Files       map[string]OwnFile `json:"files,omitempty"`          // users' own files, by flag; not of the EM-4
	Command     string             `json:"command"`
	WallSeconds float64            `json:"wall_seconds"`
	Message     string             `json:"message,omitempty"` // if the outcome is not ok
}

// Sidecar returns the sidecar of the plan's table. Every point must have a result.
func (plan *Plan) Sidecar(table, command, recipe string, version Version, results map[string]*Result) ([]byte, error) {
	s := Sidecar{
		Sweep: filepath.Base(plan.File), SweepSHA256: plan.SHA256, Title: plan.Title, Table: filepath.Base(table),
		Command: command, Version: version, Columns: plan.Columns(), Recipe: json.RawMessage(recipe),
	}
	var machines []string
	rows := plan.rowOf()
	for i := range plan.Points {
		p := &plan.Points[i]
		r := results[p.ID]
		var d struct {
			Definition
			Files map[string]OwnFile `json:"files"`
		}
		if err := json.Unmarshal(p.definition, &d); err != nil {
			return nil, err
		}
		text, err := json.Marshal(d.Knobs)
		if err != nil {
			return nil, err
		}
		at := slices.Index(machines, string(text))
		if at < 0 {
			at, machines = len(machines), append(machines, string(text))
			s.Machines = append(s.Machines, d.Knobs)
		}
		x := SidecarPoint{
			Row: rows[i], ID: p.ID, Machine: at, Program: d.SHA256, Params: d.Params, Files: d.Files,
			Command: p.Command(), Message: r.Message, WallSeconds: r.number(wallKey),
		}
		s.Points = append(s.Points, x)
	}
	text, err := json.MarshalIndent(s, "", " ")
	return append(text, '\n'), err
}

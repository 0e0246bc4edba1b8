package figures

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"emsim/docs"
	"emsim/internal/base/lists"
)

// beyondFigures returns the figures that are drawn without a run, from tables in docs/beyond. 'emsim sweep' makes these
// tables from the files in docs/sweeps.
func beyondFigures(tables fs.FS) []Figure {
	programs, remedies := sweepTable{tables, "beyond/programs.csv"}, sweepTable{tables, "beyond/remedies.csv"}
	list := []Figure{figure("em4-programs",
		"PE utilisation of nine programs on 12, 80 and 1024 PEs, by policy, static and with MLPE", "ours",
		width, programs.height(sweepRow.programCall, 3), programs.drawRows(programTable))}
	for _, size := range []struct{ pes, ending string }{{"80", ""}, {"1024", "-1024"}} {
		list = append(list, figure("em4-remedies"+size.ending,
			"What each remedy does to the run time of each program, on "+size.pes+" PEs", "ours", width,
			remedies.height(column("variant"), 1), remedies.drawRows(func(rows []sweepRow) Drawing {
				return remedyTable(selectRows(rows, "pes", size.pes), size.pes)
			})))
	}
	factorial := sweepTable{tables, "beyond/factorial.csv"}
	return append(list, figure("em4-factorial",
		"What five remedies do to the run time of each program, alone and in pairs, over all their combinations",
		"ours",
		width, vg.Length(190+13*len(SmallGroups())), factorial.drawRows(factorialTable)))
}

// sweepTable is a table of the documentation.
type sweepTable struct {
	fs.FS
	name string
}

// height returns the height of panels with a line for each distinct value that `of` returns.
func (t sweepTable) height(of func(r sweepRow) string, panels int) vg.Length {
	rows, err := t.readRows()
	if err != nil {
		return height // drawing will report the error
	}
	return vg.Length(20 + panels*(80+13*len(distinct(rows, of))))
}

// drawRows returns a Drawer that calls f with the rows of the table.
func (t sweepTable) drawRows(f func(rows []sweepRow) Drawing) Drawer {
	return func(context.Context) (Drawing, error) {
		rows, err := t.readRows()
		if err != nil {
			return nil, err
		}
		return f(rows), nil
	}
}

// sweepRow is a row of a sweep's table, by column.
type sweepRow map[string]string

func (t sweepTable) readRows() ([]sweepRow, error) {
	text, err := fs.ReadFile(t, t.name)
	if err != nil {
		return nil, fmt.Errorf("figures: %w", err)
	}
	return namedRows(t.name, text)
}

// namedRows returns the rows of a table, at least one; its errors have the table's name.
func namedRows(name string, text []byte) ([]sweepRow, error) {
	rows, err := tableRows(text)
	if err == nil && len(rows) == 0 {
		err = errors.New("the table has no rows")
	}
	if err != nil {
		return nil, fmt.Errorf("figures: %s: %w", name, err)
	}
	return rows, nil
}

// tableRows returns the rows of a CSV table that has a header line.
func tableRows(text []byte) ([]sweepRow, error) {
	list, err := docs.Rows(text)
	return lists.Of(list, func(r map[string]string) sweepRow { return r }), err
}

// number returns the number in a cell, and false if there is none, as after a failed run.
func (r sweepRow) number(column string) (float64, bool) {
	v, err := strconv.ParseFloat(r[column], 64)
	return v, err == nil
}

// programCall returns the program with its argument.
func (r sweepRow) programCall() string { return strings.TrimSpace(r["program"] + " " + r["args"]) }

// selectRows returns the rows that have the given values. want alternates columns and values.
func selectRows(rows []sweepRow, want ...string) []sweepRow {
	var list []sweepRow
	for _, r := range rows {
		ok := true
		for i := 0; i < len(want); i += 2 {
			ok = ok && r[want[i]] == want[i+1]
		}
		if ok {
			list = append(list, r)
		}
	}
	return list
}

// distinct returns the distinct values of f in the rows, in order of appearance.
func distinct(rows []sweepRow, f func(r sweepRow) string) []string {
	var list []string
	for _, r := range rows {
		if v := f(r); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// numbers returns the distinct numbers in a column, in order of appearance.
func numbers(rows []sweepRow, name string) (list []float64) {
	for _, text := range distinct(rows, column(name)) {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// column returns a function that reads a column.
func column(name string) func(r sweepRow) string {
	return func(r sweepRow) string { return r[name] }
}

// mlpeNames are the values of the parameter mlpe and their names in figures.
var mlpeNames = [][2]string{{"off", named(false)}, {"on", named(true)}}

// programTable draws the PE utilisation of every run.
func programTable(rows []sweepRow) Drawing {
	t := shadedTables{
		title: changed(rows, "pe_utilisation", func(before, after float64) bool { return after > before+0.005 },
			"MLPE keeps more PEs busy in %d of %d runs"),
		about: "PE utilisation in per cent, by size, program and policy; a dash: the run fails (operand segments)",
		keys:  []key{{words: "100 %", low: "0", bar: shade}},
	}
	for _, pes := range distinct(rows, column("pes")) {
		here := selectRows(rows, "pes", pes)
		var groups []tableGroup
		for _, m := range mlpeNames {
			groups = append(groups, tableGroup{m[1], selectRows(here, "mlpe", m[0]), distinct(here, column("policy"))})
		}
		t.panels = append(t.panels, cross(pes+" PEs", distinct(here, sweepRow.programCall), groups,
			sweepRow.programCall, column("policy"), func(runs []sweepRow) tableCell {
				return lastNumber(runs, "pe_utilisation",
					"–", func(u float64) tableCell { return tableCell{fmt.Sprintf("%.0f", 100*u), u} })
			}))
	}
	return t
}

// changed formats words with the number of runs in which a column differs between static and MLPE, and with the number
// of runs that have both values.
func changed(rows []sweepRow, column string, differs func(before, after float64) bool, words string) string {
	n, all := 0, 0
	for _, r := range selectRows(rows, "mlpe", "off") {
		same := selectRows(rows, "mlpe", "on", "pes", r["pes"], "program", r["program"], "args", r["args"], "policy",
			r["policy"])
		before, ran := r.number(column)
		if len(same) == 0 || !ran {
			continue
		}
		if after, ran := same[len(same)-1].number(column); ran {
			if all++; differs(before, after) {
				n++
			}
		}
	}
	return fmt.Sprintf(words, n, all)
}

// tableGroup is a group of columns, with the rows of a sweep that they show.
type tableGroup struct {
	name    string
	rows    []sweepRow
	columns []string
}

// cross returns a table with a cell for each line, group and column, from the rows of the
// sweep that belong there.
func cross(title string, lines []string, groups []tableGroup, line, column func(sweepRow) string,
	cell func([]sweepRow) tableCell,
) shadedTable {
	t := shadedTable{title: title, rows: lines}
	for _, g := range groups {
		t.groups, t.columns = append(t.groups, g.name), append(t.columns, g.columns)
	}
	for _, name := range lines {
		for _, g := range groups {
			for _, c := range g.columns {
				here := lists.Where(g.rows, func(r sweepRow) bool { return line(r) == name && column(r) == c })
				t.cells = append(t.cells, cell(here))
			}
		}
	}
	return t
}

// lastNumber returns the cell of the last row that has a number in the given column. If no row has one, the cell has
// the text missing.
func lastNumber(rows []sweepRow, column, missing string, cell func(v float64) tableCell) tableCell {
	last := tableCell{text: missing}
	for _, r := range rows {
		if v, ok := r.number(column); ok {
			last = cell(v)
		}
	}
	return last
}

// fullChange is the change of run time at which cells reach the darkest shade: one half.
const fullChange = 0.5

// changeKey is the colour bar of cells of changeCell.
var changeKey = key{
	words: "+50 % or more", low: "-50 %", bar: func(part float64) color.RGBA { return shade(1 - float64(2*part)) },
}

// changeCell returns a cell for a run time that is ratio times another: blue if it is shorter, rust if it is longer.
func changeCell(text string, ratio float64) tableCell {
	return tableCell{text, max(-1, min(1, (1-ratio)/fullChange))}
}

// remedyTable draws the change of run time by remedy and program.
func remedyTable(rows []sweepRow, pes string) Drawing {
	remedies := slices.DeleteFunc(distinct(rows, column("variant")), func(v string) bool { return v == "base" })
	var groups []tableGroup
	for _, m := range mlpeNames {
		if runs := selectRows(rows, "mlpe", m[0]); len(runs) > 0 {
			groups = append(groups, tableGroup{m[1], runs, distinct(runs, sweepRow.programCall)})
		}
	}
	table := cross(pes+" PEs", remedies, groups, column("variant"), sweepRow.programCall, ratioCell)
	shorter, longer := 0, 0
	for _, c := range table.cells {
		percent, bad := strconv.ParseFloat(c.text, 64)
		switch {
		case bad == nil && percent <= -5:
			shorter++
		case bad == nil && percent >= 5, strings.HasPrefix(c.text, "×"):
			longer++
		}
	}
	return shadedTables{
		title: fmt.Sprintf("On %s PEs remedies shorten %d runs by 5 %% or more, and lengthen %d", pes, shorter, longer),
		about: "change of the run time in per cent, or its factor (×) from 2 on; dash: fails, blank: not run",
		keys:  []key{changeKey}, panels: []shadedTable{table},
	}
}

// ratioCell returns the effect of a remedy on a program: the mean of its seeds, a dash if one failed, or an empty cell
// if none was run.
func ratioCell(rows []sweepRow) tableCell {
	sum, n := 0.0, len(rows)
	for _, r := range rows {
		ratio, ok := r.number("clocks_ratio")
		if !ok {
			return tableCell{text: "–"}
		}
		sum += ratio
	}
	if n == 0 {
		return tableCell{}
	}
	change := sum/float64(n) - 1
	c := changeCell(fmt.Sprintf("%+.0f", 100*change), 1+change)
	if change >= 1 {
		c.text = fmt.Sprintf("×%.1f", 1+change)
	}
	if c.text == "+0" || c.text == "-0" {
		c.text = "0"
	}
	return c
}

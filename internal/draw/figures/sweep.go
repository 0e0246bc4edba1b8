package figures

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/internal/base/lists"
	"emsim/internal/study/spread"
	"emsim/internal/study/sweep"
)

// Bounds of what a picture of a sweep can show.
const (
	sweepLines  = 5 // in a panel; lineStyle has five patterns
	sweepPanels = 12
	sweepMarks  = 160 // rows with a mark each
)

// SweepChoice names the columns of a sweep's table that a picture shows; "" chooses
// one that suits.
type SweepChoice struct{ X, Y string }

// sweepChart is the table of a sweep, and what is drawn of it.
type sweepChart struct {
	rows     []sweepRow
	axes     []string // columns that say what ran, and vary
	columns  []sweep.Column
	y        string
	spread   bool       // y has an interval
	against  string     // the rows that y compares with; "" if y is not a ratio
	compared []sweepRow // the rows except references
}

// Sweep draws the table of a plan: lines if something numeric varies enough for
// a horizontal axis, and otherwise a mark for each row. With seeds, intervals are
// drawn, and marks are hollow where a row cannot be told from its reference.
func Sweep(plan *sweep.Plan, table []byte, choice SweepChoice) (Figure, error) {
	rows, err := tableRows(table)
	if err != nil {
		return Figure{}, err
	}
	s := &sweepChart{rows: rows, axes: plan.Varies(), columns: plan.Columns()}
	for i, r := range rows {
		r["program"] = r.programCall()
		if plan.Cells[i].Base != i {
			s.compared = append(s.compared, r)
		}
	}
	x := choice.X
	if x == "" {
		x = s.numeric()
	} else if !slices.Contains(s.axes, x) {
		return Figure{}, fmt.Errorf("nothing called %q varies in the table: it has %s", x, strings.Join(s.axes, ", "))
	}
	if err := s.measure(plan, choice.Y, x != ""); err != nil {
		return Figure{}, err
	}
	f := Figure{Name: "sweep", Title: plan.Title, Source: "ours", Width: width}
	f.Title = cmp.Or(plan.Title, strings.TrimPrefix(s.programs(), "; "), filepath.Base(plan.File)) + s.extremes()
	if x != "" {
		return s.lines(f, x)
	}
	return s.marks(f)
}

// programs returns the names of the table's programs, or of its machines if they run none, after a semicolon. It
// returns "" if there are more than three.
func (s *sweepChart) programs() string {
	list := distinct(s.rows, func(r sweepRow) string { return cmp.Or(r["program"], r["machine"]) })
	if len(list) > 3 {
		return ""
	}
	return "; " + strings.Join(list, ", ")
}

// extremes returns the least and the greatest value in the drawn column, as text.
func (s *sweepChart) extremes() string {
	values := numbers(s.rows, s.y)
	span := fmt.Sprintf("%s to %s", number(slices.Min(values)), number(slices.Max(values)))
	name, unit := s.named(s.y)
	switch {
	case s.against != "":
		return fmt.Sprintf(": %s times the %s of %s", span, name, s.against)
	case unit == "", name == unit:
		return ": " + span + " " + name
	}
	return fmt.Sprintf(": %s %s %s", name, span, unit)
}

// numeric returns the last axis with at least three values that are all numbers, or "".
func (s *sweepChart) numeric() string {
	for _, name := range slices.Backward(s.axes) {
		if all := len(distinct(s.rows, column(name))); all >= 3 && len(numbers(s.rows, name)) == all {
			return name
		}
	}
	return ""
}

// measure chooses the column to draw, which must have numbers. It sets whether the column has intervals and, for
// ratios, what they compare with.
func (s *sweepChart) measure(plan *sweep.Plan, y string, lines bool) error {
	s.y = y
	if y == "" {
		s.y = plan.TimeColumn()
		if ratio := s.y + ratioEnd; !lines &&
			slices.ContainsFunc(s.compared, func(r sweepRow) bool { return r[ratio] != "" }) {
			s.y = ratio
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(s.columns, func(c sweep.Column) bool { return c.Name == name })
	}
	if !has(s.y) || len(numbers(s.rows, s.y)) == 0 {
		return fmt.Errorf("the table has no numbers in a column called %q", s.y)
	}
	s.spread = has(s.y + "_low")
	if strings.HasSuffix(s.y, ratioEnd) {
		s.against = plan.Against()
	}
	return nil
}

// ratioEnd is the end of the name of a column of ratios.
const ratioEnd = "_ratio"

// named returns the name of a column for readers, and its unit.
func (s *sweepChart) named(column string) (name, unit string) {
	c, _ := lists.Find(s.columns, func(c sweep.Column) bool { return c.Name == column })
	name = strings.TrimSuffix(strings.TrimSuffix(column, ratioEnd), "_"+c.Unit)
	return strings.ReplaceAll(name, "_", " "), c.Unit
}

// label returns the name of a column with its unit, or with what its ratios compare with.
func (s *sweepChart) label(column string) string {
	name, unit := s.named(column)
	switch {
	case column == s.y && s.against != "":
		return name + " relative to " + s.against
	case unit == "":
		return name
	case strings.EqualFold(name, unit):
		return unit
	}
	return name + " [" + unit + "]"
}

// words returns the values of some axes in a row, with the axes' names unless the values explain themselves.
func words(r sweepRow, axes []string) string {
	var parts []string
	for _, a := range axes {
		v := r[a]
		if !slices.Contains([]string{"program", "machine", "variant"}, a) {
			v = strings.ReplaceAll(a, "_", " ") + " " + v
		}
		parts = append(parts, v)
	}
	return strings.Join(parts, ", ")
}

// interval returns the interval of a row, or its value twice without seeds.
func (s *sweepChart) interval(r sweepRow) (low, high float64) {
	if v, ok := r.number(s.y); ok && !s.spread {
		return v, v
	}
	low, _ = r.number(s.y + "_low")
	high, _ = r.number(s.y + "_high")
	return low, high
}

// lines draws lines over a numeric axis, in panels.
func (s *sweepChart) lines(f Figure, x string) (Figure, error) {
	others := lists.Where(s.axes, func(a string) bool { return a != x })
	k := 0
	for k < len(others) && len(distinct(s.rows, func(r sweepRow) string { return words(r, others[k:]) })) > sweepLines {
		k++
	}
	panels := distinct(s.rows, func(r sweepRow) string { return words(r, others[:k]) })
	if len(panels) > sweepPanels {
		return f, fmt.Errorf("a picture would have %d panels, and at most %d can be read: make the sweep smaller, or "+
			"choose another axis", len(panels), sweepPanels)
	}
	f.Height = vg.Length(1.5*vg.Centimeter) + vg.Length(vg.Length(len(panels))*7*vg.Centimeter)
	f.Draw = func(context.Context) (Drawing, error) {
		var all []Drawing
		for _, title := range panels {
			p := newPlot(title, s.label(x), s.label(s.y))
			p.Add(greyGrid())
			here := lists.Where(s.rows, func(r sweepRow) bool { return words(r, others[:k]) == title })
			for i, name := range distinct(here, func(r sweepRow) string { return words(r, others[k:]) }) {
				line := lists.Where(here, func(r sweepRow) bool { return words(r, others[k:]) == name })
				s.drawLine(p, line, x, name, i)
			}
			p.Y.Min, p.Y.Tick.Marker = min(p.Y.Min, 0), roundTicks{}
			s.measured(p, x)
			all = append(all, p)
		}
		return page(f.Title, s.label(s.y)+" by "+s.label(x)+s.programs(), all...), nil
	}
	return f, nil
}

// measured marks up to twelve measured values on the horizontal axis, which becomes logarithmic
// if they lie far apart.
func (s *sweepChart) measured(p *chart, x string) {
	at := numbers(s.rows, x)
	if len(at) <= 12 {
		p.X.Tick.Marker = ticksAt(at...)
	}
	if low := slices.Min(at); low > 0 && slices.Max(at) >= 16*low {
		p.X.Scale = plot.LogScale{}
	}
}

// drawLine draws one line; rows that failed are left out.
func (s *sweepChart) drawLine(p *chart, rows []sweepRow, x, name string, style int) {
	bars := &plotter.YErrorBars{LineStyle: plotter.DefaultLineStyle, CapWidth: plotter.DefaultCapWidth}
	for _, r := range rows {
		v, ok := r.number(s.y)
		h, isNumber := r.number(x)
		if !ok || !isNumber {
			continue
		}
		low, high := s.interval(r)
		bars.XYs = append(bars.XYs, plotter.XY{X: h, Y: v})
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{v - low, high - v})
	}
	if len(bars.XYs) == 0 {
		return
	}
	if s.spread {
		p.Add(bars)
	}
	addSeries(p, cmp.Or(name, s.label(s.y)), bars.XYs, style, style)
}

// marks draws a mark for each row of the table, in groups of rows that differ
// only by the last axis.
func (s *sweepChart) marks(f Figure) (Figure, error) {
	rows := s.rows
	if s.against != "" { // references are the line at 1
		rows = s.compared
	}
	if len(rows) > sweepMarks {
		return f, fmt.Errorf("a picture would have %d rows, and at most %d can be read: make the sweep smaller, or "+
			"choose a numeric axis", len(rows), sweepMarks)
	}
	m := &markRows{equal: math.NaN(), room: 0.7}
	var also []float64 // on the scale
	if s.against != "" {
		m.equal, also = 1, []float64{1}
	}
	// Labels say what varies; the axis says what all marks have in common.
	one := func(a string) bool { return len(distinct(rows, column(a))) < 2 }
	axes, label := slices.DeleteFunc(slices.Clone(s.axes), one), s.label(s.y)
	if same := lists.Where(s.axes, one); len(axes) == 0 {
		axes = same
	} else if len(same) > 0 {
		label = words(rows[0], same) + ": " + label
	}
	last := max(0, len(axes)-1)
	group := func(r sweepRow) string { return words(r, axes[:last]) }
	for _, title := range distinct(rows, group) {
		if title != "" {
			m.rows = append(m.rows, markRow{name: title, head: true})
		}
		for _, r := range rows {
			if group(r) == title {
				m.rows = append(m.rows, s.markForRow(r, words(r, axes[last:])))
			}
		}
	}
	m.fitScale(also...)
	f.Width = 20 * vg.Centimeter
	f.Height = vg.Length(110 + 12*len(m.rows))
	f.Draw = func(context.Context) (Drawing, error) {
		return page(f.Title, label+s.programs(), m.rowPlot("", label)), nil
	}
	return f, nil
}

// markForRow returns the mark of a row: its interval and mean, and both as text.
func (s *sweepChart) markForRow(r sweepRow, name string) markRow {
	v, ok := r.number(s.y)
	if !ok {
		return markRow{name: name, text: strings.ReplaceAll(r["outcome"], "_", " ")}
	}
	low, high := s.interval(r)
	row := markRow{
		name: name, bar: [2]float64{low, high}, marks: []mark{glyphAt(v, draw.CircleGlyph{}, 2.2)},
		text: fmt.Sprintf("%.4g", v),
	}
	if s.spread && low != high {
		row.text += fmt.Sprintf(" [%.4g, %.4g]", low, high)
	}
	if v := r["verdict"]; v == spread.Untold {
		row.marks[0].glyph.Shape = draw.RingGlyph{}
		row.text += " " + v
	}
	return row
}

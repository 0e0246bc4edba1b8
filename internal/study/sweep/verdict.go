package sweep

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/run"
	"emsim/internal/study/spread"
)

// readVary reads the file's key vary.
func (r *reader) readVary(n *tomlfile.Node) {
	if n == nil {
		return
	}
	on, ok := n.Value.(bool)
	if r.vary = on; !ok || on && (r.seeds == 0 || !r.kind.Programs) {
		r.Failf(n.At, "vary is true or false, in a file about the EM-4 with seeds = N: programs that draw "+
			"nothing at random also run with an argument one greater and one less, with one column more and "+
			"fewer, and begun a clock later")
	}
}

// addVaried adds variations of a cell's run, which should not change the verdict. Each changes one value by one: the
// last argument, the columns of the machine, or the clock at which the run begins.
func (x *expansion) addVaried(c *Cell) {
	p := *x.plan.first(*c)
	add := func(q Point) {
		q.Runs, q.Each = 1, false
		if _, err := q.subject().define(x, &q, pick{}); err != nil {
			c.Varied = append(c.Varied, -1) // the variation is impossible
			return
		}
		c.Varied = append(c.Varied, len(x.plan.Points))
		x.plan.Points = append(x.plan.Points, q)
	}
	late := p
	late.Delay = 1
	add(late)
	columns := 2
	for columns<<(columns-1) < p.Config.PEs {
		columns++
	}
	for _, by := range []int{-1, 1} {
		if last := len(p.Spec.Args) - 1; last >= 0 {
			q := p
			n, _ := run.ParseInt(p.Spec.Args[last]) // it has been checked
			q.Spec.Args = slices.Clone(p.Spec.Args)
			q.Spec.Args[last] = strconv.FormatInt(n+int64(by), 10)
			add(q)
		}
		q := p
		n := (columns + by) << (columns + by - 1)
		q.Spec.PEs = &n
		add(q)
	}
}

// times returns the times of a cell and of its reference, and whether they form pairs. It returns no times if a run of
// either has failed.
func (plan *Plan) times(c Cell, results map[string]*Result) (v, w []float64, paired bool) {
	b, key := plan.Cells[max(0, c.Base)], plan.TimeColumn()
	mine, _ := plan.ended(c, results)
	if c.Base < 0 || mine != OK {
		return nil, nil, false
	}
	if theirs, _ := plan.ended(b, results); theirs != OK {
		return nil, nil, false
	}
	v, w = plan.numbers(c, results)[key], plan.numbers(b, results)[key]
	if len(v) < plan.runsOf(c) || len(w) < plan.runsOf(b) || min(slices.Min(v), slices.Min(w)) <= 0 {
		return nil, nil, false
	}
	p, q := plan.first(c), plan.first(b)
	return v, w, c.By == bySeed && b.By == bySeed && p.Spec.Seed == q.Spec.Seed && seedOf(p) == seedOf(q)
}

// varied returns the ratios of a cell's times to its reference's times in the variations of addVaried.
func (plan *Plan) varied(c Cell, results map[string]*Result) (list []float64) {
	b := plan.Cells[c.Base]
	for i := range min(len(c.Varied), len(b.Varied)) {
		if c.Varied[i] < 0 || b.Varied[i] < 0 {
			continue
		}
		r, to := results[plan.Points[c.Varied[i]].ID], results[plan.Points[b.Varied[i]].ID]
		if r.Outcome == OK && to.Outcome == OK {
			list = append(list, r.number(clocksKey)/to.number(clocksKey))
		}
	}
	return list
}

// comparison compares a cell with its reference, and has the range of the ratio over the variations of addVaried.
type comparison struct {
	spread.Comparison
	varied      int
	least, most float64
}

// comparisons returns the comparison of each cell, or nil for cells without one.
func (plan *Plan) comparisons(results map[string]*Result) []*comparison {
	list, judged := make([]*comparison, len(plan.Cells)), []*spread.Comparison{}
	for i, c := range plan.Cells {
		v, w, paired := plan.times(c, results)
		if len(v) == 0 {
			continue
		}
		x := &comparison{Comparison: spread.Compare(v, w, paired)}
		list[i] = x
		all := append(plan.varied(c, results), x.Ratio)
		switch {
		case c.Points[0] == plan.Cells[c.Base].Points[0]: // compared with itself
			x.Low, x.High, x.P, x.Verdict = x.Ratio, x.Ratio, math.NaN(), ""
		case len(all) > 2:
			x.varied, x.least, x.most = len(all)-1, slices.Min(all), slices.Max(all)
			x.P, x.Verdict = math.NaN(), spread.Verdict(x.Ratio, x.least > 1 || x.most < 1)
		default:
			judged = append(judged, &x.Comparison)
		}
	}
	spread.Judge(judged)
	return list
}

// columns returns the table's cells for a comparison.
func (x *comparison) columns() []string {
	row := make([]string, 8)
	if x == nil {
		return row
	}
	row[0], row[1], row[2], row[3], row[4] = fourDigits(x.Ratio), fourDigits(x.Low), fourDigits(x.High),
		significant(x.P), x.Verdict
	if x.varied > 0 {
		row[5], row[6], row[7] = strconv.Itoa(x.varied), fourDigits(x.least), fourDigits(x.most)
	}
	return row
}

// fourDigits formats a ratio with four decimals, or returns "" for NaN.
func fourDigits(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// Summary returns the table in at most ten columns: those that distinguish the rows, the time, and its comparison. Its
// first row has the heads.
func (plan *Plan) Summary(text []byte) (out [][]string) {
	const most = 10
	table, _ := csv.NewReader(bytes.NewReader(text)).ReadAll() // valid, because CSV wrote it
	t := plan.TimeColumn()
	answer := []string{t, t + "_ratio", t + "_ratio_low", t + "_ratio_high", "verdict"}
	switch {
	case !plan.compares():
		answer = answer[:1]
	case plan.Seeds == 0:
		answer = answer[:2]
	}
	wanted := plan.Varies()
	wanted = append(wanted[:min(len(wanted), most-len(answer))], answer...)
	for i, row := range table {
		var line []string
		for _, name := range wanted {
			k := slices.Index(table[0], name)
			if spread := map[string]string{t + "_ratio_low": "varied_min", t +
				"_ratio_high": "varied_max"}[name]; i > 0 && spread != "" {
				if v := slices.Index(table[0], spread); row[v] != "" { // more informative than the interval
					k = v
				}
			}
			cell := row[k]
			if name == "program" && i > 0 {
				cell += " " + row[k+1]
			}
			if name == t && cell == "" {
				cell = row[slices.Index(table[0], "outcome")]
			}
			line = append(line, cell)
		}
		out = append(out, line)
	}
	return out
}

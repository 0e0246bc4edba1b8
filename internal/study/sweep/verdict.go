package sweep

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"emsim/internal/base/tomlfile"
	"emsim/internal/study/spread"
)

// The verdicts on a cell beside its reference. Repeats says that both repeat themselves to
// the clock, so that nothing scatters by which the difference could be judged.
const (
	Faster  = "faster"
	Slower  = "slower"
	Untold  = "cannot be told"
	Repeats = "repeats exactly"
)

// readVary reads the key vary of the whole file.
func (r *reader) readVary(n *tomlfile.Node) {
	if n == nil {
		return
	}
	on, ok := n.Value.(bool)
	if r.vary = on; !ok || on && (r.seeds == 0 || !r.isEM4()) {
		r.Failf(n.At, "vary is true or false, in a file about the EM-4 with seeds = N: programs that draw nothing at random run with an argument of one more and less, too, and with a column more and fewer")
	}
}

// addVaried adds the runs of a cell with what must not matter changed by one: the last
// argument, and the columns of the machine.
func (x *expansion) addVaried(c *Cell) {
	p := *x.plan.first(*c)
	add := func(q Point) {
		q.Runs, q.Each = 1, false
		if _, err := x.define(&q, pick{}); err != nil {
			c.Varied = append(c.Varied, -1) // it does not fit
			return
		}
		c.Varied = append(c.Varied, len(x.plan.Points))
		x.plan.Points = append(x.plan.Points, q)
	}
	columns := 2
	for columns<<(columns-1) < p.Config.PEs {
		columns++
	}
	for _, by := range []int{-1, 1} {
		if last := len(p.Spec.Args) - 1; last >= 0 {
			q := p
			n, _ := strconv.Atoi(p.Spec.Args[last]) // what is no such number becomes one that is refused, or another input
			q.Spec.Args = slices.Clone(p.Spec.Args)
			q.Spec.Args[last] = strconv.Itoa(n + by)
			add(q)
		}
		q := p
		n := (columns + by) << (columns + by - 1)
		q.Spec.PEs = &n
		add(q)
	}
}

// times are those of a cell and of its reference, and whether they go in pairs; none where
// a run of either has failed.
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
	if len(v) != plan.runsOf(c) || len(w) != plan.runsOf(b) || min(slices.Min(v), slices.Min(w)) <= 0 {
		return nil, nil, false
	}
	p, q := plan.first(c), plan.first(b)
	return v, w, plan.judges() && c.By == bySeed && b.By == bySeed && p.Spec.Seed == q.Spec.Seed && seedOf(p) == seedOf(q)
}

// varied are the ratios of a cell's times to its reference's with what must not matter
// changed.
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

// judges reports whether the table says which rows are faster: it has seeds, and was asked.
func (plan *Plan) judges() bool { return plan.Seeds > 0 && plan.Reference != "" }

// verdictColumns are the last columns of such a table.
var verdictColumns = []Column{
	{"p", "", "the chance of such a difference of the times without a reason: Student's t of their logarithms, in pairs where both have the same seeds, corrected for all rows of the table by Holm"},
	{"verdict", "", "faster or slower (p below 0.05, or in all varied runs, too), or cannot be told; repeats exactly: nothing scatters"},
	{"varied", "", "runs with what must not matter changed by one, by which the verdict is without p"},
	{"varied_min", "", "least ratio of these times, the row's own among them"},
	{"varied_max", "", "greatest"},
}

// verdicts are these columns of all rows.
func (plan *Plan) verdicts(results map[string]*Result) [][]string {
	n := len(plan.Cells)
	rows, chance, ratio := make([][]string, n), make([]float64, n), make([]float64, n)
	for i, c := range plan.Cells {
		rows[i], chance[i] = make([]string, len(verdictColumns)), math.NaN()
		v, w, paired := plan.times(c, results)
		if len(v) == 0 || c.Base == i {
			continue
		}
		ratio[i] = spread.Of(v).Mean / spread.Of(w).Mean
		if all := plan.varied(c, results); len(all) > 1 {
			least, most := min(ratio[i], slices.Min(all)), max(ratio[i], slices.Max(all))
			rows[i] = []string{"", verdict(ratio[i], least > 1 || most < 1), strconv.Itoa(len(all)), fourDigits(least), fourDigits(most)}
			continue
		}
		rows[i][1], chance[i] = Repeats, spread.Difference(v, w, paired)
	}
	for i, p := range spread.Holm(chance) {
		if !math.IsNaN(p) {
			rows[i][0], rows[i][1] = significant(p), verdict(ratio[i], p < 1-spread.Level)
		}
	}
	return rows
}

// verdict is that on a ratio of times, if it is sure.
func verdict(ratio float64, sure bool) string {
	switch {
	case !sure:
		return Untold
	case ratio < 1:
		return Faster
	}
	return Slower
}

func fourDigits(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// Summary is the table in at most ten columns, which answer the question: what tells the
// rows apart, the time, and how it compares. Its first row is the head.
func (plan *Plan) Summary(text []byte) (out [][]string) {
	const most = 10
	table, _ := csv.NewReader(bytes.NewReader(text)).ReadAll() // which CSV has written
	t := plan.TimeColumn()
	answer := []string{t, t + "_ratio", t + "_ratio_low", t + "_ratio_high", "verdict"}
	if !plan.judges() {
		answer = answer[:2]
	}
	wanted := plan.Varies()
	wanted = append(wanted[:min(len(wanted), most-len(answer))], answer...)
	for i, row := range table {
		var line []string
		for _, name := range wanted {
			k := slices.Index(table[0], name)
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

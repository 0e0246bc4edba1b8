package verify

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Verdict is the result of a comparison.
type Verdict string

// The verdicts. The first two are ok.
const (
	Inside  Verdict = "inside"  // the rule holds
	Known   Verdict = "gap"     // a known gap, as far from the paper as it was recorded
	Outside Verdict = "outside" // the rule does not hold
	Closed  Verdict = "closed"  // a known gap whose rule now holds: promote it
	Drifted Verdict = "drifted" // a known gap that has left its recorded band
)

// A Row is a claim with the model's value. Its JSON form is the command's
// documented output.
type Row struct {
	ID        string   `json:"id"`
	PaperNo   string   `json:"source"` // the paper's number
	Seed      string   `json:"seed"`   // the same, under the name that it had at first: for scripts written then
	Class     Class    `json:"class"`
	Quantity  string   `json:"quantity"`
	Unit      string   `json:"unit"`
	Paper     any      `json:"paper"`     // float64, or string for outcomes and relations
	Model     any      `json:"model"`     // float64 or string
	Deviation *float64 `json:"deviation"` // in points for unit "%", otherwise model/paper - 1; null for strings
	Rule      string   `json:"rule"`      // exact, within, order; gap for a known disagreement
	Tolerance float64  `json:"tolerance"` // in the unit of Deviation
	OK        bool     `json:"ok"`
	Verdict   Verdict  `json:"verdict"`
	Gap       *int     `json:"gap"`                 // number in docs/DEVIATIONS.md, or null
	Recorded  any      `json:"recorded"`            // of a gap: float64 or string, what Model was when it was published
	Band      *float64 `json:"band"`                // of a gap in numbers: how far Model may be from Recorded
	Derived   bool     `json:"derived,omitempty"`   // Paper follows from other rows' numbers: no evidence of its own
	NeverOut  bool     `json:"never_out,omitempty"` // no setting of the sensitivity study moved it outside: agreement that could not fail
	Null      *Null    `json:"null,omitempty"`      // the best guess without a model; absent for words and for regressions
	Note      string   `json:"note,omitempty"`
	Command   string   `json:"command"` // gives Model
	Reads     string   `json:"reads"`   // where the answer of Command with --json has it

	// Of a row that is measured in several runs, whose mean is Model; with BestOf the
	// expected best of four is:
	Best  *float64 `json:"best,omitempty"` // in the fastest run
	Mean  *float64 `json:"mean,omitempty"`
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
	First *float64 `json:"first,omitempty"` // in the first run after boot; the mean over seeds
	Held  *int     `json:"held,omitempty"`  // of words: the runs in which they were true
	Runs  int      `json:"runs,omitempty"`  // in all
	Seeds int      `json:"seeds,omitempty"` // machines that they were done on, each with a seed

	BestOf []BestOf `json:"best_of,omitempty"` // if Paper is the best of several runs

	place string // of the number in the paper
}

// Inside reports whether the row's rule holds, gap or not.
func (r Row) Inside() bool { return r.Verdict == Inside || r.Verdict == Closed }

// ByLabel reports whether the row is called predicted, and yet shows nothing: the best
// null model passes its limit, too.
func (r Row) ByLabel() bool { return r.Class == Predicted && r.Null != nil && r.Null.Inside }

// Why says briefly what is wrong with a row that is not ok.
func (r Row) Why() string {
	switch r.Verdict {
	case Outside:
		return "outside its rule"
	case Closed:
		return fmt.Sprintf("gap %d has closed", *r.Gap)
	case Drifted:
		band := ""
		if r.Band != nil {
			band = fmt.Sprintf(" ± %v", *r.Band)
		}
		return fmt.Sprintf("gap %d has left its band: %v%s", *r.Gap, r.Recorded, band)
	}
	return ""
}

// A Value is what a suite measured: a number, or a word for outcomes and
// relations.
type Value struct {
	Number float64
	Text   string  // when not empty, the value is this text
	Spread *Spread // of several runs; nil otherwise
}

// Number makes a numeric value.
func Number(f float64) Value { return Value{Number: f} }

// TextValue makes a value in words.
func TextValue(s string) Value {
	s = cmp.Or(s, "nothing") // the empty text would be the number 0
	return Value{Text: s}
}

// holds is the value of an order claim that holds.
const holds = "holds"

// Holds makes the value of an order claim: "holds", or why it does not.
func Holds(ok bool, format string, args ...any) Value {
	if ok {
		return Value{Text: holds}
	}
	return Value{Text: "fails: " + fmt.Sprintf(format, args...)}
}

// rounding allows only for the last bits of a subtraction.
const rounding = 1e-12

// Compare compares a measured value with its claim. A claim with a gap is ok
// while its value stays in the recorded band. It is not ok once the gap has
// closed: then it must be promoted to its rule.
func Compare(c Claim, v Value) Row {
	how := Reproduce(c)
	v = c.asPrinted(v)
	r := Row{
		ID: c.ID, PaperNo: c.PaperNo, Seed: c.PaperNo, Class: c.Class, Quantity: c.Quantity, Unit: c.Unit,
		Paper: c.Paper, Rule: string(c.Rule), Tolerance: c.Tolerance, Note: c.Note, Command: how.Command,
		Reads:   how.Reading.String(),
		Derived: strings.HasPrefix(c.Cond["source"], derived), NeverOut: neverOut()[c.ID],
		place: c.Cond["source"],
	}
	if nulls := Nulls(c); len(nulls) > 0 {
		r.Null = &nulls[0]
	}
	r.spread(v)
	if math.IsNaN(v.Number) || math.IsInf(v.Number, 0) {
		v = TextValue(fmt.Sprintf("no number: %v", v.Number))
	}
	inside := false
	paper, numeric := c.Number()
	if numeric {
		r.Paper = paper
	}
	switch {
	case v.Text != "":
		r.Model = v.Text
		inside = c.Rule == Exact && v.Text == c.Paper || c.Rule == Order && v.Text == holds
	case !numeric:
		r.Model = v.Number // a number although the paper has words: never inside
	default:
		r.Model = v.Number
		d := c.deviation(v.Number)
		r.Deviation = &d
		r.BestOf = c.bestOf(v)
		inside = math.Abs(d) <= c.Tolerance+rounding
		if s := v.Spread; s != nil && c.Rule == Exact {
			inside = inside && s.Min == s.Max // in every run, not in the mean
		}
	}
	r.Verdict = Outside
	if inside {
		r.Verdict = Inside
	}
	if c.Gap != 0 {
		r.compareGap(c, v, inside)
	}
	r.OK = r.Verdict == Inside || r.Verdict == Known
	return r
}

// deviation returns how far a number is from the paper's: see Row.Deviation.
func (c Claim) deviation(model float64) float64 {
	paper, _ := c.Number()
	d := model - paper
	if c.Unit != "%" && paper != 0 {
		d /= paper
	}
	return d
}

// derived begins the source of a number that follows from other numbers of the
// paper.
const derived = "derived"

// spread copies what several runs gave.
func (r *Row) spread(v Value) {
	s := v.Spread
	if s == nil {
		return
	}
	r.Held, r.Runs, r.Seeds = s.Held, s.Runs, s.Seeds
	if v.Text == "" {
		r.Best, r.Mean, r.Min, r.Max, r.First = &s.Best, &s.Mean, &s.Min, &s.Max, &s.First
	}
}

// compareGap does the part of Compare for known disagreements.
func (r *Row) compareGap(c Claim, v Value, inside bool) {
	r.Rule, r.Gap, r.Recorded = "gap", &c.Gap, c.Recorded
	persists := v.Text != "" && v.Text == c.Recorded
	if recorded, err := strconv.ParseFloat(c.Recorded, 64); err == nil {
		r.Recorded, r.Band = recorded, &c.Band
		persists = v.Text == "" && math.Abs(v.Number-recorded) <= c.Band+float64(rounding*math.Abs(recorded))
	}
	switch {
	case inside:
		r.Verdict = Closed
	case persists:
		r.Verdict = Known
	default:
		r.Verdict = Drifted
	}
}

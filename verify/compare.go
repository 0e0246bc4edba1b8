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
	Known   Verdict = "gap"     // a known gap; the value is in the recorded band
	Outside Verdict = "outside" // the rule does not hold
	Closed  Verdict = "closed"  // a known gap whose rule now holds; the claim must be promoted to its rule
	Drifted Verdict = "drifted" // a known gap whose value has left the recorded band
)

// A Row is a claim with the model's value. Its JSON form is the documented output of 'emsim verify --json'.
type Row struct {
	ID        string   `json:"id"`
	PaperNo   string   `json:"source"` // the paper's number
	Seed      string   `json:"seed"`   // the same as PaperNo under its former name, for old scripts
	Class     Class    `json:"class"`
	Quantity  string   `json:"quantity"`
	Unit      string   `json:"unit"`
	Paper     any      `json:"paper"`     // float64, or string for outcomes and relations
	Model     any      `json:"model"`     // float64 or string
	Deviation *float64 `json:"deviation"` // points if unit is "%", else model/paper - 1 (model if paper is 0)
	Rule      string   `json:"rule"`      // exact, within, order; gap for a known disagreement
	Tolerance float64  `json:"tolerance"` // in the unit of Deviation
	OK        bool     `json:"ok"`
	Verdict   Verdict  `json:"verdict"`
	Gap       *int     `json:"gap"`                 // number in docs/DEVIATIONS.md, or null
	Recorded  any      `json:"recorded"`            // for a gap: Model when it was published, float64 or string
	Band      *float64 `json:"band"`                // for a gap in numbers: how far Model may be from Recorded
	Derived   bool     `json:"derived,omitempty"`   // Paper follows from other rows' numbers: no evidence of its own
	NeverOut  bool     `json:"never_out,omitempty"` // inside under every setting of the sensitivity study: cannot fail
	Null      *Null    `json:"null,omitempty"`      // the best guess without a model; nil for words and regressions
	Note      string   `json:"note,omitempty"`
	Command   string   `json:"command"` // prints Model
	Reads     string   `json:"reads"`   // where the command's answer with --json has it

	// For a row that is measured in several runs. Model is the mean of the runs or, with BestOf, the expected best of
	// four.
	Best  *float64 `json:"best,omitempty"` // in the fastest run
	Mean  *float64 `json:"mean,omitempty"`
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
	First *float64 `json:"first,omitempty"` // in the first run after boot; with several seeds, the mean over the seeds
	Held  *int     `json:"held,omitempty"`  // for claims in words: the number of runs in which they were true
	Runs  int      `json:"runs,omitempty"`  // total number of runs
	Seeds int      `json:"seeds,omitempty"` // machines on which the runs were done, each with its own seed

	BestOf []BestOf `json:"best_of,omitempty"` // if Paper is the best of several runs

	place string // place of the number in the paper
}

// Inside reports whether the row's rule holds, whether or not the row is a gap.
func (r Row) Inside() bool { return r.Verdict == Inside || r.Verdict == Closed }

// ByLabel reports whether the row is called predicted but shows nothing, because the best null model is within the
// row's limit, too.
func (r Row) ByLabel() bool { return r.Class == Predicted && r.Null != nil && r.Null.Inside }

// Why says briefly why a row is not ok.
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

// A Value is what a suite measured: a number, or a string for outcomes and relations.
type Value struct {
	Number float64
	Text   string  // if not empty, the value is this text
	Spread *Spread // the values of several runs, or nil
}

// Number returns a numeric value.
func Number(f float64) Value { return Value{Number: f} }

// TextValue returns a value in words.
func TextValue(s string) Value {
	s = cmp.Or(s, "nothing") // an empty string would mean the number 0
	return Value{Text: s}
}

// holds is the value of an order claim that is true.
const holds = "holds"

// Holds returns the value of an order claim: "holds" if ok, otherwise the formatted text, which says why it does not
// hold.
func Holds(ok bool, format string, args ...any) Value {
	if ok {
		return Value{Text: holds}
	}
	return Value{Text: "fails: " + fmt.Sprintf(format, args...)}
}

// rounding is the tolerance for the last bits of a subtraction.
const rounding = 1e-12

// Compare compares a measured value with its claim. A claim with a gap is ok while its value stays in the recorded
// band. If the gap has closed, the claim is not ok: it must be promoted to its rule.
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
		v = TextValue(fmt.Sprintf("not a number: %v", v.Number))
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
		r.Model = v.Number // a number for a claim in words is never inside
	default:
		r.Model = v.Number
		d := c.deviation(v.Number)
		r.Deviation = &d
		r.BestOf = c.bestOf(v)
		inside = math.Abs(d) <= c.Tolerance+rounding
		if s := v.Spread; s != nil && c.Rule == Exact {
			inside = inside && s.Min == s.Max // every run must be exact, not only the mean
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

// deviation returns how far a number is from the paper's number. Row.Deviation describes the unit.
func (c Claim) deviation(model float64) float64 {
	paper, _ := c.Number()
	d := model - paper
	if c.Unit != "%" && paper != 0 {
		d /= paper
	}
	return d
}

// derived begins the source column of a number that follows from other numbers of the paper.
const derived = "derived"

// spread copies the statistics of several runs into the row.
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

// compareGap sets the verdict on a known gap, and the fields about it.
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

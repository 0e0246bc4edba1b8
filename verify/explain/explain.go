// Package explain tells everything about a row of verify: what the paper says,
// how the model gets its value, the command that gives it, what agreement is
// worth, how uncertain knobs change it, and what was tried if it is a gap.
//
//	words.csv       quotations, by row
//	explain.go      what there is to say about a row
//	words.go        the lines of words.csv
//	sensitivity.go  the lines of docs/sensitivity.csv
//	gaps.go         the tables of docs/DEVIATIONS.md
package explain

import (
	"fmt"

	"emsim/internal/base/suggest"
	"emsim/verify"
)

// Explanation is everything that is known about a row.
type Explanation struct {
	Row         verify.Row    `json:"row"` // as measured now
	Place       string        `json:"place"`
	Words       Words         `json:"words"`
	How         string        `json:"how"`
	Behind      []string      `json:"behind"` // commands that show the runs that the value comes from, if Row.Command is verify itself
	ClassMeans  string        `json:"class_means"`
	Nulls       []verify.Null `json:"nulls"`       // guesses without a model, the best first; empty for words and regressions
	Sensitivity []Knob        `json:"sensitivity"` // empty if it was not measured
	Tried       string        `json:"tried"`       // of a gap
}

// FindClaim returns the claim with this id.
func FindClaim(id string) (verify.Claim, error) {
	var ids []string
	for _, s := range verify.Suites() {
		claims, err := verify.Claims(s.Paper)
		if err != nil {
			return verify.Claim{}, err
		}
		for _, c := range claims {
			if c.ID == id {
				return c, nil
			}
			ids = append(ids, c.ID)
		}
	}
	return verify.Claim{}, fmt.Errorf("no row has the id %q%s", id, suggest.DidYouMean(id, ids))
}

// Explain explains a claim whose row has been measured.
func Explain(c verify.Claim, r verify.Row) (*Explanation, error) {
	x := &Explanation{
		Row: r, Place: c.Cond["source"], How: verify.HowMeasured(c), Behind: []string{},
		ClassMeans: classes[c.Class], Nulls: append([]verify.Null{}, verify.Nulls(c)...), Sensitivity: []Knob{},
	}
	var err error
	if x.Words, err = wordsOf(c.ID); err != nil {
		return nil, err
	}
	knobs, err := sensitivity(c.ID)
	if err != nil {
		return nil, err
	}
	if r.ByLabel() {
		x.ClassMeans = "The number was not used to build the model, but a guess without a model passes the same " +
			"limit. Agreement is no evidence, and the row is not counted as predicted."
	}
	x.Behind = append(x.Behind, verify.Reproduce(c).Behind...)
	x.Sensitivity = append(x.Sensitivity, knobs...)
	if c.Gap != 0 {
		x.Tried = plain(Gaps()[c.Gap].Tried)
	}
	return x, nil
}

// classes say what agreement with a row is worth.
var classes = map[verify.Class]string{
	verify.Fitted: "The number set a knob of the model. Agreement shows only that such a value exists; it is no " +
		"evidence that the model is right.",
	verify.Guided: "The number helped to choose between readings of the paper, or confirmed a choice, or the " +
		"margins of the row are ours. Agreement is weak evidence.",
	verify.Predicted: "The number was not used to build the model. Agreement is evidence, unless the row follows " +
		"from a fitted one, as its note may say.",
	verify.Regression: "No paper prints this number: it is our own. Agreement shows only that the model " +
		"has not changed.",
}

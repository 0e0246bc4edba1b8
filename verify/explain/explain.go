// Package explain explains the rows of package verify: what the paper says, how the model gets its value, which command
// prints it, what agreement is worth, how uncertain knobs change it, and what was tried to close a gap.
//
//	words.csv       quotations, by row
//	explain.go      the explanation of a row
//	words.go        the lines of words.csv
//	sensitivity.go  the lines of docs/sensitivity.csv
//	gaps.go         the tables of docs/DEVIATIONS.md
package explain

import (
	"fmt"

	"emsim/internal/base/suggest"
	"emsim/verify"
)

// Explanation is all information about a row.
type Explanation struct {
	Row         verify.Row    `json:"row"` // as measured now
	Place       string        `json:"place"`
	Words       Words         `json:"words"`
	How         string        `json:"how"`
	Behind      []string      `json:"behind"` // commands that show the runs, if Row.Command is 'emsim verify'
	ClassMeans  string        `json:"class_means"`
	Nulls       []verify.Null `json:"nulls"`       // guesses without a model, best first
	Sensitivity []Knob        `json:"sensitivity"` // empty if it was not measured
	Tried       string        `json:"tried"`       // for a gap: what was tried
}

// FindClaim returns the claim with the given id, or an error if there is no such claim.
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

// Explain returns the explanation of a claim and its measured row.
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
			"limit. Agreement is not evidence, and the row is not counted as predicted."
	}
	x.Behind = append(x.Behind, verify.Reproduce(c).Behind...)
	x.Sensitivity = append(x.Sensitivity, knobs...)
	if c.Gap != 0 {
		x.Tried = plain(Gaps()[c.Gap].Tried)
	}
	return x, nil
}

// classes says for each class what agreement with a row is worth.
var classes = map[verify.Class]string{
	verify.Fitted: "The number set a knob of the model. Agreement shows only that such a value exists; it is not " +
		"evidence that the model is right.",
	verify.Guided: "The number helped to choose between readings of the paper, or confirmed a choice, or the " +
		"margins of the row are ours. Agreement is weak evidence.",
	verify.Predicted: "The number was not used to build the model. Agreement is evidence, unless the row follows " +
		"from a fitted one, as its note may say.",
	verify.Regression: "No paper prints this number: it is our own. Agreement shows only that the model " +
		"has not changed.",
}

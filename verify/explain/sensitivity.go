package explain

import (
	"fmt"

	"emsim/docs"
	"emsim/verify"
)

// Knob is the effect of an uncertain knob on a row.
type Knob struct {
	Key    string    `json:"knob"`
	Why    string    `json:"why"` // why the knob is uncertain
	Values []Setting `json:"values"`
}

// Setting is the value of a row when one knob has this value and all others are as published.
type Setting struct {
	Value     string `json:"value"`
	Published bool   `json:"published"` // emsim's own value
	Model     string `json:"model"`
	Inside    bool   `json:"inside"` // the value is inside the row's rule
}

// sensitivity returns the effects of the knobs on a row from docs/sensitivity.csv, or nil if the file has no lines for
// the row.
func sensitivity(id string) ([]Knob, error) {
	lines, err := verify.Table(docs.Sensitivity)
	if err != nil || len(lines) == 0 || len(lines[0]) != 8 {
		return nil, fmt.Errorf("explain: docs/sensitivity.csv does not have the form that 'emsim calibrate "+
			"--csv' writes: %w", err)
	}
	why := map[string]string{}
	for _, k := range verify.UncertainKnobs003() {
		why[k.Key] = k.Why
	}
	var list []Knob
	for _, l := range lines[1:] {
		if l[3] != id {
			continue
		}
		if len(list) == 0 || list[len(list)-1].Key != l[0] {
			list = append(list, Knob{Key: l[0], Why: why[l[0]]})
		}
		k := &list[len(list)-1]
		k.Values = append(k.Values, Setting{
			Value: l[1], Published: l[2] == "true", Model: l[5],
			Inside: l[7] == "true",
		})
	}
	return list, nil
}

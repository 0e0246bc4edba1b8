package report

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emsim/verify"
)

// Sensitivity is the effect of every uncertain knob on every row of paper 003.
type Sensitivity struct {
	Rows     []string
	Settings []Setting
}

// Setting is one knob at one value.
type Setting struct {
	Knob, Value string
	First       bool   // of its knob
	Span        int    // number of settings of the knob, if First
	Why         string // why the knob is uncertain
	Chosen      bool   // the published value
	Cells       []Cell // by Sensitivity.Rows
	Outside     int    // rows outside their tolerance
}

// Cell is the deviation of a row under a setting.
type Cell struct {
	Text    string
	Outside bool // of the tolerance
}

// published reads the table as 'emsim calibrate --csv' writes it.
func published(text string) (*Sensitivity, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("report: the sensitivity table: %w", err)
	}
	want := []string{"knob", "value", "chosen", "id", "paper", "model", "deviation", "ok"}
	if len(lines) == 0 || !slices.Equal(lines[0], want) {
		return nil, fmt.Errorf("report: the sensitivity table does not have the columns %s; 'emsim calibrate --csv' writes it", strings.Join(want, ","))
	}
	claims, err := verify.Claims("003")
	if err != nil {
		return nil, err
	}
	units := map[string]string{}
	for _, c := range claims {
		units[c.ID] = c.Unit
	}
	t := &Sensitivity{}
	for _, l := range lines[1:] {
		var dev *float64
		if l[6] != "" {
			d, err := strconv.ParseFloat(l[6], 64)
			if err != nil {
				return nil, fmt.Errorf("report: the sensitivity table, %s = %s, %s: %w", l[0], l[1], l[3], err)
			}
			dev = &d
		}
		t.addRow(l[0], l[1], l[2] == "true", l[3], units[l[3]], l[5], dev, l[7] == "true")
	}
	t.finish()
	return t, nil
}

// addRow adds one row of one setting; rows come setting by setting.
func (t *Sensitivity) addRow(knob, val string, chosen bool, id, unit, model string, dev *float64, inside bool) {
	n := len(t.Settings)
	if n == 0 || t.Settings[n-1].Knob != knob || t.Settings[n-1].Value != val {
		t.Settings = append(t.Settings, Setting{Knob: knob, Value: val, Chosen: chosen})
		n++
	}
	if strings.HasSuffix(id, ".calls") {
		return // no knob can move them
	}
	id = strings.TrimPrefix(id, "003.")
	c := Cell{Text: strings.TrimPrefix(model, "segment "), Outside: !inside} // "overflow" fits a cell
	switch {
	case dev != nil && unit == "%":
		c.Text = fmt.Sprintf("%+.1f", *dev)
	case dev != nil:
		c.Text = fmt.Sprintf("%+.0f%%", 100**dev)
	}
	s := &t.Settings[n-1]
	at := slices.Index(t.Rows, id)
	if at < 0 {
		at, t.Rows = len(t.Rows), append(t.Rows, id)
	}
	for len(s.Cells) <= at {
		s.Cells = append(s.Cells, Cell{})
	}
	s.Cells[at] = c
	if c.Outside {
		s.Outside++
	}
}

// finish groups the settings by knob.
func (t *Sensitivity) finish() {
	why := map[string]string{}
	for _, k := range verify.UncertainKnobs003() {
		why[k.Key] = k.Why
	}
	first := 0
	for i := range t.Settings {
		s := &t.Settings[i]
		for len(s.Cells) < len(t.Rows) {
			s.Cells = append(s.Cells, Cell{})
		}
		if s.First = i == 0 || s.Knob != t.Settings[i-1].Knob; s.First {
			first, s.Why = i, why[s.Knob]
		}
		t.Settings[first].Span++
	}
}

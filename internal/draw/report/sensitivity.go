package report

import (
	"fmt"
	"strconv"
	"strings"

	"emsim/docs"
	"emsim/verify"
)

// Sensitivity is the effect of every uncertain knob on the rows of paper 003 that knobs can change.
type Sensitivity struct {
	Rows     []string
	Settings []Setting
}

// Setting is one knob at one value.
type Setting struct {
	Knob, Value string
	First       bool     // of its knob
	Span        int      // number of settings of the knob, if First
	Why         string   // why the knob is uncertain
	Chosen      bool     // the published value
	Cells       []Effect // by Sensitivity.Rows
	Outside     int      // rows outside their tolerance
}

// Effect is the deviation of a row under a setting.
type Effect struct {
	Text    string
	Outside bool // of the tolerance
}

// sensitivity parses the table that 'emsim calibrate --csv' writes. It has the same rows for each setting.
func sensitivity(text string) (*Sensitivity, error) {
	lines, err := docs.Rows([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("report: the sensitivity table: %w", err)
	}
	claims, err := verify.Claims("003")
	if err != nil {
		return nil, err
	}
	units, why := map[string]string{}, map[string]string{}
	for _, c := range claims {
		units[c.ID] = c.Unit
	}
	for _, k := range verify.UncertainKnobs003() {
		why[k.Key] = k.Why
	}
	t, first := &Sensitivity{}, 0
	for _, l := range lines {
		n := len(t.Settings)
		if n == 0 || t.Settings[n-1].Knob != l["knob"] || t.Settings[n-1].Value != l["value"] {
			s := Setting{
				Knob: l["knob"], Value: l["value"], Chosen: l["chosen"] == "true",
				First: n == 0 || t.Settings[n-1].Knob != l["knob"],
			}
			if s.First {
				first, s.Why = n, why[s.Knob]
			}
			t.Settings = append(t.Settings, s)
			t.Settings[first].Span++
			n++
		}
		if strings.HasSuffix(l["id"], ".calls") {
			continue // no knob can move them
		}
		if n == 1 {
			t.Rows = append(t.Rows, strings.TrimPrefix(l["id"], "003."))
		}
		t.Settings[n-1].addCell(l, units[l["id"]])
	}
	return t, nil
}

// addCell adds the cell of a row: its deviation, or its value in words if it has none.
func (s *Setting) addCell(line map[string]string, unit string) {
	c := Effect{
		Text:    strings.TrimPrefix(line["model"], "segment "),
		Outside: line["ok"] != "true",
	} // "overflow" fits a cell
	if d, err := strconv.ParseFloat(line["deviation"], 64); err == nil {
		if c.Text = fmt.Sprintf("%+.1f", d); unit != "%" {
			c.Text = fmt.Sprintf("%+.0f%%", 100*d)
		}
	}
	s.Cells = append(s.Cells, c)
	if c.Outside {
		s.Outside++
	}
}

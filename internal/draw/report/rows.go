package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/verify"
)

// Line is a row of verify as a table shows it.
type Line struct {
	ID, Where, Conditions, Quantity, Unit, Paper, Model, Deviation, Verdict, Note string
	Null                                                                          string // the best guess without a model, with a star if it passes the limit
	NullName                                                                      string // the name of that guess
	Class                                                                         string // fitted, guided, predicted or regression
	State                                                                         string // ok, gap or bad
	Command                                                                       string // the command that shows the row
	Dot                                                                           *Dot   // nil for rows in words
}

// Dot is the picture of a deviation: a tolerance is 24 pixels, the paper's
// number is at 60 of 120.
type Dot struct {
	X     float64 // pixels
	Outer bool    // off the scale
}

// fillRows puts the measured rows into the paper's part.
func (p *Paper) fillRows(rows []verify.Row, notes map[int]Gap) error {
	claims, err := verify.Claims(p.Number)
	if err != nil {
		return err
	}
	p.Counts = verify.CountRows(rows)
	byID := map[string]verify.Claim{}
	for _, c := range claims {
		byID[c.ID] = c
	}
	for _, r := range rows {
		l := lineOf(r, byID[r.ID])
		switch {
		case r.Class == verify.Regression:
			p.Ours = append(p.Ours, l)
		case r.Derived:
			p.Derived = append(p.Derived, l)
		default:
			p.Rows = append(p.Rows, l)
		}
		if r.Gap == nil {
			continue
		}
		i := slices.IndexFunc(p.Gaps, func(g Gap) bool { return g.Number == *r.Gap })
		if i < 0 {
			g := notes[*r.Gap]
			g.Number, g.Rows = *r.Gap, nil
			i, p.Gaps = len(p.Gaps), append(p.Gaps, g)
		}
		p.Gaps[i].Rows = append(p.Gaps[i].Rows, r.ID)
	}
	slices.SortStableFunc(p.Gaps, func(a, b Gap) int { return a.Number - b.Number })
	return nil
}

func lineOf(r verify.Row, c verify.Claim) Line {
	l := Line{
		ID: r.ID, Where: c.Cond["source"], Conditions: conditions(c.Cond),
		Quantity: strings.ReplaceAll(r.Quantity, "_", " "),
		Unit:     r.Unit, Paper: value(r.Paper), Model: value(r.Model), Note: r.Note, Class: string(r.Class),
		State: "ok", Verdict: r.Rule, Command: r.Command,
	}
	if r.Null != nil {
		l.Null, l.NullName = value(r.Null.Value), r.Null.Name
		if r.Null.Inside {
			l.Null += "*"
		}
	}
	if r.Deviation != nil {
		l.Deviation = deviation(r.Unit, *r.Deviation, "%+.1f")
		if r.Tolerance > 0 {
			l.Dot = dotOf(*r.Deviation / r.Tolerance)
		}
	}
	if r.Tolerance > 0 {
		l.Verdict = "within " + deviation(r.Unit, r.Tolerance, "%.3g")
	}
	switch {
	case !r.OK && r.Gap != nil:
		l.State, l.Verdict = "bad", r.Why()+": NOT OK"
	case !r.OK:
		l.State, l.Verdict = "bad", l.Verdict+": NOT OK"
	case r.Gap != nil:
		l.State, l.Verdict = "gap", fmt.Sprintf("gap %d, recorded %s", *r.Gap, value(r.Recorded))
	}
	return l
}

// dotOf places a deviation given in tolerances.
func dotOf(tolerances float64) *Dot {
	const edge = 2.3
	return &Dot{
		X:     math.Round(10*(60+float64(24*max(-edge, min(edge, tolerances))))) / 10,
		Outer: math.Abs(tolerances) > edge,
	}
}

// told is the order in which the conditions of a run are listed. Other conditions follow.
var told = []string{
	"program", "topology", "network", "shape", "stages", "wiring", "map", "load", "algorithm", "method", "processor",
	"policy", "mlpe", "nodes", "pes", "loops", "items",
}

// conditions returns the conditions of a claim's run as text. It leaves out conditions that have their own column.
func conditions(cond map[string]string) string {
	keys := slices.SortedFunc(maps.Keys(cond), func(a, b string) int {
		// Keys that are not in the list have index -1, which is the largest number as a uint.
		return cmp.Or(cmp.Compare(uint(slices.Index(told, a)), uint(slices.Index(told, b))), cmp.Compare(a, b))
	})
	var parts []string
	for _, key := range keys {
		if v := cond[key]; v != "" && key != "source" && key != "measure" {
			parts = append(parts, key+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

// value formats a number with six significant digits; it returns words unchanged.
func value(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	return fmt.Sprint(v)
}

// deviation formats a deviation: in percentage points if the unit is %, otherwise in per cent.
func deviation(unit string, d float64, format string) string {
	if unit == "%" {
		return fmt.Sprintf(format+" pt", d)
	}
	return fmt.Sprintf(format+" %%", 100*d)
}

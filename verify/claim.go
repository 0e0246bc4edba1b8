package verify

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/suggest"
)

//go:embed papers/*.csv
var papers embed.FS

// A Rule says how a model's value is compared with the paper's.
type Rule string

// The rules.
const (
	Exact  Rule = "exact"  // exactly equal: counts that timing cannot change, outcomes
	Within Rule = "within" // inside the tolerance
	Order  Rule = "order"  // a relation between runs, which the paper column describes
)

// A Class says how much agreement with a row is worth.
type Class string

// The classes, from the least telling to the most. All except Regression are for figures of a paper. A Regression
// shows only that the model has not changed.
const (
	Regression Class = "regression" // our own number: no paper prints it
	Fitted     Class = "fitted"     // the number set a knob of the model
	Guided     Class = "guided"     // the number helped to choose a knob
	Predicted  Class = "predicted"  // the number did neither
)

// Classes lists the classes.
func Classes() []Class { return []Class{Fitted, Guided, Predicted, Regression} }

// A Claim is one line of a paper's file.
type Claim struct {
	ID        string            // number of the paper, and row, as in "003.t1.1.time"
	PaperNo   string            // number of the paper, as in "003"
	Quantity  string            // what is measured, as in "time"
	Unit      string            // unit of Paper and of the measured value ("%" shares are 0..100)
	Paper     string            // the paper's figure, or the claim in words
	Rule      Rule              // how to compare
	Tolerance float64           // Within: see Row.Deviation for its unit
	Class     Class             // how the number was used
	Gap       int               // number of a known disagreement in docs/DEVIATIONS.md, 0 for none
	Recorded  string            // for a gap: the model's value when published
	Band      float64           // for a gap in numbers: how far the value may be from Recorded, in Unit
	Note      string            // a remark for readers
	Cond      map[string]string // every other column of the file: program, nodes, policy, ...
}

// Number returns the paper's figure. ok is false if the claim is in words.
func (c Claim) Number() (f float64, ok bool) {
	f, err := strconv.ParseFloat(c.Paper, 64)
	return f, err == nil && c.Rule != Order
}

// Claims returns the lines of papers/NNN.csv, in order.
func Claims(paper string) ([]Claim, error) {
	text, err := papers.ReadFile("papers/" + paper + ".csv")
	if err != nil {
		return nil, fmt.Errorf("verify: no claims of paper %s: %w", paper, err)
	}
	claims, err := parse(paper, string(text))
	if err != nil {
		return nil, fmt.Errorf("verify: papers/%s.csv: %w", paper, err)
	}
	return claims, nil
}

// parse parses the text of a paper's file.
func parse(paper, text string) ([]Claim, error) {
	lines, err := Table(text)
	if err != nil {
		return nil, err
	}
	if len(lines) < 2 {
		return nil, errors.New("there is no row")
	}
	var claims []Claim
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		c, err := claimOf(paper, lines[0], line)
		if err == nil {
			err = c.check()
		}
		if err == nil && seen[c.ID] {
			err = errors.New("the id occurs twice")
		}
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", line[0], err)
		}
		seen[c.ID] = true
		claims = append(claims, c)
	}
	return claims, nil
}

// claimOf returns the claim in the cells of a line.
func claimOf(paper string, head, line []string) (Claim, error) {
	c := Claim{PaperNo: paper, Cond: map[string]string{}}
	texts := map[string]*string{
		"id": &c.ID, "quantity": &c.Quantity, "unit": &c.Unit, "paper": &c.Paper, "rule": (*string)(&c.Rule),
		"class": (*string)(&c.Class), "recorded": &c.Recorded, "note": &c.Note,
	}
	for i, name := range head {
		v := line[i]
		var err error
		switch {
		case texts[name] != nil:
			*texts[name] = v
		case name == "tolerance":
			c.Tolerance, err = number(v)
		case name == "band":
			c.Band, err = number(v)
		case name == "gap" && v == "":
		case name == "gap":
			c.Gap, err = strconv.Atoi(v)
		default:
			c.Cond[name] = v
		}
		if err != nil {
			return c, fmt.Errorf("column %s: %w", name, err)
		}
	}
	c.ID = paper + "." + c.ID
	return c, nil
}

// number parses a tolerance or a band. An empty cell is 0.
func number(cell string) (float64, error) {
	if cell == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(cell, 64)
	if err == nil && (!(f >= 0) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%s is not a distance: expected a number from 0", cell)
	}
	return f, err
}

// loosest returns the widest tolerance of a paper's number, in the unit of Row.Deviation. It is 15 % of the number, or
// 10 % of a count; for a share it is at most 5 points. But it is never less than half a unit of the last printed digit,
// because rounding hides smaller differences.
func (c Claim) loosest() float64 {
	paper, _ := c.Number()
	_, digits, _ := strings.Cut(c.Paper, ".")
	half, _ := strconv.ParseFloat(fmt.Sprintf("5e-%d", len(digits)+1), 64) // always a number
	wide := float64(0.15 * math.Abs(paper))
	switch c.Unit {
	case "count":
		wide = float64(0.1 * math.Abs(paper))
	case "%":
		wide = min(wide, 5)
	}
	wide = max(wide, half)
	if c.Unit != "%" && paper != 0 {
		wide /= math.Abs(paper)
	}
	return wide
}

// check rejects a line that could not fail or is incomplete.
func (c Claim) check() error {
	_, numeric := c.Number()
	source := c.Cond["source"]
	_, err := strconv.ParseFloat(c.Recorded, 64)
	switch {
	case c.ID == c.PaperNo+"." || c.Quantity == "" || c.Paper == "":
		return errors.New("id, quantity and paper must not be empty")
	case !slices.Contains([]Rule{Exact, Within, Order}, c.Rule):
		return fmt.Errorf("column rule: %q is not one of exact, within, order", c.Rule)
	case (c.Rule == Within) != (c.Tolerance > 0):
		return errors.New("column tolerance: rule within needs one above 0; the other rules have none")
	case c.Rule == Within && !numeric:
		return fmt.Errorf("column paper: rule within needs a number, not %q", c.Paper)
	case c.Rule == Within && c.Class != Regression && c.Tolerance > c.loosest()*(1+1e-5):
		return fmt.Errorf("column tolerance: %v could hardly fail; it may be %.6g", c.Tolerance, c.loosest())
	case !slices.Contains(Classes(), c.Class):
		return fmt.Errorf("column class: %q is not one of fitted, guided, predicted, regression", c.Class)
	case (c.Class == Regression) != (source == "ours" || source == "recorded"):
		return fmt.Errorf("column class: the source of a regression, and of no other row, is ours or recorded, not %q",
			source)
	case c.Gap < 0:
		return errors.New("column gap: expected a number from 1 of DEVIATIONS")
	case (c.Gap != 0) != (c.Recorded != ""):
		return errors.New("column recorded: needed for a gap, empty in any other row")
	case c.Gap == 0 && c.Band != 0:
		return errors.New("column band: only a gap has one")
	case c.Gap != 0 && numeric != (err == nil):
		return fmt.Errorf("column recorded: %q; expected a number or words, as in the column paper", c.Recorded)
	case !numeric && c.Band != 0:
		return errors.New("column band: words must equal the recorded ones and have no band")
	}
	return nil
}

// Select returns the claims of the suites whose ids start with one of the prefixes, or all claims if there are no
// prefixes. It rejects a prefix that no id has.
func Select(suites []Suite, prefixes []string) (map[string][]Claim, error) {
	chosen := map[string][]Claim{}
	hit := make([]bool, len(prefixes))
	var ids []string
	for _, s := range suites {
		claims, err := Claims(s.Paper)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			ids = append(ids, c.ID)
			take := len(prefixes) == 0
			for i, p := range prefixes {
				if strings.HasPrefix(c.ID, p) {
					take, hit[i] = true, true
				}
			}
			if take {
				chosen[s.Paper] = append(chosen[s.Paper], c)
			}
		}
	}
	for i, p := range prefixes {
		if !hit[i] {
			return nil, fmt.Errorf("no row has an id that starts with %q%s", p, suggest.DidYouMean(p, beginnings(ids)))
		}
	}
	return chosen, nil
}

// beginnings returns the ids, and all their prefixes that end before a point.
func beginnings(ids []string) (list []string) {
	for _, id := range ids {
		for i, r := range id + "." {
			if r == '.' && !slices.Contains(list, id[:i]) {
				list = append(list, id[:i])
			}
		}
	}
	return list
}

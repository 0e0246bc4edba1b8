package verify

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed papers/*.csv
var papers embed.FS

// A Rule says how a model's value is compared with the paper's.
type Rule string

// The rules.
const (
	Exact  Rule = "exact"  // equal to the unit: counts that timing cannot change, outcomes
	Within Rule = "within" // inside the tolerance
	Order  Rule = "order"  // a relation between runs; the paper column says which
)

// A Class says what agreement with a row is worth.
type Class string

// The classes, from the least agreement to the most. Only regressions are no
// figures of a paper: they say that the model is what it was.
const (
	Regression Class = "regression" // a number of our own: no paper prints it
	Fitted     Class = "fitted"     // the number set a knob of the model
	Guided     Class = "guided"     // it helped to choose one
	Predicted  Class = "predicted"  // neither
)

// Classes lists the classes.
func Classes() []Class { return []Class{Fitted, Guided, Predicted, Regression} }

// A Claim is one line of a paper's file.
type Claim struct {
	ID        string            // paper's number and row, as in "003.t1.1.time"
	PaperNo   string            // the paper's number, as in "003"
	Quantity  string            // what is measured, as in "time"
	Unit      string            // unit of Paper and of the measured value ("%" shares are 0..100)
	Paper     string            // the paper's own figure, or the claim in words
	Rule      Rule              // how to compare
	Tolerance float64           // Within: see Row.Deviation for its unit
	Class     Class             // what the number was used for
	Gap       int               // number of a known disagreement in docs/DEVIATIONS.md, 0 for none
	Recorded  string            // of a gap: the model's value when it was published
	Band      float64           // of a gap in numbers: how far the value may be from Recorded, in Unit
	Note      string            // anything a reader should know
	Cond      map[string]string // every other column of the file: program, nodes, policy, ...
}

// Number is the paper's figure; ok is false where the claim is in words.
func (c Claim) Number() (f float64, ok bool) {
	f, err := strconv.ParseFloat(c.Paper, 64)
	return f, err == nil && c.Rule != Order
}

// Claims returns the lines of papers/NNN.csv in order.
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

// parse reads the text of a paper's file.
func parse(paper, text string) ([]Claim, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	lines, err := r.ReadAll()
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
			err = errors.New("the id is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", line[0], err)
		}
		seen[c.ID] = true
		claims = append(claims, c)
	}
	return claims, nil
}

// claimOf reads the cells of a line.
func claimOf(paper string, head, line []string) (Claim, error) {
	c := Claim{PaperNo: paper, Cond: map[string]string{}}
	for i, name := range head {
		v := line[i]
		var err error
		switch name {
		case "id":
			c.ID = paper + "." + v
		case "quantity":
			c.Quantity = v
		case "unit":
			c.Unit = v
		case "paper":
			c.Paper = v
		case "rule":
			c.Rule = Rule(v)
		case "tolerance":
			c.Tolerance, err = number(v)
		case "class":
			c.Class = Class(v)
		case "gap":
			if v != "" {
				c.Gap, err = strconv.Atoi(v)
			}
		case "recorded":
			c.Recorded = v
		case "band":
			c.Band, err = number(v)
		case "note":
			c.Note = v
		default:
			c.Cond[name] = v
		}
		if err != nil {
			return c, fmt.Errorf("column %s: %w", name, err)
		}
	}
	return c, nil
}

// number reads a tolerance or a band; an empty cell is 0.
func number(cell string) (float64, error) {
	if cell == "" {
		return 0, nil
	}
	f, err := strconv.ParseFloat(cell, 64)
	if err == nil && (!(f >= 0) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%s is no distance: expected a number from 0", cell)
	}
	return f, err
}

// check refuses a line that could not fail, or that does not say what it is.
func (c Claim) check() error {
	_, numeric := c.Number()
	source := c.Cond["source"]
	_, err := strconv.ParseFloat(c.Recorded, 64)
	switch {
	case c.ID == c.PaperNo+"." || c.Quantity == "" || c.Paper == "":
		return errors.New("id, quantity and paper must not be empty")
	case !slices.Contains([]Rule{Exact, Within, Order}, c.Rule):
		return fmt.Errorf("column rule: %q is none of exact, within, order", c.Rule)
	case (c.Rule == Within) != (c.Tolerance > 0):
		return errors.New("column tolerance: rule within needs one above 0, the other rules have none")
	case c.Rule == Within && !numeric:
		return fmt.Errorf("column paper: rule within needs a number, not %q", c.Paper)
	case !slices.Contains(Classes(), c.Class):
		return fmt.Errorf("column class: %q is none of fitted, guided, predicted, regression", c.Class)
	case (c.Class == Regression) != (source == "ours" || source == "recorded"):
		return fmt.Errorf("column class: a regression's source is ours or recorded and no other row's is, not %q", source)
	case c.Gap < 0:
		return errors.New("column gap: it is a number from 1 of docs/DEVIATIONS.md")
	case (c.Gap != 0) != (c.Recorded != ""):
		return errors.New("column recorded: a gap has its recorded value there, any other row nothing")
	case c.Gap == 0 && c.Band != 0:
		return errors.New("column band: only a gap has one")
	case c.Gap != 0 && numeric != (err == nil):
		return fmt.Errorf("column recorded: %q; a number where the paper has a number, words where it has words", c.Recorded)
	case !numeric && c.Band != 0:
		return errors.New("column band: words must be the recorded ones and have none")
	}
	return nil
}

// Select returns the claims of the suites whose ids start with one of the
// prefixes, or all of them without a prefix. A prefix that no id has is an
// error.
func Select(suites []Suite, prefixes []string) (map[string][]Claim, error) {
	chosen := map[string][]Claim{}
	hit := make([]bool, len(prefixes))
	for _, s := range suites {
		claims, err := Claims(s.Paper)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
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
			return nil, fmt.Errorf("no row has an id that starts with %q", p)
		}
	}
	return chosen, nil
}

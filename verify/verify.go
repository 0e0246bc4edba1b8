// Package verify holds the papers' numbers and claims against the models.
//
// papers/NNN.csv has one line a claim; a Suite knows how to measure the
// claims of one paper; Run measures, compares and returns Rows. The paper
// column is the source's own figure and is never edited to suit a model.
//
//	papers/*.csv --> Claim --> Suite.Measure --> Row (ok or not)
//	verify.go    claims, rules, rows
//	seedNNN.go   the suite of one paper
package verify

import (
	"context"
	"embed"
	"encoding/csv"
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

// A Claim is one line of a paper's file.
type Claim struct {
	ID        string            // seed number and row, as in "003.t1.1.time"
	Seed      string            // the paper's number, as in "003"
	Quantity  string            // what is measured, as in "time"
	Unit      string            // unit of Paper and of the measured value ("%" shares are 0..100)
	Paper     string            // the paper's own figure, or the claim in words
	Rule      Rule              // how to compare
	Tolerance float64           // Within: see Row.Deviation for its unit
	Gap       int               // number of a known disagreement in docs/DEVIATIONS.md, 0 for none
	Note      string            // anything a reader should know
	Cond      map[string]string // every other column of the file: program, nodes, policy, ...
}

// A Row is a claim with what the model says of it. Its JSON form is the
// command's documented output.
type Row struct {
	ID        string   `json:"id"`
	Seed      string   `json:"seed"`
	Quantity  string   `json:"quantity"`
	Unit      string   `json:"unit"`
	Paper     any      `json:"paper"`     // float64, or string for outcomes and relations
	Model     any      `json:"model"`     // float64 or string
	Deviation *float64 `json:"deviation"` // in points for unit "%", otherwise model/paper - 1; null for strings
	Rule      string   `json:"rule"`      // exact, within, order; gap for a known disagreement
	Tolerance float64  `json:"tolerance"` // in the unit of Deviation
	OK        bool     `json:"ok"`
	Gap       *int     `json:"gap"` // number in docs/DEVIATIONS.md, or null
	Note      string   `json:"note,omitempty"`
}

// A Value is what a suite measured: a number, or a word for outcomes and
// relations.
type Value struct {
	Number float64
	Text   string // when not empty, the value is this text
}

// Number makes a numeric value.
func Number(f float64) Value { return Value{Number: f} }

// Text makes a value in words.
func Text(s string) Value { return Value{Text: s} }

// Holds makes the value of an order claim: "holds", or why it does not.
func Holds(ok bool, format string, args ...any) Value {
	if ok {
		return Value{Text: "holds"}
	}
	return Value{Text: "fails: " + fmt.Sprintf(format, args...)}
}

// A Suite measures the claims of one paper.
type Suite struct {
	Seed string
	// New starts a session. The returned function measures one claim; runs
	// that several claims share are cached inside the session.
	New func() func(ctx context.Context, c Claim) (Value, error)
}

// Suites lists every paper's suite in order of the papers' numbers.
func Suites() []Suite {
	return []Suite{
		seed000(),
		seed001(),
		seed002(),
		seed003(),
		seed004(),
	}
}

// Claims returns the lines of papers/seed.csv in order.
func Claims(seed string) ([]Claim, error) {
	f, err := papers.Open("papers/" + seed + ".csv")
	if err != nil {
		return nil, fmt.Errorf("verify: no claims of paper %s: %w", seed, err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("verify: papers/%s.csv: %w", seed, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("verify: papers/%s.csv is empty", seed)
	}
	var claims []Claim
	for _, line := range lines[1:] {
		c, err := claimOf(seed, lines[0], line)
		if err != nil {
			return nil, fmt.Errorf("verify: papers/%s.csv, row %s: %w", seed, line[0], err)
		}
		claims = append(claims, c)
	}
	return claims, nil
}

func claimOf(seed string, head, line []string) (Claim, error) {
	c := Claim{Seed: seed, Cond: map[string]string{}}
	for i, name := range head {
		v := line[i]
		var err error
		switch name {
		case "id":
			c.ID = seed + "." + v
		case "quantity":
			c.Quantity = v
		case "unit":
			c.Unit = v
		case "paper":
			c.Paper = v
		case "rule":
			c.Rule = Rule(v)
		case "tolerance":
			if v != "" {
				c.Tolerance, err = strconv.ParseFloat(v, 64)
			}
		case "gap":
			if v != "" {
				c.Gap, err = strconv.Atoi(v)
			}
		case "note":
			c.Note = v
		default:
			c.Cond[name] = v
		}
		if err != nil {
			return c, fmt.Errorf("column %s: %w", name, err)
		}
	}
	if !slices.Contains([]Rule{Exact, Within, Order}, c.Rule) {
		return c, fmt.Errorf("column rule: %q is none of exact, within, order", c.Rule)
	}
	return c, nil
}

// Select returns the claims of the suites whose ids start with one of the
// prefixes, or all of them without a prefix. A prefix that no id has is an
// error.
func Select(suites []Suite, prefixes []string) (map[string][]Claim, error) {
	chosen := map[string][]Claim{}
	hit := make([]bool, len(prefixes))
	for _, s := range suites {
		claims, err := Claims(s.Seed)
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
				chosen[s.Seed] = append(chosen[s.Seed], c)
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

// Run measures the chosen claims of every suite and compares them.
func Run(ctx context.Context, suites []Suite, chosen map[string][]Claim) ([]Row, error) {
	var rows []Row
	for _, s := range suites {
		if len(chosen[s.Seed]) == 0 {
			continue
		}
		measure := s.New()
		for _, c := range chosen[s.Seed] {
			if err := ctx.Err(); err != nil {
				return rows, err
			}
			v, err := measure(ctx, c)
			if err != nil {
				return rows, fmt.Errorf("verify: %s: %w", c.ID, err)
			}
			rows = append(rows, Compare(c, v))
		}
	}
	return rows, nil
}

// Compare holds a measured value against its claim. A claim with a gap is ok
// while the disagreement persists, and not ok once it has closed: then it
// must be promoted to its rule.
func Compare(c Claim, v Value) Row {
	r := Row{
		ID: c.ID, Seed: c.Seed, Quantity: c.Quantity, Unit: c.Unit,
		Paper: c.Paper, Rule: string(c.Rule), Tolerance: c.Tolerance, Note: c.Note,
	}
	inside := false
	paper, err := strconv.ParseFloat(c.Paper, 64)
	switch {
	case v.Text != "":
		r.Model = v.Text
		inside = v.Text == c.Paper || c.Rule == Order && v.Text == "holds"
	case err != nil:
		r.Model = v.Number // a number where the paper has words: never inside
	default:
		r.Paper, r.Model = paper, v.Number
		d := v.Number - paper
		if c.Unit != "%" && paper != 0 {
			d /= paper
		}
		r.Deviation = &d
		// One part in a million million forgives the rounding of the
		// subtraction, nothing else.
		inside = math.Abs(d) <= c.Tolerance+1e-12
	}
	r.OK = inside
	if c.Gap != 0 {
		r.Rule, r.Gap, r.OK = "gap", &c.Gap, !inside
	}
	return r
}

package verify

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"emsim/internal/base/lists"
	"emsim/internal/base/portable"
)

//go:embed nulls.csv
var nullsCSV string

// A Null is a guess at a number of a paper that needs no model. A line of nulls.csv computes it from numbers of the
// paper. Without a line it is the mean of the number's column, which includes the number itself. Agreement of the model
// shows something only if the guess fails.
type Null struct {
	Name      string  `json:"name"` // as in "the other network's value"
	Rule      string  `json:"rule"` // how it is computed, as in "t3.16.total"
	Value     float64 `json:"value"`
	Deviation float64 `json:"deviation"` // in the unit of the row
	Inside    bool    `json:"inside"`    // the guess is within the row's own limit
}

// nullRule is a line of nulls.csv.
type nullRule struct {
	rows        []string // patterns of ids
	name, value string
}

var nullRules = sync.OnceValues(func() (list []nullRule, err error) {
	lines, err := Table(nullsCSV)
	if err != nil {
		return nil, err
	}
	for _, l := range lines[1:] {
		list = append(list, nullRule{strings.Fields(l[0]), l[1], l[2]})
	}
	return list, nil
})

// matches reports whether an id matches one of the patterns.
func matches(patterns []string, id string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, id); return ok })
}

// Nulls returns the null models of a claim, sorted by their distance from the paper's number. Claims in words and
// numbers of our own have none, nor has a number without a rule that is the only one of its quantity in its table.
func Nulls(c Claim) []Null {
	if _, number := c.Number(); !number || c.Class == Regression {
		return nil
	}
	rules, err := nullRules()
	if err != nil {
		panic(err) // a test parses all lines
	}
	rules = lists.Where(rules, func(r nullRule) bool { return matches(r.rows, c.ID) })
	if len(rules) == 0 {
		rules = meanOfColumn(c)
	}
	list := lists.Of(rules, func(r nullRule) Null {
		n := Null{Name: r.name, Rule: os.Expand(r.value, func(name string) string { return partOf(c, name) })}
		if n.Value, err = printed()[c.PaperNo].value(n.Rule); err != nil {
			panic(fmt.Errorf("nulls.csv: %s: %w", c.ID, err))
		}
		n.Deviation = c.deviation(n.Value)
		n.Inside = math.Abs(n.Deviation) <= c.Tolerance+rounding
		return n
	})
	slices.SortStableFunc(list, func(a, b Null) int {
		return cmp.Compare(math.Abs(a.Deviation),
			math.Abs(b.Deviation))
	})
	return list
}

// meanOfColumn returns the default null model, for claims without a rule: the mean of the numbers of one quantity in a
// table. It returns nil if the table has only one such number.
func meanOfColumn(c Claim) []nullRule {
	pattern := partOf(c, "table") + ".*"
	if len(printed()[c.PaperNo].column(pattern, c.Quantity)) < 2 {
		return nil
	}
	return []nullRule{{name: "the mean of the column", value: "mean " + pattern + " " + c.Quantity}}
}

// partOf returns the text for ${name} in nulls.csv: a part of the id, or a condition.
func partOf(c Claim, name string) string {
	_, id, _ := strings.Cut(c.ID, ".")
	table, rest, _ := strings.Cut(id, ".")
	row, _, _ := strings.Cut(rest, ".")
	switch name {
	case "table":
		return table
	case "row":
		return row
	case "last":
		return id[strings.LastIndex(id, ".")+1:]
	}
	return c.Cond[name]
}

// numbers are the claims of a paper that are numbers printed in the paper.
type numbers []Claim

// printed returns the numbers of every paper.
var printed = sync.OnceValue(func() map[string]numbers {
	all := map[string]numbers{}
	for _, s := range Suites() {
		claims, _ := Claims(s.Paper) // a test parses all claims
		all[s.Paper] = lists.Where(claims, func(c Claim) bool {
			_, number := c.Number()
			return number && c.Class != Regression
		})
	}
	return all
})

// row returns the claim with an id, which is given without the paper's number, and the figure that the paper prints.
func (n numbers) row(id string) (Claim, float64, error) {
	c, found := lists.Find(n, func(c Claim) bool { return c.ID == c.PaperNo+"."+id })
	if !found {
		return c, 0, fmt.Errorf("the paper has no number %q", id)
	}
	f, _ := c.Number()
	return c, f, nil
}

// column returns the numbers of one quantity whose ids match a pattern. If quantity is "", it returns the numbers of
// all quantities.
func (n numbers) column(pattern, quantity string) (column []float64) {
	for _, c := range n {
		if matches([]string{c.PaperNo + "." + pattern}, c.ID) && (quantity == "" || c.Quantity == quantity) {
			f, _ := c.Number()
			column = append(column, f)
		}
	}
	return column
}

// value evaluates a rule of nulls.csv.
func (n numbers) value(rule string) (float64, error) {
	words := strings.Fields(rule)
	switch {
	case len(words) == 0:
		return 0, errors.New("the rule is empty")
	case words[0] == "mean" && len(words) <= 3:
		words = append(words, "", "")
		column := n.column(words[1], words[2])
		if len(column) == 0 {
			return 0, fmt.Errorf("no number matches the pattern %q", words[1])
		}
		return lists.Sum(column, func(f float64) float64 { return f }) / float64(len(column)), nil
	case words[0] == "line" && len(words) == 5:
		return n.line(words[1], words[2], words[3], words[4])
	}
	return n.product(words)
}

// product evaluates a product and quotient of numbers and rows, from left to right.
func (n numbers) product(words []string) (value float64, err error) {
	value = 1
	for i := -1; i < len(words); i += 2 { // words[i] is an operator, words[i+1] its operand
		operator := "*"
		if i > 0 {
			operator = words[i]
		}
		if i+1 == len(words) {
			return 0, fmt.Errorf("expected a number or a row after %q", operator)
		}
		f, err := strconv.ParseFloat(words[i+1], 64)
		if err != nil {
			_, f, err = n.row(words[i+1])
		}
		switch {
		case err != nil:
			return 0, err
		case operator == "*":
			value = float64(value * f)
		case operator == "/" && f != 0:
			value /= f
		default:
			return 0, fmt.Errorf("expected * or / and a number other than 0, not %q %v", operator, f)
		}
	}
	return value, nil
}

// line draws a straight line through the numbers of two rows, on logarithmic axes, over a condition of both rows. It
// returns the value where the condition equals at.
func (n numbers) line(first, second, condition, at string) (float64, error) {
	x, err := strconv.ParseFloat(at, 64)
	if err != nil {
		return 0, fmt.Errorf("the condition %s: %w", condition, err)
	}
	var xs, ys [2]float64
	for i, id := range []string{first, second} {
		c, y, err := n.row(id)
		if err != nil {
			return 0, err
		}
		if xs[i], err = strconv.ParseFloat(c.Cond[condition], 64); err != nil {
			return 0, fmt.Errorf("row %s, condition %s: %w", id, condition, err)
		}
		ys[i] = y
	}
	if min(x, xs[0], ys[0], ys[1]) <= 0 || xs[1] <= xs[0] {
		return 0, fmt.Errorf("no line through %s and %s: logarithms need numbers above 0, and two different places",
			first, second)
	}
	part := portable.Log(x/xs[0]) / portable.Log(xs[1]/xs[0])
	return float64(ys[0] * portable.Exp(float64(part*portable.Log(ys[1]/ys[0])))), nil
}

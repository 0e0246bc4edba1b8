package verify

import (
	"fmt"

	"emsim/internal/base/plural"
)

// A Count holds numbers of rows by verdict.
type Count struct{ Rows, Inside, Gaps, NotOK int }

func (n *Count) countRow(r Row) {
	n.Rows++
	switch r.Verdict {
	case Inside:
		n.Inside++
	case Known:
		n.Gaps++
	default:
		n.NotOK++
	}
}

// Plus returns the sum of two counts.
func (n Count) Plus(m Count) Count {
	return Count{n.Rows + m.Rows, n.Inside + m.Inside, n.Gaps + m.Gaps, n.NotOK + m.NotOK}
}

// String returns the counts as text, as in "9 inside, 1 known gap, 0 not ok".
func (n Count) String() string {
	return fmt.Sprintf("%d inside, %s, %d not ok", n.Inside, plural.Of(n.Gaps, "known gap"), n.NotOK)
}

// Counts are the counts of rows by class. Derived rows, and rows that are predicted only by label, are counted
// separately.
type Counts map[Class]Count

// Counts has these keys for rows that it counts separately.
const (
	derivedRows Class = derived
	byLabel     Class = "by label"
)

// CountRows counts rows by class.
func CountRows(rows []Row) Counts {
	counts := Counts{}
	for _, r := range rows {
		class := r.Class
		switch {
		case r.Derived:
			class = derivedRows
		case r.ByLabel():
			class = byLabel
		}
		n := counts[class]
		n.countRow(r)
		counts[class] = n
	}
	return counts
}

// Papers returns the count of the rows that hold a figure or a claim of a paper.
func (c Counts) Papers() Count {
	return c[Fitted].Plus(c[Guided]).Plus(c[Predicted]).Plus(c[byLabel])
}

// ByLabel returns the count of the rows that are called predicted although a null model is within the same limit,
// too: see Row.ByLabel. Counts[Predicted] counts the other predicted rows.
func (c Counts) ByLabel() Count { return c[byLabel] }

// Derived returns the count of the rows whose numbers follow from the numbers of other rows.
func (c Counts) Derived() Count { return c[derivedRows] }

// Regressions returns the count of the rows that hold numbers of our own.
func (c Counts) Regressions() Count { return c[Regression] }

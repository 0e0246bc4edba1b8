package verify

import (
	"fmt"

	"emsim/internal/base/plural"
)

// A Count is the number of rows by verdict.
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

// Plus sums two counts.
func (n Count) Plus(m Count) Count {
	return Count{n.Rows + m.Rows, n.Inside + m.Inside, n.Gaps + m.Gaps, n.NotOK + m.NotOK}
}

// String summarises the verdicts, as in "9 inside, 1 known gap, 0 not ok".
func (n Count) String() string {
	return fmt.Sprintf("%d inside, %s, %d not ok", n.Inside, plural.Of(n.Gaps, "known gap"), n.NotOK)
}

// Counts are rows counted by class; derived rows are counted apart, and so are those
// that are predicted by label only.
type Counts map[Class]Count

// Where Counts counts these.
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

// Papers counts the rows that hold a figure or a claim of a paper.
func (c Counts) Papers() Count {
	return c[Fitted].Plus(c[Guided]).Plus(c[Predicted]).Plus(c[byLabel])
}

// ByLabel counts the rows that are called predicted and of which a null model passes the
// same limit: see Row.ByLabel. Counts[Predicted] has the others.
func (c Counts) ByLabel() Count { return c[byLabel] }

// Derived counts the rows whose numbers follow from other rows' numbers.
func (c Counts) Derived() Count { return c[derivedRows] }

// Regressions counts the rows that hold numbers of our own.
func (c Counts) Regressions() Count { return c[Regression] }

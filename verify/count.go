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

// Counts are rows counted by class; derived rows are counted apart.
type Counts map[Class]Count

// derivedRows is where Counts counts them.
const derivedRows Class = derived

// CountRows counts rows by class.
func CountRows(rows []Row) Counts {
	counts := Counts{}
	for _, r := range rows {
		class := r.Class
		if r.Derived {
			class = derivedRows
		}
		n := counts[class]
		n.countRow(r)
		counts[class] = n
	}
	return counts
}

// Papers counts the rows that hold a figure or a claim of a paper.
func (c Counts) Papers() Count { return c[Fitted].Plus(c[Guided]).Plus(c[Predicted]) }

// Derived counts the rows whose numbers follow from those of other rows.
func (c Counts) Derived() Count { return c[derivedRows] }

// Regressions counts the rows that hold numbers of our own.
func (c Counts) Regressions() Count { return c[Regression] }

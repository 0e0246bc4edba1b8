package verify

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// runs are the rows of each paper, measured once for all tests.
var runs = func() map[string]func() ([]Row, error) {
	all := map[string]func() ([]Row, error){}
	for _, s := range Suites() {
		all[s.Paper] = sync.OnceValues(func() ([]Row, error) {
			suites := []Suite{s}
			chosen, err := Select(suites, nil)
			if err != nil {
				return nil, err
			}
			return Run(context.Background(), suites, chosen, nil)
		})
	}
	return all
}()

// measured returns the rows of a paper.
func measured(t *testing.T, paper string) []Row {
	t.Helper()
	rows, err := runs[paper]()
	require.NoError(t, err)
	claims, err := Claims(paper)
	require.NoError(t, err)
	require.Len(t, rows, len(claims))
	return rows
}

// allOK requires every row to be inside its rule, or a gap in its band.
func allOK(t *testing.T, rows []Row) {
	t.Helper()
	for _, r := range rows {
		if !r.OK {
			t.Errorf("%s: paper %v, model %v: %s", r.ID, r.Paper, r.Model, r.Why())
		}
	}
}

package rhinet

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every policy splits by equation (1), which can be written as a Splitter.
func TestAlgorithmsAreSplitters(t *testing.T) {
	for _, a := range []Policy{CLB, DLB, GLB, IGCLB, IGDLB, WLB} {
		c := Default()
		c.Nodes, c.SOR.Rows, c.Policy, c.Every, c.Load = 8, 800, a, 20, OneLoad
		want, err := Run(t.Context(), c)
		require.NoError(t, err)
		c.Own = &Own{Split: BySpeed}
		got, err := Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, want, got, a)
	}
}

// A user's own policy gets the ranks' reports, and its result is checked.
func TestOwnSplitter(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Every = 4, 800, 20
	seen, waits := 0, int64(0)
	c.Own = &Own{Split: func(rows int, reports []Report) ([]int, error) {
		seen++
		require.Equal(t, 800, rows)
		for i, r := range reports {
			require.Equal(t, i, r.Rank)
			require.Equal(t, 20, r.Loops)
			require.Positive(t, r.Time)
			require.LessOrEqual(t, r.Longest, r.Time)
			require.GreaterOrEqual(t, int64(20)*r.Longest, r.Time)
			waits = max(waits, r.Wait)
			if seen > 1 && i == 0 {
				require.Greater(t, r.Wait, r.Time, "with so few rows it waits most of the time")
			}
		}
		return []int{100, 200, 300, 200}, nil
	}}
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, len(r.Epochs)-1, seen)
	require.Positive(t, waits)
	require.Equal(t, []int{100, 200, 300, 200}, r.Epochs[1].Rows)
	for want, rows := range map[string][]int{
		"the split gives 3 ranks 800 rows: expected 4 ranks and 800 rows": {300, 300, 200},
		"the split gives 4 ranks 801 rows":                                {300, 300, 200, 1},
		"the split gives rank 1 0 rows: every rank needs one":             {300, 0, 300, 200},
	} {
		c.Own.Split = func(int, []Report) ([]int, error) { return rows, nil }
		_, err := Run(t.Context(), c)
		require.ErrorContains(t, err, want)
		require.ErrorAs(t, err, new(*Usage))
	}
	own := errors.New("no idea")
	c.Own.Split = func(int, []Report) ([]int, error) { return nil, own }
	_, err = Run(t.Context(), c)
	require.ErrorIs(t, err, own)
}

// In groups the policy shares the rows of a group, and under WLB the rows of the ranks that do not rest. Reports and
// errors name the right ranks.
func TestSplitterOfSomeRanks(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Every, c.Group, c.Policy, c.Load = 8, 800, 20, 4, IGCLB, OneLoad
	first := map[int]bool{}
	bad := false
	c.Own = &Own{Split: func(rows int, reports []Report) ([]int, error) {
		require.Len(t, reports, 4)
		for i, r := range reports {
			require.Equal(t, reports[0].Rank+i, r.Rank)
		}
		first[reports[0].Rank] = true
		if bad && reports[0].Rank == 4 {
			return []int{1, 1, 0, rows - 2}, nil
		}
		return []int{1, 1, 1, rows - 3}, nil
	}}
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, map[int]bool{0: true, 4: true}, first)
	last := r.Epochs[len(r.Epochs)-1].Rows
	require.Equal(t, []int{1, 1, 1, 1, 1, 1}, []int{last[0], last[1], last[2], last[4], last[5], last[6]})
	bad = true
	_, err = Run(t.Context(), c)
	require.ErrorContains(t, err, "the split gives rank 6 0 rows: every rank needs one")

	c = Default()
	c.Nodes, c.SOR.Rows, c.Every, c.Policy, c.Load = 8, 800, 20, WLB, OneLoad
	rested := false
	c.Own = &Own{Split: func(rows int, reports []Report) ([]int, error) {
		rested = rested || len(reports) < 8
		return BySpeed(rows, reports)
	}}
	_, err = Run(t.Context(), c)
	require.NoError(t, err)
	require.True(t, rested)
}

// Moved counts the rows that changed rank from the splits themselves, without a phase in which the run ended.
func TestMoved(t *testing.T) {
	r := Result{Epochs: []Epoch{
		{First: []int{0, 4, 8}, Rows: []int{4, 4, 4}},
		{First: []int{0, 2, 8}, Rows: []int{2, 6, 4}},
		{First: []int{0, 5, 6}, Rows: []int{5, 1, 6}},
		{First: []int{0, 0, 0}, Rows: []int{5, 0, 0}},
	}}
	require.Equal(t, 2+3+2, r.Moved())
	require.Zero(t, (&Result{Epochs: r.Epochs[:1]}).Moved())
}

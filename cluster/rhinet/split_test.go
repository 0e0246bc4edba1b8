package rhinet

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every algorithm of the paper splits by equation (1), written on the hook.
func TestAlgorithmsAreSplitters(t *testing.T) {
	for _, a := range []Algorithm{CLB, DLB, GLB, IGCLB, IGDLB} {
		c := Default()
		c.Nodes, c.SOR.Rows, c.Algorithm, c.Every, c.Load = 8, 800, a, 20, OneLoad
		want, err := Run(t.Context(), c)
		require.NoError(t, err)
		c.Own = &Own{Split: BySpeed}
		got, err := Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, want, got, a)
	}
}

// A policy of one's own is told what the ranks measured, and is checked.
func TestOwnSplitter(t *testing.T) {
	c := Default()
	c.Nodes, c.SOR.Rows, c.Every = 4, 800, 20
	seen := 0
	c.Own = &Own{Split: func(rows int, reports []Report) ([]int, error) {
		seen++
		require.Equal(t, 800, rows)
		for i, r := range reports {
			require.Equal(t, i, r.Rank)
			require.Equal(t, 20, r.Loops)
			require.Positive(t, r.Time)
			require.LessOrEqual(t, r.Longest, r.Time)
		}
		return []int{100, 200, 300, 200}, nil
	}}
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, len(r.Epochs)-1, seen)
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

// Rows that changed rank: from the splits themselves; a phase in which the run
// ended does not count.
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

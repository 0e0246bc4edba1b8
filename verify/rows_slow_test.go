//go:build slow

package verify

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The models give what is recorded, row by row; with -update it is recorded anew.
func TestRows(t *testing.T) {
	chosen, err := Select(Suites(), nil)
	require.NoError(t, err)
	rows, err := Run(t.Context(), Suites(), chosen, nil)
	require.NoError(t, err)
	var want []Row
	if *update {
		var text bytes.Buffer
		for _, r := range rows {
			require.NoError(t, json.NewEncoder(&text).Encode(givenOf(r)))
		}
		require.NoError(t, os.WriteFile("testdata/rows.json", text.Bytes(), 0o644))
	}
	for _, s := range Suites() {
		want = append(want, measured(t, s.Paper)...)
	}
	require.Len(t, rows, len(want))
	for i, r := range rows {
		require.Equal(t, want[i], r, r.ID)
	}
}

func givenOf(r Row) givenRow {
	return givenRow{r.ID, r.Model, r.Best, r.Mean, r.Min, r.Max, r.First, r.Held, r.Runs, r.Seeds, r.BestOf}
}

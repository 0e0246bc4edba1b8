//go:build slow

package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/ensemble"
)

// The models give the recorded values, row by row. With -update the values are recorded again.
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

// The table of 24 runs in docs/CALIBRATION.md has the results of 'emsim verify 003 --runs 24', with the standard error
// of each mean.
func TestManyRuns(t *testing.T) {
	const runs = 24
	all, err := Claims("003")
	require.NoError(t, err)
	var claims []Claim
	for _, c := range all {
		if _, number := c.Number(); number && c.Quantity != "mips" && !strings.HasPrefix(c.Cond["source"], derived) {
			claims = append(claims, c)
		}
	}
	usual := map[string]Row{}
	for _, r := range measured(t, "003") {
		usual[r.ID] = r
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	measure := paper003(runs).New(ctx, ensemble.New(0), claims)
	off := func(r Row) string {
		text := deviationText(r)
		if !r.Inside() {
			text += "\\*"
		}
		return text
	}
	table := "| row | paper | 8 runs | 24 runs | standard error |\n|---|--:|--:|--:|--:|\n"
	for _, c := range claims {
		v, err := measure(ctx, c)
		require.NoError(t, err, c.ID)
		mean, squares, list := v.Spread.Mean, 0.0, v.Spread.fastest
		for _, x := range list {
			squares += (x - mean) * (x - mean)
		}
		spread := math.Sqrt(squares / float64(len(list)-1) / float64(len(list)))
		text := fmt.Sprintf("%.1f pt", spread)
		if paper, _ := c.Number(); c.Unit != "%" {
			text = fmt.Sprintf("%.1f %%", 100*spread/paper)
		}
		table += fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", strings.TrimPrefix(c.ID, "003."), c.Paper,
			off(usual[c.ID]), off(Compare(c, v)), text)
	}
	tablesOf(t, "../docs/CALIBRATION.md", map[string]string{"many runs": table})
}

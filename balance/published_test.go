package balance

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
)

// published is the file of the recorded comparison.
const published = "../docs/balance/compare.csv"

// publishedPlan returns its plan: all grains, and sizes up to 256.
func publishedPlan() Plan {
	p := Default(true)
	p.Workers, p.Interval = []int{16, 64, 256}, spread.Interval
	return p
}

// The recorded comparison is what the policies give today. This test checks the rows of three policies, a slow test
// all.
func TestPublishedRows(t *testing.T) {
	text, err := os.ReadFile(published)
	require.NoError(t, err)
	p := publishedPlan()
	p.Workers, p.Grains = []int{16}, []int{30}
	p.Policies = nil
	for _, name := range []string{"mnc-auto", "power", "stealing"} {
		s, _ := FindPolicy(name)
		p.Policies = append(p.Policies, s)
	}
	rows, err := p.Compare(context.Background(), 2, nil)
	require.NoError(t, err)
	for k := range rows {
		r := &rows[k]
		r.Regret, r.RegLow, r.RegHigh, r.Tie = nil, nil, nil, nil // the best policy of the cell is not among these
	}
	recorded := 0
	for line := range strings.Lines(CSV(rows)) {
		if line == csvHeader() {
			continue
		}
		fields := strings.Split(line, ",")
		for other := range strings.Lines(string(text)) {
			o := strings.Split(other, ",")
			if o[0] == fields[0] && o[1] == fields[1] && o[2] == fields[2] && o[3] == fields[3] {
				clear(o[9:12])  // these depend on the checks
				clear(o[14:18]) // regret
				require.Equal(t, line, strings.Join(o, ","))
				recorded++
			}
		}
	}
	require.Equal(t, len(rows), recorded)
}

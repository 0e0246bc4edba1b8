package verify

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/run"
)

// givenRow is what was measured for a row, as in testdata/rows.json.
type givenRow struct {
	ID                          string
	Model                       any      // float64 or string
	Best, Mean, Min, Max, First *float64 `json:",omitempty"`
	Held                        *int     `json:",omitempty"`
	Runs, Seeds                 int      `json:",omitempty"`
	BestOf                      []BestOf `json:",omitempty"`
}

// value returns what a suite has measured.
func (r givenRow) value() Value {
	var v Value
	v.Number, _ = r.Model.(float64)
	v.Text, _ = r.Model.(string)
	if r.Runs > 0 {
		v.Spread = &Spread{Runs: r.Runs, Seeds: r.Seeds, Held: r.Held}
		if r.Mean != nil {
			v.Spread.Band, v.Spread.First = run.Band{Best: *r.Best, Mean: *r.Mean, Min: *r.Min, Max: *r.Max}, *r.First
		}
	}
	return v
}

// givenRows returns the rows of all papers as the models last gave them. It takes a minute to measure them again, which
// TestRows (-tags slow) does.
var givenRows = sync.OnceValues(func() (map[string]givenRow, error) {
	text, err := os.ReadFile("testdata/rows.json")
	if err != nil {
		return nil, err
	}
	all := map[string]givenRow{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var r givenRow
		if err := d.Decode(&r); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[r.ID] = r
	}
})

// measured returns the rows of a paper.
func measured(t *testing.T, paper string) []Row {
	t.Helper()
	all, err := givenRows()
	require.NoError(t, err)
	claims, err := Claims(paper)
	require.NoError(t, err)
	var rows []Row
	for _, c := range claims {
		given, ok := all[c.ID]
		require.True(t, ok, "%s: 'go test -tags slow ./verify -run TestRows -update' measures it", c.ID)
		row := Compare(c, given.value())
		row.BestOf = given.BestOf
		rows = append(rows, row)
	}
	return rows
}

// costly lists the rows that only TestRows measures, by the beginnings of their ids. These are larger runs of what
// other rows measure as well.
var costly = []string{
	"000.rel.1", "000.rel.2", "000.rel.3", "000.rel.5", "000.rel.8", "001.claim.comm", "001.claim.waiting",
	"001.claim.noload", "001.claim.twoload", "001.claim.maxgain",
	"001.claim.oneload", "001.claim.slow64", "003.",
	"004.acc.nstar.hxb4x3.sd_ratio", "004.acc.nstar.hxb4x4", "004.acc.nstar.slow_pps", "004.acc.runtime.torus8x4",
	"004.acc.cost.torus8x4", "004.acc.cost.enumeration", "004.acc.golden.4long",
}

// The models give the recorded values, in all rows that are not costly.
func TestCheapRows(t *testing.T) {
	chosen, err := Select(Suites(), nil)
	require.NoError(t, err)
	var want []Row
	for _, s := range Suites() {
		var cheap []Claim
		for i, c := range chosen[s.Paper] {
			if !hasPrefix(c.ID, costly) {
				cheap = append(cheap, c)
				want = append(want, measured(t, s.Paper)[i])
			}
		}
		chosen[s.Paper] = cheap
	}
	rows, err := Run(t.Context(), Suites(), chosen, nil)
	require.NoError(t, err)
	require.Equal(t, want, rows)
}

// The first run of every row of paper 003 gives the recorded first value. A claim in words that holds or fails in all
// runs also holds or fails in the first run.
func TestFirstRuns(t *testing.T) {
	s := Standard003()
	s.Runs, s.Seeds = 1, 1
	rows, err := NewBench003(s).Rows(t.Context(), "003")
	require.NoError(t, err)
	want := measured(t, "003")
	require.Len(t, rows, len(want))
	for i, r := range rows {
		switch w := want[i]; {
		case r.Quantity == "relation":
			if *w.Held%w.Runs == 0 { // all runs agree
				require.Equal(t, *w.Held > 0, r.Model == holds, r.ID)
			}
		case w.First == nil:
			require.Equal(t, w.Model, r.Model, r.ID)
		case w.Seeds == 1:
			require.Equal(t, w.First, r.First, r.ID)
		default:
			require.True(t, *w.Min <= *r.First && *r.First <= *w.Max, "%s: %v", r.ID, *r.First)
		}
	}
}

// allOK requires every row to be inside its rule, or to be a gap inside its band.
func allOK(t *testing.T, rows []Row) {
	t.Helper()
	for _, r := range rows {
		if !r.OK {
			t.Errorf("%s: paper %v, model %v: %s", r.ID, r.Paper, r.Model, r.Why())
		}
	}
}

//go:build slow

package docs_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/balance"
	"emsim/internal/base/knob"
	"emsim/internal/study/spread"
	"emsim/sim"
)

// oneCell returns the plan of a policy at a workload, with one number of the network or the policies changed.
func oneCell(t *testing.T, policy, workload, grain, workers, key, value string) balance.Plan {
	p := balance.Default(false)
	p.Policies = slices.DeleteFunc(p.Policies, func(s balance.Policy) bool { return s.Name != policy })
	p.Workloads = slices.DeleteFunc(slices.Concat(balance.Workloads(), balance.OpenWorkloads()),
		func(l balance.Workload) bool { return l.Name != workload })
	require.Len(t, p.Workloads, 1)
	n, _ := strconv.Atoi(workers)
	g, _ := strconv.Atoi(grain)
	p.Workers, p.Grains = []int{n}, []int{g}
	p.Interval = spread.Interval
	if key != "" {
		require.NoError(t, knob.Set(balance.Knobs(), &p, key, value))
	}
	return p
}

// The table of changed prices and intervals has the policies' current results, and so has the table of load limits.
func TestChangedNumbersOfBalance(t *testing.T) {
	page := loadPage(t, "BALANCE.md").text
	found := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+) \\| ([0-9]+) \\| ([0-9]+) \\| ([a-z]+)=([0-9.]+) "+
		"\\| ([0-9.]+ \\([0-9.]+-[0-9.]+\\)) \\|$").FindAllStringSubmatch(page, -1)
	require.Len(t, found, 6)
	for _, m := range found {
		p := oneCell(t, m[1], m[2], m[3], m[4], m[5], m[6])
		rows, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		require.Equal(t, m[7], fmt.Sprintf("%.2f (%.2f-%.2f)", *rows[0].Mean, *rows[0].Low, *rows[0].High), m[0])
	}
	limits := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (poisson) \\| ([0-9]+) \\| ([0-9]+[.][^|]*) \\|$").
		FindAllStringSubmatch(page, -1)
	require.Len(t, limits, 7)
	for _, m := range limits {
		p := oneCell(t, m[1], m[2], m[3], "16", "", "")
		p.Seeds = balance.FewSeeds
		rows, err := p.Limits(t.Context(), 2, nil)
		require.NoError(t, err)
		require.Equal(t, m[4], fmt.Sprintf("%.1f (%.1f-%.1f)", *rows[0].Load, *rows[0].Low, *rows[0].High), m[0])
		require.True(t, *rows[0].Holds, m[0])
	}
}

// The answers' statements about two cells also hold with seeds from 1,000,001 on, which were not used for the page.
func TestClaimsOnOtherSeeds(t *testing.T) {
	known := map[[4]string]balance.Row{}
	run := func(cells ...[4]string) []balance.Row {
		p := sim.Comparison()
		p.First, p.Workers, p.Grains = 1_000_001, nil, nil
		p.Policies = slices.DeleteFunc(p.Policies, func(s balance.Policy) bool {
			return !slices.ContainsFunc(cells, func(c [4]string) bool { return c[0] == s.Name })
		})
		name, load, open := strings.Cut(cells[0][1], " ")
		p.Workloads = slices.DeleteFunc(p.Workloads, func(l balance.Workload) bool { return l.Name != name })
		if open {
			percent, err := strconv.ParseFloat(strings.TrimSuffix(load, " %"), 64)
			require.NoError(t, err)
			p.Workloads[0].Load, p.Precision = percent, 10
		}
		n, _ := strconv.Atoi(cells[0][3])
		grain, _ := strconv.Atoi(cells[0][2])
		p.Workers, p.Grains = []int{n}, []int{grain}
		rows, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		require.Len(t, rows, len(cells))
		return rows
	}
	one := func(c [4]string) balance.Row {
		if _, ok := known[c]; !ok {
			known[c] = run(c)[0]
		}
		return known[c]
	}
	ends := func(r balance.Row) (low, high float64) {
		if r.Workload == "poisson" || r.Workload == "bursty" {
			return *r.RespLow, *r.RespHigh
		}
		return *r.Low, *r.High
	}
	for _, x := range claims(t, cells(t)) {
		if x.isATie {
			continue
		}
		_, high := ends(one(x.a))
		low, _ := ends(one(x.b))
		if high < low {
			continue
		}
		require.Equal(t, x.a[1:], x.b[1:], "%s: %g is not below %g", x.text, high, low) // equal seeds may show it
		for _, r := range run(x.a, x.b) {
			require.Equal(t, r.Policy == x.a[0], *r.Regret == 0, x.text)
			require.Equal(t, r.Policy == x.a[0], *r.Tie, x.text)
		}
	}
}

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
)

// oneCell is the plan of a scheme at a workload, with a number of the network or the
// schemes changed.
func oneCell(t *testing.T, scheme, workload, grain, workers, key, value string) balance.Plan {
	p := balance.Default(false)
	p.Schemes = slices.DeleteFunc(p.Schemes, func(s balance.Scheme) bool { return s.Name != scheme })
	p.Workloads = slices.DeleteFunc(slices.Concat(balance.Workloads(), balance.OpenWorkloads()), func(l balance.Workload) bool { return l.Name != workload })
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

// Numbers marked with their cell and what was changed, as in "1.08 (1.07-1.09) (clb, uneven, 30,
// 256, interval=13.2)", are what the schemes do. So are limits of the load, as in "99 % (stealing, poisson, 3)".
func TestChangedNumbersOfBalance(t *testing.T) {
	page := strings.Join(strings.Fields(loadPage(t, "BALANCE.md").text), " ")
	found := regexp.MustCompile(`([0-9.]+ \([0-9.]+-[0-9.]+\)) \(([a-z-]+), ([a-z]+), ([0-9]+), ([0-9]+), ([a-z]+)=([0-9.]+)\)`).FindAllStringSubmatch(page, -1)
	require.Greater(t, len(found), 5)
	for _, m := range found {
		p := oneCell(t, m[2], m[3], m[4], m[5], m[6], m[7])
		rows, err := p.Compare(t.Context(), 2, nil)
		require.NoError(t, err)
		require.Equal(t, m[1], fmt.Sprintf("%.2f (%.2f-%.2f)", *rows[0].Mean, *rows[0].Low, *rows[0].High), m[0])
	}
	limits := regexp.MustCompile(`([0-9]+) % \(([a-z-]+), (poisson), ([0-9]+)\)`).FindAllStringSubmatch(page, -1)
	require.Greater(t, len(limits), 4)
	for _, m := range limits {
		p := oneCell(t, m[2], m[3], m[4], "16", "", "")
		p.Seeds = balance.FewSeeds
		rows, err := p.Limits(t.Context(), 2, nil)
		require.NoError(t, err)
		require.Equal(t, m[1], fmt.Sprintf("%.0f", *rows[0].Load), m[0])
	}
}

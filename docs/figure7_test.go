package docs_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table has the variants that would explain figure 7: means of the sweep's runs with their standard errors, next
// to the values of paper 003.
func TestVariantsOfFigure7(t *testing.T) {
	table, page := read(t, "beyond/figure7.csv"), loadPage(t, "CALIBRATION.md")
	columns := []struct {
		name   string
		unit   float64
		digits int
		paper  string // [003 table 3, figure 8]
	}{
		{"mlpe_calls", 1, 0, "2216"},
		{"time_ms", 1, 3, "7.10"},
		{"pe_utilisation", 100, 1, "79.6"},
		{"exu_fmu", 100, 1, "45.3"},
		{"ibu_only", 100, 1, "34.3"},
		{"network_wait", 100, 1, "13.4"},
	}
	paper := []string{"the paper"}
	for _, c := range columns {
		paper = append(paper, c.paper)
	}
	lines := [][]string{append(paper, "")}
	for _, x := range [][2]string{
		{"as published", "base"},
		{"strict", "strict"},
		{"(a) the load counts the packet in execution", "counts execution"},
		{"(a), strict", "counts execution, strict"},
		{"(b) the answer does not queue", "fills register"},
		{"(b), strict", "fills register, strict"},
		{"(a) and (b)", "both"},
		{"(a) and (b), strict", "both, strict"},
	} {
		r := table.find("variant", x[1])
		require.Equal(t, "ok", r["outcome"], x[1])
		require.GreaterOrEqual(t, r.number("samples"), 24.0, "a mean of fewer runs is within the noise")
		line := []string{x[0]}
		for _, c := range columns {
			mean, err := c.unit*r.number(c.name), c.unit*r.number(c.name+"_sd")/math.Sqrt(r.number("samples"))
			line = append(line, fmt.Sprintf("%.*f ± %.*f", c.digits, mean, c.digits, err))
		}
		lines = append(lines, append(line, fmt.Sprintf("%.0f", r.number("mlpe_calls_max"))))
	}
	page.block(t, "figure7", markdown([]string{
		"setting", "MLPE calls", "time, ms", "utilisation, %", "EXU and FMU, %", "IBU only, %", "waiting, %",
		"most MLPE calls in a run",
	}, lines))
	page.save(t)
}

// The page's statements about the variants have the numbers of the same table.
func TestFigure7InCalibration(t *testing.T) {
	p := proseOf(t, "beyond/figure7.csv", "CALIBRATION.md")
	const paper = 2216 // [003 table 3]
	at := func(variant string) row { return p.find("variant", variant) }
	calls := func(variant string) float64 { return at(variant).number("mlpe_calls") }
	words := func(x float64) string {
		return fmt.Sprintf("%d,%03d", int(math.Round(x))/1000, int(math.Round(x))%1000)
	}
	above := func(variant string) float64 { return 100 * (calls(variant)/paper - 1) }
	strict := at("counts execution, strict")
	n, most := strict.number("samples"), strict.number("mlpe_calls_max")
	p.says(t, "fib(24) with MLPE %.0f times after one boot", n)
	p.says(t, "**(a) changes nothing**: %s calls.", words(calls("counts execution")))
	p.says(t, "places %s calls; the other %.0f runs place %s in the mean.",
		words(most), n-1, words((n*calls("counts execution, strict")-most)/(n-1)))
	p.says(t, "%s in the mean, %.0f %% above the paper, where the published rule is %.0f %% below it.",
		words(calls("fills register")), above("fills register"), -above("base"))
	p.says(t, "**Both together** give %s, no more than (b) alone within the noise; with strict ties they give %s.",
		words(calls("both")), words(calls("both, strict")))
	p.says(t, "the queue that the answer passes is worth %.0f calls", calls("fills register")-calls("base"))
	for _, r := range []row{
		at("base"), at("counts execution"), at("fills register"), at("both"), strict, at("both, strict"), at("strict"),
		at("fills register, strict"),
	} {
		require.InEpsilon(t, 7.10, r.number("time_ms"), 0.1)
		for column, share := range map[string]float64{"pe_utilisation": 0.796, "exu_fmu": 0.453, "ibu_only": 0.343} {
			require.InDelta(t, share, r.number(column), 0.05, column)
		}
		require.InEpsilon(t, 0.134, r.number("network_wait"), 0.15)
	}
	// (b) differs from both together, and (a) from the base, by at most two standard errors.
	require.InDelta(t, calls("fills register"), calls("both"),
		2*math.Hypot(at("both").number("mlpe_calls_sd"), at("fills register").number("mlpe_calls_sd"))/math.Sqrt(n))
	require.InDelta(t, calls("base"), calls("counts execution"),
		2*math.Hypot(at("base").number("mlpe_calls_sd"), at("counts execution").number("mlpe_calls_sd"))/math.Sqrt(n))
}

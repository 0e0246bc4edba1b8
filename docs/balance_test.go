package docs_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/balance"
	"emsim/docs"
)

// cells are the recorded comparison by scheme, workload, grain and workers.
func cells(t *testing.T) map[[4]string]map[string]string {
	lines, err := csv.NewReader(strings.NewReader(docs.Balance)).ReadAll()
	require.NoError(t, err)
	out := map[[4]string]map[string]string{}
	for _, l := range lines[1:] {
		r := map[string]string{}
		for k, name := range lines[0] {
			r[name] = l[k]
		}
		require.Equal(t, "32", r["seeds"])
		out[[4]string{r["scheme"], r["workload"], r["grain"], r["n"]}] = r
	}
	return out
}

func balancePage(t *testing.T) string {
	text, err := os.ReadFile("BALANCE.md")
	require.NoError(t, err)
	return string(text)
}

// mean is a number of the page's table.
func mean(r map[string]string) string {
	if r["mean"] == "" {
		return "n/a"
	}
	v, _ := strconv.ParseFloat(r["mean"], 64)
	return fmt.Sprintf("%.2f", v)
}

// The tables of BALANCE.md have the numbers of the recorded comparison.
func TestTablesOfBalance(t *testing.T) {
	page, all := balancePage(t), cells(t)
	for _, columns := range [][][2]string{{{"3", "16"}, {"30", "16"}}, {{"30", "64"}, {"30", "256"}}} {
		for _, s := range balance.Schemes() {
			line := "| `" + s.Name + "`"
			for _, w := range balance.Workloads() {
				for _, c := range columns {
					r := all[[4]string{s.Name, w.Name, c[0], c[1]}]
					line += " | " + mean(r) + map[string]string{"true": " ="}[r["tie"]]
				}
			}
			require.Contains(t, page, line+" |\n")
		}
	}
}

// Every number of the explanations that is marked with its cell is that
// cell's: "1.05 (stealing, source, 30)" or, if the workers are not 16,
// "1.10 (stealing, uneven, 30, 256)".
func TestProseOfBalance(t *testing.T) {
	page, all := strings.Join(strings.Fields(balancePage(t)), " "), cells(t)
	found := regexp.MustCompile(`([0-9.]+) \(([a-z-]+), ([a-z]+), ([0-9]+)(?:, ([0-9]+))?\)`).FindAllStringSubmatch(page, -1)
	require.Greater(t, len(found), 10)
	for _, m := range found {
		workers := m[5]
		if workers == "" {
			workers = "16"
		}
		r := all[[4]string{m[2], m[3], m[4], workers}]
		require.NotNil(t, r, m[0])
		require.Equal(t, mean(r), m[1], m[0])
	}
}

// The table of how far to trust has a line for each scheme: how far its times are from the native
// machine's, with links that are free and busy, and how many checks are outside.
func TestTrustOfBalance(t *testing.T) {
	page := balancePage(t)
	all := balance.ParseChecks(docs.Valid)
	for _, s := range balance.Schemes() {
		mine := slices.DeleteFunc(slices.Clone(all), func(c balance.Check) bool { return c.Scheme != s.Name })
		if len(mine) == 0 {
			continue
		}
		machines, least, most, bad := []string{}, mine[0].N, 0, 0
		apart := map[string]string{"free": "", "busy": ""}
		for network := range apart {
			low, high := math.Inf(1), math.Inf(-1)
			for _, c := range mine {
				if c.Network == network && c.IsTime() {
					low, high = min(low, c.Deviation), max(high, c.Deviation)
				}
			}
			if low <= high {
				apart[network] = fmt.Sprintf("%+.0f to %+.0f %%", 100*low, 100*high)
			}
		}
		for _, c := range mine {
			machines, least, most = append(machines, c.Machine), min(least, c.N), max(most, c.N)
			if !c.OK {
				bad++
			}
		}
		slices.Sort(machines)
		if machines = slices.Compact(machines); s.Name == "none" {
			machines = []string{"all but the EM-4"}
		}
		what := fmt.Sprintf(" | %s | %d to %d | %s | %s | %d of %d |\n", strings.Join(machines, ", "), least, most, apart["free"], apart["busy"], bad, len(mine))
		require.Contains(t, page, "| `"+s.Name+"`"+what)
	}
}

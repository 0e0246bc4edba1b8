package docs_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
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

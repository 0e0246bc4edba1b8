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

// cells are the recorded comparison by scheme, workload and grain.
func cells(t *testing.T) map[[3]string]map[string]string {
	lines, err := csv.NewReader(strings.NewReader(docs.Balance)).ReadAll()
	require.NoError(t, err)
	out := map[[3]string]map[string]string{}
	for _, l := range lines[1:] {
		r := map[string]string{}
		for k, name := range lines[0] {
			r[name] = l[k]
		}
		require.Equal(t, "16", r["n"])
		require.Equal(t, "32", r["seeds"])
		out[[3]string{r["scheme"], r["workload"], r["grain"]}] = r
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

// The table of BALANCE.md has the numbers of the recorded comparison, and a
// star where validation.csv has one.
func TestTableOfBalance(t *testing.T) {
	page, all := balancePage(t), cells(t)
	for _, s := range balance.Schemes() {
		line := "| `" + s.Name + "`"
		if ok := balance.Validated(s.Name); ok != nil && !*ok {
			line += " *"
		}
		for _, w := range balance.Workloads() {
			for _, g := range []string{"3", "30"} {
				line += " | " + mean(all[[3]string{s.Name, w.Name, g}])
			}
		}
		require.Contains(t, page, line+" |\n")
	}
}

// Every number of the explanations that is marked with its cell is that
// cell's: "1.05 (stealing, source, 30)".
func TestProseOfBalance(t *testing.T) {
	page, all := strings.Join(strings.Fields(balancePage(t)), " "), cells(t)
	found := regexp.MustCompile(`([0-9.]+) \(([a-z-]+), ([a-z]+), ([0-9]+)\)`).FindAllStringSubmatch(page, -1)
	require.Greater(t, len(found), 10)
	for _, m := range found {
		r := all[[3]string{m[2], m[3], m[4]}]
		require.NotNil(t, r, m[0])
		require.Equal(t, mean(r), m[1], m[0])
	}
}

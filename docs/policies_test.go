package docs_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/sweep"
)

// POLICY.md has the numbers of the tables: for its examples next to ring, and for the ranking of all policies by its
// table of record.
func TestPolicyTables(t *testing.T) {
	p := loadPage(t, "POLICY.md")
	for table, reference := range map[string]string{"examples": "policy=ring", "quick": "policy=ring,variant=base"} {
		about, err := os.ReadFile("policies/" + table + ".json")
		require.NoError(t, err)
		require.Contains(t, string(about), "--reference "+reference+"\",",
			"%s.csv: its ratios are to another row", table)
	}
	x := read(t, "policies/examples.csv")
	var lines [][]string
	for _, call := range x.distinct(row.call) {
		line := []string{"`" + call + "`", x.find("program", strings.Fields(call)[0], "policy", "ring")["clocks"]}
		for _, policy := range []string{"near.s", "two.s", "steal.s"} {
			r := x.find("program", strings.Fields(call)[0], "policy", policy)
			text := interval(r.number("clocks_ratio"), r.number("clocks_ratio_low"), r.number("clocks_ratio_high"))
			require.NotEmpty(t, r["verdict"], "%s with %s is compared with ring", call, policy)
			switch r["verdict"] {
			case "cannot be told":
				text += " ≈"
			case "faster":
				text += " faster"
			}
			line = append(line, text)
		}
		lines = append(lines, line)
	}
	require.Len(t, lines, 9)
	p.block(t, "examples", markdown([]string{"program", "ring: clocks", "near.s", "two.s", "steal.s"}, lines))
	p.block(t, "ranking", ranking(t))
	p.save(t)
}

// ranking returns the ranking that the command prints.
func ranking(t *testing.T) string {
	plan, err := sweep.Load("sweeps/policies/quick.toml")
	require.NoError(t, err)
	require.NoError(t, plan.Refer("policy=ring,variant=base"))
	text, err := os.ReadFile("policies/quick.csv")
	require.NoError(t, err)
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return fmt.Sprintf("%.2f", v)
	}
	var lines [][]string
	for _, r := range plan.Ranking(text) {
		require.Equal(t, 6, r.Rows)
		name := strings.TrimSuffix(r.Name, ", base")
		lines = append(lines, []string{
			name, number(r.Time), number(r.Work), fmt.Sprint(r.Faster), fmt.Sprint(r.Slower),
		})
	}
	return markdown([]string{"policy", "time", "work", "cells faster", "slower"}, lines)
}

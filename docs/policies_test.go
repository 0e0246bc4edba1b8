package docs_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The examples of POLICY.md beside ring, and the ranking of all policies on its table of
// record, are those of the tables.
func TestPolicyTables(t *testing.T) {
	p := loadPage(t, "POLICY.md")
	x := read(t, "policies/examples.csv")
	var lines [][]string
	for _, call := range x.distinct(row.call) {
		line := []string{"`" + call + "`", x.find("program", strings.Fields(call)[0], "policy", "ring")["clocks"]}
		for _, policy := range []string{"near.s", "two.s", "steal.s"} {
			r := x.find("program", strings.Fields(call)[0], "policy", policy)
			text := interval(r.number("clocks_ratio"), r.number("clocks_ratio_low"), r.number("clocks_ratio_high"))
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
	p.block(t, "ranking", ranking(t, read(t, "policies/quick.csv")))
	p.save(t)
}

// ranking are the geometric means of the ratios to ring alone.
func ranking(t *testing.T, x table) string {
	type entry struct {
		name           string
		time, work     float64
		faster, slower int
	}
	var list []entry
	for _, policy := range x.distinct(func(r row) string { return r["policy"] }) {
		for _, variant := range x.distinct(func(r row) string { return r["variant"] }) {
			e := entry{name: policy}
			if variant != "base" {
				e.name += ", " + variant
			}
			cells := 0
			for _, r := range x {
				if r["policy"] != policy || r["variant"] != variant {
					continue
				}
				ring := x.find("program", r["program"], "pes", r["pes"], "policy", "ring", "variant", "base")
				e.time += math.Log(r.number("clocks") / ring.number("clocks"))
				e.work += math.Log(r.number("clocks") * r.number("pe_utilisation") / ring.number("clocks") / ring.number("pe_utilisation"))
				switch r["verdict"] {
				case "faster":
					e.faster++
				case "slower":
					e.slower++
				}
				cells++
			}
			require.Equal(t, 6, cells)
			e.time, e.work = math.Exp(e.time/6), math.Exp(e.work/6)
			list = append(list, e)
		}
	}
	key := func(e entry) float64 {
		if math.IsNaN(e.time) {
			return math.Inf(1)
		}
		return e.time
	}
	slices.SortStableFunc(list, func(a, b entry) int {
		switch {
		case key(a) < key(b):
			return -1
		case key(a) > key(b):
			return 1
		}
		return 0
	})
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return fmt.Sprintf("%.2f", v)
	}
	var lines [][]string
	for _, e := range list {
		lines = append(lines, []string{e.name, number(e.time), number(e.work), fmt.Sprint(e.faster), fmt.Sprint(e.slower)})
	}
	return markdown([]string{"policy", "time", "work", "cells faster", "slower"}, lines)
}

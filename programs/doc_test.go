package programs_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/gotype"
	_ "emsim/internal/dev/garbage"
	"emsim/internal/dev/golden"
	"emsim/programs"
)

// docs is the page with the tables below, each between <!-- name --> and the next
// <!-- end -->.
const docs = "../docs/PROGRAMS.md"

// table compares a table of the page with the expected rows; -update rewrites it.
func table(t *testing.T, name string, rows []string) {
	t.Helper()
	golden.Block(t, docs, name, strings.Join(rows, "\n")+"\n")
}

// The list of programs is the table's, and every program has a paragraph.
func TestListInDocs(t *testing.T) {
	rows := []string{"| program | what it does | answer | what it stresses |", "| --- | --- | --- | --- |"}
	text, err := os.ReadFile(docs)
	require.NoError(t, err)
	for _, p := range programs.List() {
		call, ranges := p.Name, []string{}
		for _, a := range p.Args {
			call += " " + strings.ToUpper(a.Name)
			ranges = append(ranges, fmt.Sprintf("%d..%d", a.Min, a.Max))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", call, p.Does, p.Result, p.Stresses))
		require.Contains(t, string(text), fmt.Sprintf("\n**%s** (%s", call, strings.Join(ranges, ", ")),
			"%s wants a paragraph about %s", docs, p.Name)
	}
	table(t, "programs", rows)
}

// The counts are the machine's. The counts of fib depend on its calibration.
func TestCountsInDocs(t *testing.T) {
	rows := []string{
		"| run | answer | instances | blocks | instructions | packets |",
		"| --- | --- | --: | --: | --: | --: |",
	}
	for _, p := range programs.List() {
		if p.Name == "fib" {
			continue
		}
		m, o := ready(t, p.Name, 80, variant{})
		r := check(t, m, o, p.Name, 80, variant{}, p.Typical...)
		answer := gotype.Text(o.Result, r.Words, 1, 32)
		if n := len(r.Words); n > 1 {
			answer = fmt.Sprintf("%d %d %d ... %d", r.Words[0], r.Words[1], r.Words[2], r.Words[n-1])
		}
		var sum [4]uint64 // to the end, including packets after the answer
		for pe := range 80 {
			p := m.PE(pe)
			for i, n := range []uint64{p.Calls, p.Blocks, p.Instructions, p.Sent} {
				sum[i] += n
			}
		}
		call := strings.Trim(fmt.Sprint(p.Name, " ", p.Typical), "[]")
		call = strings.Replace(call, "[", "", 1)
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %d | %d | %d | %d |", call, answer, sum[0], sum[1], sum[2],
			sum[3]))
	}
	table(t, "counts", rows)
}

// The table of the cost of leaves has the machine's counts too.
func TestLeavesInDocs(t *testing.T) {
	rows := []string{
		"| run | `leaves=instances`: clocks | instances | `leaves=inline`: clocks | instances |",
		"| --- | --: | --: | --: | --: |",
	}
	for _, p := range programs.List() {
		if !slices.Contains([]string{"fib", "knapsack", "queens"}, p.Name) {
			continue
		}
		row := fmt.Sprintf("| `%s %d` |", p.Name, p.Typical[0])
		for _, leaves := range []string{"instances", "inline"} {
			m, o := started(t, p.Name, 80, params{"leaves": leaves})
			r := check(t, m, o, p.Name, 80, variant{}, p.Typical...)
			row += fmt.Sprintf(" %d | %d |", r.Clocks, r.Calls)
		}
		rows = append(rows, row)
	}
	table(t, "leaves", rows)
}

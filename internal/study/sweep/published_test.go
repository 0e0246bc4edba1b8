package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// published returns the tables of the documentation. Each is made by the sweep file of its name.
func published(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../../docs/sweeps/*.toml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	tables, err := filepath.Glob("../../../docs/beyond/*.csv")
	require.NoError(t, err)
	require.Len(t, tables, len(files), "every sweep has its table")
	return files
}

func tableOf(t *testing.T, file string) []byte {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(file), ".toml") + ".csv"
	text, err := os.ReadFile(filepath.Join("../../../docs/beyond", name))
	require.NoError(t, err)
	return text
}

// The published tables match the sweep files: they have the same points, and a few points give the same results again.
// The slow test runs all points.
func TestPublishedTables(t *testing.T) {
	const few = 4
	for _, file := range published(t) {
		p, err := Load(file)
		require.NoError(t, err)
		table := tableOf(t, file)
		old := rows(t, table)
		head, _, _ := strings.Cut(string(table), "\n")
		var names []string
		for _, c := range p.Columns() {
			names = append(names, c.Name)
		}
		require.True(t, strings.HasPrefix(strings.Join(names, ",")+",", head+","),
			"%s: the table has the columns of the plan, but for statistics that came later", file)
		names = names[:strings.Count(head, ",")+1]
		require.Len(t, old, p.Rows(), file)
		if p.Seeds > 0 {
			publishedCells(t, p, old, names)
			continue
		}

		results := map[string]*Result{}
		for i := range p.Points {
			x := &p.Points[i]
			require.Equal(t, []string{
				strings.Join(append([]string{x.Program}, x.Spec.Args...), " "), x.Variant,
				itoa(uint64(x.Config.PEs)), itoa(x.Spec.Seed),
			},
				[]string{
					strings.TrimSpace(old[i]["program"] + " " + old[i]["args"]), old[i]["variant"], old[i]["pes"],
					old[i]["seed"],
				})
			results[x.ID] = &Result{Outcome: "later"}
		}
		step := len(p.Points)/few + 1
		for i := range p.Points {
			clocks := old[i]["clocks"]
			if x := &p.Points[i]; i%step == step/2 && clocks != "" &&
				len(clocks) < 6 { // longer runs are left to the slow test
				r, err := x.runPoint(t.Context(), func(uint64) {})
				require.NoError(t, err)
				r.lighten(x)
				results[x.ID] = r
				cells := p.tableRow(p.Cells[i], results, nil)
				results[x.ID] = &Result{Outcome: "later"}
				at := slices.Index(names, "clocks_ratio")
				for c, name := range names {
					if c != at { // its base was not run
						require.Equal(t, old[i][name], cells[c], "%s, row %d, %s: 'emsim sweep' makes it anew", file, i+
							1, name)
					}
				}
			}
		}
	}
}

// publishedCells checks a table with seeds: it has the cells of the plan, and the shortest cells give the same results
// again.
func publishedCells(t *testing.T, p *Plan, old []map[string]string, names []string) {
	t.Helper()
	const clocks = 200_000 // in all runs of a cell together, on 80 PEs
	again := 0
	for i, c := range p.Cells {
		x := &p.Points[c.Points[0]]
		require.Equal(t, []string{
			strings.Join(append([]string{x.Program}, x.Spec.Args...), " "), x.Variant,
			itoa(uint64(x.Config.PEs)), itoa(x.Spec.Seed), itoa(uint64(p.Seeds)), c.By,
		},
			[]string{
				strings.TrimSpace(old[i]["program"] + " " + old[i]["args"]), old[i]["variant"], old[i]["pes"],
				old[i]["seed"], old[i]["samples"], old[i]["by"],
			})
		mean, _ := strconv.ParseFloat(old[i]["clocks"], 64)
		if total := mean * float64(p.Seeds); total == 0 || total > clocks || x.Config.PEs > 80 {
			continue
		}
		results := map[string]*Result{}
		for _, k := range c.Points {
			r, err := p.Points[k].runPoint(t.Context(), func(uint64) {})
			require.NoError(t, err)
			results[p.Points[k].ID] = r
		}
		c.Base = -1 // the base was not run
		cells := p.tableRow(c, results, nil)
		for k, name := range names {
			if !strings.HasPrefix(name, "clocks_ratio") && name != "p" && name != "verdict" {
				require.Equal(t, old[i][name], cells[k], "%s, row %d, %s: 'emsim sweep' makes it anew", p.File, i+1,
					name)
			}
		}
		if again++; again == 2 {
			return
		}
	}
}

// The sweeps of docs/RHINET.md have as many rows as their lists say, and the mean of a row is the number on the page.
func TestRHiNETSweeps(t *testing.T) {
	rows := map[string]int{}
	files, err := filepath.Glob("../../../docs/sweeps/rhinet/*.toml")
	require.NoError(t, err)
	for _, file := range files {
		p, err := Load(file)
		require.NoError(t, err)
		require.Equal(t, 4, p.Seeds)
		rows[filepath.Base(file)] = p.Rows()
	}
	require.Equal(t, map[string]int{
		"application.toml": 192, "control.toml": 32, "frequency.toml": 192,
		"groups.toml": 352, "moving.toml": 384, "sensitivity.toml": 112, "waiting.toml": 192,
	}, rows)

	p, err := Load("../../../docs/sweeps/rhinet/control.toml")
	require.NoError(t, err)
	page, err := os.ReadFile("../../../docs/RHINET.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "\n| 8 | 45.68 | 44.90 | 43.35 | 44.41 | 51.87 |\n")
	want := map[string]string{base: "44.90", "steady": "43.35", "70/70 ms, equal turns": "51.87"}
	for _, c := range p.Cells[:4] {
		sum := 0.0
		for _, i := range c.Points {
			x := &p.Points[i]
			require.Contains(t, x.Spec.Sets, "nodes=8")
			r, err := x.runPoint(t.Context(), func(uint64) {})
			require.NoError(t, err)
			require.True(t, r.lighten(x))
			sum += r.number("total_s") / 4
		}
		if text, ok := want[p.first(c).Variant]; ok {
			require.Equal(t, text, fmt.Sprintf("%.2f", sum))
			delete(want, p.first(c).Variant)
		}
	}
	require.Empty(t, want)
}

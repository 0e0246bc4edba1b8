package docs_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/balance"
	"emsim/docs"
	"emsim/internal/dev/golden"
)

// cells returns the rows of the recorded comparisons by policy, workload, grain and workers: for whole workloads, and
// for open ones at several loads.
func cells(t *testing.T) map[[4]string]row {
	out := map[[4]string]row{}
	for _, r := range append(read(t, "balance/compare.csv"), read(t, "balance/open.csv")...) {
		if r["verdict"] == "" { // for cells that are not steady there are only pilots
			require.Equal(t, "32", r["seeds"])
		}
		out[[4]string{r["policy"], r["workload"], r["grain"], r["n"]}] = r
	}
	return out
}

// judged returns the value by which a row is compared, with its interval: the time or, for open workloads, the
// response time.
func judged(r row) (mean, low, high float64) {
	if strings.HasSuffix(r["workload"], "%") {
		return r.number("response"), r.number("response_low"), r.number("response_high")
	}
	return r.number("mean"), r.number("low"), r.number("high")
}

// mean returns a row's number as the page writes it.
func mean(r row) string {
	m, _, _ := judged(r)
	if math.IsNaN(m) {
		return "n/a"
	}
	return fmt.Sprintf("%.2f", m)
}

// The tables of BALANCE.md have the numbers of the recorded comparison.
func TestTablesOfBalance(t *testing.T) {
	p, all := loadPage(t, "BALANCE.md"), cells(t)
	for name, columns := range map[string][][2]string{
		"grains": {{"3", "16"}, {"30", "16"}}, "sizes": {{"30", "64"}, {"30", "256"}},
	} {
		head, lines := []string{"policy"}, [][]string{}
		for _, w := range balance.Workloads() {
			head = append(head, w.Name+" "+map[string]string{"grains": "3", "sizes": "64"}[name],
				columns[1][map[string]int{"grains": 0, "sizes": 1}[name]])
		}
		for _, s := range balance.Policies() {
			line := []string{"`" + s.Name + "`"}
			for _, w := range balance.Workloads() {
				for _, c := range columns {
					r := all[[4]string{s.Name, w.Name, c[0], c[1]}]
					line = append(line, mean(r)+map[string]string{"true": " ="}[r["tie"]])
				}
			}
			lines = append(lines, line)
		}
		p.block(t, name, markdown(head, lines))
	}
	p.save(t)
}

// The ranking comes from the table of record, whose cells equal the comparison's cells where it has them.
func TestRecordOfBalance(t *testing.T) {
	p, all := loadPage(t, "BALANCE.md"), cells(t)
	var rows []balance.Row
	cellsOf := map[string]bool{}
	for _, r := range read(t, "balance/record.csv") {
		n, _ := strconv.Atoi(r["n"])
		grain, _ := strconv.Atoi(r["grain"])
		x := balance.Row{Policy: r["policy"], Workload: r["workload"], N: n, Grain: grain}
		if r["regret"] != "" {
			regret, tie := r.number("regret"), r["tie"] == "true"
			x.Regret, x.Tie = &regret, &tie
		}
		rows = append(rows, x)
		if x.Policy == "stealing" && !*x.Tie {
			named := x.Workload == "loop" || x.Workload == "tree" || x.Workload == "graph" && grain == 3 ||
				x.Workload == "uneven" && n == 64
			require.True(t, named, "the page does not say that stealing loses at %s, %d workers, grain %d",
				x.Workload, n, grain)
		}
		cellsOf[r["workload"]+r["n"]+","+r["grain"]] = true
		if same, ok := all[[4]string{r["policy"], r["workload"], r["grain"], r["n"]}]; ok {
			require.Equal(t, same, r)
		}
	}
	var lines [][]string
	for _, s := range balance.Ranking(rows) {
		lines = append(lines, []string{
			"`" + s.Policy + "`", fmt.Sprint(s.Cells), fmt.Sprint(s.Best), fmt.Sprintf("%.2f", s.Mean),
			fmt.Sprintf("%.1f: %s", s.Worst, s.At),
		})
		if s.Policy == "stealing" {
			require.Contains(t, strings.Join(strings.Fields(p.text), " "),
				fmt.Sprintf("in %d of the %d cells of", s.Best, len(cellsOf)))
		}
	}
	p.block(t, "ranking", markdown([]string{"policy", "cells", "best or tie", "mean", "worst"}, lines))
	p.save(t)
}

// check returns how far a row may be wrong.
func check(r row) float64 {
	if r["check"] == "" {
		return 0
	}
	return r.number("check")
}

// The page has at most 3,000 words outside its tables and commands.
func TestLengthOfBalance(t *testing.T) {
	text := regexp.MustCompile("(?s:```.*?```)|(?m:^\\|.*$|^    .*$)").
		ReplaceAllString(loadPage(t, "BALANCE.md").text, "")
	require.LessOrEqual(t, len(strings.Fields(text)), 3000)
}

// The table of trust has a line for each policy: how far its times are from the native machine's, with free and busy
// links, and how many checks are outside the tolerance.
func TestTrustOfBalance(t *testing.T) {
	file := loadPage(t, "BALANCE.md")
	page := file.text
	all := balance.ParseChecks(docs.Valid)
	outside, free := 0, 0
	for _, c := range all {
		if !c.OK {
			outside++
			if c.Network == "free" && c.Machine == "EM-4" {
				free++
			}
		}
	}
	require.Contains(t, page, fmt.Sprintf("has all %d checks, %d of them outside", len(all), outside))
	require.Contains(t, page, fmt.Sprintf("%d of the %d come from a free network there", free, outside))
	for _, s := range balance.Policies() {
		mine := slices.DeleteFunc(slices.Clone(all), func(c balance.Check) bool { return c.Policy != s.Name })
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
		what := fmt.Sprintf(" | %s | %d to %d | %s | %s | %d of %d |\n",
			strings.Join(machines, ", "), least, most, apart["free"], apart["busy"], bad, len(mine))
		line := "| `" + s.Name + "`" + what
		if golden.Update() {
			was := regexp.MustCompile("(?m)^\\| `" + s.Name + "`( \\| [^|]*){5} \\|\n").
				FindString(page[strings.Index(page, "has all "):])
			file.text = strings.Replace(file.text, was, line, 1)
			continue
		}
		require.True(t, strings.Contains(page, line), "%s: the page needs%s", s.Name, what)
	}
	file.save(t)
}

// The table of turns has a line for each cell: the best policy, and the numbers with which it is neither the best nor
// a tie.
func TestTurnsOfBalance(t *testing.T) {
	rows := read(t, "balance/sensitivity.csv")
	page, cells := loadPage(t, "BALANCE.md").text, [][4]string{}
	turns, settings := map[[4]string]string{}, map[[4]string]int{}
	for _, r := range rows {
		c := [4]string{r["workload"], r["n"], r["grain"], r["before"]}
		if settings[c]++; settings[c] == 1 {
			cells = append(cells, c)
		}
		if r["changes"] == "true" {
			turns[c] += fmt.Sprintf(", %s=%s: `%s`", r["key"], r["value"], r["best"])
		}
	}
	require.Len(t, cells, 24)
	for _, c := range cells {
		require.Equal(t, 2*len(balance.Knobs())+1, settings[c])
		what := strings.TrimPrefix(turns[c], ", ")
		line := fmt.Sprintf("| %s | %s | %s | `%s` | %s |\n", c[0], c[1], c[2], c[3], what)
		require.True(t, strings.Contains(page, line), "the page needs %s", line)
	}
	// The page's statements about the turns hold too.
	keys, winners, ofTrees, all := map[string]bool{}, map[string]bool{}, map[string]bool{}, 0
	for _, r := range rows {
		if r["changes"] != "true" {
			continue
		}
		all++
		switch r["workload"] {
		case "source":
			keys[r["key"]+" "+r["n"]] = true
		case "tree":
			ofTrees[r["best"]+" "+r["grain"]+" "+r["n"]] = true
		case "uneven":
			winners[r["best"]] = true
		default:
			require.Equal(t, "loop", r["workload"])
		}
	}
	require.Contains(t, page,
		fmt.Sprintf("Of 24 cells with %d settings each, %d cells have\nanother certain winner in %d settings",
			2*len(balance.Knobs())+1, len(turns), all))
	require.Equal(t, map[string]bool{"hold 64": true}, keys)
	require.Equal(t, map[string]bool{
		"stealing 3 16": true, "ring-round-robin 3 64": true, "two-choices 30 16": true,
	}, ofTrees)
	require.Equal(t, map[string]bool{"clb": true, "igclb": true, "glb": true, "stealing": true}, winners)
}

// The table of the policies' best intervals has the numbers of the recorded comparison.
func TestBestIntervalsOfBalance(t *testing.T) {
	rows := read(t, "balance/best.csv")
	page, lines, order := loadPage(t, "BALANCE.md").text, map[string]string{}, []string{}
	for _, workload := range []string{"uneven", "loop"} {
		for _, n := range []string{"16", "64", "256"} {
			for _, r := range rows {
				if r["workload"] == workload && r["n"] == n && r["grain"] == "30" && r["stretch"] != "" {
					if lines[r["policy"]] == "" {
						order = append(order, r["policy"])
					}
					lines[r["policy"]] += fmt.Sprintf(" | %s at %s%s",
						mean(r), r["stretch"], map[string]string{"true": " ="}[r["tie"]])
				}
			}
		}
	}
	for _, r := range rows { // with these, clb and igclb are better than stealing
		if (r["policy"] == "clb" || r["policy"] == "igclb") && r["workload"] == "uneven" && r["grain"] == "30" {
			_, _, high := judged(r)
			_, low, _ := judged(cells(t)[[4]string{"stealing", "uneven", "30", r["n"]}])
			require.Less(t, high, low, r["n"])
		}
	}
	require.Len(t, order, 7)
	for _, s := range order {
		require.True(t, strings.Contains(page, "| `"+s+"`"+lines[s]+" |\n"), "the page needs %s%s", s, lines[s])
	}
}

package docs_test

import (
	"cmp"
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

// cells are the recorded comparisons by scheme, workload, grain and workers: of whole workloads,
// and of open ones at several loads.
func cells(t *testing.T) map[[4]string]row {
	out := map[[4]string]row{}
	for _, r := range append(read(t, "balance/compare.csv"), read(t, "balance/open.csv")...) {
		require.Equal(t, "32", r["seeds"])
		out[[4]string{r["scheme"], r["workload"], r["grain"], r["n"]}] = r
	}
	return out
}

// judged is what a row is compared by, with the interval: the time or, of open workloads, the
// response time.
func judged(r row) (mean, low, high float64) {
	if strings.HasSuffix(r["workload"], "%") {
		return r.number("response"), r.number("response_low"), r.number("response_high")
	}
	return r.number("mean"), r.number("low"), r.number("high")
}

// mean is a number of the page.
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
	for name, columns := range map[string][][2]string{"grains": {{"3", "16"}, {"30", "16"}}, "sizes": {{"30", "64"}, {"30", "256"}}} {
		head, lines := []string{"scheme"}, [][]string{}
		for _, w := range balance.Workloads() {
			head = append(head, w.Name+" "+map[string]string{"grains": "3", "sizes": "64"}[name], columns[1][map[string]int{"grains": 0, "sizes": 1}[name]])
		}
		for _, s := range balance.Schemes() {
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

// The ranking is that of the table of record, whose cells are those of the comparison where it
// has them.
func TestRecordOfBalance(t *testing.T) {
	p, all := loadPage(t, "BALANCE.md"), cells(t)
	var rows []balance.Row
	cellsOf := map[string]bool{}
	for _, r := range read(t, "balance/record.csv") {
		n, _ := strconv.Atoi(r["n"])
		grain, _ := strconv.Atoi(r["grain"])
		x := balance.Row{Scheme: r["scheme"], Workload: r["workload"], N: n, Grain: grain}
		if r["regret"] != "" {
			regret, tie := r.number("regret"), r["tie"] == "true"
			x.Regret, x.Tie = &regret, &tie
		}
		rows = append(rows, x)
		if x.Scheme == "stealing" && !*x.Tie {
			named := x.Workload == "loop" || x.Workload == "tree" || x.Workload == "graph" && grain == 3 || x.Workload == "uneven" && n == 64
			require.True(t, named, "the page does not say that stealing loses at %s, %d workers, grain %d", x.Workload, n, grain)
		}
		cellsOf[r["workload"]+r["n"]+","+r["grain"]] = true
		if same, ok := all[[4]string{r["scheme"], r["workload"], r["grain"], r["n"]}]; ok {
			require.Equal(t, same, r)
		}
	}
	var lines [][]string
	for _, s := range balance.Ranking(rows) {
		lines = append(lines, []string{"`" + s.Scheme + "`", fmt.Sprint(s.Cells), fmt.Sprint(s.Best), fmt.Sprintf("%.2f", s.Mean), fmt.Sprintf("%.1f: %s", s.Worst, s.At)})
		if s.Scheme == "stealing" {
			require.Contains(t, strings.Join(strings.Fields(p.text), " "), fmt.Sprintf("in %d of the %d cells of", s.Best, len(cellsOf)))
		}
	}
	p.block(t, "ranking", markdown([]string{"scheme", "cells", "best or tie", "mean", "worst"}, lines))
	p.save(t)
}

// A measured row is one of the tables below the answers: a cell, and its time.
var measuredRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+(?: [0-9]+ %)?) \\| ([0-9]+) \\| ([0-9]+) \\| (([0-9.]+)(?: \\([0-9.]+-[0-9.]+\\))?) \\|$")

// answers are the five questions with what is said to them, by section.
func answers(t *testing.T, p *page) []string {
	_, text, ok := strings.Cut(p.text, "## Five questions\n")
	require.True(t, ok)
	text, _, ok = strings.Cut(text, "\n## ")
	require.True(t, ok)
	list := strings.Split(text, "\n### ")[1:]
	require.Len(t, list, 5)
	return list
}

// timeOf is what a table says of a cell.
func timeOf(r row) string {
	m, low, high := judged(r)
	if math.IsNaN(low) {
		return fmt.Sprintf("%.2f", m)
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", m, low, high)
}

// cellOf is the cell of a row.
func cellOf(m []string) [4]string { return [4]string{m[1], m[2], m[3], m[4]} }

var hundredths = regexp.MustCompile(`\b[0-9]+\.[0-9]{2}\b`)

// The tables of the answers have the numbers of the recorded comparison, and the answers those of
// their tables.
func TestAnswersOfBalance(t *testing.T) {
	p, all := loadPage(t, "BALANCE.md"), cells(t)
	for _, section := range answers(t, p) {
		if golden.Update() {
			p.text = strings.Replace(p.text, section, rewritten(t, section, all), 1)
			continue
		}
		title, _, _ := strings.Cut(section, "\n")
		rows := measuredRow.FindAllStringSubmatch(section, -1)
		require.Greater(t, len(rows), 5, title)
		means := map[string]bool{}
		for _, m := range rows {
			require.Contains(t, all, cellOf(m), "%s: %s", title, m[0])
			require.Equal(t, timeOf(all[cellOf(m)]), m[5], "%s: %s", title, m[0])
			means[m[6]] = true
		}
		for _, number := range hundredths.FindAllString(proseIn(section), -1) {
			require.Contains(t, means, number, "%s: the table has no such number", title)
		}
		require.Equal(t, 1, strings.Count(section, "!["), "%s: one picture", title)
		require.Contains(t, section, "\nIt holds ", "%s: where does the answer hold?", title)
	}
	p.save(t)
}

// rewritten is a section with the recorded numbers, in its prose, too.
func rewritten(t *testing.T, section string, all map[[4]string]row) string {
	becomes := map[string]string{}
	for _, m := range measuredRow.FindAllStringSubmatch(section, -1) {
		now := mean(all[cellOf(m)])
		if was, ok := becomes[m[6]]; ok && was != now {
			now = "?" // two numbers that were equal: somebody has to say which
		}
		becomes[m[6]] = now
	}
	lines := strings.SplitAfter(section, "\n")
	for i, line := range lines {
		if m := measuredRow.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			lines[i] = strings.Replace(line, m[5], timeOf(all[cellOf(m)]), 1)
		} else if !strings.HasPrefix(line, "|") {
			lines[i] = hundredths.ReplaceAllStringFunc(line, func(number string) string { return cmp.Or(becomes[number], number) })
		}
	}
	return strings.Join(lines, "")
}

// proseIn is the text beside the tables, in one line.
func proseIn(section string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(section, "")), " ")
}

// A claim is that of two cells the first takes less time, or that nobody can tell.
type claim struct {
	a, b    [4]string
	text    string
	isATie  bool
	section string
}

// claims are those of the answers: "1.45 against 1.61", "1.67 ties with 1.98". Where several rows of
// a table have a number, those are meant for which it is true.
func claims(t *testing.T, all map[[4]string]row) (list []claim) {
	for _, section := range answers(t, loadPage(t, "BALANCE.md")) {
		rows, prose := measuredRow.FindAllStringSubmatch(section, -1), proseIn(section)
		of := func(number string) (cells [][4]string) {
			for _, m := range rows {
				if m[6] == number {
					cells = append(cells, cellOf(m))
				}
			}
			return cells
		}
		found := hundredths.FindAllStringIndex(prose, -1)
		for i := 1; i < len(found); i++ {
			before, now, between := prose[found[i-1][0]:found[i-1][1]], prose[found[i][0]:found[i][1]], strings.TrimSpace(prose[found[i-1][1]:found[i][0]])
			x := claim{isATie: strings.HasSuffix(between, "ties with"), text: before + " " + between + " " + now, section: section}
			if !x.isATie && !strings.HasSuffix(between, "against") {
				continue
			}
			holds := false
			for _, x.a = range of(before) {
				for _, x.b = range of(now) {
					if holds = apart(all[x.a], all[x.b]) != x.isATie; holds {
						break
					}
				}
				if holds {
					break
				}
			}
			require.True(t, holds, x.text)
			list = append(list, x)
		}
	}
	return list
}

// apart reports whether the first of two rows takes certainly less time, whatever chance and the checks
// can make of it: the intervals are apart by more than both schemes differ from their native machines,
// or the first is the best of its cell and the other no tie.
func apart(a, b row) bool {
	v, _, high := judged(a)
	w, low, _ := judged(b)
	return b["regret"] != "" && a["regret"] == "0" && b["tie"] == "false" && a["workload"]+a["n"]+","+a["grain"] == b["workload"]+b["n"]+","+b["grain"] ||
		high < low && w/v-1 > check(a)+check(b)
}

// What the answers claim is so in the recorded comparison.
func TestClaimsOfBalance(t *testing.T) {
	list := claims(t, cells(t))
	ties := 0
	for _, x := range list {
		if x.isATie {
			ties++
		}
	}
	require.Greater(t, len(list)-ties, 28)
	require.Greater(t, ties, 2)
}

// check is by how much a row may be wrong.
func check(r row) float64 {
	if r["check"] == "" {
		return 0
	}
	return r.number("check")
}

// The page has at most 3,000 words beside its tables and commands.
func TestLengthOfBalance(t *testing.T) {
	text := regexp.MustCompile("(?s:```.*?```)|(?m:^\\|.*$|^    .*$)").ReplaceAllString(loadPage(t, "BALANCE.md").text, "")
	require.LessOrEqual(t, len(strings.Fields(text)), 3000)
}

// The table of how far to trust has a line for each scheme: how far its times are from the native
// machine's, with links that are free and busy, and how many checks are outside.
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
	require.Contains(t, page, fmt.Sprintf("%d of the %d are of a free network there", free, outside))
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
		line := "| `" + s.Name + "`" + what
		if golden.Update() {
			was := regexp.MustCompile("(?m)^\\| `" + s.Name + "`( \\| [^|]*){5} \\|\n").FindString(page[strings.Index(page, "has all "):])
			file.text = strings.Replace(file.text, was, line, 1)
			continue
		}
		require.True(t, strings.Contains(page, line), "%s: the page needs%s", s.Name, what)
	}
	file.save(t)
}

// The table of what the winners depend on has a line for each cell: the best scheme, and with
// which numbers it is neither the best nor a tie.
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
	// And what the page says of them.
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
	require.Contains(t, page, fmt.Sprintf("Of 24 cells with %d settings each, %d cells have\nanother certain winner in %d settings", 2*len(balance.Knobs())+1, len(turns), all))
	require.Equal(t, map[string]bool{"hold 64": true}, keys)
	require.Equal(t, map[string]bool{"stealing 3 16": true, "ring-round-robin 3 64": true, "two-choices 30 16": true}, ofTrees)
	require.Equal(t, map[string]bool{"clb": true, "igclb": true, "glb": true, "stealing": true}, winners)
}

// The table of the schemes' own best intervals has the numbers of the recorded comparison.
func TestBestIntervalsOfBalance(t *testing.T) {
	rows := read(t, "balance/best.csv")
	page, lines, order := loadPage(t, "BALANCE.md").text, map[string]string{}, []string{}
	for _, workload := range []string{"uneven", "loop"} {
		for _, n := range []string{"16", "64", "256"} {
			for _, r := range rows {
				if r["workload"] == workload && r["n"] == n && r["grain"] == "30" && r["stretch"] != "" {
					if lines[r["scheme"]] == "" {
						order = append(order, r["scheme"])
					}
					lines[r["scheme"]] += fmt.Sprintf(" | %s at %s%s", mean(r), r["stretch"], map[string]string{"true": " ="}[r["tie"]])
				}
			}
		}
	}
	for _, r := range rows { // clb and igclb are then better than stealing
		if (r["scheme"] == "clb" || r["scheme"] == "igclb") && r["workload"] == "uneven" && r["grain"] == "30" {
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

package docs_test

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// measuredRow matches a row of the tables below the answers: a cell and its time.
var measuredRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| ([a-z]+(?: [0-9]+ %)?) \\| " +
	"([0-9]+) \\| ([0-9]+) \\| (([0-9.]+)(?: \\([0-9.]+-[0-9.]+\\))?) \\|$")

// answers returns the five questions with their answers, one section each.
func answers(t *testing.T, p *page) []string {
	_, text, ok := strings.Cut(p.text, "## Five questions\n")
	require.True(t, ok)
	text, _, ok = strings.Cut(text, "\n## ")
	require.True(t, ok)
	list := strings.Split(text, "\n### ")[1:]
	require.Len(t, list, 5)
	return list
}

// timeOf returns a cell's time as a table writes it.
func timeOf(r row) string {
	m, low, high := judged(r)
	if math.IsNaN(low) {
		return fmt.Sprintf("%.2f", m)
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", m, low, high)
}

// cellOf returns the cell of a matched row.
func cellOf(m []string) [4]string { return [4]string{m[1], m[2], m[3], m[4]} }

var hundredths = regexp.MustCompile(`\b[0-9]+\.[0-9]{2}\b`)

// The tables of the answers have the numbers of the recorded comparison, and the answers have the numbers of their
// tables.
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

// rewritten returns a section with the recorded numbers, also in its prose.
func rewritten(t *testing.T, section string, all map[[4]string]row) string {
	becomes := map[string]string{}
	for _, m := range measuredRow.FindAllStringSubmatch(section, -1) {
		now := mean(all[cellOf(m)])
		if was, ok := becomes[m[6]]; ok && was != now {
			now = "?" // two numbers that were equal now differ: the author must choose
		}
		becomes[m[6]] = now
	}
	lines := strings.SplitAfter(section, "\n")
	for i, line := range lines {
		if m := measuredRow.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			lines[i] = strings.Replace(line, m[5], timeOf(all[cellOf(m)]), 1)
		} else if !strings.HasPrefix(line, "|") {
			lines[i] = hundredths.ReplaceAllStringFunc(line,
				func(number string) string { return cmp.Or(becomes[number], number) })
		}
	}
	return strings.Join(lines, "")
}

// proseIn returns the text outside the tables, in one line.
func proseIn(section string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(section, "")), " ")
}

// A claim says about two cells that the first takes less time, or that they cannot be distinguished.
type claim struct {
	a, b    [4]string
	text    string
	isATie  bool
	section string
}

// claims returns the claims in the answers: "1.45 against 1.61", "1.67 ties with 1.98". If several rows of a table
// have a number, the claim is about the rows for which it is true.
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
			before, now, between := prose[found[i-1][0]:found[i-1][1]], prose[found[i][0]:found[i][1]],
				strings.TrimSpace(prose[found[i-1][1]:found[i][0]])
			x := claim{
				isATie: strings.HasSuffix(between, "ties with"),
				text:   before + " " + between + " " + now, section: section,
			}
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

// apart reports whether the first of two rows certainly takes less time, in spite of chance and the errors of the
// checks. Either the intervals are apart by more than both policies differ from their native machines, or the first
// row is the best of its cell and the other one is no tie.
func apart(a, b row) bool {
	v, _, high := judged(a)
	w, low, _ := judged(b)
	return b["regret"] != "" && a["regret"] == "0" && b["tie"] == "false" &&
		a["workload"]+a["n"]+","+a["grain"] == b["workload"]+b["n"]+","+b["grain"] ||
		high < low && w/v-1 > check(a)+check(b)
}

// The answers' claims are true in the recorded comparison.
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

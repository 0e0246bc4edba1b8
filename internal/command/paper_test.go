package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/verify"
)

// howOften matches the flags for the number of runs in a row's command.
var howOften = regexp.MustCompile(` --(runs|seeds) \d+`)

// A run with the program and settings of a row of 'emsim verify' shows the paper's numbers, and its differences from
// them. A run with any other setting does not.
func TestPapersNumbers(t *testing.T) {
	hosts := filepath.Join(t.TempDir(), "hosts.txt")
	require.NoError(t, os.WriteFile(hosts, []byte("speed 0 2\n"), 0o666))
	for line, others := range map[string][]string{
		"run fib 20 --policy ring": {
			"--pes 12", "--set hop_clocks=2", "--param grain=large",
			"--mlpe --param mlpe_when=call",
		},
		"run fib 20 --policy random":                                         {"--pes 192"},
		"rhinet run --nodes 8 --network ethernet --policy clb --loaded none": {"--interval 7", "--rows 512"},
		"spmd run --policy static":                                           {"--tasks 50", "--topology ring"},
	} {
		x := jsonOf(t, strings.Fields(line)...)
		var want, have []string
		for _, s := range verify.Suites() {
			claims, err := verify.Claims(s.Paper)
			require.NoError(t, err)
			for _, c := range claims {
				if command, reading, _ := verify.RunBy(c); howOften.ReplaceAllString(command, "") == "emsim "+line &&
					c.Class != verify.Regression &&
					reading.Key != "bands.work_per_call.mean" { // a single run has no such number
					want = append(want, c.ID)
				}
			}
		}
		for _, p := range x["paper"].([]any) {
			have = append(have, p.(map[string]any)["id"].(string))
		}
		slices.Sort(want)
		slices.Sort(have)
		require.Equal(t, want, have, line)
		_, text, _ := emsim(strings.Fields(line)...)
		best := map[bool]string{true: ", the best of several runs"}[strings.Contains(line, "random")]
		require.Regexp(t, `(?m)^  paper +[0-9.]+ m?s  [+-][0-9.]+ %[^(]* \(table \d`+best+`\)$`, text)
		for _, other := range others {
			require.NotContains(t, jsonOf(t, strings.Fields(line+" "+other)...), "paper", "%s %s", line, other)
		}
	}
	require.Contains(t, jsonOf(t, "rhinet", "run", "--nodes", "8"), "paper", "the other settings are the usual ones")
	require.NotContains(t, jsonOf(t, "rhinet", "run", "--nodes", "8", "--hosts", hosts), "paper")
}

// The differences are between the paper's number and the number in the same text.
func TestPapersDifferences(t *testing.T) {
	_, text, _ := emsim("run", "fib", "20")
	time := regexp.MustCompile(`(?m)^  time +([0-9.]+) ms`).FindStringSubmatch(text)
	use := regexp.MustCompile(`(?m)^  utilisation +([0-9.]+) %`).FindStringSubmatch(text)
	paper := regexp.MustCompile(`(?m)^  paper +([0-9.]+) ms  ([+-][0-9.]+) %; ` +
		`utilisation ([0-9.]+) %, ([+-][0-9.]+) points \(table 1\)$`).FindStringSubmatch(text)
	require.NotNil(t, paper, text)
	require.InDelta(t, 100*(number(t, time[1])/number(t, paper[1])-1), number(t, paper[2]), 0.06)
	require.InDelta(t, number(t, use[1])-number(t, paper[3]), number(t, paper[4]), 0.11)

	_, text, _ = emsim("spmd", "run")
	require.Regexp(t, `(?m)^P3 .* 149\.308 +141\.76 +95$`, text, "the paper's columns are by worker")
}
